//! [`Survey`]: what a page offers to its users, as a user sees it who has never seen it before.

use serde::Deserialize;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Survey {
    /// Where the page is now: it may have gone to a document of its own.
    pub address: String,
    pub title: String,
    /// Where text can be written.
    pub editables: Vec<Editable>,
    pub buttons: Vec<Button>,
    /// Selectors of places to draw on.
    pub canvases: Vec<String>,
    #[serde(default)]
    pub draggables: Vec<Draggable>,
    /// What has nothing inside but text; carets, buttons and bars of them as a whole.
    pub landmarks: Vec<Landmark>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Editable {
    pub selector: String,
    /// `contenteditable`, `textarea`, `input`, or the name of an editor.
    pub kind: String,
    /// In square pixels.
    pub area: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Button {
    pub selector: String,
    /// What it says of itself; may be empty.
    pub label: String,
}

/// Something that can be dragged.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Draggable {
    pub selector: String,
    /// What it says of itself; may be empty.
    pub label: String,
    /// Selector of a place to which it could be dragged: the neighbour of the one in which it is.
    pub to: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Landmark {
    pub selector: String,
    /// A selector of its first class, if it has one that means something.
    pub class: Option<String>,
    pub says: String,
    /// Where it is, and how large.
    pub place: String,
    /// Whether it stands where text can be written.
    pub written: bool,
    /// Whether it is not text of a user: a caret, or something empty that is only drawn.
    pub mark: bool,
    /// Whether it is a bar of buttons.
    pub bar: bool,
    /// Whether it is a button, or a bar of them.
    pub control: bool,
}
