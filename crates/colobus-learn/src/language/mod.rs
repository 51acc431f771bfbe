//! AIL, the Ajax server interface description language, as data. Produced by [`Description::parse`] and the learners,
//! consumed by the matcher, the mock, the differ and OpenAPI output.
//!
//! Plain AIL is `URL base` and then operations: `METHOD path(parameters) : response`. Everything that the thesis does not
//! have stands on lines of its own that begin with `!`; without these lines a plain description remains.

use std::collections::BTreeSet;

mod disjoint;
mod lexer;
mod matcher;
mod parser;
mod printer;

pub use disjoint::{Overlap, overlap};
pub use matcher::{Match, Router, accepts, matches, select};
pub use parser::ParseError;

/// A server's interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub base: String,
    pub operations: Vec<Operation>,
    /// Extension: WebSockets and event streams.
    pub channels: Vec<Channel>,
}

/// A request pattern and what answers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operation {
    pub method: String,
    pub path: Vec<Fragment>,
    pub parameters: Vec<Parameter>,
    pub response: Datatype,
    pub extensions: Extensions,
}

/// One part of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fragment {
    Constant(String),
    Value { name: Option<String>, datatype: Datatype },
}

/// A parameter of the query or of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub cardinality: Cardinality,
    pub datatype: Datatype,
}

/// How often a parameter occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly once.
    One,
    /// `?`: at most once.
    Optional,
    /// `+`: any number of times, none included.
    Many,
}

/// A union of alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Datatype(pub Vec<Alternative>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alternative {
    /// `"text"`
    Constant(String),
    /// `*`
    Any,
    /// `void`: an empty response.
    Void,
    /// `@file.json`: a JSON Schema.
    Json(String),
    /// `@file.rng` or `@file.rng#name`: a RELAX NG schema.
    Rng { file: String, definition: Option<String> },
}

/// What plain AIL cannot say about an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// `! rest NAME`: this path parameter takes one or more fragments.
    pub rest: Option<String>,
    /// `! where FIELD "VALUE"`: a field of the JSON body that selects the operation (GraphQL, JSON-RPC).
    pub conditions: Vec<Condition>,
    /// `! header NAME DATATYPE`: a request header that selects the operation.
    pub headers: Vec<Header>,
    /// `! body "TYPE" DATATYPE`
    pub bodies: Vec<Content>,
    /// `! auth SCHEME`: bearer, basic, cookie, …
    pub auth: Vec<String>,
    /// `! STATUS "TYPE" DATATYPE`: every answer that was seen; the plain response covers the successful ones.
    pub answers: Vec<Answer>,
    /// `! echo NAME "/pointer"`: the answer repeats this parameter there.
    pub echoes: Vec<Echo>,
    /// `! reference NAME @file.json "/pointer"`: values of this parameter come from there.
    pub references: Vec<Reference>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub field: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub datatype: Datatype,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub content_type: String,
    pub datatype: Datatype,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// Absent for empty answers.
    pub content_type: Option<String>,
    pub datatype: Datatype,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Echo {
    pub parameter: String,
    pub pointer: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub parameter: String,
    pub file: String,
    /// A JSON pointer in which `*` stands for every element of a list.
    pub pointer: String,
}

/// A connection that carries messages: `! socket path(…)` or `! events path(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub kind: ChannelKind,
    pub path: Vec<Fragment>,
    pub parameters: Vec<Parameter>,
    pub messages: Vec<MessagePattern>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelKind {
    /// A WebSocket.
    Socket,
    /// Server-sent events.
    Events,
}

/// `! send FIELD "VALUE" DATATYPE` or `! receive …`; without field and value for messages that have no discriminator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePattern {
    pub direction: crate::Direction,
    pub discriminator: Option<Condition>,
    pub datatype: Datatype,
}

impl Description {
    /// True if the description uses nothing but the language of the thesis.
    pub fn is_plain(&self) -> bool {
        self.channels.is_empty()
            && self.operations.iter().all(|operation| operation.extensions == Extensions::default())
    }

