//! [`Place`]: what two events can both touch.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One location that is read and written. Objects and elements are given by a text that is the same in every execution,
/// such as the path to them or the event and the place that created them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A property of an object.
    Property {
        object: String,
        name: String,
    },
    /// A captured variable of one activation of a scope.
    Variable {
        scope: String,
        name: String,
    },
    /// A global by its name, functions included.
    Global {
        name: String,
    },
    Attribute {
        element: String,
        name: String,
    },
    /// The children of an element: their number and order.
    Children {
        element: String,
    },
    Text {
        element: String,
    },
    /// Value, checkedness, focus, selection or scroll position: what the user changes in a form.
    Value {
        element: String,
    },
    /// The elements that a selector finds, and their absence.
    Query {
        selector: String,
    },
    /// The handlers of one type on one target. Registration writes it, dispatch reads it.
    Handler {
        target: String,
        event: String,
    },
    Storage {
        area: String,
        key: String,
    },
    Cookie {
        name: String,
    },
    Location,
    /// Everything that depends on geometry.
    Layout,
    /// A library that is not looked into.
    Library {
        name: String,
    },
}

impl Place {
    /// Whether only scripts can see it. Users see the others, or they outlive the page.
    pub fn is_script_only(&self) -> bool {
        matches!(self, Place::Property { .. } | Place::Variable { .. } | Place::Global { .. })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Property { object, name } => write!(f, "{object}.{name}"),
            Place::Variable { scope, name } => write!(f, "variable {name} of {scope}"),
            Place::Global { name } => write!(f, "global {name}"),
            Place::Attribute { element, name } => write!(f, "attribute {name} of {element}"),
            Place::Children { element } => write!(f, "children of {element}"),
            Place::Text { element } => write!(f, "text of {element}"),
            Place::Value { element } => write!(f, "value of {element}"),
            Place::Query { selector } => write!(f, "elements {selector}"),
            Place::Handler { target, event } => write!(f, "{event} handlers of {target}"),
            Place::Storage { area, key } => write!(f, "{area} {key}"),
            Place::Cookie { name } => write!(f, "cookie {name}"),
            Place::Location => write!(f, "location"),
            Place::Layout => write!(f, "layout"),
            Place::Library { name } => write!(f, "library {name}"),
        }
    }
}
