//! Projects of Selenium IDE. A command that begins with `//` is a comment there: it holds what the format cannot say.

use colobus_model::UrlParts;
use serde_json::{Value, json};

use super::selector::{plain, read_css, read_xpath, xpath};
use super::{Exported, Imported, Warnings, pretty};
use crate::{Element, Entry, Event, Hints, Hop, Key, Line, Modifiers, Mouse, Path, Point, Recording, Viewport, Who};

const OWN_COMMAND: &str = "//colobus";
/// Its names of keys, which it writes as `${KEY_ENTER}`.
const KEYS: [(&str, &str); 14] = [
    ("Enter", "ENTER"),
    ("Tab", "TAB"),
    ("Backspace", "BACKSPACE"),
    ("Delete", "DELETE"),
    ("Escape", "ESC"),
    ("ArrowLeft", "LEFT"),
    ("ArrowUp", "UP"),
    ("ArrowRight", "RIGHT"),
    ("ArrowDown", "DOWN"),
    ("Home", "HOME"),
    ("End", "END"),
    ("PageUp", "PAGE_UP"),
    ("PageDown", "PAGE_DOWN"),
    ("Insert", "INSERT"),
];

pub fn write(recording: &Recording, title: &str) -> Exported {
    let mut warnings = Warnings::default();
    let size = format!("{}x{}", recording.viewport.width, recording.viewport.height);
    let mut commands = vec![command("setWindowSize", &size, "")];
    for (index, line) in recording.lines.iter().enumerate() {
        let is_first = line.who == (Who { client: 0, tab: 1 });
        commands.push(match said(&line.event).filter(|_| is_first) {
            Some(said) => said,
            None => {
                warnings.line(index + 1, "Selenium IDE cannot say this; it is a comment");
                command(OWN_COMMAND, &line.to_string(), "")
            }
        });
    }
    warnings.others(recording);
    // Everything has an id; numbers do, and are the same every time.
    for (index, command) in commands.iter_mut().enumerate() {
        command["id"] = json!(format!("command-{}", index + 1));
    }
    let origin = recording.address().map(origin).unwrap_or_default();
    let project = json!({
        "id": "project", "version": "2.0", "name": title, "url": origin,
        "tests": [{ "id": "test", "name": title, "commands": commands }],
        "suites": [{ "id": "suite", "name": title, "persistSession": false, "parallel": false, "timeout": 300, "tests": ["test"] }],
        "urls": [origin], "plugins": [],
    });
    Exported { text: pretty(&project), warnings: warnings.0 }
}

fn command(name: &str, target: &str, value: &str) -> Value {
    json!({ "id": "", "comment": "", "command": name, "target": target, "targets": [], "value": value })
}

fn said(event: &Event) -> Option<Value> {
    let target = |on: &Element| Some(format!("xpath={}", xpath(plain(on)?)));
    let at = |mouse: &Mouse| mouse.button == crate::Button::Left && mouse.held.is_none();
    Some(match event {
        // Any other address means one below the project's own.
        Event::Open(url) if url.contains("://") => command("open", url, ""),
        Event::Click(mouse, 1) if at(mouse) => command("clickAt", &target(&mouse.on)?, &mouse.at.to_string()),
        Event::DoubleClick(mouse) if at(mouse) => command("doubleClickAt", &target(&mouse.on)?, &mouse.at.to_string()),
        Event::Type { on, key: pressed, held }
            if held.is_none() && Key::named(&pressed.key).as_ref() == Some(pressed) =>
        {
            let named = KEYS.iter().find(|(name, _)| *name == pressed.key);
            let written = match (named, pressed.character()) {
                (Some((_, name)), _) => format!("${{KEY_{name}}}"),
                (None, Some(character)) => character.to_string(),
                (None, None) => return None,
            };
            command("sendKeys", &target(on)?, &written)
        }
        Event::Set { on, value } => command("type", &target(on)?, value),
        Event::Choose { on, values, at } if values.len() == 1 && *at == Point::default() => {
            command("select", &target(on)?, &format!("value={}", values[0]))
        }
        Event::Close => command("close", "", ""),
        _ => return None,
    })
}

/// The scheme and the host of an address.
fn origin(url: &str) -> &str {
    UrlParts::of(url).map_or(url, |parts| parts.origin())
}

