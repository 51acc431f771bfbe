//! [`Task`]: what a user wanted, as far as a recording tells: a session on pages, on each page work at elements, at each
//! element single lines. Pages are told apart by their shape, elements by their path. As a grammar, every task with parts is
//! a rule.

use std::fmt;
use std::ops::Range;

use colobus_record::{Element, Event, Recording, Who};
use colobus_world::PageSnapshot;

use crate::similarity;
use crate::words::{name, words};

/// Pages that have less in common than this are different ones.
const SAME_PAGE: f64 = 0.6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub name: String,
    /// The lines that it takes, by index.
    pub lines: Range<usize>,
    /// What it consists of; nothing if it is a single line.
    pub parts: Vec<Task>,
}

impl Task {
    /// The task tree of a recording, by what its tabs showed after each line.
    pub fn infer(recording: &Recording, snapshots: &[Option<PageSnapshot>]) -> Task {
        let pages = pages(recording, snapshots);
        let lines = &recording.lines;
        let runs = runs(0..lines.len(), |one, other| pages[one] == pages[other] && lines[one].who == lines[other].who);
        let parts = runs.into_iter().map(|run| page_task(recording, run.clone(), pages[run.start])).collect();
        Task { name: "session".to_string(), lines: 0..lines.len(), parts }
    }

    /// This task and all below it, from the outside in.
    pub fn all(&self) -> Vec<&Task> {
        std::iter::once(self).chain(self.parts.iter().flat_map(Task::all)).collect()
    }

    /// Those that consist of others.
    pub fn rules(&self) -> Vec<&Task> {
        self.all().into_iter().filter(|task| !task.parts.is_empty()).collect()
    }
}

/// The grammar, a rule a line.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in self.rules() {
            let parts: Vec<&str> = rule.parts.iter().map(|part| part.name.as_str()).collect();
            writeln!(f, "{} -> {}", rule.name, parts.join(", "))?;
        }
        Ok(())
    }
}

fn page_task(recording: &Recording, lines: Range<usize>, page: usize) -> Task {
    let same = |one: usize, other: usize| match (place(recording, one), place(recording, other)) {
        (Some(one), Some(other)) => one.is_same_place(other),
        // What is done to no element belongs to what is done before it.
        (_, None) => !goes(&recording.lines[other].event),
        (None, Some(_)) => false,
    };
    let parts = runs(lines.clone(), same).into_iter().map(|run| element_task(recording, run)).collect();
    Task { name: format!("page {}", page + 1), lines, parts }
}

fn element_task(recording: &Recording, lines: Range<usize>) -> Task {
    let parts: Vec<Task> = lines.clone().map(|index| line_task(recording, index)).collect();
    match (<[Task; 1]>::try_from(parts), place(recording, lines.start)) {
        (Ok([single]), _) => single,
        (Err(parts), Some(element)) => Task { name: name(element), lines, parts },
        (Err(parts), None) => Task { name: parts[0].name.clone(), lines, parts },
    }
}

fn line_task(recording: &Recording, index: usize) -> Task {
    Task { name: words(&recording.lines[index].event), lines: index..index + 1, parts: Vec::new() }
}

fn place(recording: &Recording, index: usize) -> Option<&Element> {
    recording.lines[index].event.element()
}

/// Whether the tab shows something else afterwards.
fn goes(event: &Event) -> bool {
    let by_page = matches!(event, Event::Arrive(_) | Event::Popup(_));
    by_page || matches!(event, Event::Open(_) | Event::Reload | Event::Back | Event::Forward)
}

/// The number of the page that each line was done on, counted in the order in which pages come.
fn pages(recording: &Recording, snapshots: &[Option<PageSnapshot>]) -> Vec<usize> {
    let mut known: Vec<&[String]> = Vec::new();
    let mut shown: Vec<(Who, usize)> = Vec::new();
    let mut pages = Vec::with_capacity(recording.lines.len());
    for (index, line) in recording.lines.iter().enumerate() {
        let before = shown.iter().find(|(who, _)| *who == line.who).map(|(_, page)| *page);
        let after = snapshots.get(index).and_then(Option::as_ref).map(|snapshot| number(&mut known, &snapshot.shape));
        pages.push(if goes(&line.event) { after.or(before) } else { before.or(after) }.unwrap_or_default());
        if let Some(after) = after {
            shown.retain(|(who, _)| *who != line.who);
            shown.push((line.who, after));
        }
    }
    pages
}

/// The most similar page that is known, if it is similar enough; else this is a new one.
fn number<'a>(known: &mut Vec<&'a [String]>, shape: &'a [String]) -> usize {
    let alike = known.iter().map(|page| similarity(page, shape)).enumerate();
    let best = alike.max_by(|(_, one), (_, other)| one.total_cmp(other)).filter(|(_, alike)| *alike >= SAME_PAGE);
    match best {
        Some((page, _)) => page,
        None => {
            known.push(shape);
            known.len() - 1
        }
    }
}

/// Cuts a range wherever two neighbours do not belong together.
fn runs(range: Range<usize>, together: impl Fn(usize, usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in range {
        match runs.last_mut() {
            Some(run) if together(run.start, index) => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}
