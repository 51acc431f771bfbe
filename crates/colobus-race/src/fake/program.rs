//! [`Program`]: a page as data.

use std::collections::BTreeMap;

use crate::model::{Place, Resource};

/// A page, its user and the answers of its server.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What runs before the first event.
    pub start: Vec<Operation>,
    /// The parts of the document, each a chunk of its own. With chunks there are DOMContentLoaded and load.
    pub chunks: Vec<Vec<Operation>>,
    pub functions: BTreeMap<String, Function>,
    pub steps: Vec<SimulatedStep>,
    /// What the server answers, by address.
    pub answers: BTreeMap<String, String>,
}

/// A function of the page. Its operations stand in the lines after its first, one each.
#[derive(Clone, Debug)]
pub struct Function {
    pub file: String,
    pub line: u32,
    pub body: Vec<Operation>,
}

/// What the user does.
#[derive(Clone, Debug)]
pub struct SimulatedStep {
    /// Milliseconds after the start.
    pub at: u64,
    /// `click`, `input`, …: also the type of the handlers that are called.
    pub action: String,
    pub target: String,
    /// What the user types into the target.
    pub types: Option<String>,
    /// The number of the chunk that has the target; 0 if it is there from the start.
    pub in_chunk: u32,
}

#[derive(Clone, Debug)]
pub enum Operation {
    /// `place = expression`
    Set(Place, Expression),
    /// `place.push(expression)`
    Push(Place, Expression),
    /// `local = place.shift()`
    Shift(Place, String),
    /// `place += number`
    Add(Place, i64),
    /// `place.add(expression)` of a set
    Insert(Place, Expression),
    /// `place = place ? place : expression`
    Initialise(Place, Expression),
    /// `let local = expression`
    Let(String, Expression),
    If(Condition, Vec<Operation>, Vec<Operation>),
    /// `handle = setTimeout(function, delay, argument)`
    Timer {
        delay: u64,
        call: String,
        argument: Option<Expression>,
        handle: Option<Place>,
    },
    /// A request whose answer calls the function with the locals `argument` and `response`. Data requests are seen by
    /// the server. `latency` is how long the answer takes naturally.
    Request {
        resource: Resource,
        method: String,
        address: Expression,
        latency: u64,
        call: Option<String>,
        argument: Option<Expression>,
        handle: Option<Place>,
    },
    /// `clearTimeout(handle)`, `controller.abort()`
    Cancel(Place),
    /// `target.addEventListener(event, function)`
    Listen {
        target: String,
        event: String,
        call: String,
    },
    /// A script defines a global function.
    Define(String),
    /// Calls a function by its global name; throws if it is not defined.
    Call(String),
    Throw(String),
    /// Leaves the page: nothing that is still to come happens.
    Navigate(String),
}

#[derive(Clone, Debug)]
pub enum Expression {
    Is(Value),
    Get(Place),
    Local(String),
    /// The texts of all, one after another.
    Join(Vec<Expression>),
}

#[derive(Clone, Debug)]
pub enum Condition {
    /// Undefined, false, 0, an empty text or an empty list.
    Falsy(Expression),
    Truthy(Expression),
    Equal(Expression, Expression),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    #[default]
    Undefined,
    Number(i64),
    Text(String),
    List(Vec<String>),
    Set(std::collections::BTreeSet<String>),
}

impl Value {
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Undefined => false,
            Value::Number(number) => *number != 0,
            Value::Text(text) => !text.is_empty(),
            Value::List(list) => !list.is_empty(),
            Value::Set(set) => !set.is_empty(),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Value::Undefined => String::new(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::List(list) => list.join(","),
            Value::Set(set) => set.iter().cloned().collect::<Vec<_>>().join(" "),
        }
    }
}

impl From<&str> for Expression {
    fn from(text: &str) -> Expression {
        Expression::Is(Value::Text(text.to_string()))
    }
}

impl From<i64> for Expression {
    fn from(number: i64) -> Expression {
        Expression::Is(Value::Number(number))
    }
}

impl From<Place> for Expression {
    fn from(place: Place) -> Expression {
        Expression::Get(place)
    }
}

impl Operation {
    /// How many lines it takes.
    pub(super) fn lines(&self) -> u32 {
        match self {
            Operation::If(_, yes, no) => 1 + yes.iter().chain(no).map(Operation::lines).sum::<u32>(),
            _ => 1,
        }
    }
}
