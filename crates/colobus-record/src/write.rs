//! How a recording is written: one line an event.

use std::fmt::{Display, Formatter, Result};

use crate::recording::VERSION;
use crate::{Button, Element, Entry, Event, Hints, Key, Line, Modifiers, Mouse, Path, PathStep, Point, Recording};

impl Display for Recording {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "colobus-recording {VERSION}")?;
        writeln!(f, "viewport {}x{}", self.viewport.width, self.viewport.height)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {} +{}{}", self.who, self.event, self.after_ms, self.timing.mark())
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Event::Open(url) => write!(f, "open {}", quoted(url)),
            Event::Arrive(url) => write!(f, "arrive {}", quoted(url)),
            Event::Popup(url) => write!(f, "popup {}", quoted(url)),
            Event::Reload => f.write_str("reload"),
            Event::Back => f.write_str("back"),
            Event::Forward => f.write_str("forward"),
            Event::Close => f.write_str("close"),
            Event::Press(mouse, count) => write!(f, "press {mouse}{}", times(*count)),
            Event::Release(mouse, count) => write!(f, "release {mouse}{}", times(*count)),
            Event::Move(by) => write!(f, "move {by}"),
            Event::Drop(mouse) => write!(f, "drop {mouse}"),
            Event::Abandon => f.write_str("abandon"),
            Event::Click(mouse, count) => write!(f, "click {mouse}{}", times(*count)),
            Event::DoubleClick(mouse) => write!(f, "doubleclick {mouse}"),
            Event::Drag { from, to, via } => write!(f, "drag {from} to {to}{}", ways(via)),
            Event::Carry { from, to, via } => write!(f, "carry {from} to {to}{}", ways(via)),
            Event::Down { on, key, held, again } => {
                write!(f, "down {on} {}{}{}", written(key), holding(*held), if *again { " again" } else { "" })
            }
            Event::Up { on, key, held } => write!(f, "up {on} {}{}", written(key), holding(*held)),
            Event::Type { on, key, held } => write!(f, "type {on} {}{}", written(key), holding(*held)),
            Event::Compose { on, stages, commit } => {
                write!(f, "compose {on}{} commit {}", all_quoted(stages), quoted(commit))
            }
            Event::Insert { on, text } => write!(f, "insert {on} {}", quoted(text)),
            Event::Clipboard { text, html } => {
                write!(f, "clipboard {}", quoted(text))?;
                html.iter().try_for_each(|html| write!(f, " html {}", quoted(html)))
            }
            Event::Paste { on } => write!(f, "paste {on}"),
            Event::Secret { on, variable } => write!(f, "secret {on} {variable}"),
            Event::Choose { on, at, values } => write!(f, "choose {on} {at}{}", all_quoted(values)),
            Event::Set { on, value } => write!(f, "set {on} {}", quoted(value)),
            Event::Files { on, names } => write!(f, "files {on}{}", all_quoted(names)),
            Event::Scroll { on, to } => write!(f, "scroll {on} {to}"),
            Event::Dialog { kind, accept, text } => {
                write!(f, "dialog {} {}", kind.name(), if *accept { "accept" } else { "dismiss" })?;
                text.iter().try_for_each(|text| write!(f, " {}", quoted(text)))
            }
        }
    }
}

impl Display for Mouse {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", self.on, self.at)?;
        if self.button != Button::Left {
            write!(f, " {}", self.button.name())?;
        }
        f.write_str(&holding(self.held))
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for hop in &self.hops {
            f.write_str(match hop.entry {
                Entry::Tab => "",
                Entry::Frame => "=>",
                Entry::Shadow => "~>",
            })?;
            write!(f, "{}", hop.path)?;
        }
        write!(f, "{}", self.hints)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.steps.iter().try_for_each(|step| write!(f, "{step}"))
    }
}

impl Display for PathStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", if self.deep { "//" } else { "/" }, self.tag)?;
        self.position.iter().try_for_each(|position| write!(f, "[{position}]"))?;
        self.attributes.iter().try_for_each(|(name, value)| write!(f, "[@{name}={}]", quoted(value)))
    }
}

impl Display for Hints {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let texts = [("role", &self.role), ("label", &self.label), ("text", &self.text)];
        let mut hints: Vec<String> = texts
            .into_iter()
            .filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}={}", quoted(value))))
            .collect();
        hints.extend(self.at.map(|at| format!("at={at}")));
        if hints.is_empty() { Ok(()) } else { write!(f, "{{{}}}", hints.join(" ")) }
    }
}

/// `[a,KeyA,65]`
fn written(key: &Key) -> String {
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric());
    let word = |text: &String| if plain(text) { text.clone() } else { quoted(text) };
    format!("[{},{},{}]", word(&key.key), word(&key.code), key.virtual_code)
}

/// As in JSON, so that no text breaks a line.
pub use colobus_model::foreign::string_literal as quoted;

fn all_quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!(" {}", quoted(text))).collect()
}

fn holding(held: Modifiers) -> String {
    if held.is_none() { String::new() } else { format!(" {held}") }
}

fn times(count: u32) -> String {
    if count == 1 { String::new() } else { format!(" x{count}") }
}

fn ways(via: &[Point]) -> String {
    if via.is_empty() {
        return String::new();
    }
    let points: Vec<String> = via.iter().map(Point::to_string).collect();
    format!(" via {}", points.join(" "))
}
