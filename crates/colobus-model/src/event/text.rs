//! Events as words of a line.

use std::fmt;
use std::str::FromStr;

use super::{Direction, Event};
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
            Event::Flush => f.write_str("~"),
        }
    }
}

/// The events of a line.
pub(crate) fn read_line(line: &str) -> Result<Vec<Event>, ScheduleError> {
    let unknown = |word: &str, position| ScheduleError::UnknownEvent { word: word.to_string(), position };
    let words = line.split_whitespace().zip(1..);
    words.map(|(word, position)| read(word).ok_or_else(|| unknown(word, position))).collect()
}

fn read(word: &str) -> Option<Event> {
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

impl FromStr for Event {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Event, ScheduleError> {
        read(text).ok_or_else(|| ScheduleError::UnknownEvent { word: text.to_string(), position: 1 })
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
