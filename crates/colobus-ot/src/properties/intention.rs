//! Intention anomalies: executions in which the sites may agree and the result is still not what the users meant.
//! Inserts leave their identity in the document here, so that each can be found again.

use std::ops::ControlFlow;

use crate::arrangement::{Arrangement, visit_arrangements};
use crate::counterexample::Counterexample;
use crate::document::{Document, Ink, TOMBSTONE};
use crate::machine::{Goal, View};
use crate::operation::Kind;
use crate::order::CausalOrder;
use crate::outcome::Verdict;
use crate::program::{Builder, FormId, Program, TextId};
use crate::search::{Options, Until, search};
use crate::setting::{Network, Setting, SettingError, Start};
use crate::transformation::Transformation;

/// A way to converge on something that no user meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anomaly {
    /// An inserted character is missing although no site deleted it: of two inserts only one is kept.
    InsertLost,
    /// A character of the starting text is missing although no site deleted it.
    BystanderDeleted,
    /// A character of one user's word ended up inside another user's word, both typed without seeing the other.
    WordsInterleaved,
}

impl Anomaly {
    /// All of them.
    pub const ALL: [Anomaly; 3] = [Anomaly::InsertLost, Anomaly::BystanderDeleted, Anomaly::WordsInterleaved];

    /// Whether a setting is large enough to show it.
    pub fn is_possible(self, setting: &Setting) -> bool {
        match self {
            Anomaly::WordsInterleaved => setting.operations.iter().filter(|&&count| count > 1).count() > 1,
            Anomaly::InsertLost | Anomaly::BystanderDeleted => setting.total() > 1,
        }
    }
}

/// What was found about an anomaly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnomalyReport {
    /// Which one.
    pub anomaly: Anomaly,
    /// [`Verdict::Holds`]: it does not happen.
    pub verdict: Verdict,
    /// Assignments judged.
    pub evaluations: u64,
    /// The first execution with it, in the canonical order.
    pub witness: Option<Counterexample>,
}

/// Look for an anomaly in every execution of a setting, sites talking to each other.
pub fn find<T: Transformation>(
    function: &T,
    setting: &Setting,
    anomaly: Anomaly,
    options: &Options,
) -> Result<AnomalyReport, SettingError> {
    let setting = setting.clone().network(Network::Peers).start(Start::Unbounded)?;
    let (mut arrangements, mut programs) = (Vec::new(), Vec::new());
    let _ = visit_arrangements::<T, ()>(&setting, options.symmetry, &mut |arrangement, _| {
        programs.push(compile(&arrangement, setting.initial_length(), anomaly));
        arrangements.push(arrangement);
        ControlFlow::Continue(())
    })?;
    let tally = search(function, &setting, Ink::Identity, &programs, Until::FirstFailure, options);
    let witness = tally
        .first
        .map(|failure| Counterexample::choose(function, &setting, &arrangements[failure.program], failure.signatures));
    Ok(AnomalyReport {
        anomaly,
        verdict: Verdict::of(witness.is_some(), tally.limited),
        evaluations: tally.evaluations,
        witness,
    })
}

/// The question whether an anomaly shows in one of the final documents.
struct Shows {
    anomaly: Anomaly,
    order: CausalOrder,
    /// The first cells of the starting text.
    initial: usize,
    /// Per operation: its original form and what its user saw.
    generated: Vec<(FormId, TextId)>,
    finals: Vec<TextId>,
}

fn compile(arrangement: &Arrangement, initial: usize, anomaly: Anomaly) -> Program<Shows> {
    let order = arrangement.order.clone();
    let mut builder = Builder::new(&order);
    let mut generated = Vec::new();
    for operation in 0..order.len() as u8 {
        let seen = order.sequences_of(order.before[usize::from(operation)]);
        let history = builder.history(&seen[0]);
        generated.push((builder.original(operation), builder.execute_all(&history)));
    }
    let mut finals = Vec::new();
    for trace in arrangement.traces.iter().flatten() {
        let history = builder.history(trace);
        let text = builder.execute_all(&history);
        if !finals.contains(&text) {
            finals.push(text);
        }
    }
    builder.finish(Shows { anomaly, order, initial, generated, finals })
}

impl Goal for Shows {
    fn fails<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> bool {
        let finals = self.finals.iter().map(|&text| view.text(text).cells());
        let mut shown = finals.map(|cells| cells.into_iter().filter(|c| c & TOMBSTONE == 0).collect::<Vec<u8>>());
        match self.anomaly {
            Anomaly::InsertLost => {
                let inserted: Vec<u8> = self.inserts(view).map(|id| Ink::Identity.cell(0, id)).collect();
                let meant = self.meant_to_go(view);
                shown.any(|text| inserted.iter().any(|cell| !text.contains(cell) && !meant.contains(cell)))
            }
            Anomaly::BystanderDeleted => {
                let start = view.text(TextId(0)).cells();
                let meant = self.meant_to_go(view);
                shown.any(|text| start[..self.initial].iter().any(|c| !text.contains(c) && !meant.contains(c)))
            }
            Anomaly::WordsInterleaved => {
                let words = self.words(view);
                shown.any(|text| words.iter().any(|a| words.iter().any(|b| self.inside(*a, *b, &text))))
            }
        }
    }
}

impl Shows {
    fn inserts<'a, T: Transformation, D>(&'a self, view: &'a View<'_, T, D>) -> impl Iterator<Item = u8> + 'a {
        (0u8..).zip(&self.generated).filter(|(_, (form, _))| view.form(*form).kind == Kind::Ins).map(|(id, _)| id)
    }

    /// The cells that users pointed at when they deleted something.
    fn meant_to_go<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> Vec<u8> {
        let deletions = self.generated.iter().map(|&(form, seen)| (view.form(form), seen));
        deletions
            .filter(|(op, _)| op.kind == Kind::Del)
            .filter_map(|(op, seen)| view.text(seen).cells().get(usize::from(op.position)).map(|c| c & !TOMBSTONE))
            .collect()
    }

    /// Two inserts of one user, the second typed right behind the first.
    fn words<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> Vec<(u8, u8)> {
        let inserts: Vec<u8> = self.inserts(view).collect();
        let typed_behind = |&(a, b): &(u8, u8)| {
            let (form, seen) = self.generated[usize::from(b)];
            let before = usize::from(view.form(form).position).checked_sub(1);
            let left = before.and_then(|p| view.text(seen).cells().get(p).copied());
            self.order.owners[usize::from(a)] == self.order.owners[usize::from(b)]
                && left == Some(Ink::Identity.cell(0, a))
        };
        let pairs = inserts.iter().flat_map(|&a| inserts.iter().map(move |&b| (a, b)));
        pairs.filter(typed_behind).collect()
    }

    /// Whether a character of word `b` lies within word `a`, neither user having seen the other's.
    fn inside(&self, a: (u8, u8), b: (u8, u8), text: &[u8]) -> bool {
        let at = |id: u8| text.iter().position(|&cell| cell == Ink::Identity.cell(0, id));
        let unseen = [b.0, b.1].iter().all(|&x| self.order.concurrent(x, a.0) && self.order.concurrent(x, a.1));
        let between = |id: u8| at(a.0) < at(id) && at(id) < at(a.1);
        unseen && [a.0, a.1, b.0, b.1].into_iter().all(|id| at(id).is_some()) && (between(b.0) || between(b.1))
    }
}
