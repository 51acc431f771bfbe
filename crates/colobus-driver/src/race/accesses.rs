//! [`AccessNames`]: the log of a page's runtime as [`Access`]es of places whose names are the same in every execution. The runtime numbers
//! objects and activations of functions as it meets them; here each is called by the event and the line in which it was first seen. An
//! event of a real application has tens of thousands of accesses, so that they are numbers until it is known which of them matter.

use std::collections::{BTreeMap, HashMap, HashSet};

use colobus_race::conflicts::Touched;
use colobus_race::digest;
use colobus_race::model::{Access, AccessKind, Digest, EventName, Place};
use colobus_script::{AccessKind as LoggedKind, EventLog, Log, Part, Place as LoggedPlace};

use super::alike::Alike;
use super::rewriting::Sites;
use super::sharing::{Sharing, WholeUse};

/// The names of objects and activations in one execution.
#[derive(Default)]
pub struct AccessNames {
    objects: HashMap<u64, String>,
    activations: HashMap<(u64, u64), String>,
    given: HashMap<String, u32>,
    places: Vec<KnownPlace>,
    numbers: HashMap<LoggedPlace, u32>,
    /// The last value written to each place, as far as it is a plain value.
    values: HashMap<u32, Digest>,
}

/// A place that was touched.
struct KnownPlace {
    logged: LoggedPlace,
    /// The activation that a captured variable belongs to.
    scope: Option<String>,
    /// Equal for the same place of another execution.
    digest: Digest,
}

/// What an event touched.
#[derive(Default)]
pub struct NumberedAccesses {
    pub accesses: Vec<NumberedAccess>,
    /// Code that is not rewritten ran.
    pub anything: bool,
}

pub struct NumberedAccess {
    pub place: u32,
    pub kind: AccessKind,
    site: Option<u32>,
    pub value: Option<Digest>,
}

impl AccessNames {
    /// What an event touched, by the numbers of places. Names objects that the runtime saw for the first time.
    pub fn numbered(&mut self, event: &EventName, log: &Log, sites: &Sites) -> NumberedAccesses {
        self.learn(log, sites);
        let values: Vec<Option<Digest>> = log.texts.iter().map(|text| plain(text)).collect();
        let mut known: Vec<Option<u32>> = vec![None; log.places.len()];
        let mut numbered = NumberedAccesses::default();
        let is_own = |part: &&EventLog| part.event.as_deref().is_none_or(|name| name == event.as_str());
        for logged in log.events.iter().filter(is_own).flat_map(|part| &part.accesses) {
            if log.places[logged.place].kind() == "anything" {
                numbered.anything = true;
                continue;
            }
            let place = match known[logged.place] {
                Some(place) => place,
                None => *known[logged.place].insert(self.number(&log.places[logged.place], event, sites)),
            };
            let kind = match logged.kind {
                LoggedKind::Read => AccessKind::Read,
                LoggedKind::Write => AccessKind::Write,
                LoggedKind::Add => AccessKind::Insert,
                LoggedKind::Initialise => AccessKind::Initialise,
            };
            let value = match logged.kind {
                // The text of an initialiser is known by where it stands.
                LoggedKind::Initialise => {
                    logged.site.and_then(|site| sites.get(site)).map(|site| digest::text(&site.to_string()))
                }
                _ => logged.value.and_then(|value| values[value]),
            };
            if let (Some(value), LoggedKind::Write) = (value, logged.kind) {
                self.values.insert(place, value);
            }
            numbered.accesses.push(NumberedAccess { place, kind, site: logged.site, value });
        }
        numbered
    }

    fn learn(&mut self, log: &Log, sites: &Sites) {
        for note in &log.objects {
            let event = note.event.map_or("start", |event| &log.texts[event]);
            let at = note.site.and_then(|site| sites.get(site)).map(|site| format!(" @{site}")).unwrap_or_default();
            let kind = &log.texts[note.kind];
            let base = if note.placed { kind.clone() } else { format!("{kind}{at} of {event}") };
            let name = self.numbered_name(base);
            self.objects.insert(note.object, name);
        }
    }

    fn numbered_name(&mut self, base: String) -> String {
        let count = self.given.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{base} #{count}") }
    }

