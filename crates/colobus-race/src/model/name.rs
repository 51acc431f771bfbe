//! [`EventName`]: the readable name of an event, equal for the same event in every execution. [`Namer`] makes them.
//!
//! | event | name |
//! | --- | --- |
//! | image, script, style, … | `A<img:image3.png` |
//! | XHR, fetch | `A<fetch:POST /save of click 2` |
//! | chunk of the document | `A<html:3` |
//! | timer | `A:timer of click 2 @app.js:15`, the timers that it sets at the same place `… again`, `… again 2` |
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
use super::{EventKind, Site};

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
}

impl Namer {
    /// `client` is the letter in front of each name.
    pub fn new(client: impl Into<String>) -> Namer {
        Namer { client: client.into(), given: HashMap::new() }
    }

    pub fn name(&mut self, kind: &EventKind, creator: Option<&EventName>, site: Option<&Site>) -> EventName {
        let base = self.base(kind, creator, site);
        let count = self.given.entry(base.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => EventName(base),
            n => EventName(format!("{base} #{n}")),
        }
    }

    /// Whether an event is a callback that its predecessor registered at the same place, as its name will say.
    pub fn is_again(kind: &EventKind, creator: Option<&EventName>, site: Option<&Site>) -> bool {
        let set = |word: &str| creator.and_then(|creator| set_again(creator.label(), word, &at(site))).is_some();
        match kind {
            EventKind::Timer => set("timer"),
            EventKind::AnimationFrame => set("frame"),
            EventKind::IdleCallback => set("idle"),
            EventKind::Response { .. }
            | EventKind::Chunk { .. }
            | EventKind::DomContentLoaded
            | EventKind::Load
            | EventKind::Unload
            | EventKind::Interval { .. }
            | EventKind::Message { .. }
            | EventKind::Step { .. } => false,
        }
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
    let at = at(site);
    if let Some(again) = creator.and_then(|creator| set_again(creator.label(), word, &at)) {
        return format!("{client}:{again}");
    }
    format!("{client}:{word}{}{at}", of(creator))
}

/// The label of a callback that was registered by its predecessor at the same place: it counts instead of nesting.
fn set_again(creator: &str, word: &str, at: &str) -> Option<String> {
    if !creator.starts_with(&format!("{word} of ")) {
        return None;
    }
    // A file may be called `play again.js`: only what ends with the word, or with a number behind it, counts.
    let counted = creator.rsplit_once(" again").and_then(|(first, number)| match number {
        "" => Some((first, 1)),
        number => Some((first, number.strip_prefix(' ')?.parse().ok()?)),
    });
    let (first, times): (&str, u32) = counted.unwrap_or((creator, 0));
    let same_place = first.ends_with(at) && !at.is_empty();
    same_place.then(|| match times + 1 {
        1 => format!("{first} again"),
        n => format!("{first} again {n}"),
    })
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

    fn timer(namer: &mut Namer, creator: &EventName, line: u32) -> EventName {
        namer.name(&EventKind::Timer, Some(creator), Some(&Site::new("app.js", line)))
    }

    #[test]
    fn a_timer_is_named_by_who_set_it_and_where() {
        let mut namer = Namer::new("A");
        let click = namer.name(&EventKind::Step { number: 2, action: "click".into() }, None, None);
        assert_eq!(click.as_str(), "A:click 2");
        let first = timer(&mut namer, &click, 15);
        assert_eq!(first.as_str(), "A:timer of click 2 @app.js:15");
        assert_eq!(timer(&mut namer, &click, 15).as_str(), "A:timer of click 2 @app.js:15 #2");
        let again = timer(&mut namer, &first, 15);
        assert_eq!(again.as_str(), "A:timer of click 2 @app.js:15 again");
        assert_eq!(timer(&mut namer, &again, 15).as_str(), "A:timer of click 2 @app.js:15 again 2");
        assert_eq!(timer(&mut namer, &first, 20).as_str(), "A:timer of timer of click 2 @app.js:15 @app.js:20");
    }

    #[test]
    fn what_sets_itself_again_is_known_without_reading_its_name() {
        let site = Site::new("play again.js", 4);
        let mut namer = Namer::new("A");
        let is_again = |creator: &EventName| Namer::is_again(&EventKind::Timer, Some(creator), Some(&site));
        let click = EventName::from("A:click 1");
        assert!(!is_again(&click), "the name of its file does not make it so");
        let first = namer.name(&EventKind::Timer, Some(&click), Some(&site));
        assert_eq!(first.as_str(), "A:timer of click 1 @play again.js:4");
        assert!(is_again(&first));
        let second = namer.name(&EventKind::Timer, Some(&first), Some(&site));
        assert_eq!(second.as_str(), "A:timer of click 1 @play again.js:4 again");
        assert!(is_again(&second));
        let elsewhere = Site::new("play again.js", 5);
        assert!(!Namer::is_again(&EventKind::Timer, Some(&second), Some(&elsewhere)));
        assert!(!Namer::is_again(&EventKind::AnimationFrame, Some(&second), Some(&site)));
    }

    #[test]
    fn names_of_long_chains_stay_short() {
        let mut namer = Namer::new("A");
        let mut name = EventName::from("A:click 1");
        for line in 0..50 {
            name = timer(&mut namer, &name, line);
        }
        assert!(name.as_str().chars().count() < 120, "{name}");
    }

    #[test]
    fn responses_are_named_by_their_address() {
        let mut namer = Namer::new("A");
        let mut response = |resource, method: &str, address: &str, creator: Option<&str>| {
            let kind = EventKind::Response { resource, method: method.into(), address: address.into() };
            namer.name(&kind, creator.map(EventName::from).as_ref(), None).to_string()
        };
        let image = "http://127.0.0.1:8080/pictures/image3.png";
        assert_eq!(response(Resource::Image, "GET", image, Some("A:load")), "A<img:image3.png");
        assert_eq!(response(Resource::Image, "GET", image, Some("A:click 1")), "A<img:image3.png #2");
        assert_eq!(response(Resource::Fetch, "POST", "/save", Some("A:click 2")), "A<fetch:POST /save of click 2");
        assert_eq!(response(Resource::Fetch, "GET", "/s?q=a", Some("A:type 1")), "A<fetch:/s?q=a of type 1");
    }
}
