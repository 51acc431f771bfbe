//! [`Script`]: a recording with a mistake in it, which remembers where its lines come from.

use std::ops::Range;

use colobus_record::{Line, Recording};

#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub recording: Recording,
    /// The line of the original that each line is, by index; nothing for those that only the mistake brings.
    pub origins: Vec<Option<usize>>,
    /// Whether a line is there, or is as it is, because of the mistake.
    pub mistaken: Vec<bool>,
}

impl Script {
    pub fn unchanged(recording: &Recording) -> Script {
        let count = recording.lines.len();
        Script { recording: recording.clone(), origins: (0..count).map(Some).collect(), mistaken: vec![false; count] }
    }

    pub fn remove(&mut self, lines: Range<usize>) {
        self.recording.lines.drain(lines.clone());
        self.origins.drain(lines.clone());
        self.mistaken.drain(lines);
    }

    /// Brings a range before its left neighbour.
    pub fn swap(&mut self, one: Range<usize>, other: Range<usize>) {
        let (start, by) = (one.start, one.len());
        self.mistaken[other.clone()].fill(true);
        self.recording.lines[start..other.end].rotate_left(by);
        self.origins[start..other.end].rotate_left(by);
        self.mistaken[start..other.end].rotate_left(by);
    }

    pub fn insert(&mut self, at: usize, lines: Vec<Line>) {
        let count = lines.len();
        self.recording.lines.splice(at..at, lines);
        self.origins.splice(at..at, std::iter::repeat_n(None, count));
        self.mistaken.splice(at..at, std::iter::repeat_n(true, count));
    }

    pub fn change(&mut self, index: usize, change: impl FnOnce(&mut Line)) {
        if let Some(line) = self.recording.lines.get_mut(index) {
            change(line);
            self.mistaken[index] = true;
        }
    }

    /// The same without some of its lines.
    pub fn without(&self, lines: Range<usize>) -> Script {
        let mut script = self.clone();
        script.remove(lines);
        script
    }
}
