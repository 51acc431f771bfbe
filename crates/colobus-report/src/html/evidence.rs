//! [`Evidence`]: what the page shows of one finding beside the finding itself, read from its folder.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use colobus_compare::lines::document_lines;
use colobus_compare::pixels::{PixelSet, changed_between};
use colobus_model::{
    Action, Aspect, ClientId, Direction, Event, Finding, Interaction, Message, Observation, PageError, Png, Rectangle,
    Searched, Step, Trace,
};
use serde::Serialize;

use super::images::Images;
use super::line_difference::{Hunk, hunks};

/// Runs of differing pixels that a page may hold per comparison. A picture with more is different all over.
const MOST_RUNS: usize = 20_000;

#[derive(Default, Serialize)]
pub(super) struct Evidence {
    /// Why there is less to see than usual.
    problem: Option<String>,
    prefix: Vec<ActionEvidence>,
    concurrent: Vec<ActionEvidence>,
    events: Vec<Moment>,
    /// The order that works, if there is one.
    passing: Vec<Moment>,
    judged_by: Vec<Aspect>,
    ignored: Vec<Rectangle>,
    clients: Vec<ClientEvidence>,
    comparisons: Vec<Comparison>,
}

/// An action, with its steps in a few words each.
#[derive(Serialize)]
struct ActionEvidence {
    name: String,
    steps: Vec<String>,
}

impl From<Action> for ActionEvidence {
    fn from(action: Action) -> ActionEvidence {
        ActionEvidence { name: action.name, steps: action.steps.iter().map(Step::to_string).collect() }
    }
}

/// An event of the schedule, and how the schedule writes it.
#[derive(Serialize)]
struct Moment {
    word: String,
    #[serde(flatten)]
    what: What,
    /// What the message says, if it is one and was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum What {
    Step { client: ClientId, step: usize },
    Deliver { client: ClientId, direction: Direction },
    Cut { client: ClientId },
    Restore { client: ClientId },
    Reload { client: ClientId },
    Wait { client: ClientId },
    Poll { client: ClientId },
    PollAnswer { client: ClientId },
    Tab { client: ClientId },
    Join { client: ClientId },
    Flush,
}

#[derive(Serialize)]
struct ClientEvidence {
    name: String,
    /// Index of its screenshot among the page's pictures.
    screenshot: Option<usize>,
    /// The screenshot's file, relative to the report.
    file: String,
    errors: Vec<PageErrorEvidence>,
}

#[derive(Serialize)]
struct PageErrorEvidence {
    #[serde(flatten)]
    error: PageError,
    /// Whether sequential runs had it as well.
    known: bool,
}

/// One client compared with client A, the first.
#[derive(Serialize)]
struct Comparison {
    /// Clients that show the same as each other; the first of them was compared.
    others: Vec<usize>,
    /// Runs of pixels that differ, `[y, start, end]`; `None` if they could not be compared, or are too many.
    pixels: Option<PixelSet>,
    bounds: Option<Rectangle>,
    /// `None` if an aspect was not observed.
    dom: Option<Lines>,
    state: Option<Lines>,
}

#[derive(Serialize)]
struct Lines {
    hunks: Vec<Hunk>,
    cut: bool,
}

/// Reads what `folder/<id>/` has of a finding.
pub(super) fn gather(folder: &Path, finding: &Finding, images: &mut Images) -> Evidence {
    let id = finding.id;
    let place = folder.join(id.to_string());
    match finding.searched {
        Searched::Session(_) | Searched::Sequence(_) | Searched::Order(_) => return of_a_session(&place, id, images),
        // Its events say all, and no picture is taken.
        Searched::Line(_) => return Evidence::default(),
        Searched::Interaction(_) => {}
    }
    let trace = match fs::read_to_string(place.join("trace.json")) {
        Err(error) => Err(error.to_string()),
        Ok(text) => Trace::from_json(&text).map_err(|error| error.to_string()),
    };
    let passing = finding
        .interaction()
        .and_then(|found| found.passing.as_ref())
        .into_iter()
        .flat_map(|order| &order.events)
        .map(|event| moment(event, None))
        .collect();
    match trace {
        Ok(trace) => Evidence { passing, ..evidence(with_screenshots(trace, &place), id, images) },
        Err(problem) => {
            Evidence { passing, problem: Some(format!("{id}/trace.json: {problem}")), ..Evidence::default() }
        }
    }
}

/// Of a session there is the last page with the mistake, and then without; of an order that one, and then the one that works.
fn of_a_session(place: &Path, id: usize, images: &mut Images) -> Evidence {
    let seen = [0, 1].map(|client| Observation { screenshot: screenshot(place, client), ..Observation::default() });
    Evidence { clients: clients(&seen, &[], id, images), comparisons: comparisons(&seen, &[]), ..Evidence::default() }
}

