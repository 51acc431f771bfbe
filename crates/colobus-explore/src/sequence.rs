//! [`Sequence`]: the page is opened, then actions follow, each with the seed of the answers that it gets.

use std::sync::Arc;

use colobus_record::{Event, Line, Recording, Who};
use colobus_world::{AnswerPlan, PageRun, PageStep};

use crate::Action;
use crate::action::Part;

const FIRST: Who = Who { client: 0, tab: 1 };

/// An action, and which answers the server's stand-in gives to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    pub action: Arc<Action>,
    pub seed: u64,
}

impl Move {
    pub fn name(&self) -> String {
        match self.seed {
            0 => self.action.label.clone(),
            seed => format!("{} with answers {seed}", self.action.label),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Which answers the page gets when it is opened.
    pub opening: u64,
    pub moves: Vec<Move>,
}

impl Sequence {
    pub fn opened(opening: u64) -> Sequence {
        Sequence { opening, moves: Vec::new() }
    }

    /// What the first user of a recording does in its first tab, after the page was opened: an action for each line.
    pub fn recorded(recording: &Recording) -> Sequence {
        let is_followed = |line: &&Line| line.who == FIRST && !matches!(line.event, Event::Open(_) | Event::Arrive(_));
        recording.lines.iter().filter(is_followed).fold(Sequence::opened(0), |sequence, line| {
            let label = line.to_string();
            let part = Part { label: label.clone(), lines: vec![line.clone()] };
            sequence.then(Arc::new(Action { event: label.clone(), label, parts: vec![part] }), 0)
        })
    }

    /// The same with one action more.
    pub fn then(&self, action: Arc<Action>, seed: u64) -> Sequence {
        let mut longer = self.clone();
        longer.moves.push(Move { action, seed });
        longer
    }

    /// The event before the last one; nothing if that is the opening.
    pub fn event_before_last(&self) -> &str {
        self.moves.iter().rev().nth(1).map_or("", |before| before.action.event.as_str())
    }

    /// Whether any step gets answers with this seed.
    pub fn has_seed(&self, seed: u64) -> bool {
        self.opening == seed || self.moves.iter().any(|step| step.seed == seed)
    }

    /// Whether anything before the last step got answers with this seed.
    pub fn had_seed(&self, seed: u64) -> bool {
        let steps = std::iter::once(self.opening).chain(self.moves.iter().map(|step| step.seed));
        steps.take(self.moves.len()).any(|given| given == seed)
    }

    pub fn steps(&self) -> Vec<PageStep> {
        self.moves.iter().flat_map(|step| step.action.steps(step.seed)).collect()
    }

    /// What a page has to do: all but the last event only lead to the place where that happens.
    pub fn run(&self) -> PageRun {
        let steps = self.steps();
        let prefix = steps.len().saturating_sub(1);
        PageRun { steps, prefix, answers: AnswerPlan { opening: self.opening, ..AnswerPlan::default() } }
    }

    /// What is done, as reports name it: each step, the opening first.
    pub fn names(&self) -> Vec<String> {
        let opened = match self.opening {
            0 => "open".to_string(),
            seed => format!("open with answers {seed}"),
        };
        std::iter::once(opened).chain(self.moves.iter().map(Move::name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_before_the_last_step_counts() {
        let action = Arc::new(Action { event: "a".into(), label: "a".into(), parts: Vec::new() });
        let opened = Sequence::opened(7);
        assert!(!opened.had_seed(7));
        let then = opened.then(action.clone(), 0);
        assert!(then.had_seed(7) && !then.had_seed(0));
        assert!(!Sequence::opened(0).then(action, 7).had_seed(7));
    }
}