    fn number(&mut self, logged: &LoggedPlace, event: &EventName, sites: &Sites) -> u32 {
        if let Some(number) = self.numbers.get(logged) {
            return *number;
        }
        let scope = (logged.kind() == "variable").then(|| self.scope(&logged.0, event, sites));
        let number = u32::try_from(self.places.len()).expect("an execution touches fewer places");
        let of_parts = logged.0.iter().map(|part| match (part, &scope) {
            // Numbers belong to this execution alone.
            (Part::Number(number), None) => digest::text(self.objects.get(number).map_or("", |name| name)),
            (Part::Number(_), Some(scope)) => digest::text(scope),
            (Part::Text(text), _) => digest::text(text),
        });
        let digest = of_parts.fold(0, digest::push);
        self.places.push(KnownPlace { logged: logged.clone(), scope, digest });
        self.numbers.insert(logged.clone(), number);
        number
    }

    /// Each activation of a function has captured variables of its own.
    fn scope(&mut self, parts: &[Part], event: &EventName, sites: &Sites) -> String {
        let (activation, declaration) = (part_number(parts, 1), part_number(parts, 2));
        if let Some(scope) = self.activations.get(&(activation, declaration)) {
            return scope.clone();
        }
        let site = u32::try_from(declaration).ok().and_then(|site| sites.get(site));
        let at = site.map(|site| format!("@{site} ")).unwrap_or_default();
        let scope = self.numbered_name(format!("{at}of {event}"));
        self.activations.insert((activation, declaration), scope.clone());
        scope
    }

    /// Dispatch reads the handlers of everything on its way, also where nothing ever listens: that is left out. The browser
    /// moves the mouse of its own accord, at any time.
    pub fn drop_unheard(&self, events: &mut [NumberedAccesses]) {
        let is_handler = |access: &NumberedAccess| self.places[access.place as usize].logged.kind() == "handler";
        let accesses = events.iter().flat_map(|numbered| &numbered.accesses);
        let listens = |access: &&NumberedAccess| access.kind != AccessKind::Read && is_handler(access);
        let listened: HashSet<u32> = accesses.filter(listens).map(|access| access.place).collect();
        for numbered in events {
            numbered.accesses.retain(|access| !is_handler(access) || listened.contains(&access.place));
        }
    }

    /// A hash of all that an event touched and left, whatever the order. The sum after an addition depends on those before it, although
    /// additions commute: such values are left out.
    pub fn digest(&self, numbered: &NumberedAccesses) -> Digest {
        let of = |access: &NumberedAccess| {
            let place = self.places[access.place as usize].digest;
            let value = access.value.filter(|_| access.kind != AccessKind::Insert).unwrap_or_default();
            [place, access.kind as u64, value].into_iter().fold(0, digest::push)
        };
        numbered.accesses.iter().map(of).fold(0, u64::wrapping_add)
    }

    /// All accesses of an event.
    pub fn touched(&self, numbered: &NumberedAccesses, sites: &Sites) -> Touched {
        let mut touched = Touched { accesses: Vec::new(), anything: numbered.anything };
        for access in &numbered.accesses {
            self.push(access, sites, &mut touched.accesses, true, true);
        }
        touched
    }

    /// Those accesses of events, in their order, that can conflict with an access of another one of them. Of places that are touched alike a
    /// few stand for all.
    pub fn conflicting(&self, events: &[NumberedAccesses], sites: &Sites) -> Vec<Vec<Access>> {
        let sharing = Sharing::of(events, |place| &self.places[place as usize].logged);
        let mut alike = Alike::default();
        for (event, numbered) in events.iter().enumerate() {
            let shared = numbered.accesses.iter().filter(|access| sharing.of_place(access.place).is_some());
            shared.for_each(|access| alike.add(event, access));
        }
        let logged = |place: u32| &self.places[place as usize].logged;
        // Users see elements.
        let is_element = |place: &LoggedPlace| place.kind() == "node" && self.object(place.0.get(1)).starts_with('<');
        let sort = |place: u32| (logged(place).kind(), is_element(logged(place)));
        let is_used = |whole: &WholeUse| whole.is_read || whole.is_replaced;
        let owner = |place: u32| sharing.of_place(place).filter(is_used).map(|_| part_number(&logged(place).0, 1));
        let chosen = alike.chosen(sort, |place| self.places[place as usize].digest, owner);
        let of_event = |numbered: &NumberedAccesses| {
            let mut named = Vec::new();
            for access in numbered.accesses.iter().filter(|access| chosen.contains(&access.place)) {
                if let Some(whole) = sharing.of_place(access.place) {
                    self.push(access, sites, &mut named, whole.is_read, whole.is_replaced);
                }
            }
            named
        };
        events.iter().map(of_event).collect()
    }

