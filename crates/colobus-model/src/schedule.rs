//! [`Schedule`]: the order of an interaction's concurrent part, written and read as one line such as `A1 ~ A2 A3 B1 ~` or
//! `A1 B1 B> A> A< B<`. Strategies produce it, the run loop follows it, findings show it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::event::read_line;
use crate::{ClientId, Event, Interaction};

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
        "`{word}` (event {position} of the schedule) is not an event: write a client's step such as A1, a message such as A> or B<, an event of a page such as A:timer, or ~ to deliver all messages"
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
        Schedule { events: self.events.iter().take_while(belongs).cloned().collect() }
    }

    /// Whether every client performs exactly the steps of its action, each once and in order, and a client that joins gets the next
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

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.events.iter().map(Event::to_string).collect();
        f.write_str(&words.join(" "))
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(line: &str) -> Result<Schedule, ScheduleError> {
        Ok(Schedule { events: read_line(line)? })
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
