//! [`Look`]: whether a live line and colours may be used, and the few colours there are.

use std::env;

/// How the output may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether a line may be drawn again and again in place.
    pub live: bool,
    pub colours: bool,
}

impl Look {
    /// Nothing but text, as for a file or a pipe.
    pub const PLAIN: Look = Look { live: false, colours: false };

    /// As much as the surroundings allow: `NO_COLOR` and `TERM=dumb` are respected.
    pub fn detect(is_terminal: bool) -> Look {
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let live = is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb");
        Look { live, colours: live && !set("NO_COLOR") }
    }

    pub(super) fn strong(&self, text: &str) -> String {
        self.painted("1", text)
    }

    pub(super) fn bad(&self, text: &str) -> String {
        self.painted("1;31", text)
    }

    pub(super) fn good(&self, text: &str) -> String {
        self.painted("1;32", text)
    }

    pub(super) fn doubt(&self, text: &str) -> String {
        self.painted("33", text)
    }

    pub(super) fn command(&self, text: &str) -> String {
        self.painted("36", text)
    }

    pub(super) fn faint(&self, text: &str) -> String {
        self.painted("2", text)
    }

    fn painted(&self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}
