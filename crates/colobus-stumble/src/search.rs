//! [`stumble`]: rehearses a session, makes every mistake in it, and keeps those after which the application does something
//! wrong: one finding for each thing that it does, with the shortest script that still does it.

use colobus_model::Png;
use colobus_record::Recording;
use colobus_world::{SessionRun, Stage, WorldError};

use crate::shrink::shrink;
use crate::{Baseline, Mistake, Problem, Script, Task, judge, mistakes, words};

/// How often the session is performed without a mistake: noise that does not come every time is noise as well.
const REHEARSALS: usize = 2;

pub struct Options<'a> {
    /// How long somebody waits who comes too late.
    pub dawdle_ms: u64,
    /// How often a finding is performed again.
    pub attempts: usize,
    /// Whether the user wants to end it.
    pub stopped: &'a dyn Fn() -> bool,
}

/// What the search tells while it goes on.
pub enum StumbleEvent<'a> {
    Rehearsed { tree: &'a Task, mistakes: usize },
    Tried { done: usize, of: usize },
    Found(&'a Found),
}

#[derive(Debug, thiserror::Error)]
pub enum StumbleError {
    #[error(
        "the session cannot be replayed as it was recorded, so that no mistake can be told from it: line {line}: {why}"
    )]
    Unplayable { line: usize, why: String },
    #[error(transparent)]
    World(#[from] WorldError),
}

pub struct Outcome {
    pub tree: Task,
    pub mistakes: usize,
    /// Mistakes that were performed.
    pub tried: usize,
    /// Of those, the ones that led to a state in which the session could not go on: nothing is wrong with that.
    pub dead_ends: Vec<DeadEnd>,
    /// Mistakes that were left out because they begin like one that led nowhere.
    pub pruned: usize,
    /// Performances, those for shrinking included.
    pub performances: usize,
    pub findings: Vec<Found>,
    /// Why not all mistakes were made.
    pub stopped: Option<String>,
}

/// A mistake after which the session could not go on.
pub struct DeadEnd {
    pub mistake: Mistake,
    /// The line that was not possible, and why.
    pub why: String,
}

pub struct Found {
    pub mistake: Mistake,
    /// The worst first.
    pub problems: Vec<Problem>,
    pub script: Script,
    /// How many mistakes had the same consequence.
    pub failures: usize,
    pub reproduced: usize,
    pub attempts: usize,
    pub screenshot: Option<Png>,
    /// The last page of the session without a mistake.
    pub usual: Option<Png>,
}

pub fn stumble(
    recording: &Recording,
    stage: &mut dyn Stage,
    options: &Options<'_>,
    tell: &mut dyn FnMut(StumbleEvent<'_>),
) -> Result<Outcome, StumbleError> {
    let rehearsals = dry_run(recording, stage)?;
    let baseline = Baseline::new(&rehearsals);
    let usual = rehearsals.into_iter().next().and_then(|first| first.screenshot);
    let tree = Task::infer(recording, &baseline.snapshots);
    let planned = mistakes(recording, &tree, &baseline.snapshots, options.dawdle_ms);
    let of = planned.len();
    tell(StumbleEvent::Rehearsed { tree: &tree, mistakes: of });
    let mut search = Search { stage, baseline, performances: REHEARSALS, dead: Vec::new() };
    let mut outcome = Outcome {
        tree,
        mistakes: of,
        tried: 0,
        dead_ends: Vec::new(),
        pruned: 0,
        performances: 0,
        findings: Vec::new(),
        stopped: None,
    };
    for (done, mistake) in planned.into_iter().enumerate() {
        tell(StumbleEvent::Tried { done, of });
        if (options.stopped)() {
            outcome.stopped = Some(format!("interrupted after {done} of {of} mistakes"));
            break;
        }
        // What was found before the browser or the application gave up is not lost.
        if let Err(error) = search.make(mistake, recording, usual.as_ref(), options, &mut outcome, tell) {
            outcome.stopped = Some(error.to_string());
            break;
        }
    }
    outcome.performances = search.performances;
    Ok(outcome)
}

fn dry_run(recording: &Recording, stage: &mut dyn Stage) -> Result<Vec<SessionRun>, StumbleError> {
    let mut rehearsals = Vec::new();
    for _ in 0..REHEARSALS {
        let performance = stage.dry_run(recording)?;
        if let Some(why) = performance.stopped {
            return Err(StumbleError::Unplayable { line: performance.snapshots.len() + 1, why });
        }
        rehearsals.push(performance);
    }
    Ok(rehearsals)
}

pub(crate) struct Search<'a> {
    stage: &'a mut dyn Stage,
    pub baseline: Baseline,
    performances: usize,
    /// Beginnings of sessions whose last line could not be performed.
    dead: Vec<Vec<String>>,
}