pub fn read(project: &Value, tests: &[Value]) -> Imported {
    let mut imported = Imported {
        recording: Recording { viewport: Viewport { width: 1280, height: 720 }, lines: Vec::new() },
        warnings: Vec::new(),
    };
    let base = project["url"].as_str().unwrap_or_default();
    let commands = tests.iter().flat_map(|test| test["commands"].as_array().into_iter().flatten());
    for (index, command) in commands.enumerate() {
        let text = |name: &str| command[name].as_str().unwrap_or_default();
        let (name, target, value) = (text("command"), text("target"), text("value"));
        if name == "setWindowSize" {
            let sides =
                target.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
            match sides {
                Some((width @ 1.., height @ 1..)) => imported.recording.viewport = Viewport { width, height },
                _ => imported.warnings.push(format!("command {}: `{target}` is not a size", index + 1)),
            }
            continue;
        }
        match understood(name, target, value, base) {
            Some(lines) => imported.recording.lines.extend(lines),
            // Other comments belong to the user.
            None if name.starts_with("//") => {}
            None => imported
                .warnings
                .push(format!("command {}: `{name}` is left out: a recording cannot say it", index + 1)),
        }
    }
    imported
}

fn understood(name: &str, target: &str, value: &str, base: &str) -> Option<Vec<Line>> {
    let line = |event: Event| Line::new(Who { client: 0, tab: 1 }, event, 0);
    let on = || element(target);
    let mouse = |at: Point| Some(Mouse { on: on()?, at, button: crate::Button::Left, held: Modifiers::default() });
    let place = || {
        let (x, y) = value.split_once(',')?;
        Some(Point { x: x.trim().parse().ok()?, y: y.trim().parse().ok()? })
    };
    Some(vec![match name {
        OWN_COMMAND => {
            return Some(Recording::parse(&format!("colobus-recording 1\nviewport 1x1\n{target}\n")).ok()?.lines);
        }
        "open" if target.contains("://") => line(Event::Open(target.to_string())),
        "open" => line(Event::Open(format!("{}/{}", base.trim_end_matches('/'), target.trim_start_matches('/')))),
        "click" => line(Event::Click(mouse(Point::default())?, 1)),
        "clickAt" => line(Event::Click(mouse(place()?)?, 1)),
        "doubleClick" => line(Event::DoubleClick(mouse(Point::default())?)),
        "doubleClickAt" => line(Event::DoubleClick(mouse(place()?)?)),
        "sendKeys" => {
            return strokes(value)?
                .into_iter()
                .map(|key| Some(line(Event::Type { on: on()?, key, held: Modifiers::default() })))
                .collect();
        }
        "type" => line(Event::Set { on: on()?, value: value.to_string() }),
        "select" => {
            let values = vec![value.strip_prefix("value=")?.to_string()];
            line(Event::Choose { on: on()?, at: Point::default(), values })
        }
        "close" => line(Event::Close),
        _ => return None,
    }])
}

/// `Hello${KEY_ENTER}` as keys; nothing if one of them is unknown.
fn strokes(text: &str) -> Option<Vec<Key>> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix("${KEY_").and_then(|rest| rest.split_once('}')) {
            let (known, _) = KEYS.iter().find(|(_, theirs)| *theirs == name)?;
            keys.push(Key::named(known)?);
            rest = after;
        } else {
            keys.push(Key::named(&character.to_string())?);
            rest = &rest[character.len_utf8()..];
        }
    }
    Some(keys)
}

fn element(target: &str) -> Option<Element> {
    let (kind, said) = target.split_once('=').unwrap_or(("xpath", target));
    let attribute = |name: &str| read_css(&format!("[{name}=\"{said}\"]"));
    let path: Path = match kind {
        "xpath" => read_xpath(said)?,
        "css" => read_css(said)?,
        "id" => attribute("id")?,
        "name" => attribute("name")?,
        "linkText" => {
            let hints = Hints { role: Some("link".to_string()), label: Some(said.to_string()), ..Hints::default() };
            return Some(super::selector::by_hints(hints));
        }
        // A path may have `=` in it before any kind.
        _ => read_xpath(target)?,
    };
    Some(Element { hops: vec![Hop { entry: Entry::Tab, path }], hints: Hints::default() })
}
