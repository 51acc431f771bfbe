//! [`EventName`]: the readable name of an event, equal for the same event in every execution. [`Namer`] makes them.
//!
//! | event | name |
//! | --- | --- |
//! | image, script, style, … | `A<img:image3.png` |
//! | XHR, fetch | `A<fetch:POST /save of click 2` |
//! | chunk of the document | `A<html:3` |
//! | timer | `A:timer of click 2 @app.js:15`, the timer that it sets at the same place `… again`, the one that this sets `… again 2` |
//! | tick of an interval | `A:interval 3 of load @app.js:4` |
//! | frame, idle callback | `A:frame of load @app.js:4` |
//! | message | `A<socket:chat 3` |
//! | user step | `A:click 2` |
//!
//! A timer or data request is named by the event that registered it and the place in the source, never by a number that
//! counts all of them: such a number changes its meaning as soon as two events are turned round. What one event
//! registers several times at one place is numbered (`#2`) in the order of registration.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::address::last_part;
use super::{EventKind, PageEvent, Site};

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventName(String);

/// Longer labels of creators are cut, so that timers that set timers at changing places keep short names.
const LONGEST_CREATOR: usize = 80;

impl EventName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Without the client and the direction: `timer of click 2 @app.js:15`.
    fn label(&self) -> &str {
        self.0.split_once([':', '<']).map_or(self.0.as_str(), |(_, label)| label)
    }
}

impl<T: Into<String>> From<T> for EventName {
    fn from(text: T) -> EventName {
        EventName(text.into())
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Gives the events of one execution their names, in the order of registration.
#[derive(Clone, Debug)]
pub struct Namer {
    client: String,
    given: HashMap<String, u32>,
    /// The callbacks that have names, for those that they set again.
    callbacks: HashMap<EventName, Callback>,
}

/// A name, and whether its event is a callback that its predecessor registered at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: EventName,
    pub is_again: bool,
}

/// A callback with a name.
#[derive(Clone, Debug)]
struct Callback {
    word: &'static str,
    site: Option<Site>,
    /// The first of its row: names of the others count from it.
    first: EventName,
    /// How many times it was set again.
    times: u32,
}

impl Callback {
    /// The next one of its row: what it sets again.
    fn next(&self) -> Callback {
        Callback { times: self.times + 1, ..self.clone() }
    }

    fn name(&self) -> String {
        match self.times {
            0 => self.first.to_string(),
            1 => format!("{} again", self.first),
            n => format!("{} again {n}", self.first),
        }
    }
}

impl Namer {
    /// `client` is the letter in front of each name.
    pub fn new(client: impl Into<String>) -> Namer {
        Namer { client: client.into(), given: HashMap::new(), callbacks: HashMap::new() }
    }

    /// Remembers a callback of another execution, whose name one of this execution may get: what that sets again is named as it was.
    /// A creator comes before what it registered.
    pub fn remember(&mut self, event: &PageEvent) {
        let again = self.set_again(&event.kind, event.creator.as_ref(), event.site.as_ref());
        self.keep(&event.name, &event.kind, event.site.as_ref(), again);
    }

    pub fn name(&mut self, kind: &EventKind, creator: Option<&EventName>, site: Option<&Site>) -> Named {
        let again = self.set_again(kind, creator, site);
        let base = again.as_ref().map_or_else(|| self.base(kind, creator, site), Callback::name);
        let count = self.given.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = match *count {
            1 => EventName(base),
            n => EventName(format!("{base} #{n}")),
        };
        let is_again = again.is_some();
        self.keep(&name, kind, site, again);
        Named { name, is_again }
    }

    /// The row that an event continues: that of its creator, if both are the same sort of callback, registered at the same place.
    fn set_again(&self, kind: &EventKind, creator: Option<&EventName>, site: Option<&Site>) -> Option<Callback> {
        let creator = self.callbacks.get(creator?)?;
        let is_same = callback_word(kind) == Some(creator.word) && site.is_some() && site == creator.site.as_ref();
        is_same.then(|| creator.next())
    }