    /// Adds an access by its name. Those of one property also touch all properties, if anything reads or replaces all of them.
    fn push(&self, access: &NumberedAccess, sites: &Sites, to: &mut Vec<Access>, is_read: bool, is_replaced: bool) {
        let site = access.site.and_then(|site| sites.get(site));
        let mut push = |place: Place, kind: AccessKind, value: Option<Digest>| {
            to.push(Access { place, kind, value, site: site.clone(), stack: Vec::new() });
        };
        let known = &self.places[access.place as usize];
        let is_property = matches!(known.logged.kind(), "property" | "entry");
        let object = || self.object(known.logged.0.get(1));
        match (known.logged.kind(), access.kind) {
            ("whole", AccessKind::Read) => push(all(object()), AccessKind::Read, None),
            ("whole", _) => {
                push(all(object()), AccessKind::Write, None);
                push(replaced(object()), AccessKind::Write, None);
            }
            (_, kind) => push(self.place(known, sites), kind, access.value),
        }
        if is_property && is_read && access.kind != AccessKind::Read {
            push(all(object()), AccessKind::Insert, None);
        }
        if is_property && is_replaced {
            push(replaced(object()), AccessKind::Read, None);
        }
    }

    /// The last value of each variable, as far as it is known; those of all properties of objects together.
    pub fn values(&self, sites: &Sites) -> BTreeMap<Place, Digest> {
        let mut values = BTreeMap::new();
        let mut properties: Option<Digest> = None;
        for (number, value) in &self.values {
            let known = &self.places[*number as usize];
            if matches!(known.logged.kind(), "property" | "entry" | "node") {
                let of_one = digest::push(known.digest, *value);
                properties = Some(properties.unwrap_or_default().wrapping_add(of_one));
            } else {
                values.insert(self.place(known, sites), *value);
            }
        }
        let objects = Place::Property { object: "all objects".into(), name: "all properties".into() };
        values.extend(properties.map(|properties| (objects, properties)));
        values
    }

    fn object(&self, part: Option<&Part>) -> String {
        match part {
            Some(Part::Number(number)) => {
                self.objects.get(number).cloned().unwrap_or_else(|| format!("object {number}"))
            }
            Some(Part::Text(text)) => text.clone(),
            None => String::new(),
        }
    }

    fn place(&self, known: &KnownPlace, sites: &Sites) -> Place {
        let parts = &known.logged.0;
        let text = |at: usize| parts.get(at).map(part_text).unwrap_or_default();
        let object = self.object(parts.get(1));
        match known.logged.kind() {
            "global" => Place::Global { name: text(1) },
            "variable" => {
                let declaration = u32::try_from(part_number(parts, 2)).ok();
                let name = declaration.and_then(|site| sites.name(site)).unwrap_or_default();
                Place::Variable { scope: known.scope.clone().unwrap_or_default(), name }
            }
            "property" => Place::Property { object, name: text(2) },
            "entry" => Place::Property { object, name: format!("[{}]", text(2)) },
            "node" => node(object, &text(2)),
            "query" => Place::Query { selector: parts[1..].iter().map(part_text).collect::<Vec<_>>().join(" ") },
            "handler" => Place::Handler { target: object, event: text(2) },
            "storage" => Place::Storage { area: text(1), key: text(2) },
            "cookie" => Place::Cookie { name: "*".into() },
            "location" => Place::Location,
            "layout" => Place::Layout,
            "library" => Place::Library { name: text(1) },
            kind => Place::Property { object, name: format!("{kind} {}", text(2)) },
        }
    }
}

