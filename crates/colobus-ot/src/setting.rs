//! [`Setting`]: how many sites and operations, which positions and characters, which text to start from.

use std::ops::RangeInclusive;

use crate::document::{Document, Wide};
use crate::signature::Signature;

/// The most operations a setting may have: identities are kept in sets of one byte.
pub const MAX_OPERATIONS: usize = 8;

/// The most characters users may choose from.
pub const MAX_ALPHABET: usize = 36;

/// The most cells a document may grow to, the alphabet's among them.
pub const MAX_TEXT: usize = Wide::CAPACITY;

/// A bounded world to check a transformation function in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How many operations each site generates.
    pub operations: Vec<usize>,
    /// The positions users choose from, both ends included.
    pub positions: RangeInclusive<u8>,
    /// How many different characters users insert.
    pub alphabet: u8,
    /// The document all sites start from.
    pub start: Start,
    /// Who talks to whom.
    pub network: Network,
}

/// The document all sites start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// As long as needed, with characters that differ from each other and from everything users insert: two sequences
    /// of operations agree on it exactly if they agree on every text. Every position is valid.
    Unbounded,
    /// This text. Users generate only operations that fit the text they see.
    Text(String),
}

/// Who talks to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Every site sends to every other one; messages arrive in any order that respects causality.
    Peers,
    /// One server puts all operations into one order; a client transforms only against what it has not had confirmed.
    Server,
}

/// A setting that cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no site.
    #[error("there must be at least one site; use --sites 2 or more to see concurrency")]
    NoSites,
    /// Nothing happens.
    #[error("there must be at least one operation; use --ops 2 or more to see concurrency")]
    NoOperations,
    /// More operations than identities.
    #[error("{0} operations do not fit: at most {MAX_OPERATIONS} in total; use a smaller --ops")]
    TooManyOperations(usize),
    /// More sites than can be told apart.
    #[error("{0} sites do not fit: at most {MAX_OPERATIONS}; use a smaller --sites")]
    TooManySites(usize),
    /// An empty range of positions.
    #[error("no positions: {0}..{1} is empty; give the lower bound first")]
    NoPositions(u8, u8),
    /// An alphabet users cannot choose from.
    #[error("an alphabet of {0} characters is not possible; choose 1 to {MAX_ALPHABET}")]
    Alphabet(usize),
    /// A document that would not fit.
    #[error(
        "a document of up to {length} characters does not fit ({} at most); use fewer positions or a shorter text",
        Wide::CAPACITY
    )]
    TooLong {
        /// The length it could grow to.
        length: usize,
    },
    /// Site symmetry for a function that looks at site numbers.
    #[error("site symmetry is unsound for this function, its result depends on site numbers; leave --symmetry out")]
    UnsoundSymmetry,
}

impl Setting {
    /// A setting with `total` operations dealt to the sites in turn (4 on 3 sites: 2, 1, 1), all positions of a window
    /// twice as long as there are operations, and two characters.
    pub fn spread(sites: usize, total: usize) -> Result<Self, SettingError> {
        if sites == 0 {
            return Err(SettingError::NoSites);
        }
        if sites > MAX_OPERATIONS {
            return Err(SettingError::TooManySites(sites));
        }
        Setting::new((0..sites).map(|site| total / sites + usize::from(site < total % sites)).collect())
    }

    /// The same with the operations of each site given.
    pub fn new(operations: Vec<usize>) -> Result<Self, SettingError> {
        let total = operations.iter().sum::<usize>();
        let window = (2 * total).clamp(1, 255) as u8;
        let setting = Setting {
            operations,
            positions: 0..=window - 1,
            alphabet: 2,
            start: Start::Unbounded,
            network: Network::Peers,
        };
        setting.validated()
    }

    /// With other positions, both ends included.
    pub fn positions(self, positions: RangeInclusive<u8>) -> Result<Self, SettingError> {
        Setting { positions, ..self }.validated()
    }

    /// With another number of characters.
    pub fn alphabet(self, size: usize) -> Result<Self, SettingError> {
        let alphabet = u8::try_from(size).map_err(|_| SettingError::Alphabet(size))?;
        Setting { alphabet, ..self }.validated()
    }

    /// With another start.
    pub fn start(self, start: Start) -> Result<Self, SettingError> {
        Setting { start, ..self }.validated()
    }

    /// With another network.
    pub fn network(self, network: Network) -> Self {
        Setting { network, ..self }
    }

    fn validated(self) -> Result<Self, SettingError> {
        if self.operations.is_empty() {
            return Err(SettingError::NoSites);
        }
        if self.operations.len() > MAX_OPERATIONS {
            return Err(SettingError::TooManySites(self.operations.len()));
        }
        match self.total() {
            0 => return Err(SettingError::NoOperations),
            total if total > MAX_OPERATIONS => return Err(SettingError::TooManyOperations(total)),
            _ => {}
        }
        if self.positions.is_empty() {
            return Err(SettingError::NoPositions(*self.positions.start(), *self.positions.end()));
        }
        if !(1..=MAX_ALPHABET).contains(&usize::from(self.alphabet)) {
            return Err(SettingError::Alphabet(self.alphabet.into()));
        }
        let length = self.longest();
        if length + usize::from(self.alphabet) > MAX_TEXT {
            return Err(SettingError::TooLong { length });
        }
        Ok(self)
    }

    /// How many sites there are.
    pub fn sites(&self) -> usize {
        self.operations.len()
    }

    /// How many operations there are in total.
    pub fn total(&self) -> usize {
        self.operations.iter().sum()
    }

    /// Which site generates which operation: site by site, each in its order of generation.
    pub fn owners(&self) -> Vec<u8> {
        (0u8..).zip(&self.operations).flat_map(|(site, &count)| vec![site; count]).collect()
    }

    /// Everything a user can choose, in the canonical order: inserts before deletions, from left to right.
    pub fn signatures(&self) -> Vec<Signature> {
        let inserts = self.positions.clone().flat_map(|p| (0..self.alphabet).map(move |c| Signature::ins(p, c)));
        inserts.chain(self.positions.clone().map(Signature::del)).collect()
    }

    /// The length of the starting document. Unbounded: even after all other users deleted something in front of it,
    /// the highest position is still there.
    pub fn initial_length(&self) -> usize {
        match &self.start {
            Start::Unbounded => usize::from(*self.positions.end()) + self.total(),
            Start::Text(text) => text.chars().count(),
        }
    }

    /// The length the document can grow to.
    pub fn longest(&self) -> usize {
        self.initial_length() + self.total()
    }
}
