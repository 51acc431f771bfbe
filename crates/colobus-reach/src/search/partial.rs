//! [`Partial`]: a sequence of summaries from some state to the target, and what must hold before it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::summary::dependencies;
use crate::symbolic::expr::{Expr, Source, Variable};

/// The number of a summary in the list that the search was given.
pub type SummaryId = usize;

/// A partial sequence.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The state of the UI model in which it begins.
    pub state: Arc<str>,
    /// Its summaries, first to last; the last one executes the target.
    pub list: Vec<SummaryId>,
    /// What must hold before it.
    pub condition: Vec<Expr>,
    /// 0 or less; higher ones are extended first.
    pub priority: i64,
    /// How many partial sequences were made before it.
    pub serial: usize,
    /// How many of its summaries are there only to get from one anchor to the next.
    pub connectors: usize,
    /// What the sequences that it extends began with; see [`Partial::demand`].
    pub ancestors: Vec<String>,
}

impl Partial {
    /// The variables that its condition depends on.
    pub fn dependencies(&self) -> BTreeSet<Arc<str>> {
        dependencies(&self.condition)
    }

    /// The state and the condition in which it begins, whatever the numbers of its parameters. A sequence that asks for the
    /// same as one that it extends has made no progress.
    pub fn demand(&self) -> String {
        let mut numbers = Vec::new();
        let mut parts: Vec<String> = Vec::new();
        for part in &self.condition {
            for variable in part.variables() {
                if !numbers.contains(&variable.source) {
                    numbers.push(variable.source);
                }
            }
            let renamed = part.substitute(&|variable: &Variable| {
                let number = numbers.iter().position(|number| *number == variable.source)? as u32;
                let source = if variable.source == Source::State { Source::State } else { Source::Event(number + 1) };
                Some(Expr::Variable(Variable { source, ..variable.clone() }))
            });
            parts.push(renamed.to_string());
        }
        parts.sort();
        format!("{}: {}", self.state, parts.join(" and "))
    }

    /// What decides which sequence is extended next: the greatest. Ties go to the shorter, then to the older.
    pub fn rank(&self) -> (i64, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>) {
        (self.priority, std::cmp::Reverse(self.list.len()), std::cmp::Reverse(self.serial))
    }
}
