//! [`Reproduction`]: a finding as one line to paste, `type a, (bold || type b) : A1 ~ B1 ~`. Together with the
//! configuration, whose actions it names, it says all that is needed to run it again.

use std::fmt;
use std::str::FromStr;

use crate::{Action, Interaction, Schedule, ScheduleError};

/// The actions of the prefix, those of the clients, and the order of their events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduction {
    pub prefix: Vec<String>,
    pub concurrent: Vec<String>,
    pub schedule: Schedule,
}

/// Why a line does not say what to run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReproductionError {
    #[error("the line ends where {0} must come: write it as `first action, (A's action || B's action) : A1 B1 ~`")]
    Ends(&'static str),
    #[error(
        "`{found}` stands where {wanted} must come: write the line as `first action, (A's action || B's action) : A1 B1 ~`"
    )]
    Unexpected { found: char, wanted: &'static str },
    #[error("a name in quotes is not a JSON string: {0}")]
    BadQuotes(String),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error("the configuration has no action `{name}`; there are: {known}")]
    NoSuchAction { name: String, known: String },
}

impl Reproduction {
    pub fn of(interaction: &Interaction, schedule: &Schedule) -> Reproduction {
        let (prefix, concurrent) = (interaction.prefix_names(), interaction.concurrent_names());
        Reproduction { prefix, concurrent, schedule: schedule.clone() }
    }

    /// What it names, looked up among these actions.
    pub fn interaction(&self, actions: &[Action]) -> Result<Interaction, ReproductionError> {
        let look_up = |name: &String| {
            let known = || actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(", ");
            Action::named(name, actions)
                .ok_or_else(|| ReproductionError::NoSuchAction { name: name.clone(), known: known() })
        };
        let all = |names: &[String]| names.iter().map(look_up).collect::<Result<Vec<Action>, _>>();
        let mut interaction = Interaction::new(all(&self.prefix)?, all(&self.concurrent)?);
        interaction.rounds = self.schedule.rounds(&interaction);
        self.schedule.validate(&interaction)?;
        Ok(interaction)
    }
}

impl fmt::Display for Reproduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.prefix {
            write!(f, "{}, ", written(name))?;
        }
        let concurrent: Vec<String> = self.concurrent.iter().map(|name| written(name)).collect();
        write!(f, "({}) : {}", concurrent.join(" || "), self.schedule)
    }
}

const SPECIAL: [char; 6] = [',', '(', ')', '|', ':', '"'];

/// A name as it is, or as a JSON string if it could be misread.
fn written(name: &str) -> String {
    let odd = |c: char| SPECIAL.contains(&c) || c.is_control();
    if name.is_empty() || name.trim() != name || name.contains(odd) {
        serde_json::Value::from(name).to_string()
    } else {
        name.to_string()
    }
}

impl FromStr for Reproduction {
    type Err = ReproductionError;

    fn from_str(line: &str) -> Result<Reproduction, ReproductionError> {
        let mut rest = Rest(line);
        let mut prefix = Vec::new();
        while rest.peek("an action or a bracket")? != '(' {
            prefix.push(rest.name()?);
            rest.take(',', "a comma behind an action of the prefix")?;
        }
        rest.take('(', "a bracket")?;
        let mut concurrent = vec![rest.name()?];
        while rest.peek("|| or a bracket")? == '|' {
            rest.take('|', "||")?;
            rest.take('|', "||")?;
            concurrent.push(rest.name()?);
        }
        rest.take(')', "|| or a bracket")?;
        rest.take(':', "a colon")?;
        Ok(Reproduction { prefix, concurrent, schedule: rest.0.parse()? })
    }
}

/// What is left to read of a line.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn peek(&mut self, wanted: &'static str) -> Result<char, ReproductionError> {
        self.0 = self.0.trim_start();
        self.0.chars().next().ok_or(ReproductionError::Ends(wanted))
    }

    fn take(&mut self, sign: char, wanted: &'static str) -> Result<(), ReproductionError> {
        match self.peek(wanted)? {
            found if found == sign => {
                self.0 = &self.0[sign.len_utf8()..];
                Ok(())
            }
            found => Err(ReproductionError::Unexpected { found, wanted }),
        }
    }

    fn name(&mut self) -> Result<String, ReproductionError> {
        const WANTED: &str = "the name of an action";
        if self.peek(WANTED)? == '"' {
            return self.quoted_name();
        }
        let end = self.0.find(SPECIAL).unwrap_or(self.0.len());
        let (name, rest) = self.0.split_at(end);
        if name.is_empty() {
            return Err(ReproductionError::Unexpected { found: self.peek(WANTED)?, wanted: WANTED });
        }
        self.0 = rest;
        Ok(name.trim_end().to_string())
    }

    fn quoted_name(&mut self) -> Result<String, ReproductionError> {
        let mut values = serde_json::Deserializer::from_str(self.0).into_iter::<String>();
        let name = match values.next() {
            Some(Ok(name)) => name,
            Some(Err(error)) => return Err(ReproductionError::BadQuotes(error.to_string())),
            None => return Err(ReproductionError::Ends("the name of an action")),
        };
        self.0 = &self.0[values.byte_offset()..];
        Ok(name)
    }
}
