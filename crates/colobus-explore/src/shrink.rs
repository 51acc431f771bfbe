//! [`shrink`]: the shortest sequence that fails in the same way, with as few answers as possible that the server was never
//! observed to give.

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

    /// Halves first, single steps last, from the end: what comes after the problem goes first.
    fn leave_steps_out(&mut self, fails: &mut Fails<'_>) -> Result<(), WorldError> {
        let mut size = self.steps.len();
        while size > 0 {
            let mut end = self.steps.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut shorter = self.steps.clone();
                shorter.drain(start..end);
                self.accept(shorter, self.answers.clone(), fails)?;
                end = start.min(self.steps.len());
            }
            size /= 2;
        }
        Ok(())
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
