//! [`MistakeSearch`]: what the run loop asks of a search for mistakes that an application does not put up with.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::Instant;

use colobus_check::{FailureIdentity, PageFailure};
use colobus_model::{
    BrowserPlace, Case, ClientId, Counts, FailedCheck, FailingSession, NotApplicable, Png, Report, ScriptLine,
    SearchKind, Searched, Trace,
};
use colobus_record::Recording;
use colobus_run::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, RunError, Search, SeenFailure, StopSignal,
};
use colobus_world::{Recorded, SessionRun, Stage, WorldError};
use serde_json::Value;

use crate::shrink::shrink;
use crate::stumble::DryRuns;
use crate::{Mistake, Script, judge, words};

/// Client A's picture is the last page with the mistake, B's the last page without it.
const WITH_MISTAKE: ClientId = ClientId(0);
const WITHOUT_MISTAKE: ClientId = ClientId(1);
/// What is the same whenever the failure comes back, beside the session.
const IDENTITY_FILE: &str = "failure.json";

pub(crate) struct MistakeSearch<'a> {
    pub recording: &'a Recording,
    /// How reports call the recording.
    pub name: String,
    /// Where it is performed.
    origin: String,
    pub browser: String,
    pub dry_runs: DryRuns,
    /// Not made yet.
    pub left: VecDeque<Mistake>,
    /// Beginnings of sessions whose last line could not be performed, each with the mistake that led there.
    dead_ends: Vec<(Vec<String>, String)>,
}

/// One mistake to make.
pub(crate) struct Attempt {
    mistake: Mistake,
    script: Script,
    /// The mistake that begins like it and led nowhere: then it is not made.
    like: Option<String>,
}

/// A session after which the application did something wrong, and what was seen.
pub(crate) struct SessionEvidence {
    mistake: String,
    script: Script,
    /// What the application does wrong.
    identity: FailureIdentity,
    screenshot: Option<Png>,
    /// The last page of the session without a mistake.
    usual: Option<Png>,
}

impl<'a> MistakeSearch<'a> {
    pub fn new(
        recording: &'a Recording,
        name: String,
        origin: String,
        browser: String,
        mut dry_runs: DryRuns,
    ) -> MistakeSearch<'a> {
        let left = std::mem::take(&mut dry_runs.mistakes).into();
        MistakeSearch { recording, name, origin, browser, dry_runs, left, dead_ends: Vec::new() }
    }

    fn failures(&self, mistake: &Mistake, script: &Script, run: &SessionRun) -> Vec<PageFailure> {
        judge(&self.dry_runs.baseline, mistake, script, run)
    }

    fn evidence(
        &self,
        mistake: &Mistake,
        script: Script,
        identity: FailureIdentity,
        screenshot: Option<Png>,
    ) -> SessionEvidence {
        let usual = self.dry_runs.usual.clone();
        SessionEvidence { mistake: mistake.to_string(), script, identity, screenshot, usual }
    }
}

