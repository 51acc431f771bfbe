//! [`Page`]: the application as users have it, which alone decides whether a sequence reaches a line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::line::Line;
use crate::symbolic::value::Value;

/// An event and the values that come with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The event.
    pub event: Arc<str>,
    /// The values of its parameters.
    pub parameters: BTreeMap<Arc<str>, Value>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.values().map(Value::to_string).collect();
        match parameters.is_empty() {
            true => f.write_str(&self.event),
            false => write!(f, "{}({})", self.event, parameters.join(", ")),
        }
    }
}

/// Whether a sequence reached its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// The target line was executed.
    Hit,
    /// It was not, and what happened instead.
    Miss(String),
}

/// The page could not be driven.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sequence could not be performed: {0}")]
pub struct PageError(pub String);

/// Performs sequences on a fresh application that nothing rewrites.
///
/// ```
/// use colobus_reach::page::{Page, PageError, Replayed, Step};
/// use colobus_reach::line::Line;
///
/// /// A page on which only the second click does something.
/// struct Twice;
///
/// impl Page for Twice {
///     fn replay(&mut self, steps: &[Step], _target: &Line) -> Result<Replayed, PageError> {
///         Ok(if steps.len() == 2 { Replayed::Hit } else { Replayed::Miss("not clicked twice".into()) })
///     }
/// }
/// ```
pub trait Page {
    /// Start the application, perform the steps, and see whether the target line was executed.
    fn replay(&mut self, steps: &[Step], target: &Line) -> Result<Replayed, PageError>;
}
