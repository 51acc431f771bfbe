//! [`RaceEvidence`]: a harmful order with everything that is needed to run it again: the recorded page, the order that works
//! and the one that fails.

use std::fs;
use std::path::Path;

use colobus_model::{ClientId, FailingOrder, Png, Trace};
use colobus_race::explore::Reversal;
use colobus_race::happens_before::moments;
use colobus_race::model::{EventName, Execution, PageEvent};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::{Differences, Harm};
use colobus_run::RunError;
use serde::{Deserialize, Serialize};

use crate::words;

/// The file of a finding.
pub const FILE: &str = "race.json";

/// Client A's picture is the page after the order that fails, B's after the one that works.
const FAILING: ClientId = ClientId(0);
const WORKING: ClientId = ClientId(1);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RaceEvidence {
    pub working: Vec<EventName>,
    pub failing: Vec<EventName>,
    /// The pair that the failing order turns round.
    pub reversal: Reversal,
    /// How many reversals the working order is away from the recorded one.
    pub before: usize,
    pub harms: Vec<Harm>,
    pub differences: Differences,
    /// User steps that are not needed.
    pub left_out: Vec<EventName>,
    /// How to make it happen by hand, or why that is not known.
    pub by_hand: String,
    /// Whether delays alone led to the same on the plain page.
    pub confirmed: bool,
    pub recorded: RecordedPage,
    /// What ran in the working and in the failing order when they were executed last.
    #[serde(default)]
    pub ran: (Vec<TimedEvent>, Vec<TimedEvent>),
    #[serde(skip)]
    pub pictures: (Option<Png>, Option<Png>),
}

/// An event of an execution, with its moment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimedEvent {
    pub event: PageEvent,
    pub planned: bool,
    /// Milliseconds since the start of the page, on a clock that runs by itself. None: timers cannot come in this order.
    pub moment: Option<u64>,
}

impl TimedEvent {
    pub fn of(execution: &Execution) -> Vec<TimedEvent> {
        let moments = moments(execution).ok();
        let moment = |place: usize| moments.as_ref().map(|moments| moments[place]);
        let ran = execution.ran.iter().enumerate();
        ran.map(|(place, ran)| TimedEvent { event: ran.event.clone(), planned: ran.planned, moment: moment(place) })
            .collect()
    }
}

impl RaceEvidence {
    pub fn searched(&self) -> FailingOrder {
        let texts = |names: &[EventName]| names.iter().map(ToString::to_string).collect();
        let (first_at, second_at) = words::positions(&self.reversal);
        let requests = |requests: &[colobus_race::model::Request]| {
            requests.iter().map(|request| format!("{} {}", request.method, request.address)).collect()
        };
        let Differences { lines, exceptions, requests: sent, .. } = &self.differences;
        let steps = self.recorded.execution.ran.iter().filter(|ran| ran.event.is_step());
        let steps = steps.zip(&self.recorded.steps);
        FailingOrder {
            first: self.reversal.first.to_string(),
            second: self.reversal.second.to_string(),
            place: words::shared(&self.reversal),
            first_at,
            second_at,
            working: texts(&self.working),
            failing: texts(&self.failing),
            steps: steps.map(|(ran, step)| format!("{}: {}", ran.event.name, step.step)).collect(),
            gone: words::bounded(&lines.0),
            new: words::bounded(&lines.1),
            exceptions: (words::bounded(&exceptions.0), words::bounded(&exceptions.1)),
            requests: (requests(&sent.0), requests(&sent.1)),
            by_hand: self.by_hand.clone(),
            confirmed: self.confirmed,
        }
    }

    pub fn save(&self, folder: &Path) -> Result<(), RunError> {
        let write = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|source| RunError::Write { path, source })
        };
        fs::create_dir_all(folder).map_err(|source| RunError::Write { path: folder.into(), source })?;
        let text =
            serde_json::to_vec(self).map_err(|source| RunError::Serialize { what: "a finding".into(), source })?;
        write(FILE, &text)?;
        for (client, picture) in [(FAILING, &self.pictures.0), (WORKING, &self.pictures.1)] {
            if let Some(png) = picture {
                write(&Trace::screenshot_name(client), &png.0)?;
            }
        }
        Ok(())
    }

    pub fn read(folder: &Path) -> Result<RaceEvidence, String> {
        let path = if folder.is_dir() { folder.join(FILE) } else { folder.to_path_buf() };
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut evidence: RaceEvidence =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let beside = path.parent().unwrap_or(folder);
        let picture =
            |client| fs::read(beside.join(Trace::screenshot_name(client))).ok().map(|bytes| Png(bytes.into()));
        evidence.pictures = (picture(FAILING), picture(WORKING));
        Ok(evidence)
    }
}
