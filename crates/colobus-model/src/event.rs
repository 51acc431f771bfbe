//! [`Event`]: one thing that can be put in an order. [`Schedule`]: the order of an interaction's concurrent part,
//! written and read as one line such as `A1 ~ A2 A3 B1 ~` or `A1 B1 B> A> A< B<`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{ClientId, Interaction};

/// One schedulable step of the concurrent part. Between the events all messages are held by the clients' proxies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A client performs this step of its action. Steps count from zero here and from one in text: `A1`.
    Step { client: ClientId, step: usize },
    /// The next held message of one direction of one connection goes on: `A>` to the application, `A<` to the client.
    /// Connections of a client count from zero in the order of opening; other than the first are named, from one: `A>#2`.
    Deliver { client: ClientId, direction: Direction, connection: usize },
    /// The client loses its network: open connections end, what they held is lost: `A!`.
    Cut { client: ClientId },
    /// The client's network is back: `A+`.
    Restore { client: ClientId },
    /// The client loads its page again: `A@`.
    Reload { client: ClientId },
    /// Half a minute passes for the client, its timers go off, and no message moves: `A...`.
    Wait { client: ClientId },
    /// The client opens the document a second time, in another tab of its browser: `A&`.
    Tab { client: ClientId },
    /// Somebody opens the document who was not there before, and gets the next free letter: `C*`.
    Join { client: ClientId },
    /// Every held message is delivered, and those that follow from it, until nothing moves: `~`. Those of the client
    /// that acted first go first.
    Flush,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    ToServer,
    ToClient,
}

impl Event {
    /// The same of another client.
    pub fn of(self, client: ClientId) -> Event {
        match self {
            Event::Step { step, .. } => Event::Step { client, step },
            Event::Deliver { direction, connection, .. } => Event::Deliver { client, direction, connection },
            Event::Cut { .. } => Event::Cut { client },
            Event::Restore { .. } => Event::Restore { client },
            Event::Reload { .. } => Event::Reload { client },
            Event::Wait { .. } => Event::Wait { client },
            Event::Tab { .. } => Event::Tab { client },
            Event::Join { .. } => Event::Join { client },
            Event::Flush => Event::Flush,
        }
    }

    /// Whose event it is; nobody's if it is everybody's.
    pub fn client(&self) -> Option<ClientId> {
        match *self {
            Event::Step { client, .. }
            | Event::Deliver { client, .. }
            | Event::Cut { client }
            | Event::Restore { client }
            | Event::Reload { client }
            | Event::Wait { client }
            | Event::Tab { client }
            | Event::Join { client } => Some(client),
            Event::Flush => None,
        }
    }

    /// Something that users who sit side by side with a good network do not meet. Without it, the interaction makes sense.
    pub fn is_fault(&self) -> bool {
        self.begins_fault() || matches!(self, Event::Restore { .. })
    }

    /// The same without what only ends a fault.
    pub fn begins_fault(&self) -> bool {
        match self {
            Event::Cut { .. } | Event::Reload { .. } | Event::Wait { .. } | Event::Tab { .. } | Event::Join { .. } => {
                true
            }
            Event::Step { .. } | Event::Deliver { .. } | Event::Restore { .. } | Event::Flush => false,
        }
    }
}

/// The order of events of an interaction's concurrent part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Schedule {
    pub events: Vec<Event>,
}

/// Why a line is not a schedule, or not one of this interaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error(
        "`{word}` (word {position} of the schedule) is no event: write a client's step such as A1, a message such as A> or B<, or ~ to deliver all messages"
    )]
    UnknownEvent { word: String, position: usize },
    #[error("the schedule names step {step} of client {client}, but the action `{action}` has {available}")]
    NoSuchStep { client: ClientId, step: usize, action: String, available: usize },
    #[error("the schedule names client {client}, but the interaction has {available} clients")]
    NoSuchClient { client: ClientId, available: usize },
    #[error("the schedule lets client {client} join, but the next free letter is {next}: write {next}*")]
    NotTheNext { client: ClientId, next: ClientId },
    #[error("the schedule has step {step} of client {client} where step {expected} must come")]
    OutOfOrder { client: ClientId, step: usize, expected: usize },
    #[error("the schedule leaves out step {step} of client {client}")]
    Missing { client: ClientId, step: usize },
}

