//! [`BrowserStage`]: performs recordings in a [`Windows`], fresh ones each time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use colobus_model::{Invariant, Reset};
use colobus_record::{Reach, Recording};
use serde_json::{Value, json};

use crate::Interrupt;
use crate::session::{BrowserSource, PlayOptions, Played, Player, WindowOptions, Windows};
use crate::settling::Pace;
use crate::world::reset;
use colobus_world::{Field, PageSnapshot, SessionRun, Stage, WorldError};

/// How long pages may take to come to rest: who takes longer hangs.
const REST: Duration = Duration::from_secs(10);
/// How long an element may take to appear in a page that has come to rest.
const PATIENCE: Duration = Duration::from_secs(1);

pub struct BrowserStage {
    options: StageOptions,
    windows: Option<Windows>,
    version: String,
}

#[derive(Clone, Debug, Default)]
pub struct StageOptions {
    /// The browser to use instead of the first one on PATH.
    pub browser: Option<PathBuf>,
    pub headed: bool,
    /// Values of secrets, by variable.
    pub secrets: Vec<(String, String)>,
    /// Where chosen files are.
    pub files: PathBuf,
    /// Where pages may come from that are acted in, and that get secrets.
    pub reach: Reach,
    /// What has to hold whenever everything has come to rest.
    pub invariants: Vec<Invariant>,
    /// Selectors of parts of the last page to look for.
    pub areas: Vec<String>,
    /// Ends whatever is waited for.
    pub interrupt: Interrupt,
    /// How the application forgets what was done before.
    pub reset: Option<Reset>,
}

impl BrowserStage {
    pub fn open(options: StageOptions, recording: &Recording) -> Result<BrowserStage, WorldError> {
        let windows = open(&options, recording)?;
        Ok(BrowserStage { version: windows.version.clone(), windows: Some(windows), options })
    }

    /// Unused windows. A browser whose pages hang is replaced instead of renewed.
    fn fresh_windows(&mut self, recording: &Recording) -> Result<Windows, WorldError> {
        match self.windows.take().map(|windows| windows.renew().map(|()| windows)) {
            Some(Ok(windows)) => Ok(windows),
            _ => open(&self.options, recording),
        }
    }

    fn run(&mut self, recording: &Recording, looking_around: bool) -> Result<SessionRun, WorldError> {
        let windows = self.fresh_windows(recording)?;
        if let Some(way) = &self.options.reset {
            windows.wait(reset(way))?;
        }
        let options = PlayOptions {
            pace: Pace::None,
            strict: false,
            patience: PATIENCE,
            secrets: self.options.secrets.clone(),
            files: self.options.files.clone(),
            reach: self.options.reach.clone(),
        };
        let mut run = SessionRun { rested: true, ..SessionRun::default() };
        let mut player = Player::new(&windows, recording, options);
        for (index, line) in recording.lines.iter().enumerate() {
            let neighbour = if looking_around { player.neighbour(index)? } else { None };
            if let Played::Impossible(why) = player.play(index)? {
                run.stopped = Some(why);
                break;
            }
            let next = recording.lines[index + 1..].iter().find(|line| line.event.is_by_user());
            if next.is_some_and(|next| next.is_hurried()) {
                run.snapshots.push(None);
                continue;
            }
            let settled = windows.settle(REST);
            if windows.is_interrupted() {
                return Err(WorldError::Stopped);
            }
            if !settled {
                run.rested = false;
                run.stopped = Some("the page does not come to rest".to_string());
                break;
            }
            let snapshot = windows.look(line.who)?.map(|snapshot| PageSnapshot { neighbour, ..snapshot });
            run.snapshots.push(snapshot);
        }
        if run.rested {
            run.rested = windows.settle(REST);
            if windows.is_interrupted() {
                return Err(WorldError::Stopped);
            }
        }
        run.problems = windows.problems();
        if run.rested {
            run.broken_invariants = windows.broken_invariants(&self.options.invariants)?;
            run.areas = self.areas(&windows)?;
            run.secret_areas = self.secret_areas(&windows)?;
            run.screenshot = windows.screenshot().unwrap_or_default();
            self.windows = Some(windows);
        }
        Ok(run)
    }

    /// Where the parts are that the options ask for.
    fn areas(&self, windows: &Windows) -> Result<BTreeMap<String, Vec<[f64; 4]>>, WorldError> {
        let mut areas = BTreeMap::new();
        for selector in &self.options.areas {
            areas.insert(selector.clone(), boxes(&windows.ask_last("glance.boxes", &[json!(selector)])?));
        }
        Ok(areas)
    }

    /// Where secrets can be read.
    fn secret_areas(&self, windows: &Windows) -> Result<Vec<[f64; 4]>, WorldError> {
        let values: Vec<&str> = self.options.secrets.iter().map(|(_, value)| value.as_str()).collect();
        Ok(boxes(&windows.ask_last("glance.readable", &[json!(values)])?))
    }
}

fn boxes(told: &Value) -> Vec<[f64; 4]> {
    let side = |of: &Value, index: usize| of[index].as_f64().unwrap_or_default();
    let area = |of: &Value| [side(of, 0), side(of, 1), side(of, 2), side(of, 3)];
    told.as_array().into_iter().flatten().map(area).collect()
}

fn open(options: &StageOptions, recording: &Recording) -> Result<Windows, WorldError> {
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::Launched(options.browser.clone()),
        headed: options.headed,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: Vec::new(),
        record: false,
        play: true,
        traffic: None,
        explore: None,
    })?;
    windows.heed(&options.interrupt);
    Ok(windows)
}

impl Stage for BrowserStage {
    fn perform(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        self.run(recording, false)
    }

    fn dry_run(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        self.run(recording, true)
    }

    fn browser(&self) -> String {
        self.version.clone()
    }
}

/// What `page/glance.js` says, as a snapshot. It comes from a page: whatever does not fit is left out.
pub(crate) fn snapshot(told: &Value) -> PageSnapshot {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    PageSnapshot {
        url: text(&told["url"]),
        shape: list(&told["shape"]).iter().map(text).collect(),
        fields: list(&told["fields"])
            .iter()
            .map(|field| Field { key: text(&field["key"]), label: text(&field["label"]), value: text(&field["value"]) })
            .collect(),
        blank: told["blank"] == true,
        neighbour: None,
    }
}
