//! [`Element`]: which element something was done to. Its path leads from the document through frames and shadow roots;
//! its hints tell it from others when the path does not lead there any more.

use serde::{Deserialize, Serialize};

use crate::Point;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// At least one; the first is in the document of the tab.
    pub hops: Vec<Hop>,
    pub hints: Hints,
}

/// A path inside one document or shadow root, and how that was entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hop {
    pub entry: Entry,
    pub path: Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The document of the tab.
    Tab,
    /// The document inside the frame at the end of the path before.
    Frame,
    /// The shadow root of the element at the end of the path before.
    Shadow,
}

/// A path in the part of XPath that needs no evaluator: steps down, with positions and attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// At least one.
    pub steps: Vec<PathStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// `//`: at any depth below the step before.
    pub deep: bool,
    /// The local name; `*` for any.
    pub tag: String,
    /// Its position among its siblings of the same name, from one.
    pub position: Option<u32>,
    pub attributes: Vec<(String, String)>,
}

/// What people would say of the element.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hints {
    pub role: Option<String>,
    /// The accessible name.
    pub label: Option<String>,
    pub text: Option<String>,
    /// Its middle, in the window of its frame.
    pub at: Option<Point>,
}

impl Element {
    /// The last path: the one to the element itself.
    pub fn path(&self) -> &Path {
        let Some(hop) = self.hops.last() else { unreachable!("an element has a path") };
        &hop.path
    }

    /// The local name of the element.
    pub fn tag(&self) -> &str {
        &self.target().tag
    }

    pub fn target(&self) -> &PathStep {
        let Some(step) = self.path().steps.last() else { unreachable!("a path has a step") };
        step
    }

    /// Whether both are the same place, whatever is said of it.
    pub fn is_same_place(&self, other: &Element) -> bool {
        self.hops == other.hops
    }

    /// The hops, cut where a frame is entered: each part belongs to one document.
    pub fn by_document(&self) -> Vec<&[Hop]> {
        let mut parts = Vec::new();
        let mut begin = 0;
        for (index, hop) in self.hops.iter().enumerate().skip(1) {
            if hop.entry == Entry::Frame {
                parts.push(&self.hops[begin..index]);
                begin = index;
            }
        }
        parts.push(&self.hops[begin..]);
        parts
    }
}

impl PathStep {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}
