//! [`Paths`]: the runs of one handler, and which of their conditions make a difference. A condition of which both sides were run, and
//! after which both runs go on alike, is not needed for what follows. Filled by [`summarise`](crate::concolic::summarise), which
//! then has no need to combine such conditions with all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::concolic::Run;
use crate::line::Line;
use crate::symbolic::expr::Expr;

/// What a condition may be needed for.
#[derive(Clone, Copy, Debug)]
enum Goal<'a> {
    /// What the run writes, and where it leads.
    Effect,
    /// Executing a line.
    Line(&'a Line),
    /// Getting to the condition at this place, whichever side of it is taken.
    Decision(usize),
}

/// The runs of one handler.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    runs: Vec<Run>,
    /// Runs by the first conditions that they meet, the last of them included.
    by_prefix: BTreeMap<String, usize>,
}

/// How many runs a question leads through.
const DEEPEST: usize = 6;

/// Where two runs that part at one condition are together again.
struct Rejoined {
    /// The first common place of the one run.
    mine: usize,
    /// The first common place of the other run.
    theirs: usize,
}

impl Paths {
    /// Add a run that has a path of its own.
    pub fn add(&mut self, run: Run) {
        let number = self.runs.len();
        for end in 1..=run.branches.len() {
            self.by_prefix.entry(path(&run.branches[..end])).or_insert(number);
        }
        self.runs.push(run);
    }

    /// All runs, in the order in which they were added.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The same, as they are, in the order in which they were added.
    pub fn into_runs(self) -> Vec<Run> {
        self.runs
    }

    /// The conditions of a new run that repeat those of a known one with the same effect, although the two parted before: the place
    /// of the first of them. What they mean is known from there.
    pub fn repeats_from(&self, run: &Run) -> usize {
        let places = (0..run.branches.len()).rev();
        let rejoined = places.filter_map(|at| {
            let other = self.other_side(run, at)?;
            let is_one: &IsOne = if run.sites.is_empty() { &is_one_decision } else { &is_one_place };
            is_alike(run, other).then(|| rejoin(run, other, at, run.branches.len(), other.branches.len(), is_one).mine)
        });
        rejoined.min().unwrap_or(run.branches.len())
    }

    /// The conditions of each run that make no difference to its effect.
    pub fn idle(&self, run: &Run) -> BTreeSet<usize> {
        (0..run.branches.len()).filter(|at| self.is_idle(run, *at, Goal::Effect, 0)).collect()
    }

    /// The conditions that a run needs in order to execute one of its lines.
    pub fn needed(&self, run: &Run, line: &Line) -> BTreeSet<usize> {
        let count = run.log.get(line).copied().unwrap_or_default().min(run.branches.len());
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        for at in (0..count).rev() {
            // What comes after the next condition that is needed does not depend on this one.
            let next = needed.first().map(|decision| Goal::Decision(*decision));
            let is_idle = |goal: Goal<'_>| self.is_idle(run, at, goal, 0);
            // Unless the other side fulfils the rest and does not get to the line.
            let decides = self.other_side(run, at).is_some_and(|other| {
                let is_met = |place: &usize| other.branches.contains(&run.branches[*place]);
                !other.log.contains_key(line) && needed.iter().all(is_met)
            });
            if decides || !is_idle(Goal::Line(line)) && !next.is_some_and(is_idle) {
                needed.insert(at);
            }
        }
        needed
    }

    /// A run that met the same conditions before the one at a place, and then took the other side.
    fn other_side(&self, run: &Run, at: usize) -> Option<&Run> {
        let mut prefix = run.branches[..at].to_vec();
        prefix.push(run.branches.get(at)?.negated());
        self.by_prefix.get(&path(&prefix)).map(|number| &self.runs[*number])
    }

    fn is_idle(&self, run: &Run, at: usize, goal: Goal<'_>, depth: usize) -> bool {
        let Some(other) = self.other_side(run, at) else { return self.is_idle_elsewhere(run, at, goal, depth) };
        if depth > DEEPEST {
            return false;
        }
        let (mine, theirs, their_goal) = match goal {
            Goal::Effect if is_alike(run, other) => (run.branches.len(), other.branches.len(), Goal::Effect),
            Goal::Effect => return false,
            Goal::Line(line) => match (run.log.get(line), other.log.get(line)) {
                (Some(mine), Some(theirs)) if *mine > at && *theirs > at => (*mine, *theirs, goal),
                _ => return false,
            },
            Goal::Decision(mine) => {
                let is_same = |place: &usize| is_one_decision(other, *place, run, mine);
                let found = (at + 1..other.branches.len()).find(is_same);
                let Some(theirs) = found else { return false };
                (mine, theirs, Goal::Decision(theirs))
            }
        };
        let rejoined = rejoin(run, other, at, mine, theirs, &is_one_decision);
        (at + 1..rejoined.mine).all(|inner| self.is_idle(run, inner, goal, depth + 1))
            && (at + 1..rejoined.theirs).all(|inner| self.is_idle(other, inner, their_goal, depth + 1))
    }

    /// The same question for a run whose other side was not run, since it repeats another one.
    fn is_idle_elsewhere(&self, run: &Run, at: usize, goal: Goal<'_>, depth: usize) -> bool {
        let parted = (0..at).rev().find_map(|parted| {
            let other = self.other_side(run, parted).filter(|other| is_alike(run, other))?;
            let rejoined = rejoin(run, other, parted, run.branches.len(), other.branches.len(), &is_one_decision);
            (at >= rejoined.mine).then_some((other, rejoined))
        });
        let Some((other, Rejoined { mine, theirs })) = parted else { return false };
        let moved = |place: usize| place - mine + theirs;
        let goal = match goal {
            Goal::Decision(decision) => Goal::Decision(moved(decision)),
            other => other,
        };
        // A run that repeats this one would ask back.
        depth < DEEPEST
            && self.other_side(other, moved(at)).is_some()
            && self.is_idle(other, moved(at), goal, depth + 1)
    }
}

/// Whether two runs do the same.
fn is_alike(one: &Run, other: &Run) -> bool {
    let is_complete = one.aborted.is_none() && other.aborted.is_none();
    is_complete && one.writes == other.writes && one.lists == other.lists && one.shows == other.shows
}

/// Whether two runs decide the same at two places, whichever sides they take.
fn is_one_decision(one: &Run, mine: usize, other: &Run, theirs: usize) -> bool {
    let (condition, counterpart) = (&one.branches[mine], &other.branches[theirs]);
    is_one_place(one, mine, other, theirs) && (condition == counterpart || *condition == counterpart.negated())
}

/// Whether two runs decide in the same place of the code, on whatever values.
fn is_one_place(one: &Run, mine: usize, other: &Run, theirs: usize) -> bool {
    one.sites.get(mine) == other.sites.get(theirs)
}

type IsOne = dyn Fn(&Run, usize, &Run, usize) -> bool;

/// How far back from two places two runs are alike, if they parted at a place.
fn rejoin(one: &Run, other: &Run, parted: usize, mine: usize, theirs: usize, is_one: &IsOne) -> Rejoined {
    let (mut mine, mut theirs) = (mine.min(one.branches.len()), theirs.min(other.branches.len()));
    while mine > parted + 1 && theirs > parted + 1 && is_one(one, mine - 1, other, theirs - 1) {
        mine -= 1;
        theirs -= 1;
    }
    Rejoined { mine, theirs }
}

/// Conditions as a text that tells them from others.
pub fn path(branches: &[Expr]) -> String {
    let branches: Vec<String> = branches.iter().map(Expr::to_string).collect();
    branches.join(" and ")
}