/// The hash of a value that is no object: the number of one belongs to this execution alone.
fn plain(text: &str) -> Option<Digest> {
    (!text.starts_with('#')).then(|| digest::text(text))
}

/// What the parser inserts is told in portions, which are larger on a slow machine. No code has run between two of these accesses,
/// so that they come in the order of their places.
pub fn order_parsed(accesses: &mut [Access]) {
    let is_parsed = |access: &Access| access.site.is_none();
    for portion in accesses.chunk_by_mut(|one, next| is_parsed(one) && is_parsed(next)) {
        portion.sort_by_cached_key(|access| access.place.to_string());
    }
}

fn part_text(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Number(number) => number.to_string(),
    }
}

fn part_number(parts: &[Part], at: usize) -> u64 {
    if let Some(Part::Number(number)) = parts.get(at) { *number } else { 0 }
}

fn node(element: String, what: &str) -> Place {
    if !element.starts_with('<') {
        return Place::Property { object: element, name: what.to_string() };
    }
    match what {
        "children" => Place::Children { element },
        "text" => Place::Text { element },
        "tree" => Place::Children { element: format!("{element} and all below") },
        "value" | "checked" | "selected" | "selectedIndex" => Place::Value { element },
        _ => Place::Attribute { element, name: what.trim_start_matches('@').to_string() },
    }
}

/// Reading all properties of an object depends on each of them, and writes of two different ones commute.
/// Writing one property inserts into this place; reading all properties reads it.
fn all(object: String) -> Place {
    Place::Property { object, name: "all properties".into() }
}

