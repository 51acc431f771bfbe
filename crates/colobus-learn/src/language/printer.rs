//! The printer of descriptions: what it writes, the parser reads back as the same description.

use std::fmt::{self, Display, Formatter};

use super::lexer::is_word;
use super::{
    Alternative, Cardinality, Channel, ChannelKind, Condition, Datatype, Description, Extensions, Fragment, Operation,
    Parameter,
};
use crate::Direction;

/// A name as it stands, or between quotes.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_word(self.0) { f.write_str(self.0) } else { write!(f, "{}", quoted(self.0)) }
    }
}

fn quoted(text: &str) -> serde_json::Value {
    serde_json::Value::String(text.to_string())
}

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "URL {}", self.base)?;
        self.operations.iter().try_for_each(|operation| operation.fmt(f))?;
        self.channels.iter().try_for_each(|channel| channel.fmt(f))
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} : {}", self.pattern(), self.response)?;
        self.extensions.fmt(f)
    }
}

pub(super) fn pattern(method: &str, path: &[Fragment], parameters: &[Parameter]) -> String {
    let path: Vec<String> = path.iter().map(ToString::to_string).collect();
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    format!("{method} {}({})", path.join("/"), parameters.join(", "))
}

impl Display for Fragment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fragment::Constant(text) => Name(text).fmt(f),
            Fragment::Value { name: Some(name), datatype } => write!(f, "{}:{datatype}", Name(name)),
            Fragment::Value { name: None, datatype } => datatype.fmt(f),
        }
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cardinality = match self.cardinality {
            Cardinality::One => "",
            Cardinality::Optional => "?",
            Cardinality::Many => "+",
        };
        write!(f, "{}:{cardinality}{}", Name(&self.name), self.datatype)
    }
}

impl Display for Datatype {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, alternative) in self.0.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { " | " })?;
            alternative.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Alternative {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Alternative::Constant(text) => write!(f, "{}", quoted(text)),
            Alternative::Any => f.write_str("*"),
            Alternative::Void => f.write_str("void"),
            Alternative::Json(file) | Alternative::Rng { file, definition: None } => write!(f, "@{file}"),
            Alternative::Rng { file, definition: Some(definition) } => write!(f, "@{file}#{definition}"),
        }
    }
}

impl Display for Extensions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.rest {
            writeln!(f, "! rest {}", Name(name))?;
        }
        for Condition { field, value } in &self.conditions {
            writeln!(f, "! where {} {}", Name(field), quoted(value))?;
        }
        for header in &self.headers {
            writeln!(f, "! header {} {}", Name(&header.name), header.datatype)?;
        }
        for scheme in &self.auth {
            writeln!(f, "! auth {}", Name(scheme))?;
        }
        for body in &self.bodies {
            writeln!(f, "! body {} {}", quoted(&body.content_type), body.datatype)?;
        }
        for answer in &self.answers {
            match &answer.content_type {
                Some(content_type) => writeln!(f, "! {} {} {}", answer.status, quoted(content_type), answer.datatype)?,
                None => writeln!(f, "! {} {}", answer.status, answer.datatype)?,
            }
        }
        for echo in &self.echoes {
            writeln!(f, "! echo {} {}", Name(&echo.parameter), quoted(&echo.pointer))?;
        }
        for reference in &self.references {
            let (parameter, pointer) = (Name(&reference.parameter), quoted(&reference.pointer));
            writeln!(f, "! reference {parameter} @{} {pointer}", reference.file)?;
        }
        Ok(())
    }
}

impl Display for Channel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ChannelKind::Socket => "socket",
            ChannelKind::Events => "events",
        };
        writeln!(f, "! {}", pattern(kind, &self.path, &self.parameters))?;
        for message in &self.messages {
            let direction = match message.direction {
                Direction::Send => "send",
                Direction::Receive => "receive",
            };
            match &message.discriminator {
                Some(Condition { field, value }) => {
                    writeln!(f, "! {direction} {} {} {}", Name(field), quoted(value), message.datatype)?;
                }
                None => writeln!(f, "! {direction} {}", message.datatype)?,
            }
        }
        Ok(())
    }
}
