//! [`Exploration`]: sequences that grow by feedback. Gives the most promising ones, takes in what they told, and extends each
//! by every event that is possible after it. Knows neither browsers nor the run loop.

use std::collections::BTreeSet;
use std::sync::Arc;

use colobus_check::FailureIdentity;
use colobus_learn::Random;
use colobus_world::Script;

use crate::feedback::ExecutionFeedback;
use crate::priority::Waiting;
use crate::stand_in::MARKED;
use crate::ui_model::StateId;
use crate::walk::Walk;
use crate::{Feedback, Knowledge, Priority, Sequence, Values, Walked, candidates};

/// More sequences are not kept: a budget never gets that far.
const MOST_WAITING: usize = 20_000;
/// Seeds of other answers that are tried where a stand-in answers for the server. Marked ones come first: one run with them says
/// what no other run can.
const OTHER_ANSWERS: [u64; 7] = [MARKED, 1, 2, 3, 4, 5, 6];

/// How often it was done, in a state and after an event there, and how long it is.
type Tie = ((usize, usize), usize);

/// A sequence to perform.
#[derive(Clone, Debug)]
pub struct Job {
    pub sequence: Sequence,
    /// The state in which its last action is performed.
    pub state: Option<StateId>,
    /// What was reported of sequences that it continues.
    pub known: BTreeSet<FailureIdentity>,
    /// Whether it was performed before, and is for what else goes wrong.
    pub again: bool,
    /// Its number among all that were given out.
    pub number: usize,
}

pub struct Exploration {
    pub knowledge: Knowledge,
    values: Values,
    priority: &'static dyn Priority,
    random: Random,
    /// In the order in which they were found.
    waiting: Vec<Job>,
    /// How many of the first ones come before all others.
    seeds: usize,
    /// What was reported of any sequence.
    reported: BTreeSet<FailureIdentity>,
    seed: u64,
    budget: usize,
    /// How many events follow a sequence.
    walk: usize,
    /// How many were given out, and how many told what they saw.
    given: usize,
    heard: usize,
    /// How many events were performed, those included that only led to others.
    performed: usize,
}

impl Exploration {
    pub fn new(priority: &'static dyn Priority, seed: u64, budget: usize, walk: usize) -> Exploration {
        let opened = new_job(Sequence::opened(0), None, BTreeSet::new());
        Exploration {
            knowledge: Knowledge::default(),
            values: Values::new(seed),
            priority,
            random: Random::named(seed, b"priority"),
            waiting: vec![opened],
            seeds: 0,
            reported: BTreeSet::new(),
            seed,
            budget,
            walk,
            given: 0,
            heard: 0,
            performed: 0,
        }
    }

    /// Sequences that lead somewhere, from elsewhere: they are performed first, and extended like those that are found here.
    pub fn begin_with(&mut self, seeds: impl IntoIterator<Item = Sequence>) {
        let jobs: Vec<Job> = seeds.into_iter().map(|seed| new_job(seed, None, BTreeSet::new())).collect();
        self.seeds = jobs.len();
        self.waiting.splice(0..0, jobs);
    }

    /// The next sequences, the most promising first; none when the budget is used up or everything was done.
    pub fn next(&mut self, most: usize) -> Vec<Job> {
        let count = most.min(self.budget - self.given).min(self.waiting.len());
        let mut jobs = Vec::with_capacity(count);
        for _ in 0..count {
            let seed = (self.seeds > 0).then_some(0);
            self.seeds = self.seeds.saturating_sub(1);
            let Some(best) = seed.or_else(|| self.best()) else { break };
            let mut job = self.waiting.remove(best);
            self.knowledge.attempt(job.state, &job.sequence);
            job.number = self.given + jobs.len();
            jobs.push(job);
        }
        self.given += jobs.len();
        jobs
    }

    /// How many more there are, as far as the budget goes.
    pub fn left(&self) -> usize {
        self.waiting.len().min(self.budget - self.given)
    }

    pub fn performed(&self) -> usize {
        self.performed
    }

    fn best(&mut self) -> Option<usize> {
        let Exploration { waiting, knowledge, priority, random, .. } = self;
        let mut best: Option<(usize, f64, Tie)> = None;
        for (index, job) in waiting.iter().enumerate() {
            let value = priority.of(Waiting { sequence: &job.sequence, state: job.state }, knowledge, random);
            // What was done less often, is shorter, and older.
            let tie = (knowledge.tried(job.state, &job.sequence), job.sequence.moves.len());
            let is_better = best.is_none_or(|(_, most, least)| value > most || value == most && tie < least);
            if is_better {
                best = Some((index, value, tie));
            }
        }
        best.map(|(index, ..)| index)
    }

