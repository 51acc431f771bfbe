//! [`Program`]: a regular expression as steps that are tried with backtracking, in the order in which JavaScript tries them. The tests
//! compare what it finds with a real engine.

use std::ops::Range;

use colobus_solver::Text;

use super::node::{Alternative, Node, Ranges};
use super::{Found, TooLong};

/// Longer programs are refused.
const LONGEST: usize = 20_000;
/// A match that takes more steps is given up.
const MOST_STEPS: usize = 200_000;

/// Steps, and how many groups they fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    steps: Vec<Step>,
    groups: usize,
    slots: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// Take one unit out of ranges.
    Unit(Ranges),
    /// Go on at the first place, and at the second if that leads nowhere.
    Try(usize, usize),
    /// Go on somewhere else.
    Go(usize),
    /// Keep the position in a slot.
    Keep(usize),
    /// What groups captured in an earlier repetition is forgotten.
    Forget(Range<usize>),
    /// A repetition that is not required must have moved from where the slot says.
    Moved(usize),
    /// The beginning of the text is here.
    Start,
    /// The end of the text is here.
    End,
    /// A match is found.
    Match,
}

/// Where each group begins and ends, and where repetitions began.
type Slots = Vec<Option<usize>>;

impl Program {
    /// The steps of some alternatives; an error if they are too many.
    pub fn new(alternatives: &[Alternative], groups: usize) -> Result<Program, &'static str> {
        let size = alternatives.iter().map(|alternative| size(&alternative.node)).fold(0, usize::saturating_add);
        if size > LONGEST {
            return Err("its counted repetitions are too long");
        }
        let mut writer = Writer { steps: Vec::new(), slots: 2 * groups };
        writer.alternatives(alternatives, |writer, alternative| {
            if alternative.at_start {
                writer.steps.push(Step::Start);
            }
            writer.node(&alternative.node);
            if alternative.at_end {
                writer.steps.push(Step::End);
            }
        });
        writer.steps.push(Step::Match);
        Ok(Program { steps: writer.steps, groups, slots: writer.slots })
    }

    /// How many groups it has, with the whole match.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The first match in a text.
    pub fn find(&self, text: &Text) -> Result<Option<Found>, TooLong> {
        let mut left = MOST_STEPS;
        for index in 0..=text.len() {
            if let Some((end, slots)) = self.run(text, index, &mut left)? {
                let group = |at: usize| Some(text.slice(slots[2 * at]?, slots[2 * at + 1]?));
                let whole = Some(text.slice(index, end));
                let groups = std::iter::once(whole).chain((1..self.groups).map(group)).collect();
                return Ok(Some(Found { index, groups }));
            }
        }
        Ok(None)
    }

    /// Where a match that begins at an index ends.
    pub fn ends_at(&self, text: &Text, index: usize) -> Result<Option<usize>, TooLong> {
        Ok(self.run(text, index, &mut { MOST_STEPS })?.map(|(end, _)| end))
    }

    fn run(&self, text: &Text, from: usize, left: &mut usize) -> Result<Option<(usize, Slots)>, TooLong> {
        let mut waiting: Vec<(usize, usize, Slots)> = vec![(0, from, vec![None; self.slots])];
        while let Some((mut next, mut at, mut slots)) = waiting.pop() {
            loop {
                *left = left.checked_sub(1).ok_or(TooLong)?;
                let holds = match &self.steps[next] {
                    Step::Unit(ranges) => {
                        let unit = text.0.get(at).copied();
                        at += 1;
                        unit.is_some_and(|unit| ranges.iter().any(|(low, high)| (*low..=*high).contains(&unit)))
                    }
                    Step::Try(first, second) => {
                        waiting.push((*second, at, slots.clone()));
                        next = *first;
                        continue;
                    }
                    Step::Go(target) => {
                        next = *target;
                        continue;
                    }
                    Step::Keep(slot) => {
                        slots[*slot] = Some(at);
                        true
                    }
                    Step::Forget(range) => {
                        slots[range.clone()].fill(None);
                        true
                    }
                    Step::Moved(slot) => slots[*slot] != Some(at),
                    Step::Start => at == 0,
                    Step::End => at == text.len(),
                    Step::Match => return Ok(Some((at, slots))),
                };
                if !holds {
                    break;
                }
                next += 1;
            }
        }
        Ok(None)
    }
}

/// How many steps a node becomes, at least.
fn size(node: &Node) -> usize {
    let sum = |parts: &[Node]| parts.iter().map(size).fold(0, usize::saturating_add);
    match node {
        Node::Unit(_) => 1,
        Node::Sequence(parts) => sum(parts),
        Node::Either(parts) => sum(parts).saturating_add(2 * parts.len()),
        Node::Group(_, inner) => size(inner).saturating_add(2),
        Node::Repeat { inner, least, most, .. } => {
            let count = most.unwrap_or(*least + 1) as usize;
            count.saturating_mul(size(inner).saturating_add(4))
        }
    }
}

