//! The order in which jobs are handed out: that of the search, so that a run that is stopped early has seen the most. Only of the last
//! ones the longest go first: no worker begins with a long one when the others are done.

/// How many jobs for each worker are the last ones.
const LAST: usize = 2;

/// The same jobs. Results do not depend on it: they are told apart by their numbers.
pub(super) fn longest_of_the_last_first(jobs: &[usize], workers: usize, length: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut order = jobs.to_vec();
    if workers > 1 {
        let begin = order.len().saturating_sub(workers * LAST);
        order[begin..].sort_by_key(|job| std::cmp::Reverse(length(*job)));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_jobs_of_several_workers_change_places() {
        let length = |job: usize| [9, 1, 1, 2, 3, 2, 5][job];
        let jobs: Vec<usize> = (0..7).collect();
        assert_eq!(longest_of_the_last_first(&jobs, 2, length), [0, 1, 2, 6, 4, 3, 5], "equals stay in order");
        assert_eq!(longest_of_the_last_first(&jobs, 1, length), jobs);
        assert_eq!(longest_of_the_last_first(&jobs, 2, |_| 0), jobs, "nothing is known of their lengths");
        assert_eq!(longest_of_the_last_first(&[6, 1], 8, length), [6, 1]);
    }
}
