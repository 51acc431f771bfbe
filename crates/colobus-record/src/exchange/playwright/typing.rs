//! [`Typing`]: keys that follow one another in one element, as the text that they write.

use crate::write::quoted;
use crate::{Element, Event, Line, Modifiers, Who};

/// Which fields have been written in since their page was opened.
#[derive(Default)]
pub struct Typing {
    written: Vec<(Who, Element)>,
}

/// Keys that write a text.
pub struct Run<'r> {
    pub on: &'r Element,
    pub lines: usize,
    text: String,
    /// Whether nothing was written in this field before.
    first: bool,
}

impl Typing {
    /// The run with which `lines` begin, if they begin with one; to be asked at every line.
    pub fn run<'r>(&mut self, lines: &'r [Line]) -> Option<Run<'r>> {
        let begin = lines.first()?;
        match &begin.event {
            Event::Open(_) | Event::Arrive(_) | Event::Reload | Event::Back | Event::Forward => {
                self.written.retain(|(who, _)| *who != begin.who);
            }
            Event::Insert { on, .. }
            | Event::Set { on, .. }
            | Event::Secret { on, .. }
            | Event::Down { on, .. }
            | Event::Compose { on, .. }
            | Event::Paste { on } => _ = self.write(begin.who, on),
            // Such as a key that deletes what stands there.
            Event::Type { on, .. } if letter(begin).is_none() => _ = self.write(begin.who, on),
            _ => {}
        }
        let (on, _) = letter(begin)?;
        let of_run =
            |line: &&Line| line.who == begin.who && letter(line).is_some_and(|(place, _)| place.is_same_place(on));
        let letters = lines.iter().take_while(of_run).filter_map(letter).map(|(_, letter)| letter);
        let text: String = letters.collect();
        let first = self.write(begin.who, on) && matches!(on.tag(), "input" | "textarea");
        Some(Run { on, lines: text.chars().count(), text, first })
    }

    /// Whether it is the first time.
    fn write(&mut self, who: Who, on: &Element) -> bool {
        let known = self.written.iter().any(|(author, place)| *author == who && place.is_same_place(on));
        if !known {
            self.written.push((who, on.clone()));
        }
        !known
    }
}

impl Run<'_> {
    /// A field in which nothing was written yet is filled; elsewhere the text goes where the caret is.
    pub fn said(&self, locator: &str) -> String {
        let method = if self.first { "fill" } else { "pressSequentially" };
        format!("await {locator}.{method}({});", quoted(&self.text))
    }
}

/// The element and the one character that a line writes in it.
fn letter(line: &Line) -> Option<(&Element, char)> {
    let Event::Type { on, key, held } = &line.event else { return None };
    let mut characters = key.key.chars();
    let (letter, None) = (characters.next()?, characters.next()) else { return None };
    let plain = held.is_none() || *held == Modifiers { shift: true, ..Modifiers::default() };
    (plain && !letter.is_control()).then_some((on, letter))
}
