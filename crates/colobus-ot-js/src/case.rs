//! One thing to try: a document, the operations users make, and for several clients the order of events.

use serde::{Deserialize, Serialize};

use crate::json::Json;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Case {
    pub document: Json,
    pub operations: Vec<Json>,
    /// Only for clients around a server: who does what when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "move", rename_all = "lowercase")]
pub enum Move {
    /// A client makes one of the case's operations on the document it sees.
    Edit { client: usize, operation: usize },
    /// The server takes the client's oldest operation that it has not taken yet.
    Submit { client: usize },
    /// The client takes the server's next operation.
    Receive { client: usize },
}

impl Move {
    pub fn with_client(self, client: usize) -> Move {
        match self {
            Move::Edit { operation, .. } => Move::Edit { client, operation },
            Move::Submit { .. } => Move::Submit { client },
            Move::Receive { .. } => Move::Receive { client },
        }
    }

    pub fn client(self) -> usize {
        match self {
            Move::Edit { client, .. } | Move::Submit { client } | Move::Receive { client } => client,
        }
    }
}

/// What "smaller" means for counterexamples: fewer operations, then less text, then fewer events.
pub type Size = (usize, usize, usize);

impl Case {
    pub fn new(document: Json, operations: Vec<Json>) -> Case {
        Case { document, operations, schedule: Vec::new() }
    }

    /// All operations made at once, one client each.
    pub fn all_at_once(document: Json, operations: Vec<Json>) -> Case {
        let schedule = (0..operations.len()).map(|index| Move::Edit { client: index, operation: index }).collect();
        Case { document, operations, schedule }
    }

    pub fn size(&self) -> Size {
        let text = self.document.size() + self.operations.iter().map(Json::size).sum::<usize>();
        (self.operations.len(), text, self.schedule.len())
    }

    /// Of two cases of the same size, the one with the smaller numbers.
    pub fn is_smaller_than(&self, other: &Case) -> bool {
        (self.size(), self) < (other.size(), other)
    }

    pub fn clients(&self) -> usize {
        self.schedule.iter().map(|event| event.client() + 1).max().unwrap_or(0)
    }

    /// The operation's name in explanations: a, b, ... z, o26, ...
    pub fn name(operation: usize) -> String {
        match u8::try_from(operation) {
            Ok(index) if index < 26 => char::from(b'a' + index).to_string(),
            _ => format!("o{operation}"),
        }
    }
}