    /// Every definition of a RELAX NG file that is referred to, once, in order; without a name the start is meant.
    pub fn grammar_references(&self) -> BTreeSet<(String, Option<String>)> {
        let alternatives = self.datatypes().flat_map(|datatype| &datatype.0);
        let reference = |alternative: &Alternative| match alternative {
            Alternative::Rng { file, definition } => Some((file.clone(), definition.clone())),
            _ => None,
        };
        alternatives.filter_map(reference).collect()
    }

    fn datatypes(&self) -> impl Iterator<Item = &Datatype> {
        let operations = self.operations.iter().flat_map(Operation::datatypes);
        let patterns = self.channels.iter().flat_map(|channel| {
            let path = channel.path.iter().filter_map(Fragment::datatype);
            let parameters = channel.parameters.iter().map(|parameter| &parameter.datatype);
            path.chain(parameters).chain(channel.messages.iter().map(|message| &message.datatype))
        });
        operations.chain(patterns)
    }

    /// Every schema file that is referred to, once, in order.
    pub fn files(&self) -> Vec<String> {
        let references = self.operations.iter().flat_map(|operation| &operation.extensions.references);
        let mut files: Vec<String> = self.datatypes().flat_map(Datatype::files).collect();
        files.extend(references.map(|reference| reference.file.clone()));
        files.sort();
        files.dedup();
        files
    }
}

/// `@file` in the text of a description, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    pub file: String,
    /// What stands behind `#`.
    pub definition: Option<String>,
    pub line: usize,
    pub column: usize,
}

impl Fragment {
    fn datatype(&self) -> Option<&Datatype> {
        match self {
            Fragment::Constant(_) => None,
            Fragment::Value { datatype, .. } => Some(datatype),
        }
    }
}

impl Operation {
    /// The request pattern alone, as it is written.
    pub fn pattern(&self) -> String {
        printer::pattern(&self.method, &self.path, &self.parameters)
    }

    /// How many places of the pattern accept one value only. The more, the earlier the operation is chosen.
    pub fn constants(&self) -> usize {
        let path = self.path.iter().filter(|fragment| matches!(fragment, Fragment::Constant(_))).count();
        let fixed = |parameter: &&Parameter| {
            parameter.cardinality == Cardinality::One && matches!(&parameter.datatype.0[..], [Alternative::Constant(_)])
        };
        path + self.parameters.iter().filter(fixed).count()
            + self.extensions.conditions.len()
            + self.extensions.headers.len()
    }

    fn datatypes(&self) -> impl Iterator<Item = &Datatype> {
        let path = self.path.iter().filter_map(Fragment::datatype);
        let Extensions { headers, bodies, answers, .. } = &self.extensions;
        path.chain(self.parameters.iter().map(|parameter| &parameter.datatype))
            .chain([&self.response])
            .chain(headers.iter().map(|header| &header.datatype))
            .chain(bodies.iter().map(|body| &body.datatype))
            .chain(answers.iter().map(|answer| &answer.datatype))
    }
}

impl Fragment {
    /// `*` with a name.
    pub fn wildcard(name: &str) -> Fragment {
        Fragment::Value { name: Some(name.to_string()), datatype: Datatype::any() }
    }
}

impl Datatype {
    pub fn any() -> Datatype {
        Datatype(vec![Alternative::Any])
    }

    pub fn void() -> Datatype {
        Datatype(vec![Alternative::Void])
    }

    pub fn constant(value: &str) -> Datatype {
        Datatype(vec![Alternative::Constant(value.to_string())])
    }

    pub fn json(file: &str) -> Datatype {
        Datatype(vec![Alternative::Json(file.to_string())])
    }

    /// The schema files of the alternatives.
    pub fn files(&self) -> Vec<String> {
        let file = |alternative: &Alternative| match alternative {
            Alternative::Json(file) | Alternative::Rng { file, .. } => Some(file.clone()),
            _ => None,
        };
        self.0.iter().filter_map(file).collect()
    }
}
