//! [`Event`]: what a user did, or what the browser did because of it.

use crate::{Button, Element, Key, Modifiers, Point};

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    // Where a tab goes.
    /// The user entered an address.
    Open(String),
    /// The page went there by itself, because of something above.
    Arrive(String),
    /// The page opened this tab.
    Popup(String),
    Reload,
    Back,
    Forward,
    /// The user closed the tab.
    Close,

    // The mouse, as the page hears it; `Move` only while a button is down, as a distance from where it went down.
    Press(Mouse, u32),
    Release(Mouse, u32),
    Move(Point),
    /// Ends a drag that the browser itself had taken over.
    Drop(Mouse),
    /// So does this, without a drop.
    Abandon,

    // The mouse, as people say it.
    Click(Mouse, u32),
    DoubleClick(Mouse),
    Drag {
        from: Mouse,
        to: Mouse,
        via: Vec<Point>,
    },
    /// A drag that the browser itself took over, with data for whatever it is dropped on.
    Carry {
        from: Mouse,
        to: Mouse,
        via: Vec<Point>,
    },

    // The keyboard. `again`: because it was held down.
    Down {
        on: Element,
        key: Key,
        held: Modifiers,
        again: bool,
    },
    Up {
        on: Element,
        key: Key,
        held: Modifiers,
    },
    Type {
        on: Element,
        key: Key,
        held: Modifiers,
    },

    // Text that comes without keys.
    Compose {
        on: Element,
        stages: Vec<String>,
        commit: String,
    },
    Insert {
        on: Element,
        text: String,
    },
    /// What is on the clipboard when the next line pastes.
    Clipboard {
        text: String,
        html: Option<String>,
    },
    /// Pasted from a menu: keys paste by themselves.
    Paste {
        on: Element,
    },
    /// The value of a field that is not written, but asked for at replay.
    Secret {
        on: Element,
        variable: String,
    },

    // Other ways to change a field.
    /// From the list that a select element opens.
    Choose {
        on: Element,
        at: Point,
        values: Vec<String>,
    },
    /// With a picker of the browser, such as the one for dates.
    Set {
        on: Element,
        value: String,
    },
    Files {
        on: Element,
        names: Vec<String>,
    },

    Scroll {
        on: Element,
        to: Point,
    },
    Dialog {
        kind: DialogKind,
        accept: bool,
        text: Option<String>,
    },
}

/// A place in an element, and what is held down there.
#[derive(Clone, Debug, PartialEq)]
pub struct Mouse {
    pub on: Element,
    /// From the upper left corner of the element.
    pub at: Point,
    pub button: Button,
    pub held: Modifiers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogKind {
    Alert,
    Confirm,
    Prompt,
    BeforeUnload,
}

impl DialogKind {
    pub const ALL: [DialogKind; 4] =
        [DialogKind::Alert, DialogKind::Confirm, DialogKind::Prompt, DialogKind::BeforeUnload];

    pub fn name(self) -> &'static str {
        match self {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::BeforeUnload => "beforeunload",
        }
    }
}

impl Event {
    /// The element it was done to; of a drag, where it began.
    pub fn element(&self) -> Option<&Element> {
        self.elements().into_iter().next()
    }

    pub fn elements(&self) -> Vec<&Element> {
        match self {
            Event::Press(mouse, _)
            | Event::Release(mouse, _)
            | Event::Drop(mouse)
            | Event::Click(mouse, _)
            | Event::DoubleClick(mouse) => vec![&mouse.on],
            Event::Drag { from, to, .. } | Event::Carry { from, to, .. } => vec![&from.on, &to.on],
            Event::Down { on, .. }
            | Event::Up { on, .. }
            | Event::Type { on, .. }
            | Event::Compose { on, .. }
            | Event::Insert { on, .. }
            | Event::Paste { on }
            | Event::Secret { on, .. }
            | Event::Choose { on, .. }
            | Event::Set { on, .. }
            | Event::Files { on, .. }
            | Event::Scroll { on, .. } => vec![on],
            Event::Open(_)
            | Event::Arrive(_)
            | Event::Popup(_)
            | Event::Reload
            | Event::Back
            | Event::Forward
            | Event::Close
            | Event::Move(_)
            | Event::Abandon
            | Event::Clipboard { .. }
            | Event::Dialog { .. } => Vec::new(),
        }
    }

    /// Whether the user did it; the rest is what the page did because of that.
    pub fn is_by_user(&self) -> bool {
        !matches!(self, Event::Arrive(_) | Event::Popup(_))
    }
}
