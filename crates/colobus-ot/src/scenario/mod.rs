//! [`Scenario`]: one execution as people and files write it down, and [`replay`] to execute it directly.

mod action;
mod direct;
mod error;
mod from_search;
mod jupiter;
mod plan;
mod replay;

pub use action::Action;
pub use error::ScenarioError;
pub use replay::{Replay, SiteRun, Step, replay};

use serde::{Deserialize, Serialize};

/// An execution: who did what having seen what, and in which order each site executed it. Sites count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The transformation function.
    pub function: String,
    /// Whether a server orders the operations; otherwise all sites talk to each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub server: bool,
    /// The text all sites start from.
    pub text: String,
    /// The operations, causes before effects.
    pub operations: Vec<Operation>,
    /// The traces; sites that do not matter may be left out.
    pub traces: Vec<SiteOrder>,
}

/// An operation as its user generated it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Its name within the scenario.
    pub name: String,
    /// The site of its user.
    pub site: u8,
    /// What the user did.
    #[serde(rename = "do")]
    pub action: Action,
    /// The operations its site had executed before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// The order in which one site executed the operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteOrder {
    /// The site; 0 is the server.
    pub site: u8,
    /// Names of operations.
    pub order: Vec<String>,
}

impl SiteOrder {
    /// What people call the site.
    pub fn site_name(&self) -> String {
        if self.site == 0 { "server".into() } else { format!("site {}", self.site) }
    }
}
