//! Delta debugging: the parts of a list that a shrinker tries, all of it first, then halves, then halves of these. The shrinkers
//! of orders, scripts and sequences consume them.

use std::ops::Range;

/// Takes away what a failure does not need of a list. `fails_without` gets a part, tries the list without it, and says whether it
/// still fails; then the part is gone, and later parts are counted without it. Each round begins at the end: what comes after
/// the failure goes first.
///
/// ```
/// # use colobus_schedule::leave_out;
/// let mut word = "a long word".to_string();
/// let tried: Result<(), ()> = leave_out(word.len(), |part| {
///     let shorter = [&word[..part.start], &word[part.end..]].concat();
///     let fails = shorter.contains('w') && shorter.contains('l');
///     if fails {
///         word = shorter;
///     }
///     Ok(fails)
/// });
/// assert_eq!((tried, word.as_str()), (Ok(()), "lw"));
/// ```
pub fn leave_out<E>(length: usize, mut fails_without: impl FnMut(Range<usize>) -> Result<bool, E>) -> Result<(), E> {
    let mut left = length;
    for width in widths(length) {
        let mut end = left;
        while end > 0 {
            let start = end.saturating_sub(width);
            if fails_without(start..end)? {
                left -= end - start;
            }
            end = start;
        }
    }
    Ok(())
}

/// The parts of a list that stays as long as it is, from its beginning, down to pairs.
pub(crate) fn parts(length: usize) -> impl Iterator<Item = Range<usize>> {
    let of_width = move |width: usize| (0..length).step_by(width).map(move |from| from..(from + width).min(length));
    widths(length).filter(|width| *width > 1).flat_map(of_width)
}

/// All of it, half of it, half of that, down to one.
fn widths(length: usize) -> impl Iterator<Item = usize> {
    std::iter::successors((length > 0).then_some(length), |width| (*width > 1).then(|| width / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_become_half_as_long_each_time() {
        assert_eq!(parts(5).collect::<Vec<_>>(), [0..5, 0..2, 2..4, 4..5]);
        assert_eq!(parts(1).count() + parts(0).count(), 0);
    }

    proptest! {
        #[test]
        fn what_is_left_is_what_is_needed(needed in prop::collection::vec(any::<bool>(), 0..40)) {
            let mut kept: Vec<usize> = (0..needed.len()).collect();
            let mut tries = 0;
            let tried: Result<(), ()> = leave_out(needed.len(), |part| {
                tries += 1;
                let fails = !kept[part.clone()].iter().any(|at| needed[*at]);
                if fails {
                    kept.drain(part);
                }
                Ok(fails)
            });
            prop_assert_eq!(tried, Ok(()));
            prop_assert_eq!(kept, (0..needed.len()).filter(|at| needed[*at]).collect::<Vec<_>>());
            prop_assert!(tries <= 3 * needed.len());
        }
    }
}