/// Replacing all properties conflicts with every access to one of them: that one reads this place.
fn replaced(object: String) -> Place {
    Place::Property { object, name: "replaced as a whole".into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::alike::MOST_ALIKE;

    /// Of an event with these accesses, as the page packs them.
    fn log(objects: &str, places: &str, accesses: &str) -> Log {
        let texts = r##"["e", "array", "A:load", "<img#slide>", "1", "#3",
            "property", "node", "variable", "whole", "n", "@src", "own", "read", "shared"]"##;
        let events = format!(r#"[{{"event": 1, "accesses": {accesses}}}]"#);
        let text = format!(r#"{{"texts": {texts}, "places": {places}, "objects": {objects}, "events": {events}}}"#);
        Log::try_from(text).unwrap()
    }

    const ARRAY: &str = "[3,1,0,3,0]";

    fn told(accesses: &[Access]) -> Vec<String> {
        accesses.iter().map(|access| format!("{:?} {}", access.kind, access.place)).collect()
    }

    fn touched(log: &Log) -> Vec<String> {
        let (mut names, sites) = (AccessNames::default(), Sites::default());
        let numbered = names.numbered(&"e".into(), log, &sites);
        told(&names.touched(&numbered, &sites).accesses)
    }

    #[test]
    fn objects_are_called_by_the_event_that_met_them() {
        let places = "[3,13,6,21, 3,15,8,23, 3,17,14,4]";
        assert_eq!(
            touched(&log("[3,1,0,3,0, 4,3,1,0,0]", places, "[0,0,0,0, 1,1,0,0, 2,1,0,5]")),
            [
                "Read array of A:load.n",
                "Read array of A:load.replaced as a whole",
                "Write attribute src of <img#slide>",
                "Write variable  of of e",
            ]
        );
    }

    /// The first event, and what is left of the accesses of both.
    fn conflicting(places: &str, one: &str, other: &str) -> [Vec<String>; 2] {
        let (mut names, sites) = (AccessNames::default(), Sites::default());
        let first = names.numbered(&"e".into(), &log(ARRAY, places, one), &sites);
        let second = names.numbered(&"e".into(), &log("[]", places, other), &sites);
        let named = names.conflicting(&[first, second], &sites);
        [told(&named[0]), told(&named[1])]
    }

    #[test]
    fn what_one_event_alone_touches_or_all_only_read_is_left_out() {
        let places = "[3,13,6,25, 3,13,6,27, 3,13,6,29]";
        let [one, other] = conflicting(places, "[0,1,0,5, 1,0,0,0, 2,1,0,5]", "[1,0,0,0, 2,0,0,0]");
        assert_eq!(one, ["Write array of A:load.shared"]);
        assert_eq!(other, ["Read array of A:load.shared"]);
    }

    /// Two events that render the same list touch each of its items in the same way.
    #[test]
    fn of_places_that_are_touched_alike_a_few_stand_for_all() {
        let places =
            |count: u64| (0..count).map(|object| format!("3,13,{},21", 2 * object)).collect::<Vec<_>>().join(",");
        let accesses =
            |count: u64, how: &str| (0..count).map(|place| format!("{place},{how}")).collect::<Vec<_>>().join(",");
        let told = |count: u64| {
            let (one, other) = (accesses(count, "1,0,5"), accesses(count, "0,0,0"));
            conflicting(&format!("[{}]", places(count)), &format!("[{one}]"), &format!("[{other}]"))
                .map(|named| named.len())
        };
        assert_eq!(told(20), [20, 20]);
        assert_eq!(told(5000), [MOST_ALIKE, MOST_ALIKE]);
        // One that is written by both is touched in another way.
        let own = format!("[{}]", [accesses(4999, "0,0,0"), "4999,1,0,2".into()].join(","));
        // Objects that are also read as a whole are told with all that is done to them.
        let wholes = (0..5000).map(|object| format!("3,13,{0},21,2,19,{0}", 2 * object)).collect::<Vec<_>>().join(",");
        let of = |first: u64, how: &str| {
            (0..5000).map(|at| format!("{},{how}", 2 * at + first)).collect::<Vec<_>>().join(",")
        };
        let [one, other] =
            conflicting(&format!("[{wholes}]"), &format!("[{}]", of(0, "1,0,5")), &format!("[{}]", of(1, "0,0,0")));
        assert_eq!([one.len(), other.len()], [2 * MOST_ALIKE, MOST_ALIKE]);
        let read: HashSet<&str> = other.iter().filter_map(|access| access.strip_prefix("Read ")).collect();
        assert!(one.iter().filter_map(|access| access.strip_prefix("Insert ")).all(|place| read.contains(place)));
        let [_, other] = conflicting(&format!("[{}]", places(5000)), &format!("[{}]", accesses(5000, "1,0,5")), &own);
        assert_eq!(other.len(), MOST_ALIKE + 1);
        assert_eq!(other.iter().filter(|access| access.starts_with("Write")).count(), 1);
    }

    #[test]
    fn what_reads_or_replaces_all_properties_conflicts_with_each() {
        let places = "[3,13,6,21, 2,19,6]";
        let [one, other] = conflicting(places, "[0,1,0,5]", "[1,0,0,0]");
        assert_eq!(one, ["Write array of A:load.n", "Insert array of A:load.all properties"]);
        assert_eq!(other, ["Read array of A:load.all properties"]);
        let [one, other] = conflicting(places, "[0,0,0,0]", "[1,1,0,0]");
        assert_eq!(one, ["Read array of A:load.n", "Read array of A:load.replaced as a whole"]);
        assert_eq!(other, ["Write array of A:load.all properties", "Write array of A:load.replaced as a whole"]);
    }

    #[test]
    fn another_value_is_another_digest_and_an_object_has_none() {
        let digest = |accesses: &str| {
            let (mut names, sites) = (AccessNames::default(), Sites::default());
            let numbered = names.numbered(&"e".into(), &log(ARRAY, "[3,13,6,21]", accesses), &sites);
            (names.digest(&numbered), names.values(&sites).len())
        };
        assert_eq!(digest("[0,1,0,5]"), digest("[0,1,7,5]"));
        assert_ne!(digest("[0,1,0,5]"), digest("[0,1,0,2]"));
        assert_eq!(digest("[0,1,0,6]"), (digest("[0,1,0,0]").0, 0));
    }

    #[test]
    fn whole_objects_overlap_their_properties() {
        assert_eq!(
            touched(&log(ARRAY, "[2,19,6, 3,13,6,21]", "[0,1,0,0, 1,1,0,0]")),
            [
                "Write array of A:load.all properties",
                "Write array of A:load.replaced as a whole",
                "Write array of A:load.n",
                "Insert array of A:load.all properties",
                "Read array of A:load.replaced as a whole",
            ]
        );
    }
}
