//! What somebody who mistyped a word probably meant.

/// The candidate that is so close to `word` that it was probably meant; the first of equals.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let tolerated = (word.chars().count() / 3).max(1);
    let effort = |candidate: &str| match candidate.to_lowercase() {
        longer if word.len() > 2 && longer.starts_with(&word) => usize::from(longer != word),
        other => distance(&word, &other),
    };
    candidates
        .into_iter()
        .map(|candidate| (effort(candidate), candidate))
        .filter(|(distance, _)| *distance <= tolerated)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `` did you mean `ready`? ``, if something is near enough.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("ready", "ready", 0),
            ("redy", "ready", 1),
            ("raedy", "ready", 1),
            ("readyy", "ready", 1),
            ("roady", "ready", 1),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} -> {b}");
        }
    }

    #[test]
    fn suggests_only_what_is_near() {
        let keys = ["ready", "reset", "focus"];
        assert_eq!(nearest("redy", keys), Some("ready"));
        assert_eq!(nearest("Focus", keys), Some("focus"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("quiet", ["limit_ms", "quiet_ms"]), Some("quiet_ms"));
        assert_eq!(nearest("x", ["y", "long"]), Some("y"));
    }
}