fn screenshot(place: &Path, client: usize) -> Option<Png> {
    let file = place.join(Trace::screenshot_name(ClientId(client)));
    fs::read(file).ok().map(|bytes| Png(Arc::from(bytes)))
}

fn with_screenshots(mut trace: Trace, place: &Path) -> Trace {
    for (client, observation) in trace.observations.iter_mut().enumerate() {
        observation.screenshot = screenshot(place, client);
    }
    trace
}

fn evidence(trace: Trace, id: usize, images: &mut Images) -> Evidence {
    let ignored = trace.ignored_rectangles();
    let Interaction { prefix, concurrent, .. } = trace.interaction;
    Evidence {
        problem: None,
        prefix: prefix.into_iter().map(ActionEvidence::from).collect(),
        concurrent: concurrent.into_iter().map(ActionEvidence::from).collect(),
        passing: Vec::new(),
        events: trace
            .schedule
            .events
            .iter()
            .enumerate()
            .map(|(at, event)| moment(event, trace.messages.get(&at)))
            .collect(),
        judged_by: trace.judged_by,
        clients: clients(&trace.observations, &trace.known_errors, id, images),
        comparisons: comparisons(&trace.observations, &ignored),
        ignored,
    }
}

fn moment(event: &Event, message: Option<&Message>) -> Moment {
    let what = match *event {
        Event::Step { client, step } => What::Step { client, step },
        Event::Deliver { client, direction, .. } => What::Deliver { client, direction },
        Event::Cut { client } => What::Cut { client },
        Event::Restore { client } => What::Restore { client },
        Event::Reload { client } => What::Reload { client },
        Event::Wait { client } => What::Wait { client },
        Event::Poll { client } => What::Poll { client },
        Event::PollAnswer { client } => What::PollAnswer { client },
        Event::Tab { client } => What::Tab { client },
        Event::Join { client } => What::Join { client },
        Event::Flush => What::Flush,
    };
    Moment { word: event.to_string(), what, message: message.cloned() }
}

fn clients(
    observations: &[Observation],
    known_errors: &[String],
    id: usize,
    images: &mut Images,
) -> Vec<ClientEvidence> {
    let client = |(index, observation): (usize, &Observation)| ClientEvidence {
        name: ClientId(index).to_string(),
        screenshot: observation.screenshot.as_ref().and_then(|png| images.add(png)),
        file: format!("{id}/{}", Trace::screenshot_name(ClientId(index))),
        errors: observation
            .errors
            .iter()
            .map(|error| PageErrorEvidence { error: error.clone(), known: known_errors.contains(&error.text) })
            .collect(),
    };
    observations.iter().enumerate().map(client).collect()
}

/// Every client compared with the first, those that show the same only once.
fn comparisons(observations: &[Observation], ignored: &[Rectangle]) -> Vec<Comparison> {
    let Some((first, rest)) = observations.split_first() else { return Vec::new() };
    let mut comparisons: Vec<Comparison> = Vec::new();
    for (index, observation) in (1..).zip(rest) {
        let same = |comparison: &&mut Comparison| {
            comparison.others.first().is_some_and(|other| shows_the_same(&observations[*other], observation))
        };
        match comparisons.iter_mut().find(same) {
            Some(comparison) => comparison.others.push(index),
            None => comparisons.push(compared(first, observation, index, ignored)),
        }
    }
    comparisons
}

fn shows_the_same(one: &Observation, other: &Observation) -> bool {
    one.screenshot == other.screenshot && one.dom == other.dom && one.state == other.state
}

fn compared(one: &Observation, other: &Observation, index: usize, ignored: &[Rectangle]) -> Comparison {
    let pictures = one.screenshot.as_ref().zip(other.screenshot.as_ref());
    let pixels = pictures.and_then(|(one, other)| changed_between(one, other, ignored).ok());
    let bounds = pixels.as_ref().and_then(|pixels| pixels.bounds());
    let text = |observation: &Observation| observation.state.as_ref().map(document_lines);
    Comparison {
        others: vec![index],
        pixels: pixels.filter(|pixels| pixels.runs() <= MOST_RUNS),
        bounds,
        dom: one.dom.as_deref().zip(other.dom.as_deref()).map(|(one, other)| lines(one, other)),
        state: text(one).zip(text(other)).map(|(one, other)| lines(&one, &other)),
    }
}

fn lines(one: &str, other: &str) -> Lines {
    let (hunks, cut) = hunks(one, other);
    Lines { hunks, cut }
}
