//! [`two_orders`]: a finding as exporters take it.

use colobus_export::{Compared, Happening, Turn, TwoOrders};
use colobus_race::model::{EventKind, EventName, PageEvent};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::Harm;
use serde_json::json;

use crate::evidence::{RaceEvidence, TimedEvent};
use crate::words;

/// How long a page is left to itself after the last event, in milliseconds.
const REST: u64 = 5_000;

pub fn two_orders(finding: &RaceEvidence) -> TwoOrders {
    let (first, second) = (&finding.reversal.first, &finding.reversal.second);
    let (first_at, second_at) = words::positions(&finding.reversal);
    let by_hand = match finding.confirmed {
        true => format!("Confirmed on the plain page with {}.", finding.by_hand),
        false => format!("Not confirmed on the plain page: {}.", finding.by_hand),
    };
    let ran = [events(finding, &finding.ran.0, &finding.working), events(finding, &finding.ran.1, &finding.failing)];
    let uses_time = ran.iter().flatten().any(|ran| ran.event.is_polling());
    let last = ran.iter().flatten().filter_map(|ran| ran.moment).max().unwrap_or_default();
    let [working, failing] = ran.map(|ran| turns(&finding.recorded, &ran));
    TwoOrders {
        title: format!("{second} before {first}"),
        explanation: vec![
            words::summary(&finding.differences),
            format!("Works if {first} comes first ({first_at})."),
            format!("Fails if {second} comes first ({second_at})."),
            format!("Both touch: {}.", words::shared(&finding.reversal)),
            by_hand,
        ],
        url: finding.recorded.url.clone(),
        viewport: finding.recorded.viewport,
        seed: finding.recorded.seed,
        working,
        failing,
        messages: finding.recorded.messages.iter().map(|message| json!(message)).collect(),
        compared: compared(&finding.harms),
        end: uses_time.then_some(last + REST),
    }
}

/// What ran in an order; of a finding that did not come back only what was recorded of it is known.
fn events(finding: &RaceEvidence, ran: &[TimedEvent], order: &[EventName]) -> Vec<TimedEvent> {
    if !ran.is_empty() {
        return ran.to_vec();
    }
    let recorded = |name: &EventName| finding.recorded.execution.events().find(|event| event.name == *name).cloned();
    let events = order.iter().filter_map(recorded);
    events.map(|event| TimedEvent { event, planned: true, moment: None }).collect()
}

fn turns(recorded: &RecordedPage, ran: &[TimedEvent]) -> Vec<Turn> {
    let planned = ran.iter().filter(|ran| ran.planned);
    let turn = |ran: &TimedEvent| {
        let happening = happening(recorded, &ran.event, ran.moment)?;
        Some(Turn { event: ran.event.name.to_string(), happening })
    };
    planned.filter_map(turn).collect()
}

/// Nothing for the document: it is there when a test begins.
fn happening(recorded: &RecordedPage, event: &PageEvent, moment: Option<u64>) -> Option<Happening> {
    Some(match &event.kind {
        EventKind::Chunk { .. } | EventKind::DomContentLoaded | EventKind::Unload => return None,
        EventKind::Response { method, address, .. } => Happening::Answer {
            method: method.clone(),
            address: address.clone(),
            creator: event.creator.as_ref().filter(|_| has_twin(recorded, event)).map(ToString::to_string),
        },
        EventKind::Load => Happening::Load,
        EventKind::Timer | EventKind::Interval { .. } => moment.map_or(Happening::Unheld, |at| Happening::Timer { at }),
        EventKind::AnimationFrame => Happening::Frame,
        EventKind::IdleCallback => Happening::Idle,
        EventKind::Message { .. } => Happening::Message,
        EventKind::Step { number, .. } => {
            let step = recorded.steps.get(usize::try_from(*number).ok()?.checked_sub(1)?)?;
            Happening::Step(step.step.clone())
        }
    })
}

/// Whether another request to the same address was recorded, so that it takes more to tell them apart.
fn has_twin(recorded: &RecordedPage, event: &PageEvent) -> bool {
    recorded.execution.events().any(|other| other.name != event.name && other.kind == event.kind)
}

fn compared(harms: &[Harm]) -> Vec<Compared> {
    let has = |harm: Harm| harms.contains(&harm);
    let mut compared = Vec::new();
    // What a check of the user's own saw is a difference of the document here.
    compared.extend((has(Harm::Page) || has(Harm::Assertion)).then_some(Compared::Document));
    compared.extend(has(Harm::Exceptions).then_some(Compared::Errors));
    compared.extend(has(Harm::Requests).then_some(Compared::Requests));
    compared
}
