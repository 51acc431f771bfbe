//! The transformation functions of the literature, one file each. A new one is a file and a line in [`FUNCTIONS`].

mod ellis;
mod imine;
mod ressel;
mod suleiman;
mod sun;
mod ttf;

pub use ellis::Ellis;
pub use imine::{Generated, Imine};
pub use ressel::Ressel;
pub use suleiman::{Met, Suleiman};
pub use sun::Sun;
pub use ttf::Ttf;

use crate::function::Function;

/// A function that can be asked for by name.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who published it, and when.
    pub source: &'static str,
    /// What is special about it.
    pub idea: &'static str,
    /// The function.
    pub function: &'static dyn Function,
}

/// Every function that can be asked for by name.
pub const FUNCTIONS: &[Entry] = &[
    Entry {
        name: "ellis",
        source: "Ellis, Gibbs 1989",
        idea: "ties by site priority; equal characters once",
        function: &Ellis,
    },
    Entry { name: "ressel", source: "Ressel and others 1996", idea: "ties by site", function: &Ressel },
    Entry { name: "sun", source: "Sun and others 1998", idea: "the later one goes right", function: &Sun },
    Entry {
        name: "suleiman",
        source: "Suleiman and others 1998",
        idea: "inserts remember deletions around them",
        function: &Suleiman,
    },
    Entry {
        name: "imine",
        source: "Imine and others 2003",
        idea: "inserts remember where they were generated",
        function: &Imine,
    },
    Entry {
        name: "ttf",
        source: "Oster and others 2006",
        idea: "deleted characters stay as tombstones",
        function: &Ttf,
    },
];

/// The function with a name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    FUNCTIONS.iter().find(|entry| entry.name == name)
}

/// The known name that is most like a wrong one.
pub fn nearest_name(wrong: &str) -> &'static str {
    let wrong = wrong.to_lowercase();
    FUNCTIONS.iter().map(|entry| entry.name).min_by_key(|name| strsim::osa_distance(&wrong, name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        assert_eq!(nearest_name("sulieman"), "suleiman");
        assert_eq!(nearest_name("TTF2"), "ttf");
        assert_eq!(nearest_name("imin"), "imine");
        assert!(by_name("sulieman").is_none());
    }
}
