//! The log of accesses as the page's runtime hands it over (`colobus.accesses.take()` in `page/accesses/log.js`). Read
//! from a page by the driver; `colobus race` asks which accesses conflict.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Log {
    pub events: Vec<EventLog>,
    /// The objects whose numbers occur in places for the first time.
    pub objects: Vec<ObjectNote>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct EventLog {
    /// The name given to `begin`; none for what ran outside of events.
    pub event: Option<String>,
    /// At most one of each kind for a place.
    pub accesses: Vec<Access>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Access {
    pub place: Place,
    pub kind: AccessKind,
    /// The first site that touched the place in this way; none for the parser.
    pub site: Option<u32>,
    /// A short text for the last value written, where it is known: equal values have equal texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    Read,
    Write,
    /// A counter or a set that is added to.
    Add,
    /// A write that keeps what is there.
    Initialise,
}

/// Where an object was first seen.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ObjectNote {
    pub object: u64,
    /// `array`, `object`, `function` or the beginning of an element's tag.
    pub kind: String,
    /// Whether its place in the page names it, whichever script touches it first: then `kind` has the place.
    pub placed: bool,
    pub event: Option<String>,
    pub site: Option<u32>,
}

/// What can be read and written: a kind and what tells it from others of its kind, as `log.js` lists them.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Place(pub Vec<Part>);

#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(untagged)]
pub enum Part {
    Number(u64),
    Text(String),
}

impl Place {
    fn kind(&self) -> &str {
        match self.0.first() {
            Some(Part::Text(kind)) => kind,
            _ => "",
        }
    }

    /// The same place, or one that contains the other.
    pub fn overlaps(&self, other: &Place) -> bool {
        self == other || self.contains(other) || other.contains(self)
    }

    fn contains(&self, inner: &Place) -> bool {
        let same_owner = self.0.get(1) == inner.0.get(1);
        match self.kind() {
            "anything" => true,
            "whole" => same_owner && ["property", "entry", "node", "handler"].contains(&inner.kind()),
            "storage" => inner.kind() == "storage" && same_owner && self.0.get(2) == Some(&Part::Text("*".into())),
            _ => false,
        }
    }
}

impl Access {
    /// Whether the order of the two accesses, of different events, can matter.
    pub fn conflicts(&self, other: &Access) -> bool {
        let commute = match (self.kind, other.kind) {
            (AccessKind::Write, AccessKind::Write) => self.value.is_some() && self.value == other.value,
            (one, other) => one == other,
        };
        !commute && self.place.overlaps(&other.place)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            match part {
                Part::Number(number) => write!(to, "{space}#{number}")?,
                Part::Text(text) => write!(to, "{space}{text}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(text: &str) -> Access {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn writes_of_one_value_commute() {
        let one = access(r#"{"place":["global","x"],"kind":"write","site":1,"value":"1"}"#);
        let two = access(r#"{"place":["global","x"],"kind":"write","site":2,"value":"2"}"#);
        let unknown = access(r#"{"place":["global","x"],"kind":"write","site":null}"#);
        assert!(!one.conflicts(&one));
        assert!(one.conflicts(&two));
        assert!(unknown.conflicts(&unknown));
    }

    #[test]
    fn additions_commute_with_each_other_only() {
        let add = access(r#"{"place":["property",3,"n"],"kind":"add","site":1}"#);
        let read = access(r#"{"place":["whole",3],"kind":"read","site":1}"#);
        assert!(!add.conflicts(&add));
        assert!(add.conflicts(&read));
        assert_eq!(add.place.to_string(), "property #3 n");
    }

    #[test]
    fn unknown_code_touches_everything() {
        let anything = access(r#"{"place":["anything"],"kind":"write","site":1}"#);
        let cookie = access(r#"{"place":["cookie"],"kind":"read","site":1}"#);
        assert!(anything.conflicts(&cookie) && cookie.conflicts(&anything));
    }
}