    /// A callback that got another name than its row counts begins a row of its own.
    fn keep(&mut self, name: &EventName, kind: &EventKind, site: Option<&Site>, again: Option<Callback>) {
        let Some(word) = callback_word(kind) else { return };
        let continued = again.filter(|callback| callback.name() == name.as_str());
        let begun = || Callback { word, site: site.cloned(), first: name.clone(), times: 0 };
        self.callbacks.insert(name.clone(), continued.unwrap_or_else(begun));
    }

    fn base(&self, kind: &EventKind, creator: Option<&EventName>, site: Option<&Site>) -> String {
        let client = &self.client;
        match kind {
            EventKind::Response { resource, method, address } if resource.is_data() => {
                let verb = if method == "GET" { String::new() } else { format!("{method} ") };
                format!("{client}<{}:{verb}{address}{}", resource.word(), of(creator))
            }
            EventKind::Response { resource, address, .. } => {
                format!("{client}<{}:{}", resource.word(), last_part(address))
            }
            EventKind::Chunk { number } => format!("{client}<html:{number}"),
            EventKind::DomContentLoaded => format!("{client}:DOMContentLoaded"),
            EventKind::Load => format!("{client}:load"),
            EventKind::Unload => format!("{client}:unload"),
            EventKind::Timer => registered(client, "timer", creator, site),
            EventKind::Interval { tick, .. } => registered(client, &format!("interval {tick}"), creator, site),
            EventKind::AnimationFrame => registered(client, "frame", creator, site),
            EventKind::IdleCallback => registered(client, "idle", creator, site),
            EventKind::Message { channel, of, number } => format!("{client}<{}:{of} {number}", channel.word()),
            EventKind::Step { number, action } => format!("{client}:{action} {number}"),
        }
    }
}

fn of(creator: Option<&EventName>) -> String {
    creator.map_or(String::new(), |creator| format!(" of {}", shortened(creator.label())))
}

fn at(site: Option<&Site>) -> String {
    site.map_or(String::new(), |site| format!(" @{site}"))
}

fn registered(client: &str, word: &str, creator: Option<&EventName>, site: Option<&Site>) -> String {
    format!("{client}:{word}{}{}", of(creator), at(site))
}

/// The word for callbacks that may set themselves again. Intervals come again by themselves.
fn callback_word(kind: &EventKind) -> Option<&'static str> {
    match kind {
        EventKind::Timer => Some("timer"),
        EventKind::AnimationFrame => Some("frame"),
        EventKind::IdleCallback => Some("idle"),
        EventKind::Response { .. }
        | EventKind::Chunk { .. }
        | EventKind::DomContentLoaded
        | EventKind::Load
        | EventKind::Unload
        | EventKind::Interval { .. }
        | EventKind::Message { .. }
        | EventKind::Step { .. } => None,
    }
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_CREATOR {
        return label.to_string();
    }
    let start: String = label.chars().take(LONGEST_CREATOR - 10).collect();
    let digest = crate::digest::text(label) as u32;
    format!("{start}…{digest:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Resource;

    fn timer(namer: &mut Namer, creator: &EventName, line: u32) -> Named {
        namer.name(&EventKind::Timer, Some(creator), Some(&Site::new("app.js", line)))
    }

    fn first(name: &str) -> Named {
        Named { name: name.into(), is_again: false }
    }

    fn again(name: &str) -> Named {
        Named { name: name.into(), is_again: true }
    }

    #[test]
    fn a_timer_is_named_by_who_set_it_and_where() {
        let mut namer = Namer::new("A");
        let click = namer.name(&EventKind::Step { number: 2, action: "click".into() }, None, None).name;
        assert_eq!(click.as_str(), "A:click 2");
        let one = timer(&mut namer, &click, 15);
        assert_eq!(one, first("A:timer of click 2 @app.js:15"));
        let twin = timer(&mut namer, &click, 15);
        assert_eq!(twin, first("A:timer of click 2 @app.js:15 #2"));
        let second = timer(&mut namer, &one.name, 15);
        assert_eq!(second, again("A:timer of click 2 @app.js:15 again"));
        assert_eq!(timer(&mut namer, &second.name, 15), again("A:timer of click 2 @app.js:15 again 2"));
        assert_eq!(timer(&mut namer, &twin.name, 15), again("A:timer of click 2 @app.js:15 #2 again"));
        assert_eq!(timer(&mut namer, &one.name, 20), first("A:timer of timer of click 2 @app.js:15 @app.js:20"));
    }

    #[test]
    fn a_callback_that_is_set_twice_begins_two_rows() {
        let mut namer = Namer::new("A");
        let one = timer(&mut namer, &"A:load".into(), 3);
        assert_eq!(timer(&mut namer, &one.name, 3), again("A:timer of load @app.js:3 again"));
        let twin = timer(&mut namer, &one.name, 3);
        assert_eq!(twin, again("A:timer of load @app.js:3 again #2"));
        assert_eq!(timer(&mut namer, &twin.name, 3), again("A:timer of load @app.js:3 again #2 again"));
    }

    #[test]
    fn what_sets_itself_again_is_known_without_reading_its_name() {
        let site = Site::new("play again.js", 4);
        let mut namer = Namer::new("A");
        let one = namer.name(&EventKind::Timer, Some(&"A:timer of click 1 @play again.js:4".into()), Some(&site));
        assert!(!one.is_again, "the name of its creator does not make it so");
        let second = namer.name(&EventKind::Timer, Some(&one.name), Some(&site));
        assert!(second.is_again);
        let elsewhere = Site::new("play again.js", 5);
        assert!(!namer.name(&EventKind::Timer, Some(&second.name), Some(&elsewhere)).is_again);
        assert!(!namer.name(&EventKind::AnimationFrame, Some(&second.name), Some(&site)).is_again);
        assert!(!namer.name(&EventKind::Timer, Some(&second.name), None).is_again, "a place that is not known");
    }

    #[test]
    fn rows_of_a_recording_go_on_in_another_execution() {
        let (mut recording, mut replay) = (Namer::new("A"), Namer::new("A"));
        let mut creator = EventName::from("A:click 1");
        for _ in 0..4 {
            let Named { name, is_again } = timer(&mut recording, &creator, 15);
            let site = Some(Site::new("app.js", 15));
            let event =
                PageEvent { creator: Some(creator), site, is_again, ..PageEvent::new(name.clone(), EventKind::Timer) };
            replay.remember(&event);
            creator = name;
        }
        assert_eq!(creator.as_str(), "A:timer of click 1 @app.js:15 again 3");
        assert_eq!(timer(&mut replay, &creator, 15), again("A:timer of click 1 @app.js:15 again 4"));
    }

    #[test]
    fn names_of_long_chains_stay_short() {
        let mut namer = Namer::new("A");
        let mut name = EventName::from("A:click 1");
        for line in 0..50 {
            name = timer(&mut namer, &name, line).name;
        }
        assert!(name.as_str().chars().count() < 120, "{name}");
    }

    #[test]
    fn responses_are_named_by_their_address() {
        let mut namer = Namer::new("A");
        let mut response = |resource, method: &str, address: &str, creator: Option<&str>| {
            let kind = EventKind::Response { resource, method: method.into(), address: address.into() };
            namer.name(&kind, creator.map(EventName::from).as_ref(), None).name.to_string()
        };
        let image = "http://127.0.0.1:8080/pictures/image3.png";
        assert_eq!(response(Resource::Image, "GET", image, Some("A:load")), "A<img:image3.png");
        assert_eq!(response(Resource::Image, "GET", image, Some("A:click 1")), "A<img:image3.png #2");
        assert_eq!(response(Resource::Fetch, "POST", "/save", Some("A:click 2")), "A<fetch:POST /save of click 2");
        assert_eq!(response(Resource::Fetch, "GET", "/s?q=a", Some("A:type 1")), "A<fetch:/s?q=a of type 1");
    }
}
