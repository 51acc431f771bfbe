//! [`Attended`]: worlds of an application that is looked after. One that we started and that exits is started again before the
//! next interaction; an interaction during whose concurrent part it exits shows that as an error of every client. The run loop
//! repeats such an execution, and judges it like any other if the application exits again. Made for searches by the command line.

use std::sync::Arc;

use colobus_model::{
    BrowserPlace, Caret, ClientId, ErrorKind, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation,
    PageError, Step,
};
use colobus_world::{
    ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, WorldFactory, exits,
};

use crate::BrowserFactory;
use crate::settling::Server;
use crate::subject::{Subject, SubjectError};
use crate::world::Logins;

/// Makes attended worlds on these browsers.
pub struct Attended<'a> {
    browsers: &'a BrowserFactory,
    subject: Arc<Subject>,
}

impl<'a> Attended<'a> {
    pub fn new(browsers: &'a BrowserFactory, subject: Arc<Subject>) -> Attended<'a> {
        Attended { browsers, subject }
    }
}

impl WorldFactory for Attended<'_> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(AttendedWorld {
            inner: self.browsers.open()?,
            subject: self.subject.clone(),
            server: self.browsers.server(),
            logins: self.browsers.logins(),
            concurrent: false,
            exit: None,
            clients: 0,
            restarts: 0,
        }))
    }

    fn browser(&self) -> String {
        self.browsers.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.browsers.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        let restarts = match self.subject.restarts() {
            0 => None,
            1 => Some("the application exited once during the search, and was started again".to_string()),
            times => Some(format!("the application exited {times} times during the search, and was started again")),
        };
        self.browsers.notes().into_iter().chain(restarts).collect()
    }

    fn script_errors(&self) -> Vec<String> {
        self.browsers.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.browsers.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.browsers.recall(earlier);
    }
}

struct AttendedWorld {
    inner: Box<dyn World>,
    subject: Arc<Subject>,
    server: Server,
    logins: Arc<Logins>,
    /// Whether the concurrent part has begun.
    concurrent: bool,
    /// How the application exited since the document was opened, if it did.
    exit: Option<String>,
    /// How many clients are on the document.
    clients: usize,
    /// How often the application had been started again when the document was opened.
    restarts: usize,
}

impl AttendedWorld {
    /// The result of something that was done, if the application is still there. In the concurrent part its exit is an
    /// observation, and whatever follows is the same for everybody; before that nothing can be said.
    fn unless_gone<T>(&mut self, result: Result<T, WorldError>, afterwards: T) -> Result<T, WorldError> {
        if self.exit.is_none() && self.subject.restarts() != self.restarts {
            let another = "the application exited during another interaction, and was started again";
            return Err(WorldError::Died(another.to_string()));
        }
        if matches!(result, Err(WorldError::Interrupted(_))) {
            self.subject.notice_silence();
        }
        if matches!(result, Err(WorldError::Stopped)) || !self.is_gone() {
            return result;
        }
        match (&self.exit, self.concurrent) {
            (Some(exit), false) => Err(WorldError::Interrupted(exits(exit))),
            _ => Ok(result.unwrap_or(afterwards)),
        }
    }

    fn is_gone(&mut self) -> bool {
        self.exit = self.exit.take().or_else(|| self.subject.exit());
        self.exit.is_some()
    }

    /// The observation, with the exit as an error.
    fn with_exit(&self, mut observation: Observation) -> Observation {
        if let Some(exit) = &self.exit {
            let text = exits(exit);
            // First: what pages complain of then follows from it.
            let error = PageError { kind: ErrorKind::Exit, text, place: None, during_concurrent: true };
            observation.errors.insert(0, error);
        }
        observation
    }
}

impl World for AttendedWorld {
    fn browser(&self) -> BrowserPlace {
        self.inner.browser()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        if self.exit.take().is_some() {
            // What was held when the application exited is not for its successor.
            for client in 0..self.clients {
                let _ = self.inner.happen(&Event::Cut { client: ClientId(client) });
            }
        }
        (self.concurrent, self.clients) = (false, clients);
        let revived = self.subject.revive().map_err(|error| match error {
            SubjectError::Stopped => WorldError::Stopped,
            error => WorldError::CannotRun(error.to_string()),
        })?;
        if let Some(watch) = revived {
            self.server.watch(watch);
            // Most applications keep who is logged in in memory.
            self.logins.forget();
        }
        self.restarts = self.subject.restarts();
        let begun = self.inner.begin(clients);
        if matches!(begun, Err(WorldError::Interrupted(_))) {
            self.subject.notice_silence();
        }
        if self.is_gone() {
            // It may not have been this document's fault: another world is opened, and the application with it.
            let exit = self.exit.take().unwrap_or_default();
            return Err(WorldError::Died(format!("{} while its page is opened", exits(&exit))));
        }
        if matches!(begun, Err(WorldError::Interrupted(_))) {
            self.subject.ensure_reachable().map_err(|error| WorldError::CannotRun(error.to_string()))?;
        }
        if begun.is_ok() {
            self.subject.works();
        }
        begun
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        if self.exit.is_some() {
            return Ok(StepOutcome::Done);
        }
        let outcome = self.inner.step(client, step);
        self.unless_gone(outcome, StepOutcome::Done)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.concurrent = true;
        self.inner.hold()
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        if self.exit.is_some() {
            return Ok(Settled::Quiet);
        }
        let settled = self.inner.settle();
        let settled = self.unless_gone(settled, Settled::Quiet)?;
        Ok(if self.exit.is_some() { Settled::Quiet } else { settled })
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        if self.exit.is_some() {
            return Ok(Settled::Quiet);
        }
        let settled = self.inner.settle_thoroughly();
        let settled = self.unless_gone(settled, Settled::Quiet)?;
        Ok(if self.exit.is_some() { Settled::Quiet } else { settled })
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        if self.exit.is_some() { Ok(Vec::new()) } else { self.inner.deliverable() }
    }

    fn is_poll(&mut self, event: &Event) -> bool {
        self.inner.is_poll(event)
    }

    fn polls(&mut self) -> bool {
        self.inner.polls()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        self.inner.waiting_message(event)
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        if self.exit.is_some() {
            return Ok(());
        }
        let happened = self.inner.happen(event);
        self.unless_gone(happened, ())
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.inner.caret(client)
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.inner.place_caret(client, caret)
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        let seen = self.inner.observe(client, wanted);
        let seen = self.unless_gone(seen, Observation::default())?;
        Ok(self.with_exit(seen))
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        if self.exit.is_some() { Ok(Vec::new()) } else { self.inner.late_joiners(wanted) }
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        if self.exit.is_some() { Ok(None) } else { self.inner.late_joiner(wanted) }
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.inner.survey(client)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        let seen = self.inner.observe_all(clients, wanted);
        // Requests that fail may be all that shows of a server that has ended behind its command.
        if seen.as_ref().is_ok_and(|seen| seen.iter().any(|observation| !observation.errors.is_empty())) {
            self.subject.notice_silence();
        }
        let seen = self.unless_gone(seen, vec![Observation::default(); clients])?;
        Ok(seen.into_iter().map(|observation| self.with_exit(observation)).collect())
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.inner.traffic()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.inner.touched(client, step)
    }
}
