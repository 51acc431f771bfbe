//! [`PlainPage`]: the application run with concrete values only.

use super::program::{App, State};
use crate::line::Line;
use crate::page::{Page, PageError, Replayed, Step};
use crate::summary::START;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::value::Value;

/// Performs steps on an application in memory.
pub struct PlainPage<'a> {
    /// The application.
    pub app: &'a App,
}

impl Page for PlainPage<'_> {
    fn replay(&mut self, steps: &[Step], target: &Line) -> Result<Replayed, PageError> {
        let start = Step { event: START.into(), parameters: Default::default() };
        let (mut state, mut screen) = (State::new(), START.to_owned());
        for step in std::iter::once(&start).chain(steps) {
            let event = self.app.event(&step.event).ok_or_else(|| PageError(format!("there is no `{step}`")))?;
            let possible = &*step.event == START || event.screens.contains(&screen);
            if !possible {
                return Ok(Replayed::Miss(format!("`{step}` is not possible on `{screen}`")));
            }
            let before = self.assignment(&state, step);
            let trace = self.app.trace(&step.event, &before).map_err(|error| PageError(error.to_string()))?;
            if trace.run.log.contains_key(target) {
                return Ok(Replayed::Hit);
            }
            for (name, expr) in &trace.run.writes {
                let value = expr.evaluate(&before).map_err(|error| PageError(error.to_string()))?;
                state.insert(name.clone(), value);
            }
            screen = trace.screen.unwrap_or(screen);
        }
        Ok(Replayed::Miss("the line was not executed".to_owned()))
    }
}

impl PlainPage<'_> {
    /// Values for every variable that occurs in the application.
    fn assignment(&self, state: &State, step: &Step) -> Assignment {
        let mut values = Assignment::new();
        for variable in self.app.variables() {
            let value = match variable.source {
                Source::State => state.get(&variable.name),
                Source::Event(_) => step.parameters.get(&variable.name),
            };
            values.insert(variable, value.cloned().unwrap_or(Value::Undefined));
        }
        values
    }
}

impl App {
    /// All variables of all handlers.
    fn variables(&self) -> Vec<Variable> {
        let mut expressions = Vec::new();
        self.events.iter().for_each(|event| collect(&event.handler, &mut expressions));
        expressions.iter().flat_map(Expr::variables).collect()
    }
}

fn collect(statements: &[super::Statement], found: &mut Vec<Expr>) {
    for statement in statements {
        match statement {
            super::Statement::Assign(_, expr) => found.push(expr.clone()),
            super::Statement::If(condition, then, otherwise) => {
                found.push(condition.clone());
                collect(then, found);
                collect(otherwise, found);
            }
            _ => {}
        }
    }
}
