//! [`Matcher`]: which recorded event a new one is. Used by drivers while an execution goes on, so that plans, which
//! name recorded events, apply to it.

use std::collections::BTreeSet;

use super::address::{AddressMatch, compare_addresses};
use super::{EventKind, EventName, PageEvent};

/// Finds the recorded counterpart of each event of an execution. A recorded event is given away once.
#[derive(Clone, Debug)]
pub struct Matcher {
    recorded: Vec<PageEvent>,
    taken: BTreeSet<usize>,
}

/// The name by which plans know an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub name: EventName,
    /// How it was found, if the names differ; for the report.
    pub inexact: Option<String>,
}

impl Matcher {
    pub fn new(recorded: impl IntoIterator<Item = PageEvent>) -> Matcher {
        Matcher { recorded: recorded.into_iter().collect(), taken: BTreeSet::new() }
    }

    /// The recorded counterpart of a newly registered event; `None` if it is new. Its creator must have been renamed
    /// to its own counterpart before.
    pub fn find(&mut self, event: &PageEvent) -> Option<Match> {
        let free = |index: &usize| !self.taken.contains(index);
        let exact = (0..self.recorded.len()).filter(free).find(|index| self.recorded[*index].name == event.name);
        let found = exact.map(|index| (index, None)).or_else(|| {
            let likeness = |index: usize| Some((alike(&self.recorded[index], event)?, index));
            let best = (0..self.recorded.len()).filter(free).filter_map(likeness).min()?;
            Some((best.1, Some(best.0.explain(&self.recorded[best.1]))))
        });
        let (index, inexact) = found?;
        self.taken.insert(index);
        Some(Match { name: self.recorded[index].name.clone(), inexact })
    }
}

/// How two events with different names are the same, the most exact way first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Address(AddressMatch),
    OtherCreator,
    OtherLine,
}

impl Likeness {
    fn explain(&self, recorded: &PageEvent) -> String {
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        let how = match self {
            Likeness::Address(AddressMatch::Exact) => "the same address, asked for again".to_string(),
            Likeness::Address(AddressMatch::Parameters(names)) => format!("the same but for {}", list(names)),
            Likeness::Address(AddressMatch::Ids(names)) if names.is_empty() => "the same but for ids".to_string(),
            Likeness::Address(AddressMatch::Ids(names)) => format!("the same but for ids and {}", list(names)),
            Likeness::Address(AddressMatch::PathOnly) => "the same path with another query".to_string(),
            Likeness::OtherCreator => "the same request by another event".to_string(),
            Likeness::OtherLine => "registered by the same event at another line of the file".to_string(),
        };
        format!("taken for {}: {how}", recorded.name)
    }
}

fn alike(recorded: &PageEvent, event: &PageEvent) -> Option<Likeness> {
    match (&recorded.kind, &event.kind) {
        (
            EventKind::Response { resource, method, address },
            EventKind::Response { resource: other, method: other_method, address: other_address },
        ) if resource == other && method == other_method => {
            let same_creator = recorded.creator == event.creator;
            match compare_addresses(address, other_address)? {
                AddressMatch::Exact if !same_creator && resource.is_data() => Some(Likeness::OtherCreator),
                // Two searches differ in their query alone: without the same creator they are two requests.
                AddressMatch::PathOnly if !same_creator || resource.is_data() => None,
                how => (same_creator || !resource.is_data()).then_some(Likeness::Address(how)),
            }
        }
        (kind, other) if kind == other && event.is_polling() => {
            let file = |event: &PageEvent| event.site.as_ref().map(|site| site.file.clone());
            let same = recorded.creator == event.creator && file(recorded) == file(event) && file(event).is_some();
            (same && recorded.delay == event.delay).then_some(Likeness::OtherLine)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Namer, Resource, Site};

    fn fetch(namer: &mut Namer, address: &str, creator: &str) -> PageEvent {
        let kind = EventKind::Response { resource: Resource::Fetch, method: "GET".into(), address: address.into() };
        let creator = EventName::from(creator);
        PageEvent {
            creator: Some(creator.clone()),
            ..PageEvent::new(namer.name(&kind, Some(&creator), None).name, kind)
        }
    }

    #[test]
    fn cache_busters_do_not_hide_the_same_request() {
        let (mut then, mut now) = (Namer::new("A"), Namer::new("A"));
        let recorded = [fetch(&mut then, "/list?_=1", "A:click 1"), fetch(&mut then, "/list?_=2", "A:click 2")];
        let mut matcher = Matcher::new(recorded.clone());
        let found = matcher.find(&fetch(&mut now, "/list?_=7", "A:click 2")).unwrap();
        assert_eq!(found.name, recorded[1].name);
        assert_eq!(found.inexact.unwrap(), "taken for A<fetch:/list?_=2 of click 2: the same but for _");
        assert_eq!(matcher.find(&fetch(&mut now, "/list?_=1", "A:click 1")).unwrap().inexact, None);
        assert_eq!(matcher.find(&fetch(&mut now, "/list?_=9", "A:click 1")), None, "each is given away once");
    }

    #[test]
    fn two_searches_are_two_requests() {
        let (mut then, mut now) = (Namer::new("A"), Namer::new("A"));
        let mut matcher = Matcher::new([fetch(&mut then, "/s?q=a", "A:type 1")]);
        assert_eq!(matcher.find(&fetch(&mut now, "/s?q=ab", "A:type 1")), None);
    }

    #[test]
    fn a_timer_at_another_line_is_said() {
        let timer = |line| {
            let creator = Some(EventName::from("A:click 1"));
            let site = Site::new("app.js", line);
            let name = Namer::new("A").name(&EventKind::Timer, creator.as_ref(), Some(&site)).name;
            PageEvent { creator, site: Some(site), delay: Some(10), ..PageEvent::new(name, EventKind::Timer) }
        };
        let found = Matcher::new([timer(15)]).find(&timer(16)).unwrap();
        assert_eq!(found.name.as_str(), "A:timer of click 1 @app.js:15");
        assert!(found.inexact.unwrap().ends_with("at another line of the file"));
    }
}
