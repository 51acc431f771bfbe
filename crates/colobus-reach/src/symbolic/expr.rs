//! [`Expr`]: a symbolic value, an expression of JavaScript over variables of the page's state and parameters of events.
//!
//! Produced by the concolic run of a handler; composed by the search; evaluated by [`evaluate`](super::evaluate),
//! translated for the solver by [`translate`](super::translate), printed as JavaScript by [`javascript`](super::javascript).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::operator::Operator;
use super::value::{Kind, Value};

/// Something that has a value when a handler begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variable {
    /// Its name: `settings.enabled`, or the name of a parameter.
    pub name: Arc<str>,
    /// The types that its value may have.
    pub kinds: BTreeSet<Kind>,
    /// Where its value comes from.
    pub source: Source,
}

/// Where a variable's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The state of the page before the event.
    State,
    /// The event. In a sequence, the number counts events from the last one, which is 1; in a summary it is 0.
    Event(u32),
}

impl Variable {
    /// A variable of the state.
    pub fn state(name: &str, kinds: impl IntoIterator<Item = Kind>) -> Self {
        Variable { name: name.into(), kinds: kinds.into_iter().collect(), source: Source::State }
    }

    /// A parameter of an event.
    pub fn parameter(name: &str, kind: Kind) -> Self {
        Variable { name: name.into(), kinds: [kind].into(), source: Source::Event(0) }
    }

    /// A name that no other variable of a sequence has.
    pub fn full_name(&self) -> String {
        match self.source {
            Source::State => self.name.to_string(),
            Source::Event(number) => format!("{}@{number}", self.name),
        }
    }
}

/// A symbolic value; copies share their parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expr {
    /// A value.
    Constant(Value),
    /// A variable.
    Variable(Variable),
    /// An operator and its operands.
    Apply(Arc<(Operator, Vec<Expr>)>),
}

impl Expr {
    /// A constant.
    pub fn constant(value: impl Into<Value>) -> Expr {
        Expr::Constant(value.into())
    }

    /// A state variable of one type.
    pub fn state(name: &str, kind: Kind) -> Expr {
        Expr::Variable(Variable::state(name, [kind]))
    }

    /// A parameter of the event.
    pub fn parameter(name: &str, kind: Kind) -> Expr {
        Expr::Variable(Variable::parameter(name, kind))
    }

    /// An operator on operands; computed if they are constants, or if what decides between two of them is.
    pub fn apply(operator: Operator, operands: Vec<Expr>) -> Expr {
        let constants: Option<Vec<Value>> = operands
            .iter()
            .map(|operand| match operand {
                Expr::Constant(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if let (Operator::Conditional, [Expr::Constant(decided), then, otherwise]) = (&operator, &operands[..]) {
            return if decided.is_truthy() { then.clone() } else { otherwise.clone() };
        }
        match constants.map(|values| operator.apply(&values)) {
            Some(Ok(value)) => Expr::Constant(value),
            _ => Expr::Apply(Arc::new((operator, operands))),
        }
    }

    /// One operand.
    pub fn unary(operator: Operator, operand: &Expr) -> Expr {
        Expr::apply(operator, vec![operand.clone()])
    }

    /// Two operands.
    pub fn binary(&self, operator: Operator, other: &Expr) -> Expr {
        Expr::apply(operator, vec![self.clone(), other.clone()])
    }

    /// The negation as a condition; negated twice, it is the condition itself.
    pub fn negated(&self) -> Expr {
        if let Expr::Apply(application) = self
            && let (Operator::Not, [inner]) = (&application.0, &application.1[..])
        {
            return inner.clone();
        }
        Expr::unary(Operator::Not, self)
    }

    /// The expression with every variable replaced by what `replacement` gives for it.
    pub fn substitute(&self, replacement: &impl Fn(&Variable) -> Option<Expr>) -> Expr {
        match self {
            Expr::Constant(_) => self.clone(),
            Expr::Variable(variable) => replacement(variable).unwrap_or_else(|| self.clone()),
            Expr::Apply(application) => {
                let (operator, operands) = &**application;
                let replaced: Vec<Expr> = operands.iter().map(|operand| operand.substitute(replacement)).collect();
                if replaced == *operands { self.clone() } else { Expr::apply(operator.clone(), replaced) }
            }
        }
    }

    /// Its variables.
    pub fn variables(&self) -> BTreeSet<Variable> {
        let mut found = BTreeSet::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut BTreeSet<Variable>) {
        match self {
            Expr::Constant(_) => {}
            Expr::Variable(variable) => {
                found.insert(variable.clone());
            }
            Expr::Apply(application) => application.1.iter().for_each(|operand| operand.collect(found)),
        }
    }
}
