//! [`Evidence`]: a sequence that reaches a line, as steps of the model and as a recording. Written beside a finding, with a
//! Playwright test.

use std::fs;
use std::io;
use std::path::Path;

use colobus_reach::line::Line;
use colobus_reach::page::Step;
use colobus_record::exchange::{self, Format};
use colobus_record::{Event, Line as RecordedLine, Recording, Viewport, Who};
use colobus_run::RunError;
use colobus_world::PageStep;
use serde::{Deserialize, Serialize};

/// The recording, which `colobus replay` performs.
pub const SESSION_FILE: &str = "session.rec";
/// The same as a Playwright test.
pub const TEST_FILE: &str = "session.spec.mjs";
const STEPS_FILE: &str = "steps.json";

#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub line: Line,
    pub steps: Vec<Step>,
    /// The steps as people say them.
    pub events: Vec<String>,
    pub recording: Recording,
}

/// What [`STEPS_FILE`] has.
#[derive(Serialize, Deserialize)]
struct Kept {
    line: Line,
    steps: Vec<Step>,
    events: Vec<String>,
}

/// What a user does, as a recording.
pub(crate) fn recording(url: &str, viewport: Viewport, steps: &[PageStep]) -> Recording {
    let open = RecordedLine::new(Who { client: 0, tab: 1 }, Event::Open(url.to_string()), 0);
    let lines = std::iter::once(open).chain(steps.iter().flat_map(|step| step.lines.iter().cloned()));
    Recording { viewport, lines: lines.collect() }
}

impl Evidence {
    pub fn save(&self, folder: &Path) -> Result<(), RunError> {
        fs::create_dir_all(folder).map_err(|source| RunError::Write { path: folder.into(), source })?;
        let Evidence { line, steps, events, .. } = self.clone();
        let steps = serde_json::to_string_pretty(&Kept { line, steps, events })
            .map_err(|source| RunError::Serialize { what: STEPS_FILE.into(), source })?;
        let test = exchange::export(&self.recording, Format::Playwright, &format!("reaches {}", self.line));
        let files = [(SESSION_FILE, self.recording.to_string()), (TEST_FILE, test.text), (STEPS_FILE, steps)];
        for (name, content) in files {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|source| RunError::Write { path, source })?;
        }
        Ok(())
    }

    /// What [`save`](Evidence::save) wrote.
    pub fn load(folder: &Path) -> Result<Evidence, RunError> {
        let unreadable = |name: &str, source: io::Error| RunError::Read { path: folder.join(name), source };
        let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|source| unreadable(name, source));
        let kept = serde_json::from_str(&read(STEPS_FILE)?);
        let Kept { line, steps, events } = kept.map_err(|error| unreadable(STEPS_FILE, error.into()))?;
        let recording = Recording::parse(&read(SESSION_FILE)?);
        let recording = recording.map_err(|error| unreadable(SESSION_FILE, io::Error::other(error.to_string())))?;
        Ok(Evidence { line, steps, events, recording })
    }
}
