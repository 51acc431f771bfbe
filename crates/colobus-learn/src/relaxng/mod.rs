//! RELAX NG in its XML syntax, as much of it as answers of servers need. [`Grammar::read`] reads a file, [`Grammar::accepts`]
//! compares a text with it, [`Grammar::instance`] makes one up. Consumed by the matcher and the mock.

mod datatype;
mod derive;
mod extent;
mod instance;
mod pattern;
mod read;

use std::collections::BTreeMap;

use colobus_random::Random;

use crate::schema::Preference;
use pattern::{Name, Pattern, Shared};

/// A file with definitions, one of which may be the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    source: String,
    start: Option<Definition>,
    definitions: BTreeMap<String, Definition>,
}

/// A pattern with a name, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Definition {
    pattern: Shared,
    line: u32,
    column: u32,
    /// How many elements are inside each other in its smallest instance; `None` if it has no instance.
    height: Option<usize>,
}

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct GrammarError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl Grammar {
    /// The text of the file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether there is a start, or a definition with this name.
    pub fn has(&self, definition: Option<&str>) -> bool {
        self.definition(definition).is_some()
    }

    /// The names of all definitions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.keys().map(String::as_str)
    }

    /// True if the text is a document with such an element as its root, or, where the definition is a type of strings,
    /// such a string. Without a name, the start is meant.
    pub fn accepts(&self, definition: Option<&str>, text: &str) -> bool {
        self.definition(definition).is_some_and(|found| derive::accepts(self, &found.pattern, text))
    }

    /// A text that the grammar accepts.
    pub fn instance(
        &self,
        definition: Option<&str>,
        random: &mut Random,
        preference: Preference,
        constants: &[String],
    ) -> Option<String> {
        let found = self.definition(definition)?;
        found.height?;
        instance::make_up(self, &found.pattern, random, preference, constants)
    }

    /// Why no instance of a definition can be made up, if that is so.
    pub fn without_instance(&self, definition: Option<&str>) -> Option<GrammarError> {
        let found = self.definition(definition)?;
        let reason = match found.height {
            None => "every instance of it contains another one, without an end, or what is not allowed",
            Some(_) if self.instance(definition, &mut Random::new(0), Preference::Random, &[]).is_none() => {
                "none of the instances that were tried is accepted; are there two attributes with one name?"
            }
            Some(_) => return None,
        };
        let name = definition.map_or_else(|| "the start".to_string(), |name| format!("`{name}`"));
        let message = format!("{name} has no instance: {reason}");
        Some(GrammarError { line: found.line, column: found.column, message })
    }

    fn definition(&self, name: Option<&str>) -> Option<&Definition> {
        match name {
            Some(name) => self.definitions.get(name),
            None => self.start.as_ref(),
        }
    }

    /// What a reference stands for. Reading a grammar made sure that there is something.
    fn referred(&self, name: &str) -> &Pattern {
        self.definitions.get(name).map_or(&Pattern::NotAllowed, |found| &found.pattern)
    }
}
