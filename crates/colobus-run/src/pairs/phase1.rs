//! Phase 1: every sequence of actions with one client, observed after every action.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use colobus_model::{Action, ActionGap, Case, Observation, Outcome, Phase, RunEvent, Tally, UnknownCase};
use colobus_pairs::{ActionTree, Distinct, Exploration, Node, Sequence};
use colobus_world::{ObserveOptions, World, WorldError};

use super::phase1_store::Phase1Store;
use super::sequence::{Look, explore_sequence};
use crate::run_loop::Gaps;
use crate::workers::{Done, Work, Workers, no_pace, no_spare_work};
use crate::{RunConfig, RunError};

/// Phase 1 of one run. It runs the sequences that the store does not have yet.
pub(crate) struct Explorer<'r> {
    pub config: &'r RunConfig,
    pub tree: &'r ActionTree,
    pub workers: &'r Workers<'r, dyn World>,
    pub store: &'r mut Phase1Store,
    pub emit: &'r mut dyn FnMut(RunEvent),
}

/// What phase 1 was going to run.
pub(crate) struct Explored {
    pub planned: Vec<Sequence>,
    /// Why not all of it was run, if the browser or the application gave up.
    pub early_end: Option<String>,
}

impl Explorer<'_> {
    /// Runs the sequences. What was seen before the browser or the application gave up is kept.
    pub fn explore(&mut self) -> Result<Explored, RunError> {
        if self.config.prune { self.explore_distinct() } else { self.explore_all() }
    }

    fn explore_all(&mut self) -> Result<Explored, RunError> {
        let (config, tree) = (self.config, self.tree);
        let words = config.actions.iter().any(Action::types_tokens);
        let wanted = ObserveOptions::aspects(&[config.judge.effect, config.judge.equivalence]).and_words(words);
        let job = |leaf: Sequence| Job { seen_from: tree.first_seen_from(&leaf), sequence: leaf };
        let look = Look { wanted, caret: false };
        let early_end = self.run(tree.leaves().map(job).collect(), look)?;
        Ok(Explored { planned: tree.leaves().collect(), early_end })
    }

    /// One length of sequences after the other: what comes after a state that was seen before is left out.
    fn explore_distinct(&mut self) -> Result<Explored, RunError> {
        let (config, tree) = (self.config, self.tree);
        let ignored = config.application.ignored_rectangles();
        let (mut distinct, mut sources, mut planned) = (Distinct::default(), vec![Sequence::new()], Vec::new());
        let mut early_end = None;
        for length in 1..=tree.depth {
            let longer = |source: &Sequence| {
                (0..tree.actions).map(|action| [&source[..], &[action]].concat()).collect::<Vec<_>>()
            };
            let sequences: Vec<Sequence> = sources.iter().flat_map(longer).collect();
            // The empty document is seen on the way to the first state.
            let job = |sequence: &Sequence| Job {
                seen_from: if *sequence == [0] { 0 } else { length },
                sequence: sequence.clone(),
            };
            let look = Look { wanted: ObserveOptions::all(), caret: true };
            early_end = self.run(sequences.iter().map(job).collect(), look)?;
            planned.extend(sequences.clone());
            if early_end.is_some() || config.options.stop.is_set() {
                break;
            }
            if let Some(empty) = self.store.exploration.observation(&[]).filter(|_| length == 1) {
                distinct.is_new(empty, &ignored)?;
            }
            sources.clear();
            for sequence in sequences {
                if let Some(state) = self.store.exploration.observation(&sequence)
                    && distinct.is_new(state, &ignored)?
                {
                    sources.push(sequence);
                }
            }
        }
        Ok(Explored { planned, early_end })
    }

    /// Runs these; says why it ended early if it did.
    fn run(&mut self, jobs: Vec<Job>, look: Look) -> Result<Option<String>, RunError> {
        let Explorer { config, tree, workers, ref mut store, ref mut emit } = *self;
        let total = tree.sequences();
        let jobs: Vec<Job> = jobs.into_iter().filter(|job| !store.done.contains(&job.sequence)).collect();
        let run = |world: &mut (dyn World + 'static), job: &Job| -> Result<Vec<(Sequence, Node)>, WorldError> {
            let actions: Vec<&Action> = job.sequence.iter().map(|index| &config.actions[*index]).collect();
            let seen = explore_sequence(world, &config.options.stop, &actions, job.seen_from, look)?;
            let place = |i: usize| job.sequence[..job.seen_from + i].to_vec();
            Ok(seen.into_iter().enumerate().map(|(i, seen)| (place(i), node(seen))).collect())
        };
        let doubt = |nodes: &Vec<(Sequence, Node)>| match nodes.last() {
            Some((_, Node::Unknown(reason))) => Some(reason.clone()),
            _ => None,
        };
        let work = Work { run, doubt, pace: no_pace };
        let ran = workers.run(&jobs, &config.options.stop, (work, &no_spare_work), |index, done| {
            let Job { sequence, seen_from } = &jobs[index];
            let nodes = match done {
                Done::Result(nodes) => nodes,
                Done::Unknown(reason) => vec![(sequence[..*seen_from].to_vec(), Node::Unknown(reason))],
                Done::Stopped => return Ok(ControlFlow::Continue(())),
            };
            store.add(sequence, nodes)?;
            emit(RunEvent::Progress { phase: Phase::Explore, done: store.done.len().min(total), total });
            Ok(ControlFlow::Continue(()))
        });
        match ran {
            Ok(()) => Ok(None),
            Err(RunError::World(error)) => Ok(Some(error.to_string())),
            Err(error) => Err(error),
        }
    }
}

