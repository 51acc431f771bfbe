//! [`Stepping`]: worlds that announce each event before it happens, for `colobus replay --step`. Everything else is left to
//! the worlds inside.

use std::io::{self, BufRead, IsTerminal};

use colobus_model::{
    BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation, Step,
};
use colobus_world::{ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, WorldFactory};

use crate::output::print;

pub struct Stepping<'a> {
    inner: &'a dyn WorldFactory,
    announce: Announce,
}

/// Shows what is about to happen, and returns when it may.
type Announce = fn(&str);

impl<'a> Stepping<'a> {
    /// Prints each event and, on a terminal, waits for Enter.
    pub fn new(inner: &'a dyn WorldFactory) -> Stepping<'a> {
        Stepping { inner, announce: print_and_wait }
    }
}

fn print_and_wait(event: &str) {
    let waits = io::stdin().is_terminal();
    // A reader that went away does not keep the replay from its end.
    let _ = print(&format!("{event}{}", if waits { "  [Enter]" } else { "\n" }));
    if waits {
        let _ = io::stdin().lock().read_line(&mut String::new());
    }
}

impl WorldFactory for Stepping<'_> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(SteppingWorld { inner: self.inner.open()?, announce: self.announce, count: 0, held: false }))
    }

    fn browser(&self) -> String {
        self.inner.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.inner.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }

    fn script_errors(&self) -> Vec<String> {
        self.inner.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.inner.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.inner.recall(earlier);
    }
}

struct SteppingWorld {
    inner: Box<dyn World>,
    announce: Announce,
    /// Events so far.
    count: usize,
    /// Whether what happens is part of the concurrent part.
    held: bool,
}

impl SteppingWorld {
    fn announce(&mut self, what: &str) {
        self.count += 1;
        (self.announce)(&format!("{:>3}  {what}", self.count));
    }
}

impl World for SteppingWorld {
    fn browser(&self) -> BrowserPlace {
        self.inner.browser()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        (self.count, self.held) = (0, false);
        self.inner.begin(clients)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        self.announce(&format!("{client} performs {}", described(step)));
        self.inner.step(client, step)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.held = true;
        self.inner.hold()
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        if std::mem::take(&mut self.held) {
            self.announce("~  all messages are delivered");
        }
        self.inner.settle()
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.inner.settle_thoroughly()
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        self.inner.deliverable()
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
        let said =
            self.inner.waiting_message(event).map(|message| format!("  {}", message.preview)).unwrap_or_default();
        self.announce(&format!("{event}{said}"));
        self.inner.happen(event)
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.inner.caret(client)
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.inner.place_caret(client, caret)
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        self.inner.observe(client, wanted)
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        self.inner.late_joiners(wanted)
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        self.inner.late_joiner(wanted)
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.inner.survey(client)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        self.inner.observe_all(clients, wanted)
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.inner.traffic()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.inner.touched(client, step)
    }
}

/// A step as JSON, on one line.
fn described(step: &Step) -> String {
    serde_json::to_string(step).unwrap_or_else(|error| format!("{step} ({error})"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use colobus_run::Judgement;
    use colobus_world::fake::{FakeBug, FakeFactory};

    use super::Stepping;
    use crate::commands::planned;
    use crate::config::Configuration;

    const TWO_ACTIONS: &str = r#"
        [app]
        url = "http://127.0.0.1/{doc}"

        [[action]]
        name = "a"
        steps = [{ type = "a" }]

        [[action]]
        name = "b"
        steps = [{ type = "b" }]
    "#;

    /// The check that fails when the line is replayed step by step.
    fn failing_check(line: &str, bug: FakeBug) -> String {
        let configuration = Configuration::parse(TWO_ACTIONS, "colobus.toml", Path::new(".")).unwrap();
        let trace = planned(line, configuration).unwrap();
        let factory = FakeFactory::with_bugs(&[bug]);
        let stepping = Stepping { inner: &factory, announce: |_| {} };
        let replay = colobus_run::replay(&trace, Default::default(), &stepping, 1, &Default::default()).unwrap();
        match &replay.again[0].judgement {
            Judgement::Fail { check, .. } => check.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_client_that_opens_the_document_afterwards_is_seen() {
        assert_eq!(failing_check("(a || b) : A1 B1 ~", FakeBug::CutsForLateJoiners), "reload");
    }

    #[test]
    fn a_client_that_joins_in_between_is_seen() {
        let joins = "(a || b) : A1 B1 A> C* B> A< B< C< A< B<";
        assert_eq!(failing_check(joins, FakeBug::LateJoinersMissTheLastEdit), "late-joiner");
    }
}
