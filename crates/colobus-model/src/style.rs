//! The style that Colobus adds to every page, so that pictures show the document and not the moment. Browsers and exported
//! tests use it.

use crate::{Application, Ignore};

/// Stops animations, and hides carets, selections and the ring around what has the focus.
pub const STILL_STYLE: &str = include_str!("../../../page/still.css");

impl Application {
    /// Stops animations, hides carets and what is ignored, and adds the style of the configuration.
    pub fn style(&self) -> String {
        let still = if self.freeze_animations { STILL_STYLE } else { "" };
        still.to_string() + &self.own_style()
    }

    /// The part of it that differs between applications: hides what is ignored, and adds the style of the configuration.
    pub fn own_style(&self) -> String {
        let ignored = self.ignored_selectors();
        if ignored.is_empty() {
            return self.css.clone();
        }
        // Transparent instead of `visibility: hidden`: a toolbar whose looks do not count can still be clicked. A selector that a browser
        // does not understand leaves the others in force inside of `:is`.
        format!(":is({}) {{ opacity: 0 !important; }} {}", ignored.join(", "), self.css).trim_end().to_string()
    }

    /// The selectors of elements whose looks do not count.
    pub fn ignored_selectors(&self) -> Vec<&str> {
        fn selector(ignore: &Ignore) -> Option<&str> {
            match ignore {
                Ignore::Selector(selector) => Some(selector),
                Ignore::Rectangle(_) => None,
            }
        }
        self.ignore.iter().filter_map(selector).collect()
    }
}
