//! [`shrink`]: the shortest sequence that fails in the same way, with as few answers as possible that the server was never
//! observed to give.

use colobus_schedule::leave_out;
use colobus_world::{AnswerPlan, PageRun, PageStep, Visit, WorldError};

/// Runs that one failure may cost.
const MOST_RUNS: usize = 60;

/// What is left of a failing run.
#[derive(Clone, Debug)]
pub struct Shrunk {
    pub steps: Vec<PageStep>,
    /// Every answer as it was given.
    pub answers: AnswerPlan,
    /// Of the last run that failed.
    pub visit: Visit,
}

/// Tries a run: what was seen, if it fails in the same way.
pub type Fails<'a> = dyn FnMut(&PageRun) -> Result<Option<Visit>, WorldError> + 'a;

/// Takes away what is not needed; nothing if the run does not fail again.
pub fn shrink(steps: Vec<PageStep>, answers: AnswerPlan, fails: &mut Fails<'_>) -> Result<Option<Shrunk>, WorldError> {
    let mut state = State { steps, answers, runs: 0, visit: Visit::default() };
    let (whole, plan) = (state.steps.clone(), state.answers.clone());
    if !state.accept(whole, plan, fails)? {
        return Ok(None);
    }
    state.answer_as_usual(fails)?;
    state.leave_steps_out(fails)?;
    state.single_answers_as_usual(fails)?;
    let answers = AnswerPlan { fixed: state.visit.answers.clone(), ..state.answers };
    Ok(Some(Shrunk { steps: state.steps, answers, visit: state.visit }))
}

struct State {
    steps: Vec<PageStep>,
    answers: AnswerPlan,
    runs: usize,
    visit: Visit,
}

impl State {
    /// Keeps a smaller run if it still fails.
    fn accept(&mut self, steps: Vec<PageStep>, answers: AnswerPlan, fails: &mut Fails<'_>) -> Result<bool, WorldError> {
        if self.runs >= MOST_RUNS {
            return Ok(false);
        }
        self.runs += 1;
        let prefix = steps.len().saturating_sub(1);
        let run = PageRun { steps, prefix, answers };
        let Some(visit) = fails(&run)? else { return Ok(false) };
        (self.steps, self.answers, self.visit) = (run.steps, run.answers, visit);
        Ok(true)
    }

    /// All answers as observed, if that is enough.
    fn answer_as_usual(&mut self, fails: &mut Fails<'_>) -> Result<(), WorldError> {
        if self.visit.answers.iter().all(|answer| answer.as_observed) {
            return Ok(());
        }
        let usual = self.steps.iter().map(|step| PageStep { seed: 0, ..step.clone() }).collect();
        self.accept(usual, AnswerPlan::default(), fails).map(|_| ())
    }

    fn leave_steps_out(&mut self, fails: &mut Fails<'_>) -> Result<(), WorldError> {
        leave_out(self.steps.len(), |part| {
            let mut shorter = self.steps.clone();
            shorter.drain(part);
            self.accept(shorter, self.answers.clone(), fails)
        })
    }

    fn single_answers_as_usual(&mut self, fails: &mut Fails<'_>) -> Result<(), WorldError> {
        let unusual: Vec<(String, usize)> = self
            .visit
            .answers
            .iter()
            .filter(|answer| !answer.as_observed)
            .map(|answer| (answer.request.clone(), answer.number))
            .collect();
        // The only one is needed: without it all would be usual, which was tried.
        if unusual.len() < 2 {
            return Ok(());
        }
        for request in unusual {
            let mut fewer = self.answers.clone();
            fewer.usual.insert(request);
            self.accept(self.steps.clone(), fewer, fails)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_world::GivenAnswer;
    use proptest::prelude::*;

    fn step(number: usize, seed: u64) -> PageStep {
        PageStep { label: number.to_string(), lines: Vec::new(), seed }
    }

    fn labels(steps: &[PageStep]) -> Vec<usize> {
        steps.iter().map(|step| step.label.parse().unwrap()).collect()
    }

    /// Every step asks once; its answer is as observed with seed zero, or if the plan says so.
    fn visit(run: &PageRun) -> Visit {
        let answer = |step: &PageStep| GivenAnswer {
            request: step.label.clone(),
            number: 0,
            operation: String::new(),
            status: 200,
            content_type: None,
            body: String::new(),
            as_observed: step.seed == 0 || run.answers.usual.contains(&(step.label.clone(), 0)),
        };
        Visit { rested: true, answers: run.steps.iter().map(answer).collect(), ..Visit::default() }
    }

    proptest! {
        #[test]
        fn what_is_left_is_what_is_needed(
            count in 1..9_usize,
            needed in prop::collection::btree_set(0..9_usize, 0..4),
            unusual in 0..9_usize,
        ) {
            let needed: Vec<usize> = needed.into_iter().filter(|number| *number < count).collect();
            // One of the needed steps fails with a made-up answer only.
            let unusual = needed.get(unusual).copied();
            let mut runs = 0;
            let mut fails = |run: &PageRun| {
                runs += 1;
                let (kept, seen) = (labels(&run.steps), visit(run));
                let made_up = |number: usize| {
                    seen.answers.iter().any(|answer| answer.request == number.to_string() && !answer.as_observed)
                };
                let all = needed.iter().all(|number| kept.contains(number)) && unusual.is_none_or(made_up);
                Ok(all.then_some(seen))
            };
            let steps = (0..count).map(|number| step(number, 3)).collect();
            let shrunk = shrink(steps, AnswerPlan::default(), &mut fails).unwrap().unwrap();
            prop_assert_eq!(labels(&shrunk.steps), needed);
            let left: Vec<usize> = shrunk
                .visit
                .answers
                .iter()
                .filter(|answer| !answer.as_observed)
                .map(|answer| answer.request.parse().unwrap())
                .collect();
            prop_assert_eq!(left, unusual.into_iter().collect::<Vec<_>>());
            prop_assert!(runs <= MOST_RUNS);
        }
    }

    #[test]
    fn what_does_not_fail_again_is_not_shrunk() {
        assert!(shrink(vec![step(1, 0)], AnswerPlan::default(), &mut |_| Ok(None)).unwrap().is_none());
    }
}