impl Search<'_> {
    pub fn perform(&mut self, script: &Script) -> Result<SessionRun, WorldError> {
        self.performances += 1;
        self.stage.perform(&script.recording)
    }

    /// Performs the session with one mistake, and adds what comes of it to the outcome.
    fn make(
        &mut self,
        mistake: Mistake,
        recording: &Recording,
        usual: Option<&Png>,
        options: &Options<'_>,
        outcome: &mut Outcome,
        tell: &mut dyn FnMut(StumbleEvent<'_>),
    ) -> Result<(), WorldError> {
        let script = mistake.made_in(recording);
        if self.leads_nowhere(&script) {
            outcome.pruned += 1;
            return Ok(());
        }
        let performance = self.perform(&script)?;
        outcome.tried += 1;
        if let Some(why) = &performance.stopped {
            let line = script.recording.lines.get(performance.snapshots.len()).map(|line| words(&line.event));
            let why = format!("{}: {why}", line.unwrap_or_default());
            outcome.dead_ends.push(DeadEnd { mistake: mistake.clone(), why });
            self.remember(recording, &script, &performance);
        }
        let problems = judge(&self.baseline, &mistake, &script, &performance);
        let Some(worst) = problems.first() else { return Ok(()) };
        let known = outcome.findings.iter_mut().find(|found| found.problems[0].signature() == worst.signature());
        if let Some(found) = known {
            found.failures += 1;
        } else if let Some(found) = self.reduce(mistake, script, usual.cloned(), options)? {
            tell(StumbleEvent::Found(&found));
            outcome.findings.push(found);
        }
        Ok(())
    }

    /// Remembers how far a session came, unless it stopped where it is still the one that was recorded.
    fn remember(&mut self, recording: &Recording, script: &Script, performance: &SessionRun) {
        let lines = &script.recording.lines[..script.recording.lines.len().min(performance.snapshots.len() + 1)];
        if !recording.lines.starts_with(lines) {
            self.dead.push(lines.iter().map(ToString::to_string).collect());
        }
    }

    fn leads_nowhere(&self, script: &Script) -> bool {
        let lines: Vec<String> = script.recording.lines.iter().map(ToString::to_string).collect();
        self.dead.iter().any(|dead| lines.starts_with(dead))
    }

    /// Shrinks a script and performs the result again; nothing if the problem has gone by then.
    fn reduce(
        &mut self,
        mistake: Mistake,
        script: Script,
        usual: Option<Png>,
        options: &Options<'_>,
    ) -> Result<Option<Found>, WorldError> {
        let performance = self.perform(&script)?;
        let again = judge(&self.baseline, &mistake, &script, &performance);
        let Some(worst) = again.first().cloned() else { return Ok(None) };
        let fails = |script: &Script, search: &mut Self| -> Result<bool, WorldError> {
            let performance = search.perform(script)?;
            let problems = judge(&search.baseline, &mistake, script, &performance);
            Ok(problems.iter().any(|problem| problem.signature() == worst.signature()))
        };
        let script = shrink(script, &mut |script| fails(script, self))?;
        let mut reproduced = 0;
        let mut last = None;
        for _ in 0..options.attempts {
            let performance = self.perform(&script)?;
            let problems = judge(&self.baseline, &mistake, &script, &performance);
            if problems.iter().any(|problem| problem.signature() == worst.signature()) {
                reproduced += 1;
                last = Some((problems, performance.screenshot));
            }
        }
        let (mut problems, screenshot) = last.unwrap_or((again, performance.screenshot));
        // The one that it was shrunk for comes first, whatever else happens then.
        problems.sort_by_key(|problem| problem.signature() != worst.signature());
        let attempts = options.attempts;
        Ok(Some(Found { mistake, problems, script, failures: 1, reproduced, attempts, screenshot, usual }))
    }
}
