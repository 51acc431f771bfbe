//! [`BrowserStage`]: performs recordings in a [`Windows`], fresh ones each time.

use std::collections::BTreeMap;
use std::path::PathBuf;

use colobus_model::{BrowserPlace, Invariant, Reset};
use colobus_record::{Reach, Recording};
use serde::Deserialize;
use serde_json::json;

use crate::session::{BrowserSource, PlayOptions, Played, Player, WindowOptions, Windows, ensure_present};
use crate::settling::Pace;
use crate::settling::limits::{ELEMENT_IN_STAGES, REST_OF_STAGES};
use crate::traffic::TrafficLog;
use crate::world::reset;
use crate::{BrowserChoice, Interrupt};
use colobus_har::Redaction;
use colobus_world::{Field, PageSnapshot, Recorded, SessionRun, Stage, WorldError};

/// Left, top, width and height of each.
type Boxes = Vec<[f64; 4]>;

pub struct BrowserStage {
    options: StageOptions,
    windows: Option<Windows>,
    browser: BrowserPlace,
}

#[derive(Clone, Debug, Default)]
pub struct StageOptions {
    pub browsers: BrowserChoice,
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
        let windows = open(&options, recording, None)?;
        Ok(BrowserStage { browser: windows.browser(), windows: Some(windows), options })
    }

    /// Unused windows. A browser whose pages hang is replaced instead of renewed.
    fn fresh_windows(&mut self, recording: &Recording) -> Result<Windows, WorldError> {
        match self.windows.take().map(|windows| windows.renew().map(|()| windows)) {
            Some(Ok(windows)) => Ok(windows),
            _ => {
                let windows = open(&self.options, recording, None)?;
                self.browser = windows.browser();
                Ok(windows)
            }
        }
    }

    fn run(&mut self, recording: &Recording, looking_around: bool) -> Result<SessionRun, WorldError> {
        let windows = self.fresh_windows(recording)?;
        let run = self.run_in(&windows, recording, looking_around)?;
        if run.rested {
            self.windows = Some(windows);
        }
        Ok(run)
    }

    fn run_in(&self, windows: &Windows, recording: &Recording, looking_around: bool) -> Result<SessionRun, WorldError> {
        if let Some(way) = &self.options.reset {
            windows.wait_or_stop(reset(way))?;
        }
        let options = PlayOptions {
            pace: Pace::None,
            strict: false,
            patience: ELEMENT_IN_STAGES,
            secrets: self.options.secrets.clone(),
            files: self.options.files.clone(),
            reach: self.options.reach.clone(),
        };
        let mut run = SessionRun { rested: true, ..SessionRun::default() };
        let mut player = Player::new(windows, recording, options);
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
            let settled = windows.settle(REST_OF_STAGES);
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
            run.rested = windows.settle(REST_OF_STAGES);
            if windows.is_interrupted() {
                return Err(WorldError::Stopped);
            }
        }
        run.problems = windows.problems();
        ensure_present(&run.problems, recording.address().unwrap_or_default())?;
        if run.rested {
            run.broken_invariants = windows.broken_invariants(&self.options.invariants)?;
            run.areas = self.areas(windows)?;
            run.secret_areas = self.secret_areas(windows)?;
            run.screenshot = windows.screenshot().unwrap_or_default();
        }
        Ok(run)
    }

    /// Where the parts are that the options ask for.
    fn areas(&self, windows: &Windows) -> Result<BTreeMap<String, Boxes>, WorldError> {
        let mut areas = BTreeMap::new();
        for selector in &self.options.areas {
            let boxes: Option<Boxes> = windows.ask_last("glance.boxes", &[json!(selector)])?;
            areas.insert(selector.clone(), boxes.unwrap_or_default());
        }
        Ok(areas)
    }

    /// Where secrets can be read.
    fn secret_areas(&self, windows: &Windows) -> Result<Boxes, WorldError> {
        let values: Vec<&str> = self.options.secrets.iter().map(|(_, value)| value.as_str()).collect();
        Ok(windows.ask_last("glance.readable", &[json!(values)])?.unwrap_or_default())
    }
}

fn open(options: &StageOptions, recording: &Recording, traffic: Option<TrafficLog>) -> Result<Windows, WorldError> {
    let wanted = WindowOptions {
        browser: BrowserSource::of(&options.browsers),
        headed: options.browsers.headed,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: Vec::new(),
        record: false,
        play: true,
        traffic,
        explore: None,
    };
    Windows::open_heeding(wanted, Some(&options.interrupt))
}

impl Stage for BrowserStage {
    fn perform(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        self.run(recording, false)
    }

    fn perform_recorded(&mut self, recording: &Recording) -> Result<Recorded<SessionRun>, WorldError> {
        let traffic = TrafficLog::default();
        if self.options.browsers.elsewhere.is_some() {
            // A Grid may have no place for a second browser.
            self.windows = None;
        }
        let windows = open(&self.options, recording, Some(traffic.clone()))?;
        let run = self.run_in(&windows, recording, false)?;
        // What is still under way is told when the browser ends.
        drop(windows);
        let secrets = self.options.secrets.iter();
        let redaction = secrets.fold(Redaction::standard(), |all, (_, value)| all.value(value));
        Ok(Recorded { run, har: traffic.take_har(&redaction) })
    }

    fn dry_run(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        self.run(recording, true)
    }

    fn browser(&self) -> BrowserPlace {
        self.browser.clone()
    }
}

/// What `page/glance.js` says of a page.
#[derive(Deserialize)]
pub(crate) struct Glance {
    url: String,
    shape: Vec<String>,
    fields: Vec<GlancedField>,
    blank: bool,
}

#[derive(Deserialize)]
struct GlancedField {
    key: String,
    label: String,
    value: String,
}

impl From<Glance> for PageSnapshot {
    fn from(Glance { url, shape, fields, blank }: Glance) -> PageSnapshot {
        let field = |GlancedField { key, label, value }| Field { key, label, value };
        PageSnapshot { url, shape, fields: fields.into_iter().map(field).collect(), blank, neighbour: None }
    }
}
