//! [`Execution`]: the events that ran in one execution, what each touched, and the state in which the page ended.
//! Produced by [`Page::run`](crate::explore::Page::run).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Access, Digest, EventName, PageEvent, Place};

/// One execution of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// The events that ran, in their order. Those that were not planned come last.
    pub ran: Vec<Executed>,
    /// The events that were registered and did not run.
    #[serde(default)]
    pub not_run: Vec<NotRun>,
    /// The planned events that were not enabled in their turn.
    #[serde(default)]
    pub skipped: Vec<EventName>,
    pub outcome: FinalState,
    /// What could not be controlled. An execution with notes is judged, but "fully explored" is not said.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How events were found to be recorded ones although their names differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inexact: Vec<String>,
}

/// One event that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executed {
    pub event: PageEvent,
    /// In the plan, or in the tail that ran after the plan until the page settled.
    pub planned: bool,
    /// Milliseconds since the start of the page.
    #[serde(default)]
    pub at: u64,
    /// At least those that can conflict with one of another event of the execution.
    #[serde(default)]
    pub accesses: Vec<Access>,
    /// A hash of all its accesses, if `accesses` are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touched: Option<Digest>,
    /// The events that it cancelled or tried to cancel: `clearTimeout`, `abort`, a removed element, navigation. Also those
    /// that had run already, because in another order they would not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disables: Vec<EventName>,
    /// Why its accesses are not known, such as code that was not rewritten. It then conflicts with every event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
}

/// One event that was registered and did not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    pub event: PageEvent,
    /// The event that cancelled it. `None`: the execution ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_by: Option<EventName>,
}

/// What the page came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalState {
    /// The document as text.
    pub dom: String,
    /// Messages of uncaught exceptions and rejections.
    #[serde(default)]
    pub exceptions: BTreeSet<String>,
    /// XHR, fetch, beacons, forms and navigations, with how often each was sent.
    #[serde(default)]
    pub requests: BTreeMap<Request, u32>,
    /// Names of the user's invariants that do not hold.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub broken_invariants: BTreeSet<String>,
    /// A hash of the picture, if one was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Digest>,
    /// The last value written to each logged place.
    #[serde(default, with = "values_as_list")]
    pub values: BTreeMap<Place, Digest>,
}

/// One request that a server sees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    pub method: String,
    pub address: String,
    /// A hash of the body, 0 without one.
    pub body: Digest,
}

impl Execution {
    /// The names of the planned events that ran, in their order.
    pub fn order(&self) -> Vec<EventName> {
        self.planned().iter().map(|executed| executed.event.name.clone()).collect()
    }

    /// The names of the events that ran after the plan.
    pub fn tail(&self) -> Vec<EventName> {
        self.ran[self.planned().len()..].iter().map(|executed| executed.event.name.clone()).collect()
    }

    pub fn planned(&self) -> &[Executed] {
        let length = self.ran.iter().position(|executed| !executed.planned).unwrap_or(self.ran.len());
        &self.ran[..length]
    }

    /// The same execution as a recording: every event that ran counts as planned.
    pub fn as_recording(mut self) -> Execution {
        self.ran.iter_mut().for_each(|executed| executed.planned = true);
        self.skipped.clear();
        self
    }

    /// The registered events, those that ran first.
    pub fn events(&self) -> impl Iterator<Item = &PageEvent> {
        self.ran.iter().map(|executed| &executed.event).chain(self.not_run.iter().map(|not_run| &not_run.event))
    }
}

/// JSON objects have texts as names, so requests are written as `POST /save 0`.
impl Serialize for Request {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{} {} {:016x}", self.method, self.address, self.body))
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split_once(' ').and_then(|(method, rest)| Some((method, rest.rsplit_once(' ')?)));
        let request = parts.and_then(|(method, (address, body))| {
            let body = Digest::from_str_radix(body, 16).ok()?;
            Some(Request { method: method.to_string(), address: address.to_string(), body })
        });
        request.ok_or_else(|| serde::de::Error::custom(format!("not a request: {text:?}. Write  METHOD ADDRESS HASH")))
    }
}

/// Places are not texts either: the values are written as a list of pairs.
mod values_as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest, Place};

    pub fn serialize<S: Serializer>(values: &BTreeMap<Place, Digest>, serializer: S) -> Result<S::Ok, S::Error> {
        values.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Place, Digest>, D::Error> {
        Ok(Vec::<(Place, Digest)>::deserialize(deserializer)?.into_iter().collect())
    }
}
