//! Events as words of a line. Most are one word; the name of a page's event may be several: it ends where the next event
//! begins, and is a JSON string if it could be misread.

use std::fmt;
use std::str::FromStr;

use super::{Direction, Event, PageEvent, PageEventKind, Resource};
use crate::{ClientId, ScheduleError};

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Step { client, step } => write!(f, "{client}{}", step + 1),
            Event::Deliver { client, direction, connection } => {
                let arrow = if *direction == Direction::ToServer { '>' } else { '<' };
                match connection {
                    0 => write!(f, "{client}{arrow}"),
                    other => write!(f, "{client}{arrow}#{}", other + 1),
                }
            }
            Event::Cut { client } => write!(f, "{client}!"),
            Event::Restore { client } => write!(f, "{client}+"),
            Event::Reload { client } => write!(f, "{client}@"),
            Event::Wait { client } => write!(f, "{client}..."),
            Event::Poll { client } => write!(f, "{client}?"),
            Event::PollAnswer { client } => write!(f, "{client}?<"),
            Event::Tab { client } => write!(f, "{client}&"),
            Event::Join { client } => write!(f, "{client}*"),
            Event::Page { client, event } => write!(f, "{client}{event}"),
            Event::Flush => f.write_str("~"),
        }
    }
}

/// The events of a line.
pub(crate) fn read_line(line: &str) -> Result<Vec<Event>, ScheduleError> {
    let mut events = Vec::new();
    let mut rest = line.trim();
    let mut position = 0;
    while !rest.is_empty() {
        position += 1;
        let (event, after) = read(rest).ok_or_else(|| {
            let word = rest.split_whitespace().next().unwrap_or_default().to_string();
            ScheduleError::UnknownEvent { word, position }
        })?;
        events.push(event);
        rest = after.trim_start();
    }
    Ok(events)
}

/// The first event of a text that does not begin with white space, and what follows.
fn read(text: &str) -> Option<(Event, &str)> {
    let word_end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(word_end);
    if let Some(event) = of_one_word(word) {
        return Some((event, after));
    }
    let (client, rest) = client(text)?;
    let (kind, rest) = kind(rest)?;
    let (name, rest) = read_name(rest)?;
    Some((Event::Page { client, event: PageEvent::new(kind, &name) }, rest))
}

/// Events that are never longer than a word.
fn of_one_word(word: &str) -> Option<Event> {
    if word == "~" {
        return Some(Event::Flush);
    }
    let (client, rest) = client(word)?;
    let deliver = |direction, rest: &str| {
        let connection = match rest.strip_prefix('#') {
            Some(number) => number.parse::<usize>().ok()?.checked_sub(1)?,
            None => rest.is_empty().then_some(0)?,
        };
        Some(Event::Deliver { client, direction, connection })
    };
    match rest {
        "!" => Some(Event::Cut { client }),
        "+" => Some(Event::Restore { client }),
        "@" => Some(Event::Reload { client }),
        "..." => Some(Event::Wait { client }),
        "?" => Some(Event::Poll { client }),
        "?<" => Some(Event::PollAnswer { client }),
        "&" => Some(Event::Tab { client }),
        "*" => Some(Event::Join { client }),
        _ => match (rest.strip_prefix('>'), rest.strip_prefix('<')) {
            (Some(rest), _) => deliver(Direction::ToServer, rest),
            (_, Some(rest)) => deliver(Direction::ToClient, rest),
            _ => Some(Event::Step { client, step: rest.parse::<usize>().ok()?.checked_sub(1)? }),
        },
    }
}

fn client(text: &str) -> Option<(ClientId, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_uppercase)?;
    Some((ClientId(usize::from(letter - b'A')), &text[1..]))
}

/// `<img:` or `:timer`, and what follows.
fn kind(text: &str) -> Option<(PageEventKind, &str)> {
    if let Some(text) = text.strip_prefix('<') {
        let (word, rest) = text.split_once(':')?;
        let resource = Resource::ALL.into_iter().find(|resource| resource.word() == word)?;
        return Some((PageEventKind::Response(resource), rest));
    }
    let text = text.strip_prefix(':')?;
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let kind = PageEventKind::INSIDE.into_iter().find(|kind| kind.word() == word)?;
    Some((kind, rest))
}

/// A name, which may be empty, and what follows: the next event, or nothing.
fn read_name(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = values.next()?.ok()?;
        return Some((name, &text[values.byte_offset()..]));
    }
    let mut end = 0;
    while end < text.len() {
        let from = end + text[end..].len() - text[end..].trim_start().len();
        let word = text[from..].split_whitespace().next().unwrap_or_default();
        if word.is_empty() || begins_event(word) {
            break;
        }
        end = from + word.len();
    }
    Some((text[..end].to_string(), &text[end..]))
}

/// Whether the next event begins with this word.
fn begins_event(word: &str) -> bool {
    of_one_word(word).is_some() || client(word).is_some_and(|(_, rest)| kind(rest).is_some())
}

/// A name as it is, or as a JSON string if it could be misread.
pub(super) fn written_name(name: &str) -> String {
    if name.starts_with('"') || name.contains(char::is_control) || name.split(' ').any(begins_event) {
        serde_json::Value::from(name).to_string()
    } else {
        name.to_string()
    }
}

impl FromStr for Event {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Event, ScheduleError> {
        let unknown = || ScheduleError::UnknownEvent { word: text.to_string(), position: 1 };
        <[Event; 1]>::try_from(read_line(text)?).map(|[event]| event).map_err(|_| unknown())
    }
}

impl From<Event> for String {
    fn from(event: Event) -> String {
        event.to_string()
    }
}

impl TryFrom<String> for Event {
    type Error = ScheduleError;

    fn try_from(text: String) -> Result<Event, ScheduleError> {
        text.parse()
    }
}
