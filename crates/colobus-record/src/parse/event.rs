//! Events, as lines write them: a kind, then what belongs to it.

use super::element::{element, key};
use super::scanner::{Parsed, Scanner};
use crate::secret::is_variable;
use crate::{Button, DialogKind, Element, Event, Modifiers, Mouse, Point};

/// All kinds, in the order in which an error lists them.
pub const KINDS: [&str; 29] = [
    "open",
    "arrive",
    "popup",
    "reload",
    "back",
    "forward",
    "close",
    "press",
    "release",
    "move",
    "drop",
    "abandon",
    "click",
    "doubleclick",
    "drag",
    "carry",
    "down",
    "up",
    "type",
    "compose",
    "insert",
    "clipboard",
    "paste",
    "secret",
    "choose",
    "set",
    "files",
    "scroll",
    "dialog",
];

pub fn event(scanner: &mut Scanner<'_>) -> Parsed<Event> {
    let start = scanner.position();
    let kind = scanner.word();
    Ok(match kind {
        "open" => Event::Open(address(scanner)?),
        "arrive" => Event::Arrive(address(scanner)?),
        "popup" => Event::Popup(address(scanner)?),
        "reload" => Event::Reload,
        "back" => Event::Back,
        "forward" => Event::Forward,
        "close" => Event::Close,
        "abandon" => Event::Abandon,
        "press" => Event::Press(mouse(scanner)?, times(scanner)?),
        "release" => Event::Release(mouse(scanner)?, times(scanner)?),
        "click" => Event::Click(mouse(scanner)?, times(scanner)?),
        "doubleclick" => Event::DoubleClick(mouse(scanner)?),
        "drop" => Event::Drop(mouse(scanner)?),
        "move" => Event::Move(place(scanner)?),
        "drag" => {
            let (from, to, via) = way(scanner)?;
            Event::Drag { from, to, via }
        }
        "carry" => {
            let (from, to, via) = way(scanner)?;
            Event::Carry { from, to, via }
        }
        "down" | "up" | "type" => keyboard(scanner, kind)?,
        "clipboard" => {
            let text = spaced(scanner, |scanner| scanner.string("a text"))?;
            let html = match scanner.take_word("html") {
                true => Some(spaced(scanner, |scanner| scanner.string("HTML"))?),
                false => None,
            };
            Event::Clipboard { text, html }
        }
        "compose" | "insert" | "paste" | "secret" | "choose" | "set" | "files" | "scroll" => field(scanner, kind)?,
        "dialog" => dialog(scanner)?,
        _ => {
            let kinds = KINDS.join(", ");
            return scanner.problem_at(start, format!("`{kind}` is not a kind of event: write one of {kinds}"));
        }
    })
}

fn spaced<T>(scanner: &mut Scanner<'_>, part: impl FnOnce(&mut Scanner<'_>) -> Parsed<T>) -> Parsed<T> {
    scanner.space()?;
    part(scanner)
}

fn address(scanner: &mut Scanner<'_>) -> Parsed<String> {
    spaced(scanner, |scanner| scanner.string("an address"))
}

fn place(scanner: &mut Scanner<'_>) -> Parsed<Point> {
    spaced(scanner, |scanner| scanner.point())
}

fn mouse(scanner: &mut Scanner<'_>) -> Parsed<Mouse> {
    let on = spaced(scanner, element)?;
    let at = place(scanner)?;
    let button = Button::ALL.into_iter().find(|button| scanner.take_word(button.name())).unwrap_or_default();
    Ok(Mouse { on, at, button, held: modifiers(scanner)? })
}

/// Modifiers, if the next word begins with a capital as theirs do.
fn modifiers(scanner: &mut Scanner<'_>) -> Parsed<Modifiers> {
    let next = scanner.rest().strip_prefix(' ').and_then(|rest| rest.chars().next());
    if !next.is_some_and(|c| c.is_ascii_uppercase()) {
        return Ok(Modifiers::default());
    }
    scanner.space()?;
    let start = scanner.position();
    let word = scanner.word();
    match Modifiers::from_names(word) {
        Some(modifiers) => Ok(modifiers),
        None => scanner.problem_at(
            start,
            format!("`{word}` are not modifiers: write Alt, Control, Meta, Shift, each once, with + in between"),
        ),
    }
}

