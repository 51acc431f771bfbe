//! [`Operator`]: the operations of JavaScript that can be followed. A new one is a variant here, its value in
//! [`evaluate`](super::evaluate), its term in [`translate`](super::translate) and its text in
//! [`javascript`](super::javascript); the tests ask a real engine for every variant of [`Operator::ALL`].

use serde::{Deserialize, Serialize};

use super::pattern::Pattern;

/// An operation on primitive values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operator {
    /// `!a`
    Not,
    /// `-a`
    Negate,
    /// `Number(a)`, `+a`
    ToNumber,
    /// `String(a)`
    ToText,
    /// `typeof a`
    TypeOf,
    /// `isNaN(a)`
    IsNaN,
    /// `Math.floor(a)`
    Floor,
    /// `Math.ceil(a)`
    Ceil,
    /// `Math.trunc(a)`
    Trunc,
    /// `Math.abs(a)`
    Abs,
    /// `parseInt(a)`
    ParseInt,
    /// `a.length`
    Length,
    /// `a.toLowerCase()`
    ToLower,
    /// `a.toUpperCase()`
    ToUpper,
    /// `a.trim()`
    Trim,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
    /// `a >>> b`
    ShiftUnsigned,
    /// `Math.min(a, b)`
    Min,
    /// `Math.max(a, b)`
    Max,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a > b`
    Greater,
    /// `a >= b`
    AtLeast,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a === b`
    Same,
    /// `a !== b`
    NotSame,
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `a ?? b`
    Coalesce,
    /// `a.includes(b)`
    Includes,
    /// `a.startsWith(b)`
    StartsWith,
    /// `a.endsWith(b)`
    EndsWith,
    /// `a.charAt(b)`
    CharAt,
    /// `a.indexOf(b, c)`
    IndexOf,
    /// `a.slice(b, c)`
    Slice,
    /// `a ? b : c`
    Conditional,
    /// A template literal of its operands
    Template,
    /// `a.split(separator)[index]`
    SplitAt(String, usize),
    /// `a.split(separator).length`
    SplitLength(String),
    /// `/pattern/.test(a)`
    Test(Pattern),
    /// `a.search(/pattern/)`
    Search(Pattern),
    /// `/pattern/.exec(a)[group]`
    Capture(Pattern, usize),
    /// `a.split(/separator/)[index]`
    SplitBy(Pattern, usize),
    /// `a.split(/separator/).length`
    SplitByLength(Pattern),
}

impl Operator {
    /// Every operator without data of its own.
    pub const ALL: [Operator; 47] = [
        Operator::Not,
        Operator::Negate,
        Operator::ToNumber,
        Operator::ToText,
        Operator::TypeOf,
        Operator::IsNaN,
        Operator::Floor,
        Operator::Ceil,
        Operator::Trunc,
        Operator::Abs,
        Operator::ParseInt,
        Operator::Length,
        Operator::ToLower,
        Operator::ToUpper,
        Operator::Trim,
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::BitAnd,
        Operator::BitOr,
        Operator::BitXor,
        Operator::ShiftLeft,
        Operator::ShiftRight,
        Operator::ShiftUnsigned,
        Operator::Min,
        Operator::Max,
        Operator::Less,
        Operator::AtMost,
        Operator::Greater,
        Operator::AtLeast,
        Operator::Equal,
        Operator::NotEqual,
        Operator::Same,
        Operator::NotSame,
        Operator::And,
        Operator::Or,
        Operator::Coalesce,
        Operator::Includes,
        Operator::StartsWith,
        Operator::EndsWith,
        Operator::CharAt,
        Operator::IndexOf,
        Operator::Slice,
        Operator::Conditional,
        Operator::Template,
    ];

    /// How many operands it takes.
    pub fn arity(&self) -> usize {
        use Operator::*;
        match self {
            Not | Negate | ToNumber | ToText | TypeOf | IsNaN | Floor | Ceil | Trunc | Abs | ParseInt | Length
            | ToLower | ToUpper | Trim | SplitAt(..) | SplitLength(_) | Test(_) | Search(_) | Capture(..)
            | SplitBy(..) | SplitByLength(_) => 1,
            IndexOf | Slice | Conditional => 3,
            _ => 2,
        }
    }

    /// Whether it works on the bits of numbers: solvers are told that its result is some number.
    pub fn is_bitwise(&self) -> bool {
        use Operator::*;
        matches!(self, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight | ShiftUnsigned)
    }

    /// Whether it is a method of strings, which throws on anything else.
    pub fn needs_text(&self) -> bool {
        use Operator::*;
        matches!(
            self,
            Length
                | ToLower
                | ToUpper
                | Trim
                | Includes
                | StartsWith
                | EndsWith
                | CharAt
                | IndexOf
                | Slice
                | SplitAt(..)
                | SplitLength(_)
                | Search(_)
                | SplitBy(..)
                | SplitByLength(_)
        )
    }

    /// Whether what it gives is what the engine finds first, which solvers are told only in part.
    pub fn is_found(&self) -> bool {
        use Operator::*;
        matches!(self, Search(_) | Capture(..) | SplitBy(..) | SplitByLength(_))
    }
}