impl Search for MistakeSearch<'_> {
    type World = dyn Stage;
    type Job = Attempt;
    type Evidence = SessionEvidence;

    const EVIDENCE_FILE: &'static str = "session.rec";

    /// One at a time: what leads nowhere tells which others need not be made.
    fn next(&mut self) -> Vec<Attempt> {
        let Some(mistake) = self.left.pop_front() else { return Vec::new() };
        let script = mistake.made_in(self.recording);
        let lines: Vec<String> = script.recording.lines.iter().map(ToString::to_string).collect();
        let dead_end = self.dead_ends.iter().find(|(beginning, _)| lines.starts_with(beginning));
        vec![Attempt { mistake, script, like: dead_end.map(|(_, mistake)| mistake.clone()) }]
    }

    fn waiting(&self) -> usize {
        self.left.len()
    }

    fn case(&self, attempt: &Attempt) -> Case {
        Case::Session { mistake: attempt.mistake.to_string() }
    }

    fn execute(
        &self,
        stage: &mut Self::World,
        attempt: &Attempt,
        _: &StopSignal,
    ) -> Result<Executed<SessionEvidence>, WorldError> {
        let Attempt { mistake, script, like } = attempt;
        let action = mistake.to_string();
        if let Some(like) = like {
            let reason = format!("it begins like `{like}`, after which the session cannot go on");
            return Ok(Executed::new(Ending::NotApplicable(NotApplicable {
                action,
                step: None,
                reason,
                threw: false,
            })));
        }
        let begun = Instant::now();
        let run = stage.perform(&script.recording)?;
        let took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
        let failures = self.failures(mistake, script, &run);
        let mut executed = match (failures.first(), &run.stopped) {
            (Some(worst), _) => {
                let evidence = self.evidence(mistake, script.clone(), worst.identity(), run.screenshot);
                let FailedCheck { check, difference } = worst.failed_check();
                Executed::failed(Failure::of(check, difference), evidence)
            }
            (None, Some(why)) => {
                let step = run.snapshots.len();
                let line = script.recording.lines.get(step).map(|line| words(&line.event)).unwrap_or_default();
                let reason = format!("{line}: {why}");
                let found = NotApplicable { action, step: Some(step), reason, threw: false };
                Executed::new(Ending::NotApplicable(found))
            }
            (None, None) => Executed::new(Ending::Passed),
        };
        executed.took_ms = took_ms;
        Ok(executed)
    }

    /// Remembers how far a session came, unless it stopped where it is still the one that was recorded.
    fn learn(&mut self, attempt: &Attempt, ending: &Ending, _: &Value) -> Result<(), serde_json::Error> {
        let Ending::NotApplicable(NotApplicable { step: Some(step), .. }) = ending else { return Ok(()) };
        let lines = &attempt.script.recording.lines;
        let beginning = &lines[..lines.len().min(step + 1)];
        if !self.recording.lines.starts_with(beginning) {
            let beginning = beginning.iter().map(ToString::to_string).collect();
            self.dead_ends.push((beginning, attempt.mistake.to_string()));
        }
        Ok(())
    }

    fn is_doubted(&self, _: &Attempt) -> bool {
        false
    }

    /// What the application does wrong, whatever the mistake.
    fn diagnose(
        &self,
        _: &mut Self::World,
        _: &Attempt,
        evidence: &SessionEvidence,
        _: &Failure,
    ) -> Result<Diagnosed<SessionEvidence>, WorldError> {
        Ok(Diagnosed::as_seen(Cause { name: evidence.identity.to_string(), size: 0 }))
    }

    /// What the application does is the same: one script shows it.
    fn explains(&self, _: &Attempt, _: &Attempt, _: &Failure) -> bool {
        true
    }

    fn reduce(
        &self,
        stage: &mut Self::World,
        attempt: &Attempt,
        seen: SeenFailure<SessionEvidence>,
    ) -> Result<Reduced<SessionEvidence>, WorldError> {
        // One failure explains all others of its cause: another is seen only where the first did not come back.
        let SeenFailure { evidence, failure, repeat, .. } = seen;
        let mistake = &attempt.mistake;
        let identity = evidence.identity;
        let is_same = |found: &PageFailure| found.identity() == identity;
        let perform = |stage: &mut dyn Stage, script: &Script| -> Result<(Vec<PageFailure>, Option<Png>), WorldError> {
            let run = stage.perform(&script.recording)?;
            Ok((self.failures(mistake, script, &run), run.screenshot))
        };
        let script = shrink(evidence.script, &mut |script| Ok(perform(stage, script)?.0.iter().any(is_same)))?;
        let (mut failures, mut screenshot) = (Vec::new(), evidence.screenshot);
        let reproduced = repeat.count(|| {
            let (again, picture) = perform(stage, &script)?;
            let comes_back = again.iter().any(is_same);
            if comes_back {
                (failures, screenshot) = (again, picture);
            }
            Ok(comes_back)
        })?;
        let others = failures.iter().filter(|found| !is_same(found)).map(PageFailure::failed_check);
        let failure = Failure { also: others.collect(), ..failure.clone() };
        let evidence = self.evidence(mistake, script, identity, screenshot);
        Ok(Reduced { searched: self.searched(attempt, &evidence), evidence, failure, reproduced })
    }

    fn comes_back(
        &self,
        stage: &mut Self::World,
        attempt: &Attempt,
        evidence: &SessionEvidence,
        _: &Failure,
    ) -> Result<bool, WorldError> {
        let run = stage.perform(&evidence.script.recording)?;
        let failures = self.failures(&attempt.mistake, &evidence.script, &run);
        Ok(failures.iter().any(|found| found.identity() == evidence.identity))
    }

    fn browser(&self, stage: &Self::World) -> BrowserPlace {
        stage.browser()
    }

    fn record(
        &self,
        stage: &mut Self::World,
        attempt: &Attempt,
        finding: &Reduced<SessionEvidence>,
    ) -> Result<FindingTraffic, WorldError> {
        let script = &finding.evidence.script;
        let Recorded { run, har } = stage.perform_recorded(&script.recording)?;
        let failures = self.failures(&attempt.mistake, script, &run);
        let comes_back = failures.iter().any(|found| found.identity() == finding.evidence.identity);
        Ok(if comes_back { FindingTraffic::Har(har) } else { FindingTraffic::NotReproduced })
    }

    fn searched(&self, attempt: &Attempt, evidence: &SessionEvidence) -> Searched {
        let lines = evidence.script.recording.lines.iter().zip(&evidence.script.mistaken);
        Searched::Session(FailingSession {
            mistake: attempt.mistake.to_string(),
            script: lines
                .map(|(line, mistaken)| ScriptLine { text: words(&line.event), mistaken: *mistaken })
                .collect(),
        })
    }

    fn save(&self, evidence: &SessionEvidence, folder: &Path) -> Result<(), RunError> {
        let write = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|source| RunError::Write { path, source })
        };
        fs::create_dir_all(folder).map_err(|source| RunError::Write { path: folder.into(), source })?;
        write(Self::EVIDENCE_FILE, commented(&evidence.script.recording, &evidence.mistake).as_bytes())?;
        let identity = serde_json::to_vec(&evidence.identity)
            .map_err(|source| RunError::Serialize { what: IDENTITY_FILE.to_string(), source })?;
        write(IDENTITY_FILE, &identity)?;
        for (client, picture) in [(WITH_MISTAKE, &evidence.screenshot), (WITHOUT_MISTAKE, &evidence.usual)] {
            if let Some(png) = picture {
                write(&Trace::screenshot_name(client), &png.0)?;
            }
        }
        Ok(())
    }

    fn restore(&self, attempt: &Attempt, folder: &Path) -> Result<SessionEvidence, RunError> {
        let path = folder.join(IDENTITY_FILE);
        let read = |source| RunError::Read { path: path.clone(), source };
        let identity = serde_json::from_slice(&fs::read(&path).map_err(read)?).map_err(|error| read(error.into()))?;
        let picture = fs::read(folder.join(Trace::screenshot_name(WITH_MISTAKE))).ok();
        let picture = picture.map(|bytes| Png(bytes.into()));
        Ok(self.evidence(&attempt.mistake, attempt.script.clone(), identity, picture))
    }

    fn report(&self) -> Report {
        Report {
            search: SearchKind::Mistakes,
            application: self.name.clone(),
            configuration: self.origin.clone(),
            recording: Some(self.name.clone()),
            browser: self.browser.clone(),
            clients: 1,
            actions: self.dry_runs.tree.to_string().lines().map(str::to_string).collect(),
            counts: Counts { executions: self.dry_runs.times, ..Counts::default() },
            ..Report::default()
        }
    }
}

/// The recording with a line about the mistake, where the format allows one.
fn commented(recording: &Recording, mistake: &str) -> String {
    let text = recording.to_string();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    format!("{first}\n# {}\n{rest}", mistake.replace(['\n', '\r'], " "))
}
