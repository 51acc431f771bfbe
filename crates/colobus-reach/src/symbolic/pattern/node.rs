//! [`Node`]: a regular expression as a tree. Read by [`Reader`](super::reader::Reader); becomes a
//! [`Program`](super::program::Program), a language, and what the solver is told of captures.

use colobus_solver::{Regex, Text};

/// Inclusive ranges of UTF-16 units.
pub type Ranges = Vec<(u16, u16)>;

/// A part of a regular expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// One unit out of some ranges.
    Unit(Ranges),
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that leads to a match.
    Either(Vec<Node>),
    /// A group that captures, by its number.
    Group(usize, Box<Node>),
    /// Several times.
    Repeat {
        /// What is repeated.
        inner: Box<Node>,
        /// How often at least.
        least: u32,
        /// How often at most.
        most: Option<u32>,
        /// Whether more repetitions are tried first.
        is_greedy: bool,
    },
}

/// A part between bars on the outermost level, the only one that has anchors.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Whether it matches at the beginning of a text only.
    pub at_start: bool,
    /// What it matches.
    pub node: Node,
    /// Whether it matches at the end of a text only.
    pub at_end: bool,
}

impl Node {
    /// The texts that it matches as a whole.
    pub fn language(&self) -> Regex {
        match self {
            Node::Unit(ranges) => Regex::one_of(ranges),
            Node::Sequence(parts) => Regex::sequence(parts.iter().map(Node::language)),
            Node::Either(parts) => parts.iter().map(Node::language).fold(Regex::Nothing, Regex::or),
            Node::Group(_, inner) => inner.language(),
            Node::Repeat { inner, least, most, .. } => inner.language().repeat(*least, *most),
        }
    }

    /// The numbers of the groups in it.
    pub fn groups(&self) -> Vec<usize> {
        match self {
            Node::Unit(_) => Vec::new(),
            Node::Sequence(parts) | Node::Either(parts) => parts.iter().flat_map(Node::groups).collect(),
            Node::Group(number, inner) => [vec![*number], inner.groups()].concat(),
            Node::Repeat { inner, .. } => inner.groups(),
        }
    }

    /// The units of which it takes as many as there are, if it ends so.
    pub fn greedy_end(&self) -> Option<&Ranges> {
        match self {
            Node::Sequence(parts) => parts.last()?.greedy_end(),
            Node::Group(_, inner) => inner.greedy_end(),
            Node::Repeat { inner, most, is_greedy: true, .. } if *most != Some(0) => match &**inner {
                Node::Unit(ranges) => Some(ranges),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Alternative {
    /// The texts in which it matches somewhere.
    pub fn language(&self) -> Regex {
        let (language, around) =
            (self.node.language(), |is_anchored| if is_anchored { Regex::Empty } else { Regex::all() });
        // An empty match is found in every text: solvers do not see this.
        if !(self.at_start && self.at_end) && language.matches(&Text::default()) {
            return Regex::all();
        }
        around(self.at_start).then(language).then(around(self.at_end))
    }
}
