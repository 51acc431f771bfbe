//! [`Op`]: one editing operation in one of its transformed forms, small enough to be copied in the inner loop.

use std::fmt;
use std::hash::Hash;

/// What an operation does to the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Insert a character at a position.
    Ins,
    /// Delete the character at a position.
    Del,
    /// Do nothing: what is left of an operation whose effect another operation already had.
    Nop,
}

/// Whatever a transformation function lets its operations carry besides the position and the character.
///
/// `()` when it carries nothing. The parameters of a freshly generated operation come from
/// [`Transformation::parameters`](crate::Transformation::parameters).
pub trait Parameters: Copy + Default + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// One entry per parameter for people to read; `name` says what an operation is called in the scenario.
    fn describe(&self, _name: &dyn Fn(u8) -> String) -> Vec<String> {
        Vec::new()
    }
}

impl Parameters for () {}

/// An operation: what it does, who generated it, and the parameters `X` of the function under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op<X = ()> {
    /// Insert, delete or nothing.
    pub kind: Kind,
    /// Where, counted from 0.
    pub position: u8,
    /// What is inserted: the rank of the character in the alphabet (0 for a deletion).
    pub character: u8,
    /// The site that generated it.
    pub site: u8,
    /// The operation's identity: it survives every transformation.
    pub id: u8,
    /// The parameters of the function under test.
    pub extra: X,
}

impl<X: Parameters> Op<X> {
    /// The same operation one position further to the right.
    #[inline(always)]
    pub fn right(self) -> Self {
        Op { position: self.position.saturating_add(1), ..self }
    }

    /// The same operation one position further to the left; the start of the document stops it.
    #[inline(always)]
    pub fn left(self) -> Self {
        Op { position: self.position.saturating_sub(1), ..self }
    }

    /// The operation without its effect.
    #[inline(always)]
    pub fn nop(self) -> Self {
        Op { kind: Kind::Nop, position: 0, character: 0, extra: X::default(), ..self }
    }
}

/// A set of operations by identity (see [`Op::id`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpSet(pub u8);

impl OpSet {
    /// The set of the given identities.
    pub fn of(ids: impl IntoIterator<Item = u8>) -> Self {
        ids.into_iter().fold(OpSet::default(), OpSet::with)
    }

    /// The first `count` identities.
    pub fn first(count: usize) -> Self {
        OpSet(((1u16 << count) - 1) as u8)
    }

    /// This set and one more operation.
    #[inline(always)]
    pub fn with(self, id: u8) -> Self {
        OpSet(self.0 | 1 << id)
    }

    /// Whether an operation belongs to the set.
    #[inline(always)]
    pub fn contains(self, id: u8) -> bool {
        self.0 >> id & 1 == 1
    }

    /// Whether the two sets share an operation.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every member of `self` is in `other`.
    pub fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The members of both sets together.
    pub fn union(self, other: Self) -> Self {
        OpSet(self.0 | other.0)
    }

    /// The members of `self` that are not in `other`.
    pub fn without(self, other: Self) -> Self {
        OpSet(self.0 & !other.0)
    }

    /// How many operations it has.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its members, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..8).filter(move |&id| self.contains(id))
    }
}
