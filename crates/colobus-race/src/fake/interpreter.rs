//! The operations of a simulated page, and the accesses that they log.

use std::collections::BTreeMap;

use super::machine::{Action, Machine, value_digest};
use super::program::{Condition, Expression, Operation, Value};
use crate::digest;
use crate::model::{Access, AccessKind, Digest, EventKind, EventName, NotRun, Place, Request, Resource, Site};

type Locals = BTreeMap<String, Value>;

/// A function that calls itself more often than this has no end.
const DEEPEST_CALL: usize = 50;

/// An exception that no handler catches ends the callback that threw it.
struct Thrown;

impl Machine<'_> {
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Call { function, argument, response } => {
                let locals = Locals::from([("argument".into(), argument), ("response".into(), response)]);
                function.iter().for_each(|function| self.call_back(function, locals.clone()));
            }
            Action::Chunk(index) => {
                let program = self.program;
                _ = self.perform(&program.chunks[index], &mut Locals::new(), "page.html", 100 * (index as u32 + 1));
            }
            Action::Window(event) => self.dispatch("window", event),
            Action::Step(index) => {
                let step = &self.program.steps[index];
                if let Some(text) = &step.types {
                    self.write(
                        &Place::Value { element: step.target.clone() },
                        Value::Text(text.clone()),
                        AccessKind::Write,
                    );
                }
                self.dispatch(&step.target, &step.action);
            }
        }
    }

    fn dispatch(&mut self, target: &str, event: &str) {
        let handlers = self.read(&Place::Handler { target: target.into(), event: event.into() });
        let Value::List(handlers) = handlers else { return };
        handlers.iter().for_each(|handler| self.call_back(handler, Locals::new()));
    }

    fn call_back(&mut self, function: &str, mut locals: Locals) {
        _ = self.enter(function, &mut locals, 0);
    }

    fn enter(&mut self, function: &str, locals: &mut Locals, depth: usize) -> Result<(), Thrown> {
        let program = self.program;
        let found = program.functions.get(function).filter(|_| depth < DEEPEST_CALL);
        let Some(found) = found else { return self.throw(format!("{function} is not a function")) };
        self.perform_at(&found.body, locals, &found.file, found.line + 1, depth)
    }

    /// Whether it came to its end.
    pub(super) fn perform(&mut self, operations: &[Operation], locals: &mut Locals, file: &str, line: u32) -> bool {
        self.perform_at(operations, locals, file, line, 0).is_ok()
    }

    fn perform_at(
        &mut self,
        operations: &[Operation],
        locals: &mut Locals,
        file: &str,
        mut line: u32,
        depth: usize,
    ) -> Result<(), Thrown> {
        for operation in operations {
            self.current.site = Some(Site::new(file, line));
            if let Operation::If(condition, yes, no) = operation {
                let holds = self.holds(condition, locals);
                let skipped: u32 = if holds { 0 } else { yes.iter().map(Operation::lines).sum() };
                self.perform_at(if holds { yes } else { no }, locals, file, line + 1 + skipped, depth)?;
            } else {
                self.operate(operation, locals, depth)?;
            }
            line += operation.lines();
        }
        Ok(())
    }

    fn operate(&mut self, operation: &Operation, locals: &mut Locals, depth: usize) -> Result<(), Thrown> {
        match operation {
            Operation::Set(place, expression) => {
                let value = self.evaluate(expression, locals);
                self.write(place, value, AccessKind::Write);
            }
            Operation::Push(place, expression) => {
                let item = self.evaluate(expression, locals).text();
                let mut list = self.list(place);
                list.push(item);
                self.write(place, Value::List(list), AccessKind::Write);
            }
            Operation::Shift(place, local) => {
                let mut list = self.list(place);
                let first = if list.is_empty() { Value::Undefined } else { Value::Text(list.remove(0)) };
                locals.insert(local.clone(), first);
                self.write(place, Value::List(list), AccessKind::Write);
            }
            Operation::Add(place, number) => {
                let old = if let Some(Value::Number(old)) = self.values.get(place) { *old } else { 0 };
                self.write(place, Value::Number(old + number), AccessKind::Add);
            }
            Operation::Insert(place, expression) => {
                let item = self.evaluate(expression, locals).text();
                let mut set =
                    if let Some(Value::Set(set)) = self.values.get(place) { set.clone() } else { Default::default() };
                set.insert(item);
                self.write(place, Value::Set(set), AccessKind::Insert);
            }
            Operation::Initialise(place, expression) => {
                let old = self.values.get(place).cloned().unwrap_or_default();
                let value = if old.is_truthy() { old } else { self.evaluate(expression, locals) };
                self.log(place, AccessKind::Initialise, digest::text(&format!("{expression:?}")));
                self.store(place, value);
            }
            Operation::Let(local, expression) => {
                let value = self.evaluate(expression, locals);
                locals.insert(local.clone(), value);
            }
            Operation::If(..) => {}
            Operation::Timer { delay, call, argument, handle } => {
                let argument = argument.as_ref().map_or(Value::Undefined, |argument| self.evaluate(argument, locals));
                let action = Action::Call { function: Some(call.clone()), argument, response: Value::Undefined };
                let name = self.register(EventKind::Timer, *delay, action, |event| event.delay = Some(*delay));
                self.keep(handle.as_ref(), &name);
            }
            Operation::Request { resource, method, address, latency, call, argument, handle } => {
                let address = self.evaluate(address, locals).text();
                let argument = argument.as_ref().map_or(Value::Undefined, |argument| self.evaluate(argument, locals));
                let name = self.request(*resource, method, &address, *latency, call.clone(), argument);
                self.keep(handle.as_ref(), &name);
            }
            Operation::Cancel(place) => {
                if let Value::Text(name) = self.read(place) {
                    self.cancel(&EventName::from(name));
                }
            }
            Operation::Listen { target, event, call } => {
                let place = Place::Handler { target: target.clone(), event: event.clone() };
                // Each registration adds to what is there, like `push`.
                let mut handlers = self.list(&place);
                handlers.push(call.clone());
                self.write(&place, Value::List(handlers), AccessKind::Write);
            }
            Operation::Define(name) => {
                self.write(&Place::Global { name: name.clone() }, Value::Text(name.clone()), AccessKind::Write);
            }
            Operation::Call(name) => {
                if !self.read(&Place::Global { name: name.clone() }).is_truthy() {
                    return self.throw(format!("{name} is not defined"));
                }
                self.enter(name, locals, depth + 1)?;
            }
            Operation::Throw(text) => return self.throw(text.clone()),
            Operation::Navigate(address) => {
                self.write(&Place::Location, Value::Text(address.clone()), AccessKind::Write);
                self.current.leaves = true;
            }
        }
        Ok(())
    }

    fn request(
        &mut self,
        resource: Resource,
        method: &str,
        address: &str,
        latency: u64,
        function: Option<String>,
        argument: Value,
    ) -> EventName {
        if resource.is_data() {
            let body = if method == "GET" { 0 } else { digest::text(&argument.text()) };
            let request = Request { method: method.into(), address: address.into(), body };
            *self.requests.entry(request).or_default() += 1;
        }
        let response = Value::Text(self.program.answers.get(address).cloned().unwrap_or_default());
        let kind = EventKind::Response { resource, method: method.into(), address: address.into() };
        let action = Action::Call { function, argument, response };
        self.register(kind, latency, action, |event| event.blocks_load = !resource.is_data())
    }

    fn keep(&mut self, handle: Option<&Place>, name: &EventName) {
        if let Some(place) = handle {
            self.write(place, Value::Text(name.to_string()), AccessKind::Write);
        }
    }

    fn cancel(&mut self, name: &EventName) {
        self.current.disables.push(name.clone());
        if let Some(index) = self.pending.iter().position(|pending| pending.event.name == *name) {
            let event = self.pending.remove(index).event;
            self.not_run.push(NotRun { event, disabled_by: self.current.name.clone() });
        }
    }

    fn throw(&mut self, message: String) -> Result<(), Thrown> {
        self.exceptions.insert(message);
        Err(Thrown)
    }

    fn holds(&mut self, condition: &Condition, locals: &Locals) -> bool {
        match condition {
            Condition::Falsy(expression) => !self.evaluate(expression, locals).is_truthy(),
            Condition::Truthy(expression) => self.evaluate(expression, locals).is_truthy(),
            Condition::Equal(a, b) => self.evaluate(a, locals) == self.evaluate(b, locals),
        }
    }

    fn evaluate(&mut self, expression: &Expression, locals: &Locals) -> Value {
        match expression {
            Expression::Is(value) => value.clone(),
            Expression::Get(place) => self.read(place),
            Expression::Local(name) => locals.get(name).cloned().unwrap_or_default(),
            Expression::Join(parts) => {
                Value::Text(parts.iter().map(|part| self.evaluate(part, locals).text()).collect())
            }
        }
    }

    fn list(&mut self, place: &Place) -> Vec<String> {
        if let Value::List(list) = self.read(place) { list } else { Vec::new() }
    }

    fn read(&mut self, place: &Place) -> Value {
        let value = self.values.get(place).cloned().unwrap_or_default();
        self.log(place, AccessKind::Read, value_digest(&value));
        value
    }

    fn write(&mut self, place: &Place, value: Value, kind: AccessKind) {
        self.log(place, kind, value_digest(&value));
        self.store(place, value);
    }

    fn store(&mut self, place: &Place, value: Value) {
        self.written.insert(place.clone());
        self.values.insert(place.clone(), value);
    }

    fn log(&mut self, place: &Place, kind: AccessKind, value: Digest) {
        let site = self.current.site.clone();
        let access = Access { value: Some(value), site, ..Access::new(place.clone(), kind) };
        if !self.current.accesses.contains(&access) {
            self.current.accesses.push(access);
        }
    }
}
