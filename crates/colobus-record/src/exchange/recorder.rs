//! The JSON of Chrome's Recorder, which @puppeteer/replay runs. Steps of our own (`customStep`) hold what it has no step for.

use serde_json::{Value, json};

use super::selector::{aria, by_hints, plain, read_aria, read_css, read_xpath, xpath};
use super::{Exported, Imported, Warnings, pretty};
use crate::{
    Button, Element, Entry, Event, Hop, Key, Line, Modifiers, Mouse, Point, Recording, Viewport, Who, fold, unfold,
};

const OWN_STEP: &str = "colobus";
const BUTTONS: [(&str, Button); 5] = [
    ("primary", Button::Left),
    ("auxiliary", Button::Middle),
    ("secondary", Button::Right),
    ("back", Button::Back),
    ("forward", Button::Forward),
];

pub fn write(recording: &Recording, title: &str) -> Exported {
    let Viewport { width, height } = recording.viewport;
    let mut steps = vec![json!({ "type": "setViewport", "width": width, "height": height, "deviceScaleFactor": 1,
        "isMobile": false, "hasTouch": false, "isLandscape": false })];
    let mut warnings = Warnings::default();
    for (index, line) in recording.lines.iter().enumerate() {
        let said = if line.who == (Who { client: 0, tab: 1 }) { step(&line.event, &mut steps) } else { None };
        match said {
            Some(said) => steps.extend(said),
            None => {
                warnings
                    .line(index + 1, "Chrome's Recorder cannot say this; it is a step named colobus that does nothing");
                steps.push(
                    json!({ "type": "customStep", "name": OWN_STEP, "parameters": { "line": line.to_string() } }),
                );
            }
        }
    }
    warnings.others(recording);
    Exported { text: pretty(&json!({ "title": title, "steps": steps })), warnings: warnings.0 }
}

/// The steps that say it; nothing if none do. An arrival belongs to the step before.
fn step(event: &Event, before: &mut [Value]) -> Option<Vec<Value>> {
    let pointing = |kind: &str, mouse: &Mouse| {
        let button = BUTTONS.iter().find(|(_, button)| *button == mouse.button).map_or("primary", |(name, _)| *name);
        let mut step = json!({ "type": kind, "target": "main", "selectors": selectors(&mouse.on)?,
            "offsetX": mouse.at.x, "offsetY": mouse.at.y });
        if button != "primary" {
            step["button"] = json!(button);
        }
        let held = mouse.held.names();
        let keys =
            |kind: &str| held.iter().map(|name| json!({ "type": kind, "target": "main", "key": name })).collect();
        let (down, up): (Vec<Value>, Vec<Value>) = (keys("keyDown"), keys("keyUp"));
        Some(down.into_iter().chain([step]).chain(up).collect::<Vec<_>>())
    };
    let changing = |on: &Element, value: &str| {
        Some(vec![json!({ "type": "change", "target": "main", "selectors": selectors(on)?, "value": value })])
    };
    match event {
        Event::Open(url) => Some(vec![json!({ "type": "navigate", "url": url })]),
        Event::Arrive(url) => {
            let says_no_other = |step: &Value| step["assertedEvents"].is_null() && step["type"] != "setViewport";
            let last = before.last_mut().filter(|step| says_no_other(step) && step["type"] != "navigate")?;
            last["assertedEvents"] = json!([{ "type": "navigation", "url": url, "title": "" }]);
            Some(Vec::new())
        }
        Event::Click(mouse, 1) => pointing("click", mouse),
        Event::DoubleClick(mouse) => pointing("doubleClick", mouse),
        Event::Type { key: pressed, held, .. }
            if held.is_none() && Key::named(&pressed.key).as_ref() == Some(pressed) =>
        {
            let stroke = |kind: &str| json!({ "type": kind, "target": "main", "key": pressed.key });
            Some(vec![stroke("keyDown"), stroke("keyUp")])
        }
        Event::Choose { on, values, .. } if values.len() == 1 => changing(on, &values[0]),
        Event::Set { on, value } => changing(on, value),
        Event::Close => Some(vec![json!({ "type": "close", "target": "main" })]),
        _ => None,
    }
}

/// Alternatives, each a list of selectors from the outside in.
fn selectors(on: &Element) -> Option<Value> {
    let into_frame = on.hops.iter().any(|hop| hop.entry == Entry::Frame);
    if into_frame {
        return None;
    }
    let paths: Vec<String> = on.hops.iter().map(|hop| format!("xpath/{}", xpath(&hop.path))).collect();
    let label = plain(on).and_then(|_| aria(&on.hints));
    let alternatives = std::iter::once(json!(paths)).chain(label.map(|label| json!([label])));
    Some(alternatives.collect())
}

