//! [`BrowserPlace`]: which browser executed something, and where. Told by worlds and pages, shown by findings.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A browser, by its version and the machine on which it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BrowserPlace {
    /// Name and version, as the browser says itself.
    pub version: String,
    /// The node of a Grid; `None` for browsers of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
}

impl BrowserPlace {
    /// A browser of this machine.
    pub fn here(version: impl Into<String>) -> BrowserPlace {
        BrowserPlace { version: version.into(), node: None }
    }

    /// Whether it runs on a node, and on another one than this.
    pub fn is_apart_from(&self, other: &BrowserPlace) -> bool {
        self.node.is_some() && self.node != other.node
    }
}

impl fmt::Display for BrowserPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Some(node) => write!(f, "{} on {node}", self.version),
            None => f.write_str(&self.version),
        }
    }
}

/// How often a finding came back in one browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    pub browser: BrowserPlace,
    pub reproduced: usize,
    pub attempts: usize,
}

impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} in {}", self.reproduced, self.attempts, self.browser)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_node_is_apart() {
        let on = |node: &str| BrowserPlace { version: "Chrome/1".into(), node: Some(node.into()) };
        assert!(on("a").is_apart_from(&on("b")));
        assert!(!on("a").is_apart_from(&on("a")));
        assert!(!BrowserPlace::here("Chrome/1").is_apart_from(&on("a")));
        let came_back = Repetition { browser: on("a"), reproduced: 2, attempts: 3 };
        assert_eq!(came_back.to_string(), "2 of 3 in Chrome/1 on a");
    }
}
