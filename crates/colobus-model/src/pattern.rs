//! Patterns of configurations for addresses, positions and texts.

/// Whether a pattern means this text: `*` stands for anything, every other character for itself.
pub fn matches_pattern(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(place) => rest = &rest[place + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything_and_all_of_the_text_counts() {
        for (pattern, text, expected) in [
            ("app.js:*", "app.js:12:4", true),
            ("app.js", "app.js:12:4", false),
            ("*/jquery*.js", "http://shop/lib/jquery-3.min.js", true),
            ("*/jquery*.js", "http://shop/app.js", false),
            ("*", "", true),
            ("", "a", false),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
        ] {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern} {text}");
        }
    }
}
