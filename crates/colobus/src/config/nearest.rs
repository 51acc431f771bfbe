//! What a user who mistyped a word probably meant.

use strsim::osa_distance;

/// The candidate that is so close to `word` that it was probably meant; the first of equals.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let tolerated = (word.chars().count() / 3).max(1);
    let effort = |candidate: &str| match candidate.to_lowercase() {
        longer if word.len() > 2 && longer.starts_with(&word) => usize::from(longer != word),
        other => osa_distance(&word, &other),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_what_is_near() {
        let keys = ["ready", "reset", "focus"];
        assert_eq!(nearest("redy", keys), Some("ready"));
        assert_eq!(nearest("raedy", keys), Some("ready"), "a swap is one mistake");
        assert_eq!(nearest("Focus", keys), Some("focus"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("quiet", ["limit_ms", "quiet_ms"]), Some("quiet_ms"));
        assert_eq!(nearest("x", ["y", "long"]), Some("y"));
    }
}