struct Writer {
    steps: Vec<Step>,
    slots: usize,
}

impl Writer {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Unit(ranges) => self.steps.push(Step::Unit(ranges.clone())),
            Node::Sequence(parts) => parts.iter().for_each(|part| self.node(part)),
            Node::Either(parts) => self.alternatives(parts, Writer::node),
            Node::Group(number, inner) => {
                self.steps.push(Step::Keep(2 * number));
                self.node(inner);
                self.steps.push(Step::Keep(2 * number + 1));
            }
            Node::Repeat { inner, least, most, is_greedy } => {
                (0..*least).for_each(|_| self.again(inner));
                match most {
                    None => {
                        let start = self.optional(inner, *is_greedy);
                        self.steps.push(Step::Go(start));
                        self.close(start, *is_greedy);
                    }
                    Some(most) => {
                        let starts: Vec<usize> = (*least..*most).map(|_| self.optional(inner, *is_greedy)).collect();
                        starts.into_iter().for_each(|start| self.close(start, *is_greedy));
                    }
                }
            }
        }
    }

    /// What is between bars: one after the other is tried.
    fn alternatives<T>(&mut self, parts: &[T], write: impl Fn(&mut Writer, &T)) {
        let mut ends = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let is_last = at + 1 == parts.len();
            let start = self.steps.len();
            if !is_last {
                self.steps.push(Step::Try(start + 1, 0));
            }
            write(self, part);
            if !is_last {
                ends.push(self.steps.len());
                self.steps.push(Step::Go(0));
                self.steps[start] = Step::Try(start + 1, self.steps.len());
            }
        }
        let here = self.steps.len();
        ends.into_iter().for_each(|end| self.steps[end] = Step::Go(here));
    }

    /// One repetition.
    fn again(&mut self, inner: &Node) {
        let groups = inner.groups();
        if let (Some(first), Some(last)) = (groups.iter().min(), groups.iter().max()) {
            self.steps.push(Step::Forget(2 * first..2 * last + 2));
        }
        self.node(inner);
    }

    /// One repetition that need not be; returns where it begins, so that it can be closed when it is known what follows.
    fn optional(&mut self, inner: &Node, is_greedy: bool) -> usize {
        let start = self.steps.len();
        self.steps.push(if is_greedy { Step::Try(start + 1, 0) } else { Step::Try(0, start + 1) });
        let slot = self.slots;
        self.slots += 1;
        self.steps.push(Step::Keep(slot));
        self.again(inner);
        self.steps.push(Step::Moved(slot));
        start
    }

    fn close(&mut self, start: usize, is_greedy: bool) {
        let here = self.steps.len();
        self.steps[start] = if is_greedy { Step::Try(start + 1, here) } else { Step::Try(here, start + 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pattern;
    use super::*;

    fn captured(source: &str, text: &str) -> Option<Vec<Option<String>>> {
        let found = Pattern::new(source, "").unwrap().find(&text.into()).unwrap()?;
        Some(found.groups.iter().map(|group| group.as_ref().map(Text::to_string)).collect())
    }

    fn texts(groups: &[Option<&str>]) -> Option<Vec<Option<String>>> {
        Some(groups.iter().map(|group| group.map(str::to_owned)).collect())
    }

    /// The examples of the language's specification, and what backtracking decides.
    #[test]
    fn groups_capture_what_the_specification_says() {
        assert_eq!(captured("a|ab", "abc"), texts(&[Some("a")]));
        assert_eq!(
            captured("((a)|(ab))((c)|(bc))", "abc"),
            texts(&[Some("abc"), Some("a"), Some("a"), None, Some("bc"), None, Some("bc"),])
        );
        assert_eq!(captured("a[a-z]{2,4}?", "abcdefghi"), texts(&[Some("abc")]));
        assert_eq!(
            captured("(z)((a+)?(b+)?(c))*", "zaacbbbcac"),
            texts(&[Some("zaacbbbcac"), Some("z"), Some("ac"), Some("a"), None, Some("c"),])
        );
        assert_eq!(captured("(a*)*", "b"), texts(&[Some(""), None]));
        assert_eq!(captured("(\\w+)-(\\d*)$", "x ab-12"), texts(&[Some("ab-12"), Some("ab"), Some("12")]));
        assert_eq!(captured("^b", "ab"), None);
    }

    #[test]
    fn what_takes_too_long_has_no_result() {
        let pattern = Pattern::new("^(?:(a|a)*)*$", "").unwrap();
        assert_eq!(pattern.find(&"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".into()), Err(TooLong));
        assert!(Pattern::new("((a{64}){64}){64}", "").is_err());
    }
}
