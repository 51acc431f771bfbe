//! What a mouse says: [`Point`], [`Button`]. Keys are those of [`colobus_model`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place, in pixels: inside an element, inside a window, or as a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Button {
    #[default]
    Left,
    Middle,
    Right,
    Back,
    Forward,
}

impl Button {
    /// In the order in which `MouseEvent.button` counts them.
    pub const ALL: [Button; 5] = [Button::Left, Button::Middle, Button::Right, Button::Back, Button::Forward];

    pub fn name(self) -> &'static str {
        match self {
            Button::Left => "left",
            Button::Middle => "middle",
            Button::Right => "right",
            Button::Back => "back",
            Button::Forward => "forward",
        }
    }

    /// Its bit in `MouseEvent.buttons`, which counts them in another order.
    pub fn bit(self) -> u32 {
        match self {
            Button::Left => 1,
            Button::Right => 2,
            Button::Middle => 4,
            Button::Back => 8,
            Button::Forward => 16,
        }
    }
}

/// From here on numbers have less than two decimals, and rounding would change them.
const WITHOUT_DECIMALS: f64 = 1e13;

impl Point {
    /// With at most two decimals: what a screen can show. To round again changes nothing, so that what is written is read again.
    pub fn rounded(self) -> Point {
        let round = |value: f64| {
            let rounded = if value.abs() < WITHOUT_DECIMALS { (value * 100.0).round() / 100.0 } else { value };
            // No "-0".
            if rounded == 0.0 { 0.0 } else { rounded }
        };
        Point { x: round(self.x), y: round(self.y) }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { x, y } = self.rounded();
        write!(f, "{x},{y}")
    }
}
