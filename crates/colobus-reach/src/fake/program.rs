//! [`App`]: handlers as data, and their concolic execution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::concolic::{Handler, HandlerError, Run};
use crate::line::Line;
use crate::summary::START;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::value::{Kind, Value};
use crate::ui::{Registration, UiModel};

/// Statements of one run that are executed before it counts as endless.
const MOST_STATEMENTS: usize = 1000;

/// One statement of a handler.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A line that can be a target.
    Line(u32),
    /// Write a variable of the state.
    Assign(String, Expr),
    /// One of two blocks.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// Show another screen.
    Go(String),
    /// Throw an exception.
    Throw,
    /// Run for ever.
    Hang,
}

/// An event and its handler.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The screens on which it is possible.
    pub screens: Vec<String>,
    /// What it does.
    pub handler: Vec<Statement>,
}

/// An application. The handler of `start` gives every variable its first value and shows the first screen.
#[derive(Clone, Debug)]
pub struct App {
    /// Its events.
    pub events: Vec<Event>,
}

/// What a run did.
pub(super) struct HandlerRun {
    pub run: Run,
    pub screen: Option<String>,
}

impl App {
    /// The file that its lines belong to.
    pub fn line(number: u32) -> Line {
        Line { file: "app.js".into(), number }
    }

    /// The event with a name.
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// The handler of an event.
    pub fn handler(&self, event: &str) -> ProgramHandler<'_> {
        ProgramHandler { app: self, event: event.to_owned() }
    }

    /// The UI model: from each screen, an event may lead to every screen that its handler mentions, and to none other.
    pub fn model(&self) -> UiModel {
        let mut model = UiModel::default();
        for event in &self.events {
            let mut targets = BTreeSet::new();
            let may_stay = mentioned(&event.handler, &mut targets);
            let screens: Vec<&str> = match event.name.as_str() {
                START => vec![START],
                _ => event.screens.iter().map(String::as_str).collect(),
            };
            for from in screens {
                for to in targets.iter().map(String::as_str).chain(may_stay.then_some(from)) {
                    model.connect(from, &event.name, to);
                }
            }
            if event.name != START {
                let registration =
                    Registration { kind: "click".into(), element: format!("#{}", event.name), handler: App::line(1) };
                model.events.insert(event.name.as_str().into(), registration);
            }
        }
        model
    }

    /// Run a handler: branches are followed with the values in `before`, everything else symbolically.
    pub(super) fn trace(&self, event: &str, before: &Assignment) -> Result<HandlerRun, HandlerError> {
        let failed = |reason: String| HandlerError { event: event.to_owned(), reason };
        let found = self.event(event).ok_or_else(|| failed("there is no such event".to_owned()))?;
        let mut interpreter = Interpreter { before, run: Run::default(), screen: None, executed: 0 };
        let ended = interpreter.block(&found.handler).map_err(failed)?;
        let Interpreter { mut run, screen, .. } = interpreter;
        run.aborted = ended.err();
        run.shows = screen.iter().map(|screen| screen.as_str().into()).collect();
        Ok(HandlerRun { run, screen })
    }
}

/// Collect the screens that statements may show; whether they may end without showing one.
fn mentioned(statements: &[Statement], targets: &mut BTreeSet<String>) -> bool {
    let mut stays = true;
    for statement in statements {
        match statement {
            Statement::Go(screen) => {
                targets.insert(screen.clone());
                stays = false;
            }
            Statement::If(_, then, otherwise) => {
                let (one, other) = (mentioned(then, targets), mentioned(otherwise, targets));
                stays &= one || other;
            }
            _ => {}
        }
    }
    stays
}

/// The concolic run of one handler.
pub struct ProgramHandler<'a> {
    app: &'a App,
    event: String,
}

impl Handler for ProgramHandler<'_> {
    fn run(&mut self, before: &Assignment) -> Result<Run, HandlerError> {
        Ok(self.app.trace(&self.event, before)?.run)
    }
}

struct Interpreter<'a> {
    before: &'a Assignment,
    run: Run,
    screen: Option<String>,
    executed: usize,
}

impl Interpreter<'_> {
    /// `Ok(Err(_))` if the program did not come to its end, `Err(_)` if it makes no sense.
    fn block(&mut self, statements: &[Statement]) -> Result<Result<(), String>, String> {
        for statement in statements {
            self.executed += 1;
            if self.executed > MOST_STATEMENTS {
                return Ok(Err("it runs for ever".to_owned()));
            }
            match statement {
                Statement::Line(number) => {
                    let branches = self.run.branches.len();
                    self.run.log.entry(App::line(*number)).or_insert(branches);
                }
                Statement::Assign(name, expr) => {
                    let value = self.current(expr);
                    self.run.writes.insert(name.as_str().into(), value);
                }
                Statement::If(condition, then, otherwise) => {
                    let condition = self.current(condition);
                    let taken = self.value(&condition)?.is_truthy();
                    if !matches!(condition, Expr::Constant(_)) {
                        let branch = if taken { condition } else { condition.negated() };
                        self.run.branches.push(branch);
                    }
                    let ended = self.block(if taken { then } else { otherwise })?;
                    if ended.is_err() {
                        return Ok(ended);
                    }
                }
                Statement::Go(screen) => self.screen = Some(screen.clone()),
                Statement::Throw => return Ok(Err("it threw an exception".to_owned())),
                Statement::Hang => return Ok(Err("it runs for ever".to_owned())),
            }
        }
        Ok(Ok(()))
    }

    /// An expression in terms of the state before the handler.
    fn current(&self, expr: &Expr) -> Expr {
        expr.substitute(&|variable: &Variable| match variable.source {
            Source::State => self.run.writes.get(&variable.name).cloned(),
            Source::Event(_) => None,
        })
    }

    fn value(&self, expr: &Expr) -> Result<Value, String> {
        let mut values = self.before.clone();
        for variable in expr.variables() {
            let initial = || first_value(&variable.kinds);
            values.entry(variable.clone()).or_insert_with(initial);
        }
        expr.evaluate(&values).map_err(|error| error.to_string())
    }
}

/// What a variable holds before it is set.
fn first_value(kinds: &BTreeSet<Kind>) -> Value {
    match kinds.first() {
        Some(Kind::Boolean) => Value::Boolean(false),
        Some(Kind::Number) => Value::Number(0.0),
        Some(Kind::Text) => Value::text(""),
        Some(Kind::Null) => Value::Null,
        Some(Kind::Undefined) | None => Value::Undefined,
    }
}

/// The variables of a state by name.
pub(super) type State = BTreeMap<Arc<str>, Value>;