pub fn read(steps: &[Value]) -> Imported {
    let mut reader =
        Reader { lines: Vec::new(), held: Modifiers::default(), focus: None, warnings: Warnings::default() };
    let mut viewport = Viewport { width: 1280, height: 720 };
    for (index, step) in steps.iter().enumerate() {
        if step["type"] == "setViewport" {
            let side =
                |name: &str| step[name].as_u64().and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
            viewport.width = side("width").unwrap_or(viewport.width);
            viewport.height = side("height").unwrap_or(viewport.height);
        } else if reader.step(step).is_none() {
            let kind = step["type"].as_str().unwrap_or("a step without a type");
            reader.warnings.0.push(format!("step {}: `{kind}` is left out: a recording cannot say it", index + 1));
            continue;
        }
        for event in step["assertedEvents"].as_array().into_iter().flatten() {
            if let (Some("navigation"), Some(url)) = (event["type"].as_str(), event["url"].as_str())
                && step["type"] != "navigate"
            {
                reader.push(Event::Arrive(url.to_string()));
            }
        }
    }
    Imported { recording: Recording { viewport, lines: fold(reader.lines) }, warnings: reader.warnings.0 }
}

struct Reader {
    /// As a page hears them.
    lines: Vec<Line>,
    held: Modifiers,
    /// Where keys go: steps do not say.
    focus: Option<Element>,
    warnings: Warnings,
}

impl Reader {
    fn push(&mut self, event: Event) {
        let line = Line::new(Who { client: 0, tab: 1 }, event, 0);
        self.lines.extend(unfold(std::slice::from_ref(&line)));
    }

    /// `None` for what a recording cannot say.
    fn step(&mut self, step: &Value) -> Option<()> {
        let text = |name: &str| step[name].as_str().map(str::to_string);
        let event = match step["type"].as_str()? {
            "navigate" => Event::Open(text("url")?),
            "click" => Event::Click(self.mouse(step)?, 1),
            "doubleClick" => Event::DoubleClick(self.mouse(step)?),
            "change" => {
                let on = element(&step["selectors"])?;
                self.focus = Some(on.clone());
                Event::Set { on, value: text("value")? }
            }
            "keyDown" => return self.key(&text("key")?, true),
            "keyUp" => return self.key(&text("key")?, false),
            "close" => Event::Close,
            "customStep" if step["name"] == OWN_STEP => {
                let line = step["parameters"]["line"].as_str()?;
                let recording = format!("colobus-recording 1\nviewport 1x1\n{line}\n");
                self.lines.extend(unfold(&Recording::parse(&recording).ok()?.lines));
                return Some(());
            }
            _ => return None,
        };
        self.push(event);
        Some(())
    }

    fn mouse(&mut self, step: &Value) -> Option<Mouse> {
        let on = element(&step["selectors"])?;
        self.focus = Some(on.clone());
        let at =
            Point { x: step["offsetX"].as_f64().unwrap_or_default(), y: step["offsetY"].as_f64().unwrap_or_default() };
        let named = |name: &str| BUTTONS.iter().find(|(known, _)| *known == name).map(|(_, button)| *button);
        let button = step["button"].as_str().and_then(named).unwrap_or_default();
        Some(Mouse { on, at, button, held: self.held })
    }

    fn key(&mut self, name: &str, down: bool) -> Option<()> {
        let modifier = match name {
            "Alt" => Some(&mut self.held.alt),
            "Control" => Some(&mut self.held.control),
            "Meta" => Some(&mut self.held.meta),
            "Shift" => Some(&mut self.held.shift),
            _ => None,
        };
        if let Some(modifier) = modifier {
            *modifier = down;
            return Some(());
        }
        let (key, held) = (Key::named(name)?, self.held);
        let on = self.focus.clone().unwrap_or_else(body);
        self.push(if down { Event::Down { on, key, held, again: false } } else { Event::Up { on, key, held } });
        Some(())
    }
}

/// The first alternative that a path can say; else what people call it.
fn element(selectors: &Value) -> Option<Element> {
    let alternatives: Vec<Vec<&str>> = selectors
        .as_array()?
        .iter()
        .map(|alternative| match alternative {
            Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect(),
            single => single.as_str().into_iter().collect(),
        })
        .collect();
    let hints = alternatives.iter().find_map(|parts| match parts.as_slice() {
        [single] => read_aria(single),
        _ => None,
    });
    let path = |part: &&str| match part.strip_prefix("xpath/") {
        Some(path) => read_xpath(path),
        None => read_css(part.strip_prefix("pierce/").unwrap_or(part)),
    };
    let said = |parts: &Vec<&str>| parts.iter().map(path).collect::<Option<Vec<_>>>().filter(|paths| !paths.is_empty());
    let Some(paths) = alternatives.iter().find_map(said) else { return hints.map(by_hints) };
    let entries = std::iter::once(Entry::Tab).chain(std::iter::repeat(Entry::Shadow));
    let hops = paths.into_iter().zip(entries).map(|(path, entry)| Hop { entry, path }).collect();
    Some(Element { hops, hints: hints.unwrap_or_default() })
}

fn body() -> Element {
    let path = read_xpath("/html/body");
    Element {
        hops: path.into_iter().map(|path| Hop { entry: Entry::Tab, path }).collect(),
        hints: crate::Hints::default(),
    }
}
