//! Coverage by line, for figures and reports.

use super::Intervals;

/// A line that has code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCoverage {
    /// From zero, within the script.
    pub line: usize,
    /// Where its code begins and ends, in UTF-16 units from the beginning of the script.
    pub range: (usize, usize),
    pub covered: bool,
}

/// The lines of a script that have code: blank ones, and those that are comments only, are left out. A line is covered if
/// some of it was executed.
pub fn lines(source: &str, covered: Option<&Intervals>) -> Vec<LineCoverage> {
    let (mut found, mut begin, mut in_comment) = (Vec::new(), 0, false);
    for (line, text) in source.split('\n').enumerate() {
        let width = |text: &str| text.encode_utf16().count();
        let has_code = has_code(text, &mut in_comment);
        if has_code {
            let start = begin + width(text) - width(text.trim_start());
            let end = begin + width(text.trim_end());
            let is_covered = covered.is_some_and(|covered| covered.touches(start, end));
            found.push(LineCoverage { line, range: (start, end), covered: is_covered });
        }
        begin += width(text) + 1;
    }
    found
}

/// Whether there is anything but space and comments in the line, as far as that shows without a parser.
fn has_code(text: &str, in_comment: &mut bool) -> bool {
    let mut rest = text.trim();
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return false };
            (*in_comment, rest) = (false, after.trim());
        }
        match rest {
            "" => return false,
            line if line.starts_with("//") => return false,
            line if line.starts_with("/*") => (*in_comment, rest) = (true, &line[2..]),
            _ => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_do_not_count() {
        let source = "// a\nlet é = 1;\n\n/* x\n y */ f();\n/* z */\n  g();";
        let mut covered = Intervals::default();
        covered.add(5, 15);
        let found: Vec<(usize, bool)> =
            lines(source, Some(&covered)).iter().map(|line| (line.line, line.covered)).collect();
        assert_eq!(found, [(1, true), (4, false), (6, false)]);
        assert_eq!(lines(source, None)[0].range, (5, 15), "positions count UTF-16 units");
    }
}