fn times(scanner: &mut Scanner<'_>) -> Parsed<u32> {
    if scanner.take(" x") { scanner.number("how many clicks") } else { Ok(1) }
}

fn way(scanner: &mut Scanner<'_>) -> Parsed<(Mouse, Mouse, Vec<Point>)> {
    let from = mouse(scanner)?;
    if !scanner.take_word("to") {
        return scanner.expected("`to`");
    }
    let to = mouse(scanner)?;
    let mut via = Vec::new();
    if scanner.take_word("via") {
        via.push(place(scanner)?);
        while scanner.point_follows() {
            via.push(place(scanner)?);
        }
    }
    Ok((from, to, via))
}

fn keyboard(scanner: &mut Scanner<'_>, kind: &str) -> Parsed<Event> {
    let on = spaced(scanner, element)?;
    let key = spaced(scanner, key)?;
    let held = modifiers(scanner)?;
    Ok(match kind {
        "down" => Event::Down { on, key, held, again: scanner.take_word("again") },
        "up" => Event::Up { on, key, held },
        _ => Event::Type { on, key, held },
    })
}

fn field(scanner: &mut Scanner<'_>, kind: &str) -> Parsed<Event> {
    let on: Element = spaced(scanner, element)?;
    Ok(match kind {
        "compose" => {
            let stages = scanner.strings("a text")?;
            if !scanner.take_word("commit") {
                return scanner.expected("`commit`");
            }
            Event::Compose { on, stages, commit: spaced(scanner, |scanner| scanner.string("a text"))? }
        }
        "insert" => Event::Insert { on, text: spaced(scanner, |scanner| scanner.string("a text"))? },
        "set" => Event::Set { on, value: spaced(scanner, |scanner| scanner.string("a value"))? },
        "paste" => Event::Paste { on },
        "choose" => Event::Choose { on, at: place(scanner)?, values: scanner.strings("a value")? },
        "files" => Event::Files { on, names: files(scanner)? },
        "scroll" => Event::Scroll { on, to: place(scanner)? },
        _ => {
            scanner.space()?;
            let start = scanner.position();
            let variable = scanner.while_(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            if variable.is_empty() {
                return scanner.expected("an environment variable such as COLOBUS_SECRET_PASSWORD");
            }
            // The author of the recording must not choose among all that the environment has.
            if !is_variable(variable) {
                return scanner.problem_at(
                    start,
                    format!("`{variable}` is not asked for: secrets are in variables that begin with COLOBUS_SECRET_"),
                );
            }
            Event::Secret { on, variable: variable.to_string() }
        }
    })
}

/// Names of files in the recording's own folder, or below it.
fn files(scanner: &mut Scanner<'_>) -> Parsed<Vec<String>> {
    let start = scanner.position();
    let names = scanner.strings("the name of a file")?;
    match names.iter().find(|name| leads_out(name)) {
        Some(name) => {
            let problem = format!("`{name}` leads out of the recording's folder: put the file beside the recording");
            scanner.problem_at(start, problem)
        }
        None => Ok(names),
    }
}

fn leads_out(name: &str) -> bool {
    name.is_empty() || name.starts_with('/') || name.contains('\0') || name.split('/').any(|part| part == "..")
}

fn dialog(scanner: &mut Scanner<'_>) -> Parsed<Event> {
    let Some(kind) = DialogKind::ALL.into_iter().find(|kind| scanner.take_word(kind.name())) else {
        return spaced(scanner, |scanner| scanner.expected("alert, confirm, prompt or beforeunload"));
    };
    let accept = scanner.take_word("accept");
    if !accept && !scanner.take_word("dismiss") {
        return spaced(scanner, |scanner| scanner.expected("accept or dismiss"));
    }
    let text = if scanner.rest().starts_with(" \"") { Some(address(scanner)?) } else { None };
    Ok(Event::Dialog { kind, accept, text })
}
