//! [`HubStatus`]: what a hub says of its nodes.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::GridError;

/// The nodes of a Grid, and whether it takes sessions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct HubStatus {
    pub ready: bool,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    #[serde(default)]
    pub uri: String,
    /// `UP`, `DRAINING` or `DOWN`.
    #[serde(default)]
    pub availability: String,
    #[serde(default)]
    pub version: String,
    /// After so many milliseconds without a command the node ends a session.
    pub session_timeout: Option<u64>,
    #[serde(default)]
    pub max_sessions: u64,
    #[serde(default)]
    pub slots: Vec<Slot>,
}

/// A place for one browser.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Slot {
    #[serde(default)]
    pub stereotype: Stereotype,
    pub session: Option<RunningSession>,
}

/// What a browser in a slot is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stereotype {
    #[serde(default)]
    pub browser_name: String,
    pub browser_version: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningSession {
    pub session_id: String,
    #[serde(default)]
    pub capabilities: SessionCapabilities,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SessionCapabilities {
    /// What its owner calls it.
    #[serde(rename = "se:name")]
    pub name: Option<String>,
}

impl Slot {
    /// Whether its browser can be driven through DevTools.
    pub fn has_devtools(&self) -> bool {
        matches!(
            self.stereotype.browser_name.to_ascii_lowercase().as_str(),
            "chrome" | "chromium" | "microsoftedge" | "msedge"
        )
    }

    pub fn is_free(&self) -> bool {
        self.session.is_none()
    }
}

impl Node {
    /// As many of its places as it uses at the same time.
    fn at_most(&self, slots: usize) -> usize {
        usize::try_from(self.max_sessions).map_or(slots, |most| if most == 0 { slots } else { slots.min(most) })
    }

    fn free_slots(&self) -> usize {
        let used = self.slots.iter().filter(|slot| !slot.is_free()).count();
        let free = self.slots.iter().filter(|slot| slot.has_devtools() && slot.is_free()).count();
        self.at_most(self.slots.len()).saturating_sub(used).min(free)
    }
}

impl HubStatus {
    /// The node on which a session runs.
    pub fn node_of(&self, session: &str) -> Option<&Node> {
        let runs_it = |slot: &Slot| slot.session.as_ref().is_some_and(|running| running.session_id == session);
        self.nodes.iter().find(|node| node.slots.iter().any(runs_it))
    }

    /// The session with this name.
    pub fn session_named(&self, name: &str) -> Option<&str> {
        let running = self.nodes.iter().flat_map(|node| &node.slots).filter_map(|slot| slot.session.as_ref());
        let mut named = running.filter(|session| session.capabilities.name.as_deref() == Some(name));
        named.next().map(|session| session.session_id.as_str())
    }

    /// An error unless any of it can be used. A Grid without nodes may start some when it is asked.
    pub fn ensure_usable(&self, url: &str) -> Result<(), GridError> {
        match self.nodes.is_empty() || self.has_devtools() {
            true => Ok(()),
            false => Err(GridError::NoBrowsers { url: url.to_string(), nodes: self.browsers_by_node() }),
        }
    }

    pub fn has_devtools(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.slots).any(Slot::has_devtools)
    }

    /// The names of browsers that can be driven through DevTools.
    pub fn browsers_with_devtools(&self) -> BTreeSet<String> {
        let slots = self.nodes.iter().flat_map(|node| &node.slots).filter(|slot| slot.has_devtools());
        slots.map(|slot| slot.stereotype.browser_name.clone()).collect()
    }

    /// Each node with the names of its browsers.
    pub fn browsers_by_node(&self) -> String {
        let described = |node: &Node| {
            let names: BTreeSet<&str> = node.slots.iter().map(|slot| slot.stereotype.browser_name.as_str()).collect();
            let names = if names.is_empty() { "nothing".to_string() } else { Vec::from_iter(names).join(", ") };
            format!("{} has {names}", node.uri)
        };
        self.nodes.iter().map(described).collect::<Vec<_>>().join("; ")
    }

    /// How many browsers with DevTools could be started now.
    pub fn free_slots(&self) -> usize {
        let up = self.nodes.iter().filter(|node| node.availability == "UP");
        up.map(Node::free_slots).sum()
    }

    /// How many nodes have a place for a browser with DevTools.
    pub fn nodes_with_free_slots(&self) -> usize {
        self.nodes.iter().filter(|node| node.availability == "UP" && node.free_slots() > 0).count()
    }

    /// How many browsers with DevTools can run at the same time.
    pub fn usable_slots(&self) -> usize {
        let up = self.nodes.iter().filter(|node| node.availability == "UP");
        up.map(|node| node.at_most(node.slots.iter().filter(|slot| slot.has_devtools()).count())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = r#"{ "ready": true, "message": "Selenium Grid ready.", "nodes": [
        { "uri": "http://10.0.0.1:5555", "availability": "UP", "version": "4.48.0", "sessionTimeout": 300000, "maxSessions": 2, "slots": [
            { "stereotype": { "browserName": "chrome" },
              "session": { "sessionId": "a1", "uri": "x", "capabilities": { "se:name": "mine", "browserName": "chrome" } } },
            { "stereotype": { "browserName": "chrome" }, "session": null },
            { "stereotype": { "browserName": "MicrosoftEdge" }, "session": null },
            { "stereotype": { "browserName": "firefox" }, "session": null } ] },
        { "uri": "http://10.0.0.2:5555", "availability": "DOWN", "slots": [ { "stereotype": { "browserName": "chrome" }, "session": null } ] } ] }"#;

    #[test]
    fn nodes_slots_and_sessions_are_read() {
        let status: HubStatus = serde_json::from_str(STATUS).unwrap();
        assert_eq!(status.node_of("a1").map(|node| node.uri.as_str()), Some("http://10.0.0.1:5555"));
        assert_eq!(status.node_of("b2"), None);
        assert_eq!((status.session_named("mine"), status.session_named("other")), (Some("a1"), None));
        assert_eq!(status.usable_slots(), 2, "a node runs no more than it says, and one that is down none");
        let firefox = &status.nodes[0].slots[3];
        assert!(!firefox.has_devtools() && firefox.is_free());
    }
}
