//! [`mistakes`]: everything that is tried, one rule at a time, in a fixed order and without doubles.

use std::collections::HashSet;
use std::ops::Range;

use colobus_record::{Event, Recording, Timing};
use colobus_world::PageSnapshot;

use crate::keyboard::neighbour;
use crate::{Kind, Mistake, Task};

/// What people get wrong in this session. `delay_ms` is how long a user waits who comes too late.
pub fn mistakes(recording: &Recording, tree: &Task, snapshots: &[Option<PageSnapshot>], delay_ms: u64) -> Vec<Mistake> {
    let planner = Planner { recording, snapshots, delay_ms };
    let all = tree.rules().into_iter().flat_map(|rule| planner.in_rule(rule, tree));
    let mut seen = HashSet::new();
    all.filter(|mistake| {
        let made = mistake.made_in(recording).recording;
        // A session that only ends earlier is not a mistake.
        !recording.lines.starts_with(&made.lines) && seen.insert(made.to_string())
    })
    .collect()
}

struct Planner<'a> {
    recording: &'a Recording,
    snapshots: &'a [Option<PageSnapshot>],
    delay_ms: u64,
}

impl Planner<'_> {
    fn in_rule(&self, rule: &Task, tree: &Task) -> Vec<Mistake> {
        // A session on one page takes the same lines as that page.
        let is_session = std::ptr::eq(rule, tree);
        let is_page = tree.parts.contains(rule);
        // Of a typed text, one key stands for all: the one in the middle.
        let typo = self.middle_key(rule);
        let counts = |part: &Task| !self.is_key(part) || Some(part.lines.start) == typo;
        let mut mistakes = Vec::new();
        let mut add = |kind: Kind, what: &str| mistakes.push(Mistake { kind, what: what.to_string() });
        for part in rule.parts.iter().filter(|part| self.is_users(&part.lines) && counts(part)) {
            add(Kind::Forget(part.lines.clone()), &part.name);
            if !is_session {
                add(Kind::Repeat(part.lines.clone()), &part.name);
            }
            if part.parts.is_empty() {
                self.substitutes(part.lines.start).into_iter().for_each(|kind| add(kind, &part.name));
            }
        }
        for pair in rule.parts.windows(2) {
            let [one, other] = pair else { continue };
            if self.is_users(&one.lines) && self.is_users(&other.lines) && counts(one) {
                add(Kind::Swap(one.lines.clone(), other.lines.clone()), &other.name);
            }
        }
        if is_page {
            let work: Vec<&Task> = rule.parts.iter().filter(|part| self.is_users(&part.lines)).collect();
            for part in &work {
                add(Kind::Hurry { lines: part.lines.clone(), timing: Timing::Exact }, &part.name);
            }
            if let Some(first) = work.first() {
                add(Kind::Hurry { lines: first.lines.clone(), timing: Timing::Earliest }, &first.name);
                add(Kind::Delay { line: first.lines.start, ms: self.delay_ms }, &first.name);
            }
            let arrival = rule.lines.start;
            if matches!(self.recording.lines[arrival].event, Event::Arrive(_)) {
                add(Kind::Return { after: arrival }, &rule.parts[0].name);
            }
        }
        mistakes
    }

    /// Whether a user does something in these lines that can be left out: without its beginning there is no session.
    fn is_users(&self, lines: &Range<usize>) -> bool {
        lines.start > 0 && self.recording.lines[lines.clone()].iter().any(|line| line.event.is_by_user())
    }

    fn is_key(&self, part: &Task) -> bool {
        part.parts.is_empty() && matches!(self.recording.lines[part.lines.start].event, Event::Type { .. })
    }

    /// The line of it.
    fn middle_key(&self, rule: &Task) -> Option<usize> {
        let keys: Vec<&Task> = rule.parts.iter().filter(|part| self.is_key(part)).collect();
        keys.get(keys.len() / 2).map(|key| key.lines.start)
    }

    fn substitutes(&self, line: usize) -> Vec<Kind> {
        let mut kinds = Vec::new();
        let beside = self.snapshots.get(line).and_then(Option::as_ref).and_then(|snapshot| snapshot.neighbour.clone());
        kinds.extend(beside.map(|instead| Kind::Miss { line, instead }));
        if let Event::Type { key, held, .. } = &self.recording.lines[line].event
            && !(held.alt || held.control || held.meta)
        {
            kinds.extend(neighbour(key).map(|instead| Kind::Mistype { line, instead }));
        }
        kinds
    }
}