impl Schedule {
    /// How many rounds of the interaction's concurrent actions it has.
    pub fn rounds(&self, interaction: &Interaction) -> usize {
        let round = |event: &Event| match *event {
            Event::Step { client, step } => {
                interaction.concurrent.get(client.0).map_or(1, |action| step / action.steps.len().max(1) + 1)
            }
            _ => 1,
        };
        self.events.iter().map(round).max().unwrap_or(1)
    }

    /// Without what comes after the interaction's rounds, if it was made for more of them.
    pub fn within(&self, interaction: &Interaction) -> Schedule {
        let belongs = |event: &&Event| match event {
            Event::Step { client, step } => *step < interaction.step_count(*client),
            _ => true,
        };
        Schedule { events: self.events.iter().take_while(belongs).copied().collect() }
    }

    /// Whether every client performs exactly the steps of its action, each once and in order, and whoever joins gets the next
    /// letter.
    pub fn validate(&self, interaction: &Interaction) -> Result<(), ScheduleError> {
        let mut next = vec![0; interaction.clients()];
        let mut present = interaction.clients();
        for event in &self.events {
            if let Event::Join { client } = *event {
                if client.0 != present {
                    return Err(ScheduleError::NotTheNext { client, next: ClientId(present) });
                }
                present += 1;
            }
            let Event::Step { client, step } = *event else { continue };
            let Some(action) = interaction.concurrent.get(client.0) else {
                return Err(ScheduleError::NoSuchClient { client, available: interaction.clients() });
            };
            if step >= interaction.step_count(client) {
                let (action, available) = (action.name.clone(), interaction.step_count(client));
                return Err(ScheduleError::NoSuchStep { client, step: step + 1, action, available });
            }
            if step != next[client.0] {
                let expected = next[client.0] + 1;
                return Err(ScheduleError::OutOfOrder { client, step: step + 1, expected });
            }
            next[client.0] += 1;
        }
        for (client, next) in next.into_iter().enumerate() {
            if next < interaction.step_count(ClientId(client)) {
                return Err(ScheduleError::Missing { client: ClientId(client), step: next + 1 });
            }
        }
        Ok(())
    }
}

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
            Event::Tab { client } => write!(f, "{client}&"),
            Event::Join { client } => write!(f, "{client}*"),
            Event::Flush => f.write_str("~"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.events.iter().map(Event::to_string).collect();
        f.write_str(&words.join(" "))
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(line: &str) -> Result<Schedule, ScheduleError> {
        let parse = |(index, word): (usize, &str)| {
            parse_event(word).ok_or_else(|| ScheduleError::UnknownEvent { word: word.to_string(), position: index + 1 })
        };
        let events = line.split_whitespace().enumerate().map(parse).collect::<Result<_, _>>()?;
        Ok(Schedule { events })
    }
}

fn parse_event(word: &str) -> Option<Event> {
    if word == "~" {
        return Some(Event::Flush);
    }
    let letter = word.chars().next().filter(char::is_ascii_uppercase)?;
    let client = ClientId((letter as u8 - b'A') as usize);
    let rest = &word[1..];
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
        "&" => Some(Event::Tab { client }),
        "*" => Some(Event::Join { client }),
        _ => match (rest.strip_prefix('>'), rest.strip_prefix('<')) {
            (Some(rest), _) => deliver(Direction::ToServer, rest),
            (_, Some(rest)) => deliver(Direction::ToClient, rest),
            _ => Some(Event::Step { client, step: rest.parse::<usize>().ok()?.checked_sub(1)? }),
        },
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> String {
        schedule.to_string()
    }
}

impl TryFrom<String> for Schedule {
    type Error = ScheduleError;

    fn try_from(line: String) -> Result<Schedule, ScheduleError> {
        line.parse()
    }
}
