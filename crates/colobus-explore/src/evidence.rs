//! [`Evidence`]: a sequence that fails, complete enough to run it again: steps, answers, and what went wrong. Kept as
//! `exploration.json`; the steps alone also as a recording that other commands read.

use std::fs;
use std::path::Path;

use colobus_check::{FailureIdentity, PageFailure};
use colobus_model::{MadeUpAnswer, Png};
use colobus_record::{Event, Line, Recording, Viewport, Who};
use colobus_run::RunError;
use colobus_world::{AnswerPlan, PageRun, PageStep};
use serde::{Deserialize, Serialize};

use crate::written_lines;

/// The file that runs a finding again.
pub const EVIDENCE_FILE: &str = "exploration.json";
/// The steps as a recording.
pub const SESSION_FILE: &str = "session.rec";
const SCREENSHOT_FILE: &str = "client-A.png";
pub(crate) const VERSION: u32 = 2;

#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    pub url: String,
    pub viewport: Viewport,
    pub steps: Vec<PageStep>,
    pub answers: AnswerPlan,
    /// What the page was answered in the server's place.
    pub made_up: Vec<MadeUpAnswer>,
    /// What goes wrong, and the same in words.
    pub identity: FailureIdentity,
    pub summary: String,
    pub screenshot: Option<Png>,
}

#[derive(Serialize, Deserialize)]
struct EvidenceFile {
    version: u32,
    url: String,
    viewport: (u32, u32),
    identity: FailureIdentity,
    summary: String,
    steps: Vec<StepFile>,
    answers: AnswerPlan,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made_up: Vec<MadeUpAnswer>,
}

#[derive(Serialize, Deserialize)]
struct StepFile {
    label: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    seed: u64,
    /// Lines of a recording.
    lines: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

impl Evidence {
    pub fn run(&self) -> PageRun {
        let prefix = self.steps.len().saturating_sub(1);
        PageRun { steps: self.steps.clone(), prefix, answers: self.answers.clone() }
    }

    pub fn shows(&self, failure: &PageFailure) -> bool {
        failure.identity() == self.identity
    }

    /// What is done, by the names of the steps.
    pub fn names(&self) -> Vec<String> {
        let opened = format!("open {}", self.url);
        std::iter::once(opened).chain(self.steps.iter().map(|step| step.label.clone())).collect()
    }

    /// The steps as a recording. Answers in the server's place are no part of it.
    pub fn recording(&self) -> Recording {
        let open = Line::new(Who { client: 0, tab: 1 }, Event::Open(self.url.clone()), 0);
        let lines = std::iter::once(open).chain(self.steps.iter().flat_map(|step| step.lines.iter().cloned()));
        Recording { viewport: self.viewport, lines: lines.collect() }
    }

    pub fn save(&self, folder: &Path) -> Result<(), RunError> {
        let write = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|source| RunError::Write { path, source })
        };
        let step = |step: &PageStep| StepFile {
            label: step.label.clone(),
            seed: step.seed,
            lines: written_lines::written(&step.lines),
        };
        let file = EvidenceFile {
            version: VERSION,
            url: self.url.clone(),
            viewport: (self.viewport.width, self.viewport.height),
            identity: self.identity.clone(),
            summary: self.summary.clone(),
            steps: self.steps.iter().map(step).collect(),
            answers: self.answers.clone(),
            made_up: self.made_up.clone(),
        };
        let json = serde_json::to_string_pretty(&file)
            .map_err(|source| RunError::Serialize { what: EVIDENCE_FILE.to_string(), source })?;
        fs::create_dir_all(folder).map_err(|source| RunError::Write { path: folder.into(), source })?;
        write(EVIDENCE_FILE, json.as_bytes())?;
        write(SESSION_FILE, self.recording().to_string().as_bytes())?;
        match &self.screenshot {
            Some(png) => write(SCREENSHOT_FILE, &png.0),
            None => Ok(()),
        }
    }

    /// Reads what [`save`](Evidence::save) wrote.
    pub fn load(folder: &Path) -> Result<Evidence, RunError> {
        let path = folder.join(EVIDENCE_FILE);
        let read = |source| RunError::Read { path: path.clone(), source };
        let text = fs::read_to_string(&path).map_err(read)?;
        let invalid = |problem: String| read(std::io::Error::new(std::io::ErrorKind::InvalidData, problem));
        let file: EvidenceFile = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if file.version != VERSION {
            return Err(invalid(format!("its version is {}, this Colobus reads {VERSION}", file.version)));
        }
        let viewport = Viewport { width: file.viewport.0, height: file.viewport.1 };
        let mut steps = Vec::new();
        for StepFile { label, seed, lines } in file.steps {
            let lines =
                written_lines::parse(&lines).map_err(|error| invalid(format!("the step `{label}`: {error}")))?;
            steps.push(PageStep { label, lines, seed });
        }
        let screenshot = fs::read(folder.join(SCREENSHOT_FILE)).ok().map(|bytes| Png(bytes.into()));
        let EvidenceFile { url, identity, summary, answers, made_up, .. } = file;
        Ok(Evidence { url, viewport, steps, answers, made_up, identity, summary, screenshot })
    }
}
