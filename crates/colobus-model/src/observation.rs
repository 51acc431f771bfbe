//! [`Observation`]: what one client shows after it settled.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What one client shows. Aspects that were not asked for are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The screenshot; files keep it beside the trace, see [`crate::Trace::screenshot_name`].
    #[serde(skip)]
    pub screenshot: Option<Png>,
    /// The canonical DOM, one node a line, indented by depth.
    pub dom: Option<String>,
    /// The text that can be seen, in passages: what is formatted differently is one passage, what stands in different
    /// blocks is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Vec<String>>,
    /// The text that can be seen in the places that `ignore` names: what a page tells its own user. Never compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<String>,
    /// The application's own document.
    pub state: Option<Value>,
    /// The names of the invariants that do not hold; `None` if they were not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_invariants: Option<Vec<String>>,
    /// The names of the `[[sometimes]]` properties that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sometimes: Vec<String>,
    /// Where carets are; `None` if they were not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carets: Option<Box<Carets>>,
    /// What went wrong in the page since the document was opened, in order.
    pub errors: Vec<PageError>,
}

/// A client that opened the document in the end: what it shows, and what client A shows then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateJoin {
    pub late_joiner: Observation,
    pub reference: Observation,
}

/// The user's own caret, and those of others that the page shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carets {
    /// `None` if the page has no caret now, or it cannot be located.
    pub own: Option<CaretPlace>,
    pub shown: Vec<CaretPlace>,
}

/// Where a caret is: on the screen, or in terms of the page's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaretPlace {
    /// A vertical stroke, in CSS pixels.
    Screen {
        x: f64,
        top: f64,
        bottom: f64,
    },
    Document(Value),
}

/// A client that came in the middle of the concurrent part and does nothing: a late joiner, or a second tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateJoiner {
    /// As reports say it: `C, who came later`.
    pub name: String,
    pub observation: Observation,
}

/// An encoded picture. Equal bytes are equal pictures; different bytes may still be.
#[derive(Clone, PartialEq, Eq)]
pub struct Png(pub Arc<[u8]>);

impl fmt::Debug for Png {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Png({} bytes)", self.0.len())
    }
}

/// An error in a page's console.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageError {
    pub kind: ErrorKind,
    pub text: String,
    /// Where, as far as the browser says: `url:line:column`.
    pub place: Option<String>,
    /// Whether it came after the concurrent part had begun.
    pub during_concurrent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// An exception or a rejected promise that was not caught.
    Uncaught,
    /// `console.error`, or an error the browser itself logged.
    Console,
    /// The browser logged that a request or a socket got no connection, or lost it.
    NoConnection,
    /// A request that the server refused with this status.
    Refused(u16),
    /// The application exited.
    Exit,
}

/// A position of the caret, as the page itself describes it. Only the page can read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Caret(pub Value);
