//! [`ExecutedLines`]: the lines of which some code ran, by what the browser counts. A line of a source map ran if a statement that
//! comes from it did, wherever that stands in the file that the server sends.

use std::collections::BTreeMap;
use std::sync::Arc;

use colobus_driver::{PageEvents, file_of};
use colobus_explore::coverage::{Coverage, lines};
use colobus_reach::line::Line;
use colobus_script::Position;
use colobus_world::Script;

pub struct ExecutedLines<'a> {
    scripts: BTreeMap<String, Vec<&'a Script>>,
    covered: &'a Coverage,
    events: &'a PageEvents,
}

impl<'a> ExecutedLines<'a> {
    pub fn new(
        scripts: impl IntoIterator<Item = &'a Script>,
        covered: &'a Coverage,
        events: &'a PageEvents,
    ) -> ExecutedLines<'a> {
        let mut by_file: BTreeMap<String, Vec<&Script>> = BTreeMap::new();
        for script in scripts {
            by_file.entry(file_of(&script.name.url)).or_default().push(script);
        }
        ExecutedLines { scripts: by_file, covered, events }
    }

    pub fn has(&self, line: &Line) -> bool {
        match self.events.places(line) {
            Some(places) => places.iter().any(|place| self.has_place(place) == Some(true)),
            None => self.of(&line.file).any(|script| {
                let number = |index: usize| script.line as usize + index + 1;
                let all = lines(&script.source, self.covered.of(&script.name));
                all.iter().any(|found| found.covered && number(found.line) == line.number as usize)
            }),
        }
    }

    fn of(&self, file: &str) -> impl Iterator<Item = &'a Script> + use<'a> {
        self.scripts.get(file).cloned().unwrap_or_default().into_iter()
    }

    /// Whether the code at a place ran; nothing if no script is known to have the place.
    pub fn has_place(&self, (file, position): &(Arc<str>, Position)) -> Option<bool> {
        let inside = |script: &'a Script| {
            let line = position.line.checked_sub(script.line)?;
            // The first line of a script in a document begins somewhere in that of the document.
            let is_known = line > 1 || script.line == 0;
            let at = is_known.then(|| offset(&script.source, Position { line, ..*position })).flatten()?;
            Some(self.covered.of(&script.name).is_some_and(|covered| covered.has(at)))
        };
        self.of(file).filter_map(inside).reduce(|one, other| one || other)
    }
}

/// How many UTF-16 units stand before a position of a file.
fn offset(source: &str, position: Position) -> Option<usize> {
    let (line, column) = (position.line.checked_sub(1)? as usize, position.column.checked_sub(1)? as usize);
    let width = source.split('\n').nth(line)?.encode_utf16().count();
    if column > width {
        return None;
    }
    let before = source.split('\n').take(line).map(|text| text.encode_utf16().count() + 1);
    Some(before.sum::<usize>() + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_as_browsers_do() {
        let at = |line, column| offset("aé\n𝄞b;\nc", Position { line, column });
        assert_eq!([at(1, 1), at(2, 3), at(3, 1), at(4, 1), at(0, 1)], [Some(0), Some(5), Some(8), None, None]);
    }
}