/// A sequence to run, and the length from which on its states are looked at.
struct Job {
    sequence: Sequence,
    seen_from: usize,
}

fn node(seen: Result<Observation, Outcome>) -> Node {
    match seen {
        Ok(observation) => Node::Seen(observation),
        Err(Outcome::NotApplicable(reason)) => Node::NotApplicable(reason),
        Err(Outcome::Unknown(reason)) => Node::Unknown(reason),
        Err(Outcome::Completed) => Node::Unknown("the sequence ended early without a reason".into()),
    }
}

/// What phase 1 was going to run, and what it saw.
pub(super) struct PhaseOne {
    pub planned: Vec<Sequence>,
    pub exploration: Exploration,
}

impl PhaseOne {
    /// How the run of a sequence ended: where the first state on its way is that was not seen.
    fn end(&self, sequence: &[usize]) -> Option<&Node> {
        let nodes = (0..=sequence.len()).map(|length| self.exploration.node(&sequence[..length]));
        let mut last = None;
        for node in nodes {
            match node {
                Some(Node::Seen(_)) => last = node,
                other => return other,
            }
        }
        last
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally { planned: self.planned.len(), ..Tally::default() };
        for sequence in &self.planned {
            match self.end(sequence) {
                Some(Node::Seen(_)) => tally.judged += 1,
                Some(Node::NotApplicable(_)) => tally.not_applicable += 1,
                Some(Node::Unknown(_)) => tally.unknown += 1,
                None => tally.not_run += 1,
            }
        }
        tally
    }

    /// Where actions did not apply, counted in sequences.
    pub fn gaps(&self) -> Vec<ActionGap> {
        let mut gaps = Gaps::new(Vec::new());
        for sequence in &self.planned {
            if let Some(Node::NotApplicable(found)) = self.end(sequence) {
                gaps.of(found).sequences += 1;
            }
        }
        gaps.list()
    }

    pub fn unknown(&self, actions: &[Action]) -> Vec<UnknownCase> {
        let named = |sequence: &Sequence| sequence.iter().map(|index| actions[*index].name.clone()).collect();
        let unknown = |sequence: &Sequence| match self.end(sequence)? {
            Node::Unknown(reason) => {
                Some(UnknownCase { case: Case::Sequence { actions: named(sequence) }, reason: reason.clone() })
            }
            Node::Seen(_) | Node::NotApplicable(_) => None,
        };
        self.planned.iter().filter_map(unknown).collect()
    }

    /// Names of actions that were performed somewhere.
    pub fn applied(&self, actions: &[Action]) -> Vec<String> {
        let ends_seen = |number: usize| {
            self.planned.iter().any(|sequence| {
                let places = sequence.iter().enumerate().filter(|(_, action)| **action == number);
                places.into_iter().any(|(place, _)| self.exploration.observation(&sequence[..=place]).is_some())
            })
        };
        (0..actions.len()).filter(|number| ends_seen(*number)).map(|number| actions[number].name.clone()).collect()
    }

    /// Names of actions that were tried somewhere, whatever came of it.
    pub fn attempted(&self, actions: &[Action]) -> Vec<String> {
        let is_tried = |number: usize| {
            self.planned.iter().any(|sequence| {
                let ends = (1..=sequence.len()).filter(|length| sequence[length - 1] == number);
                ends.into_iter().any(|length| self.exploration.node(&sequence[..length]).is_some())
            })
        };
        (0..actions.len()).filter(|number| is_tried(*number)).map(|number| actions[number].name.clone()).collect()
    }

    /// In how many states each action changed what its user sees.
    pub fn changed(&self, actions: usize) -> Vec<usize> {
        let mut changed = vec![0; actions];
        for (sequence, after) in self.seen() {
            let Some((last, before)) = sequence.split_last() else { continue };
            let differs = self.exploration.observation(before).is_some_and(|before| shows_another(before, after));
            changed[*last] += usize::from(differs);
        }
        changed
    }

    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.seen().into_values()
    }

    /// Every state that was looked at, once.
    fn seen(&self) -> BTreeMap<&[usize], &Observation> {
        let prefixes = self.planned.iter().flat_map(|sequence| (0..=sequence.len()).map(|length| &sequence[..length]));
        prefixes.filter_map(|place| Some((place, self.exploration.observation(place)?))).collect()
    }
}

fn shows_another(one: &Observation, other: &Observation) -> bool {
    (&one.screenshot, &one.dom, &one.text, &one.state) != (&other.screenshot, &other.dom, &other.text, &other.state)
}
