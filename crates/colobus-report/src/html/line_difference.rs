//! [`Hunk`]: what differs between two texts, line by line, with a few equal lines around for orientation.

use serde::Serialize;
use similar::{ChangeTag, DiffOp, TextDiff};

const CONTEXT: usize = 3;
/// The most lines shown of one comparison; the files beside the report have them all.
const MOST_LINES: usize = 600;
const LONGEST_LINE: usize = 2000;

/// Neighbouring changes and the lines around them.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hunk {
    pub lines: Vec<Line>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// The line's number in the first text, from one, if it is there.
    pub one: Option<usize>,
    /// The line's number in the second text.
    pub other: Option<usize>,
    pub text: String,
}

/// The hunks in which the texts differ, and whether some were left out because there are too many.
pub(super) fn hunks(one: &str, other: &str) -> (Vec<Hunk>, bool) {
    let difference = TextDiff::from_lines(one, other);
    let mut room = MOST_LINES;
    let mut hunks = Vec::new();
    for group in difference.grouped_ops(CONTEXT) {
        let all = group.iter().flat_map(|op: &DiffOp| difference.iter_changes(op));
        let lines: Vec<Line> = all
            .take(room)
            .map(|change| Line {
                one: change.old_index().filter(|_| change.tag() != ChangeTag::Insert).map(|index| index + 1),
                other: change.new_index().filter(|_| change.tag() != ChangeTag::Delete).map(|index| index + 1),
                text: cut(change.value().trim_end_matches(['\r', '\n'])),
            })
            .collect();
        room -= lines.len();
        hunks.push(Hunk { lines });
        if room == 0 {
            return (hunks, true);
        }
    }
    (hunks, false)
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        None => line.to_string(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(one: &str, other: &str) -> Vec<String> {
        let sign = |line: &Line| match (line.one, line.other) {
            (Some(_), Some(_)) => ' ',
            (Some(_), None) => '-',
            (None, _) => '+',
        };
        let lines = hunks(one, other).0.into_iter().flat_map(|hunk| hunk.lines);
        lines.map(|line| format!("{}{}", sign(&line), line.text)).collect()
    }

    #[test]
    fn a_changed_line_is_shown_among_its_neighbours() {
        let one = "p\n  b\n    \"x\"\np\n  \"1\"\n  \"2\"\n  \"3\"\n  \"4\"";
        let other = "p\n  i\n    \"x\"\np\n  \"1\"\n  \"2\"\n  \"3\"\n  \"4\"";
        assert_eq!(shown(one, other), [" p", "-  b", "+  i", "     \"x\"", " p", "   \"1\""]);
        assert!(shown(one, one).is_empty());
    }

    #[test]
    fn endless_differences_are_cut() {
        let (one, other) = ("a\n".repeat(2000), "b\n".repeat(2000));
        let (hunks, cut) = hunks(&one, &other);
        assert!(cut);
        assert_eq!(hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>(), MOST_LINES);
    }
}
