//! The log of a page's runtime as [`Access`]es of places whose names are the same in every execution. The runtime numbers objects and
//! activations of functions as it meets them; here each is called by the event and the line in which it was first seen.

use std::collections::{BTreeMap, HashMap, HashSet};

use colobus_race::conflicts::Touched;
use colobus_race::digest;
use colobus_race::model::{Access, AccessKind, Digest, EventName, Executed, Place};
use colobus_script::{Access as Logged, AccessKind as LoggedKind, ObjectNote, Part};

use super::rewriting::Sites;

/// The names of objects and activations in one execution.
#[derive(Default)]
pub struct AccessNames {
    objects: HashMap<u64, String>,
    activations: HashMap<(u64, u64), String>,
    given: HashMap<String, u32>,
    /// The last value written to each place, as far as it is a plain value.
    values: BTreeMap<Place, Digest>,
}

impl AccessNames {
    /// Gives names to objects that the runtime saw for the first time.
    pub fn learn(&mut self, objects: &[ObjectNote], sites: &Sites) {
        for note in objects {
            let event = note.event.as_deref().unwrap_or("start");
            let at = note.site.and_then(|site| sites.get(site)).map(|site| format!(" @{site}")).unwrap_or_default();
            let base = match note.placed {
                true => note.kind.clone(),
                false => format!("{}{at} of {event}", note.kind),
            };
            let name = self.numbered(base);
            self.objects.insert(note.object, name);
        }
    }

    fn numbered(&mut self, base: String) -> String {
        let count = self.given.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{base} #{count}") }
    }

    /// The accesses of an event.
    pub fn touched(&mut self, event: &EventName, log: &[Logged], sites: &Sites) -> Touched {
        let mut touched = Touched::default();
        for logged in log {
            let parts = &logged.place.0;
            let Some(Part::Text(kind)) = parts.first() else { continue };
            if kind == "anything" {
                touched.anything = true;
                continue;
            }
            let site = logged.site.and_then(|site| sites.get(site));
            let access_kind = match logged.kind {
                LoggedKind::Read => AccessKind::Read,
                LoggedKind::Write => AccessKind::Write,
                LoggedKind::Add => AccessKind::Insert,
                LoggedKind::Initialise => AccessKind::Initialise,
            };
            // The text of an initialiser is known by where it stands.
            let value = match logged.kind {
                LoggedKind::Initialise => site.as_ref().map(|site| digest::text(&site.to_string())),
                _ => logged.value.as_deref().filter(|value| !value.starts_with('#')).map(digest::text),
            };
            let push = |touched: &mut Touched, place: Place, kind: AccessKind, value: Option<Digest>| {
                touched.accesses.push(Access { place, kind, value, site: site.clone(), stack: Vec::new() });
            };
            let object = self.object(parts.get(1));
            let place = self.place(kind, parts, event, sites);
            if let (Some(value), true) = (value, logged.kind == LoggedKind::Write) {
                self.values.insert(place.clone(), value);
            }
            match (kind.as_str(), access_kind) {
                // All properties: see `all` and `replaced`.
                ("whole", AccessKind::Read) => push(&mut touched, all(&object), AccessKind::Read, None),
                ("whole", _) => {
                    push(&mut touched, all(&object), AccessKind::Write, None);
                    push(&mut touched, replaced(&object), AccessKind::Write, None);
                }
                ("property" | "entry", AccessKind::Read) => {
                    push(&mut touched, place, AccessKind::Read, value);
                    push(&mut touched, replaced(&object), AccessKind::Read, None);
                }
                ("property" | "entry", kind) => {
                    push(&mut touched, place, kind, value);
                    push(&mut touched, all(&object), AccessKind::Insert, None);
                    push(&mut touched, replaced(&object), AccessKind::Read, None);
                }
                (_, kind) => push(&mut touched, place, kind, value),
            }
        }
        touched
    }

