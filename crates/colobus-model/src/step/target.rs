//! [`Target`]: where a pointer goes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::toml_string;

/// Where a pointer goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// The middle of the first visible element that matches this CSS selector.
    Selector(String),
    /// A place in the first visible element that matches a CSS selector.
    Inside(Inside),
    /// A place in the viewport, in CSS pixels.
    Point(Point),
}

/// A place in an element, in CSS pixels from its upper left corner: where in a text, or on a canvas.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// CSS selector of the element.
    pub on: String,
    pub x: u32,
    pub y: u32,
}

/// A place in the viewport, in CSS pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub x: u32,
    pub y: u32,
}

impl Target {
    pub(super) fn label(&self) -> String {
        match self {
            Target::Selector(selector) => selector.clone(),
            Target::Inside(place) => format!("{} at ({}, {})", place.on, place.x, place.y),
            Target::Point(point) => format!("({}, {})", point.x, point.y),
        }
    }

    pub(super) fn toml_value(&self) -> String {
        match self {
            Target::Selector(selector) => toml_string(selector),
            Target::Inside(Inside { on, x, y }) => format!("{{ on = {}, x = {x}, y = {y} }}", toml_string(on)),
            Target::Point(point) => format!("{{ x = {}, y = {} }}", point.x, point.y),
        }
    }
}
