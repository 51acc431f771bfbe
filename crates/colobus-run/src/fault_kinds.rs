//! [`FaultKinds`]: which kinds of faults come into the orders of a search. Chosen on the command line or in the configuration, read when
//! the faults of an execution are planned.

use std::fmt;

use colobus_model::{ClientId, Event};
use serde::{Serialize, Serializer};

/// A kind of fault. A new one is a variant, a name and an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    Offline,
    Reload,
    Wait,
    Tab,
    Join,
}

impl FaultKind {
    /// In the order in which they are tried.
    pub const ALL: [FaultKind; 5] =
        [FaultKind::Offline, FaultKind::Reload, FaultKind::Wait, FaultKind::Tab, FaultKind::Join];

    /// What flags and configurations call it.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Offline => "offline",
            FaultKind::Reload => "reload",
            FaultKind::Wait => "wait",
            FaultKind::Tab => "tab",
            FaultKind::Join => "join",
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            FaultKind::Offline => "a client loses its network, and gets it back",
            FaultKind::Reload => "a client loads its page again",
            FaultKind::Wait => "a client waits for long",
            FaultKind::Tab => "a client opens a second tab",
            FaultKind::Join => "one more client joins",
        }
    }

    /// The event with which it begins, if it happens to one of those who act.
    pub(crate) fn of_client(self, client: ClientId) -> Option<Event> {
        match self {
            FaultKind::Offline => Some(Event::Cut { client }),
            FaultKind::Reload => Some(Event::Reload { client }),
            FaultKind::Wait => Some(Event::Wait { client }),
            FaultKind::Tab => Some(Event::Tab { client }),
            FaultKind::Join => None,
        }
    }
}

/// Some kinds of faults, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultKinds {
    chosen: [bool; FaultKind::ALL.len()],
}

impl FaultKinds {
    pub fn all() -> FaultKinds {
        FaultKinds { chosen: [true; FaultKind::ALL.len()] }
    }

    pub fn is_empty(self) -> bool {
        self == FaultKinds::default()
    }

    pub fn iter(self) -> impl Iterator<Item = FaultKind> {
        FaultKind::ALL.into_iter().filter(move |kind| self.chosen[*kind as usize])
    }
}

impl FromIterator<FaultKind> for FaultKinds {
    fn from_iter<T: IntoIterator<Item = FaultKind>>(kinds: T) -> FaultKinds {
        let mut faults = FaultKinds::default();
        kinds.into_iter().for_each(|kind| faults.chosen[kind as usize] = true);
        faults
    }
}

impl fmt::Display for FaultKinds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.iter().map(FaultKind::name).collect::<Vec<_>>().join(","))
    }
}

impl Serialize for FaultKinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(FaultKind::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_kept_in_the_order_in_which_they_are_tried() {
        let kinds: FaultKinds = [FaultKind::Join, FaultKind::Offline, FaultKind::Join].into_iter().collect();
        assert_eq!(kinds.to_string(), "offline,join");
        assert_eq!(serde_json::to_string(&kinds).unwrap(), r#"["offline","join"]"#);
        assert_eq!(FaultKinds::all().to_string(), "offline,reload,wait,tab,join");
        assert!(FaultKinds::default().is_empty() && !kinds.is_empty());
    }
}