    /// The last value of each place, as far as it is known.
    pub fn values(&self) -> BTreeMap<Place, Digest> {
        self.values.clone()
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

    fn place(&mut self, kind: &str, parts: &[Part], event: &EventName, sites: &Sites) -> Place {
        let text = |at: usize| parts.get(at).map(part_text).unwrap_or_default();
        let object = self.object(parts.get(1));
        match kind {
            "global" => Place::Global { name: text(1) },
            "variable" => self.variable(parts, event, sites),
            "property" => Place::Property { object, name: text(2) },
            "entry" => Place::Property { object, name: format!("[{}]", text(2)) },
            "node" => node(object, &text(2)),
            "query" => Place::Query { selector: parts[1..].iter().map(part_text).collect::<Vec<_>>().join(" ") },
            "handler" => Place::Handler { target: object, event: text(2) },
            "storage" => Place::Storage { area: text(1), key: text(2) },
            "cookie" => Place::Cookie { name: "*".into() },
            "location" => Place::Location,
            "layout" => Place::Layout,
            _ => Place::Property { object, name: format!("{kind} {}", text(2)) },
        }
    }

    /// A captured variable: each activation of its function has one of its own.
    fn variable(&mut self, parts: &[Part], event: &EventName, sites: &Sites) -> Place {
        let number = |at: usize| if let Some(Part::Number(number)) = parts.get(at) { *number } else { 0 };
        let (activation, declaration) = (number(1), number(2));
        let site = u32::try_from(declaration).ok();
        let name = site.and_then(|site| sites.name(site)).unwrap_or_default();
        let at = site.and_then(|site| sites.get(site)).map(|site| format!("@{site} ")).unwrap_or_default();
        let scope = match self.activations.get(&(activation, declaration)) {
            Some(scope) => scope.clone(),
            None => {
                let scope = self.numbered(format!("{at}of {event}"));
                self.activations.insert((activation, declaration), scope.clone());
                scope
            }
        };
        Place::Variable { scope, name }
    }
}

/// Dispatch reads the handlers of everything on its way, also where nothing ever listens: that is left out. The browser
/// moves the mouse of its own accord, at any time.
pub fn drop_unheard(ran: &mut [Executed]) {
    let listened: HashSet<Place> = ran
        .iter()
        .flat_map(|executed| &executed.accesses)
        .filter(|access| access.writes() && matches!(access.place, Place::Handler { .. }))
        .map(|access| access.place.clone())
        .collect();
    let is_heard = |access: &Access| !matches!(access.place, Place::Handler { .. }) || listened.contains(&access.place);
    ran.iter_mut().for_each(|executed| executed.accesses.retain(is_heard));
}

/// What the parser inserts is told in portions, which are larger on a slow machine. No code has run between two of these accesses,
/// so that they come in the order of their places.
pub fn order_parsed(accesses: &mut [Access]) {
    let is_parsed = |access: &Access| access.site.is_none();
    for portion in accesses.chunk_by_mut(|one, next| is_parsed(one) && is_parsed(next)) {
        portion.sort_by_cached_key(|access| access.place.to_string());
    }
}

/// The document without what rewriting put into its handlers.
pub fn as_written(dom: &str) -> String {
    if !dom.contains(RUNTIME) {
        return dom.to_string();
    }
    let line = |line: &str| match MARKS.iter().find(|mark| line.contains(RUNTIME) && line.contains(**mark)) {
        Some(mark) => line.split(mark).step_by(2).collect::<String>(),
        None => line.to_string(),
    };
    dom.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What rewritten code calls.
const RUNTIME: &str = "__c$";
/// Inserted text stands between two of these, as JSON writes them.
const MARKS: [&str; 3] = ["\\f", "\\u000b", "\u{feff}"];

fn part_text(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Number(number) => number.to_string(),
    }
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
fn all(object: &str) -> Place {
    Place::Property { object: object.to_string(), name: "all properties".into() }
}

/// Replacing all properties conflicts with every access to one of them: that one reads this place.
fn replaced(object: &str) -> Place {
    Place::Property { object: object.to_string(), name: "replaced as a whole".into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_script::Log;

    fn touched(log: &str) -> Vec<String> {
        let log: Log = serde_json::from_str(log).unwrap();
        let sites = Sites::default();
        let mut names = AccessNames::default();
        names.learn(&log.objects, &sites);
        let events = log.events.iter().map(|event| names.touched(&"A:click 1".into(), &event.accesses, &sites));
        let accesses = events.flat_map(|touched| touched.accesses);
        accesses.map(|access| format!("{:?} {}", access.kind, access.place)).collect()
    }

    #[test]
    fn objects_are_called_by_the_event_that_met_them() {
        let log = r##"{"events": [{"event": "e", "accesses": [
            {"place": ["property", 3, "n"], "kind": "read", "site": null},
            {"place": ["node", 4, "@src"], "kind": "write", "site": null},
            {"place": ["variable", 7, 2], "kind": "write", "site": null, "value": "1"}]}],
            "objects": [{"object": 3, "kind": "array", "placed": false, "event": "A:load", "site": null},
                        {"object": 4, "kind": "<img#slide>", "placed": true, "event": null, "site": null}]}"##;
        assert_eq!(
            touched(log),
            [
                "Read array of A:load.n",
                "Read array of A:load.replaced as a whole",
                "Write attribute src of <img#slide>",
                "Write variable  of of A:click 1",
            ]
        );
    }

    #[test]
    fn handlers_are_shown_as_they_were_written() {
        let rewritten = r#"<p onclick="\f__c$.b(__c$.G(\"go\",2),\fgo()\f)\f;">"#;
        assert_eq!(as_written(rewritten), r#"<p onclick="go();">"#);
        assert_eq!(as_written("a\nb"), "a\nb");
    }

    #[test]
    fn whole_objects_overlap_their_properties() {
        let log = r##"{"events": [{"event": "e", "accesses": [
            {"place": ["whole", 3], "kind": "write", "site": null},
            {"place": ["property", 3, "n"], "kind": "write", "site": null}]}],
            "objects": [{"object": 3, "kind": "array", "placed": false, "event": "A:load", "site": null}]}"##;
        assert_eq!(
            touched(log),
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