    /// A script that the page has: its constants go into fields from now on.
    pub fn read(&mut self, script: &Script) {
        self.values.read(script);
    }

    /// Constants of all scripts.
    pub fn constants(&self) -> Vec<String> {
        self.values.constants()
    }

    /// What is done after the sequence of a job, in the same page. Marked texts are followed no further, and what is performed again
    /// is for one more failure of the same sequence.
    pub fn walk(&self, job: &Job) -> Walk {
        let random = Random::named(self.seed ^ job.number as u64, b"walk");
        let length = if job.again || job.sequence.has_seed(MARKED) { 0 } else { self.walk };
        Walk::new(job, length, self.knowledge.clone(), self.values.of_walk(job.number), self.priority, random)
    }

    /// Whether a failure was reported of any sequence.
    pub fn is_reported(&self, failure: &FailureIdentity) -> bool {
        self.reported.contains(failure)
    }

    /// What came of a job: its sequence is extended by what is possible now.
    pub fn hear(&mut self, job: &Job, told: &ExecutionFeedback) {
        self.heard += 1;
        self.performed += job.sequence.moves.len() + told.walked.len();
        let mut state = self.hear_sequence(job, &told.sequence);
        let mut sequence = job.sequence.clone();
        for Walked { action, told } in &told.walked {
            sequence = sequence.then(Arc::new(action.clone()), 0);
            self.knowledge.attempt(state, &sequence);
            state = self.hear_walked(&Job { sequence: sequence.clone(), state, ..job.clone() }, told);
        }
    }

    /// Returns the state that the sequence ends in, if all of it was performed.
    fn hear_sequence(&mut self, job: &Job, told: &Feedback) -> Option<StateId> {
        let known = self.known_after(job, told);
        if job.again {
            return None;
        }
        // Nothing but injection is looked for behind marked texts: one step is enough to see what becomes of them.
        let is_last = job.sequence.had_seed(MARKED);
        if told.answered && !is_last {
            self.vary_answers(job, &known);
        }
        let state = self.knowledge.learn(self.heard, &job.sequence, job.state, told)?;
        if !is_last {
            self.extend(&job.sequence, state, &known, told);
        }
        Some(state)
    }

    /// The same for what was done after the sequence of a job. It is long: it is extended only where it is the first to arrive.
    fn hear_walked(&mut self, job: &Job, told: &Feedback) -> Option<StateId> {
        let known = self.known_after(job, told);
        let states = self.knowledge.states.count();
        let state = self.knowledge.learn(self.heard, &job.sequence, job.state, told)?;
        if self.knowledge.states.count() > states {
            self.extend(&job.sequence, state, &known, told);
            if told.answered {
                self.vary_answers(job, &known);
            }
        }
        Some(state)
    }

    /// What was reported of the sequence and of those that it continues. One problem is reported of an execution: the next one of
    /// this sequence in another.
    fn known_after(&mut self, job: &Job, told: &Feedback) -> BTreeSet<FailureIdentity> {
        let mut known = job.known.clone();
        known.extend(told.reported.clone());
        self.reported.extend(told.reported.clone());
        if told.further {
            self.push(Job { known: known.clone(), again: true, ..job.clone() });
        }
        known
    }

    fn extend(&mut self, sequence: &Sequence, state: StateId, known: &BTreeSet<FailureIdentity>, told: &Feedback) {
        for action in candidates(&told.offers, &mut self.values, &told.covered) {
            self.push(new_job(sequence.then(Arc::new(action), 0), Some(state), known.clone()));
        }
    }

    /// The same with other answers to its last event.
    fn vary_answers(&mut self, job: &Job, known: &BTreeSet<FailureIdentity>) {
        let seed = job.sequence.moves.last().map_or(job.sequence.opening, |last| last.seed);
        if seed != 0 {
            return;
        }
        for seed in OTHER_ANSWERS {
            let mut sequence = job.sequence.clone();
            match sequence.moves.last_mut() {
                Some(last) => last.seed = seed,
                None => sequence.opening = seed,
            }
            self.push(new_job(sequence, job.state, known.clone()));
        }
    }

    fn push(&mut self, job: Job) {
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push(job);
        }
    }
}

/// A sequence that was not performed yet.
fn new_job(sequence: Sequence, state: Option<StateId>, known: BTreeSet<FailureIdentity>) -> Job {
    Job { sequence, state, known, again: false, number: 0 }
}
