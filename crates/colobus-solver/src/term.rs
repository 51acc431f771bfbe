//! [`Term`]: a typed expression of the solver's language. Built by the constructors of [`build`](crate::build) (which
//! simplify constants), printed by [`print`](crate::print), evaluated by [`evaluate`](crate::evaluate).

use std::fmt;
use std::sync::Arc;

use crate::rational::Rational;
use crate::regex::Regex;
use crate::text::Text;

/// The type of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Bool,
    /// An integer without bounds.
    Int,
    /// A real number.
    Real,
    /// A text of UTF-16 units.
    Text,
}

/// A value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int.
    Int(i128),
    /// Of sort Real.
    Real(Rational),
    /// Of sort Text.
    Text(Text),
}

impl Value {
    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Text(_) => Sort::Text,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Real(value) => value.fmt(f),
            Value::Text(value) => f.write_str(&value.to_smt()),
        }
    }
}

/// What an inner node does with its arguments, by its name in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Equality of two terms of one sort.
    Equal,
    /// The second argument if the first holds, the third otherwise.
    Ite,
    /// Sum of two numbers.
    Add,
    /// Product of two numbers.
    Multiply,
    /// Quotient of two reals; without a value if the second is zero.
    Divide,
    /// First number less than the second.
    Less,
    /// First number at most the second.
    AtMost,
    /// An integer as a real.
    ToReal,
    /// The greatest integer that is not greater than a real.
    Floor,
    /// The number of units of a text.
    Length,
    /// Two texts joined.
    Concat,
    /// The part of a text from an index, so many units long.
    Substring,
    /// The index of the second text in the first, from an index on; -1 if there is none.
    IndexOf,
    /// Whether the first text contains the second.
    Contains,
    /// Whether the second text begins with the first.
    PrefixOf,
    /// Whether the second text ends with the first.
    SuffixOf,
    /// Whether the first text comes before the second by units.
    TextLess,
    /// The number that a text of ASCII digits stands for; -1 for any other text.
    DigitsToInt,
    /// The decimal digits of an integer; empty if it is negative.
    IntToDigits,
}

impl Op {
    /// Its name in SMT-LIB.
    pub fn smt(self) -> &'static str {
        match self {
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Equal => "=",
            Op::Ite => "ite",
            Op::Add => "+",
            Op::Multiply => "*",
            Op::Divide => "/",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::ToReal => "to_real",
            Op::Floor => "to_int",
            Op::Length => "str.len",
            Op::Concat => "str.++",
            Op::Substring => "str.substr",
            Op::IndexOf => "str.indexof",
            Op::Contains => "str.contains",
            Op::PrefixOf => "str.prefixof",
            Op::SuffixOf => "str.suffixof",
            Op::TextLess => "str.<",
            Op::DigitsToInt => "str.to_int",
            Op::IntToDigits => "str.from_int",
        }
    }
}

/// One node of a term.
#[derive(Debug)]
pub enum Node {
    /// A value.
    Constant(Value),
    /// Something whose value is asked for.
    Variable(Arc<str>, Sort),
    /// An operator and its arguments.
    Apply(Op, Vec<Term>),
    /// Whether a text belongs to a language.
    Matches(Term, Regex),
}

/// A term; copies share their nodes.
#[derive(Clone, Debug)]
pub struct Term {
    node: Arc<Node>,
    sort: Sort,
}

impl Term {
    /// A variable.
    pub fn variable(name: &str, sort: Sort) -> Term {
        Term::new(Node::Variable(name.into(), sort), sort)
    }

    /// A value.
    pub fn constant(value: Value) -> Term {
        let sort = value.sort();
        Term::new(Node::Constant(value), sort)
    }

    pub(crate) fn new(node: Node, sort: Sort) -> Term {
        Term { node: Arc::new(node), sort }
    }

    /// Its outermost node.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Its value if it is a constant.
    pub fn as_constant(&self) -> Option<&Value> {
        match self.node() {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// An identity that copies share and that no other living term has.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.node) as usize
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&crate::print::term(self))
    }
}
