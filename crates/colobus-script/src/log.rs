//! [`Log`]: the accesses of a page's events as its runtime hands them over (`colobus.accesses.take()` in `page/accesses/log.js`). Read
//! from a page by the driver; `colobus race` asks which accesses conflict. Places and texts are kept once and called by their numbers: an
//! event of a real application has tens of thousands of accesses.

use std::fmt;

use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub struct Log {
    pub places: Vec<Place>,
    pub texts: Vec<String>,
    pub events: Vec<EventLog>,
    /// The objects whose numbers occur in places for the first time.
    pub objects: Vec<ObjectNote>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EventLog {
    /// The name given to `begin`; none for what ran outside of events.
    pub event: Option<String>,
    /// At most one of each kind for a place.
    pub accesses: Vec<Access>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Access {
    /// In [`Log::places`].
    pub place: usize,
    pub kind: AccessKind,
    /// The first site that touched the place in this way; none for the parser.
    pub site: Option<u32>,
    /// In [`Log::texts`]: a short text for the last value written, where it is known. Equal values have equal texts.
    pub value: Option<usize>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AccessKind {
    Read,
    Write,
    /// A counter or a set that is added to.
    Add,
    /// A write that keeps what is there.
    Initialise,
}

/// Where an object was first seen.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectNote {
    pub object: u64,
    /// In [`Log::texts`]: `array`, `object`, `function` or the beginning of an element's tag.
    pub kind: usize,
    /// Whether its place in the page names it, whichever script touches it first: then `kind` has the place.
    pub placed: bool,
    /// In [`Log::texts`].
    pub event: Option<usize>,
    pub site: Option<u32>,
}

/// What can be read and written: a kind and what tells it from others of its kind, as `log.js` lists them.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Place(pub Vec<Part>);

#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Part {
    Number(u64),
    Text(String),
}

/// The log as it is sent: numbers are one higher where 0 stands for none.
#[derive(Deserialize)]
struct Packed {
    texts: Vec<String>,
    /// For each place how many parts it has, and these, doubled; a text is one higher.
    places: Vec<u64>,
    /// Five numbers for each object.
    objects: Vec<u64>,
    events: Vec<PackedEvent>,
}

#[derive(Deserialize)]
struct PackedEvent {
    event: usize,
    /// Four numbers for each access: place, kind, site, value.
    accesses: Vec<u32>,
}

impl TryFrom<String> for Log {
    type Error = String;

    fn try_from(text: String) -> Result<Log, String> {
        let Packed { texts, places, objects, events } =
            serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let places = unpacked_places(&places, &texts)?;
        let (text_count, place_count) = (texts.len(), places.len());
        let text_number = |number: usize| {
            let is_known = number < text_count;
            is_known.then_some(number).ok_or_else(|| format!("there is no text {number}"))
        };
        let optional_text = |number: usize| number.checked_sub(1).map(text_number).transpose();
        let object = |note: &[u64]| {
            let small = |at: usize| {
                usize::try_from(note[at]).map_err(|_| format!("{} does not fit the number of a text", note[at]))
            };
            let (kind, event) = (text_number(small(1)?)?, optional_text(small(3)?)?);
            let site = note[4].checked_sub(1).and_then(|site| u32::try_from(site).ok());
            Ok(ObjectNote { object: note[0], kind, placed: note[2] == 1, event, site })
        };
        let access = |numbers: &[u32]| {
            let place = numbers[0] as usize;
            let kind = match numbers[1] {
                0 => AccessKind::Read,
                1 => AccessKind::Write,
                2 => AccessKind::Add,
                3 => AccessKind::Initialise,
                other => return Err(format!("unknown kind of access: {other}")),
            };
            if place >= place_count {
                return Err(format!("there is no place {place}"));
            }
            let value = optional_text(numbers[3] as usize)?;
            Ok(Access { place, kind, site: numbers[2].checked_sub(1), value })
        };
        let objects = objects.chunks_exact(5).map(object).collect::<Result<_, String>>()?;
        let event = |PackedEvent { event, accesses }| {
            let accesses = accesses.chunks_exact(4).map(access).collect::<Result<_, String>>()?;
            Ok(EventLog { event: optional_text(event)?.map(|number| texts[number].clone()), accesses })
        };
        let events = events.into_iter().map(event).collect::<Result<_, String>>()?;
        Ok(Log { places, texts, events, objects })
    }
}

fn unpacked_places(mut packed: &[u64], texts: &[String]) -> Result<Vec<Place>, String> {
    let part = |code: &u64| match (code % 2, usize::try_from(code / 2).ok().and_then(|number| texts.get(number))) {
        (0, _) => Ok(Part::Number(code / 2)),
        (_, Some(text)) => Ok(Part::Text(text.clone())),
        (_, None) => Err(format!("there is no text {}", code / 2)),
    };
    let mut places = Vec::new();
    while let Some((length, rest)) = packed.split_first() {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        let (parts, rest) = rest.split_at_checked(length).ok_or("a place has too few parts")?;
        places.push(Place(parts.iter().map(part).collect::<Result<_, String>>()?));
        packed = rest;
    }
    Ok(places)
}

impl Log {
    /// Whether the order of the two accesses, of different events, can matter.
    pub fn conflict(&self, one: &Access, other: &Access) -> bool {
        let commute = match (one.kind, other.kind) {
            (AccessKind::Write, AccessKind::Write) => one.value.is_some() && one.value == other.value,
            (one, other) => one == other,
        };
        !commute && self.places[one.place].overlaps(&self.places[other.place])
    }
}

impl Place {
    pub fn kind(&self) -> &str {
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

    /// The accesses of one event.
    fn log(places: &str, accesses: &str) -> Result<Log, String> {
        let texts = r#"["e","1","2","global","x","property","n","whole","anything","cookie"]"#;
        let events = format!(r#"[{{"event":1,"accesses":{accesses}}}]"#);
        Log::try_from(format!(r#"{{"texts":{texts},"places":{places},"objects":[],"events":{events}}}"#))
    }

    fn conflict(log: &Log, one: usize, other: usize) -> bool {
        let accesses = &log.events[0].accesses;
        log.conflict(&accesses[one], &accesses[other])
    }

    #[test]
    fn writes_of_one_value_commute() {
        let log = log("[2,7,9]", "[0,1,2,2, 0,1,3,3, 0,1,0,0]").unwrap();
        assert_eq!(log.places[0].to_string(), "global x");
        assert_eq!(log.events[0].event.as_deref(), Some("e"));
        assert_eq!(log.events[0].accesses[2].site, None);
        assert!(!conflict(&log, 0, 0));
        assert!(conflict(&log, 0, 1));
        assert!(conflict(&log, 2, 2));
    }

    #[test]
    fn additions_commute_with_each_other_only() {
        let log = log("[3,11,6,13, 2,15,6]", "[0,2,2,0, 1,0,2,0]").unwrap();
        assert_eq!(log.places[0].to_string(), "property #3 n");
        assert!(!conflict(&log, 0, 0));
        assert!(conflict(&log, 0, 1));
    }

    #[test]
    fn unknown_code_touches_everything() {
        let log = log("[1,17,1,19]", "[0,1,2,0, 1,0,2,0]").unwrap();
        assert!(conflict(&log, 0, 1) && conflict(&log, 1, 0));
    }

    #[test]
    fn what_a_page_makes_up_is_refused() {
        assert!(log("[1,19]", "[0,1,0,0]").is_ok());
        for (places, accesses) in [
            ("[]", "[0,1,0,0]"),
            ("[1,19]", "[0,9,0,0]"),
            ("[1,19]", "[0,1,0,99]"),
            ("[1,99]", "[0,1,0,0]"),
            ("[3,19]", "[0,1,0,0]"),
        ] {
            assert!(log(places, accesses).is_err(), "{places} {accesses}");
        }
    }
}
