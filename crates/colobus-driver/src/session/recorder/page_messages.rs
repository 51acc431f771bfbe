//! What the recorder's script says, read as events. It comes from a page, whose own code can say anything in the same way: a message that
//! does not fit is left out as a whole, and the recorder counts it.

use colobus_record::{
    Button, Element, Entry, Event, Hints, Hop, Key, Modifiers, Mouse, Path, PathStep, Point, variable_name,
};
use serde_json::Value;

/// Longer texts are cut: no user types them, and a page could send anything.
const LONGEST_TEXT: usize = 1 << 20;

pub fn event(message: &Value, around: &[Hop]) -> Option<Event> {
    let element = || element(&message["on"], around);
    let held = || number(&message["held"]).map(Modifiers::from_bits);
    let mouse = || {
        let button = usize::try_from(number(&message["button"])?).ok()?;
        let button = *Button::ALL.get(button)?;
        Some(Mouse { on: element()?, at: point(&message["at"])?, button, held: held()? })
    };
    let count = || number(&message["count"]).map(|count| count.max(1));
    let key = || {
        let [key, code, virtual_code] = message["key"].as_array()?.as_slice() else { return None };
        Some(Key { key: text(key)?, code: text(code)?, virtual_code: number(virtual_code)? })
    };
    Some(match message["kind"].as_str()? {
        "press" => Event::Press(mouse()?, count()?),
        "release" => Event::Release(mouse()?, count()?),
        "move" => Event::Move(point(&message["by"])?),
        "drop" => Event::Drop(mouse()?),
        "abandon" => Event::Abandon,
        "down" => Event::Down { on: element()?, key: key()?, held: held()?, again: message["again"] == true },
        "up" => Event::Up { on: element()?, key: key()?, held: held()? },
        "compose" => {
            Event::Compose { on: element()?, stages: texts(&message["stages"])?, commit: text(&message["commit"])? }
        }
        "insert" => Event::Insert { on: element()?, text: text(&message["text"])? },
        "clipboard" => Event::Clipboard { text: text(&message["text"])?, html: text(&message["html"]) },
        "paste" => Event::Paste { on: element()? },
        "secret" => {
            let on = element()?;
            Event::Secret { variable: variable_name(&on), on }
        }
        "choose" => Event::Choose { on: element()?, at: point(&message["at"])?, values: texts(&message["values"])? },
        "set" => Event::Set { on: element()?, value: text(&message["value"])? },
        "files" => Event::Files { on: element()?, names: texts(&message["names"])? },
        "scroll" => Event::Scroll { on: element()?, to: point(&message["to"])? },
        _ => return None,
    })
}

/// An element that page/element.js has described, in a document inside of these frames.
pub fn element(told: &Value, around: &[Hop]) -> Option<Element> {
    let entry = if around.is_empty() { Entry::Tab } else { Entry::Frame };
    let own = hops(&told["paths"], entry);
    let said = |name: &str| text(&told[name]).filter(|text| !text.is_empty());
    let hints = Hints { role: said("role"), label: said("label"), text: said("text"), at: point(&told["at"]) };
    (!own.is_empty()).then(|| Element { hops: around.iter().cloned().chain(own).collect(), hints })
}

/// Paths of roots, from the outermost inwards; the first of them is entered in this way.
pub fn hops(paths: &Value, entry: Entry) -> Vec<Hop> {
    let paths = paths.as_array().map(Vec::as_slice).unwrap_or_default();
    let entries = std::iter::once(entry).chain(std::iter::repeat(Entry::Shadow));
    let steps = |path: &Value| path.as_array().into_iter().flatten().filter_map(step).collect::<Vec<_>>();
    let hop = |(path, entry): (&Value, Entry)| Hop { entry, path: Path { steps: steps(path) } };
    paths.iter().zip(entries).map(hop).filter(|hop| !hop.path.steps.is_empty()).collect()
}

fn step(told: &Value) -> Option<PathStep> {
    let attribute = |pair: &Value| Some((text(&pair[0])?, text(&pair[1])?));
    let attributes = told["attributes"].as_array()?.iter().filter_map(attribute).collect();
    let position = told["position"].as_u64().and_then(|position| u32::try_from(position).ok());
    Some(PathStep { deep: false, tag: text(&told["tag"])?, position, attributes })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(|text| text.chars().take(LONGEST_TEXT).collect())
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

/// As exact as it is written.
fn point(value: &Value) -> Option<Point> {
    let round = |value: &Value| value.as_f64().map(|number| (number * 100.0).round() / 100.0);
    Some(Point { x: round(&value[0])?, y: round(&value[1])? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_that_lacks_a_part_is_no_event() {
        let on = json!({ "paths": [[{ "tag": "button", "position": 1, "attributes": [] }]] });
        let press = json!({ "kind": "press", "on": on, "at": [1, 2], "button": 0, "held": 0, "count": 1 });
        assert!(event(&press, &[]).is_some());
        for part in ["kind", "on", "at", "button", "held", "count"] {
            let mut lacking = press.clone();
            lacking.as_object_mut().unwrap().remove(part);
            assert!(event(&lacking, &[]).is_none(), "without {part}");
        }
        let down = json!({ "kind": "down", "on": on, "key": ["a", "KeyA", "65"], "held": 0, "again": false });
        assert!(event(&down, &[]).is_none(), "a code that is not a number");
    }
}
