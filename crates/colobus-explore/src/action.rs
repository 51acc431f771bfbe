//! [`Action`]: an event that can be performed, with its parameters. Made by [`candidates`](crate::candidates) from what a page
//! offers; sequences consist of them.

use colobus_record::{Element, Line};
use colobus_world::PageStep;
use serde::{Deserialize, Serialize};

use crate::written_lines;

/// An event with values for what it needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The event: its kind and its element. Values do not count.
    pub event: String,
    /// What people would say.
    pub label: String,
    /// What is done one after the other: fields are filled before a form is sent.
    pub parts: Vec<Part>,
}

/// One thing that a user does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub label: String,
    #[serde(with = "written_lines")]
    pub lines: Vec<Line>,
}

impl Action {
    /// Its parts as steps. Only the last one is the event: the stand-in of the server answers as usual before.
    pub fn steps(&self, seed: u64) -> Vec<PageStep> {
        let last = self.parts.len().saturating_sub(1);
        let step = |(index, part): (usize, &Part)| PageStep {
            label: part.label.clone(),
            lines: part.lines.clone(),
            seed: if index == last { seed } else { 0 },
        };
        self.parts.iter().enumerate().map(step).collect()
    }
}

/// The place of an element, whatever is said of it.
pub(crate) fn place(element: &Element) -> String {
    let hops: Vec<String> = element.hops.iter().map(|hop| hop.path.to_string()).collect();
    hops.join(" > ")
}
