//! [`Mistake`]: what a user gets wrong, in one rule of the task tree.

use std::fmt;
use std::ops::Range;

use colobus_record::{Element, Event, Key, Line, Recording, Timing};

use crate::Script;
use crate::words::name;

#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub kind: Kind,
    /// What it is about, as people say it.
    pub what: String,
}

/// Ranges and numbers are lines of the recording, by index.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Forget(Range<usize>),
    /// The second of two neighbours first.
    Swap(Range<usize>, Range<usize>),
    /// Once more at once, before anything can happen.
    Repeat(Range<usize>),
    /// The element beside the right one.
    Miss {
        line: usize,
        instead: Element,
    },
    /// The key beside the right one.
    Mistype {
        line: usize,
        instead: Key,
    },
    /// Before the page has its data, or even its code.
    Hurry {
        lines: Range<usize>,
        timing: Timing,
    },
    /// Much later.
    Delay {
        line: usize,
        ms: u64,
    },
    /// Back to the page before and forth again, after this line.
    Return {
        after: usize,
    },
}

impl Kind {
    /// Whether the user does the same to the page, only at another time or with a detour: then what was typed is still
    /// expected to be there.
    pub fn keeps_what_is_done(&self) -> bool {
        matches!(self, Kind::Hurry { .. } | Kind::Delay { .. } | Kind::Return { .. })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match &self.kind {
            Kind::Forget(_) => write!(f, "forget: {what}"),
            Kind::Swap(..) => write!(f, "too early: {what}"),
            Kind::Repeat(_) => write!(f, "twice: {what}"),
            Kind::Miss { instead, .. } => write!(f, "{what}, but hit {}", name(instead)),
            Kind::Mistype { instead, .. } => write!(f, "{what}, but hit {}", instead.key),
            Kind::Hurry { timing: Timing::Earliest, .. } => write!(f, "before the page has its code: {what}"),
            Kind::Hurry { .. } => write!(f, "before the page has its data: {what}"),
            Kind::Delay { ms, .. } => write!(f, "{} s later: {what}", ms.div_ceil(1000)),
            Kind::Return { .. } => write!(f, "back and forth after: {what}"),
        }
    }
}

impl Mistake {
    /// What is done then.
    pub fn made_in(&self, recording: &Recording) -> Script {
        let mut script = Script::unchanged(recording);
        match &self.kind {
            Kind::Forget(lines) => script.remove(lines.clone()),
            Kind::Swap(one, other) => script.swap(one.clone(), other.clone()),
            Kind::Repeat(lines) => {
                let hurried = lines.len() == 1;
                let again = lines.clone().map(|index| {
                    let line = recording.lines[index].clone();
                    if hurried { Line { after_ms: 0, timing: Timing::Exact, ..line } } else { line }
                });
                script.insert(lines.end, again.collect());
            }
            Kind::Miss { line, instead } => script.change(*line, |line| aim_at(&mut line.event, instead)),
            Kind::Mistype { line, instead } => script.change(*line, |line| {
                if let Event::Type { key, .. } = &mut line.event {
                    *key = instead.clone();
                }
            }),
            Kind::Hurry { lines, timing } => {
                for index in lines.clone() {
                    script.change(index, |line| (line.after_ms, line.timing) = (0, *timing));
                }
            }
            Kind::Delay { line, ms } => {
                script.change(*line, |line| (line.after_ms, line.timing) = (*ms, Timing::Exact));
            }
            Kind::Return { after } => {
                let who = recording.lines[*after].who;
                let there_and_back = [Event::Back, Event::Forward].map(|event| Line::new(who, event, 0));
                script.insert(after + 1, there_and_back.to_vec());
            }
        }
        script
    }
}

/// The middle of another element, as far as it is known: a slip does not aim.
fn aim_at(event: &mut Event, instead: &Element) {
    if let Event::Click(mouse, _) = event {
        mouse.on = instead.clone();
    }
}
