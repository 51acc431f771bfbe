//! The seam between the run loop and what executes interactions: [`World`], made by a [`WorldFactory`].
//! All methods block; an implementation may be asynchronous internally. No method has a default: a wrapper that forgets one
//! would answer in the place of the world inside.

use colobus_model::{
    Aspect, BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation, Step,
};

use crate::{Survey, Touched};

/// Makes worlds, one per worker. A world that died is replaced by opening another.
pub trait WorldFactory: Sync {
    fn open(&self) -> Result<Box<dyn World>, WorldError>;

    /// Name and version of what executes the steps, for reports.
    fn browser(&self) -> String;

    /// A text that changes when the application does, as far as can be seen from outside: phase 1 of an earlier run is
    /// used again only while it is equal.
    fn fingerprint(&self) -> Result<String, WorldError>;

    /// Things a user should know at the end of a run, such as hosts that were refused.
    fn notes(&self) -> Vec<String>;

    /// Scripts of the configuration that threw so far, other than those of actions: which, and what.
    fn script_errors(&self) -> Vec<String>;

    /// What all worlds so far have learned of the application while they waited for it.
    fn learned(&self) -> LearnedSettling;

    /// Adds what an earlier run has learned.
    fn recall(&self, earlier: LearnedSettling);
}

/// One document and the clients on it.
///
/// Messages between clients and application flow freely until [`World::hold`]; then they are kept back until
/// [`World::settle`], which lets everything through, waits until nothing moves, and leaves them flowing.
pub trait World: Send {
    /// The browser in which its clients are.
    fn browser(&self) -> BrowserPlace;

    /// A fresh document with this many clients on it: loaded, ready, focused, settled, messages flowing.
    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError>;

    /// One client performs one step. Returns after the page has processed the step and every
    /// message it sent has reached the proxy.
    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError>;

    /// From now on no message reaches the application or a client.
    fn hold(&mut self) -> Result<(), WorldError>;

    /// Lets all messages flow and waits until nothing moves any more, in any client or on the way.
    fn settle(&mut self) -> Result<Settled, WorldError>;

    /// Settles again and waits through a long silence, where only silence tells that nothing is coming any more: what is seen
    /// afterwards may be reported as a failure.
    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError>;

    /// The messages that are held, as [`Event::Deliver`], in an order that depends on nothing but what happened so far. An
    /// event is named as often as messages wait in its queue, of which only the first can go on next.
    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError>;

    /// Whether the message that this event would let through belongs to a request that the page sends again and again by itself, and
    /// that changes nothing.
    fn is_poll(&mut self, event: &Event) -> bool;

    /// Whether pages of the application are known to ask it again and again by themselves, by requests that change nothing.
    fn polls(&mut self) -> bool;

    /// What the message says that this event would let through, if the world can tell.
    fn waiting_message(&mut self, event: &Event) -> Option<Message>;

    /// Makes something other than a user's step happen while messages are held: one message goes on, a client loses its
    /// network or gets it back, a page is loaded again or polls, time passes, a client joins. Returns when everything that follows from it has happened and
    /// the messages that it caused are held.
    fn happen(&mut self, event: &Event) -> Result<(), WorldError>;

    /// Where this client's caret is; `None` if there is none that could be read. The page may not have been drawn since the last
    /// settling; it is drawn in the settling after [`World::place_caret`].
    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError>;

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError>;

    /// What this client shows now.
    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError>;

    /// What those show now who came since the document was opened, in the order in which they came.
    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError>;

    /// One more client opens the document and leaves again: what it shows, and what client A sees meanwhile. `None` if that
    /// cannot be done, or did not settle.
    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError>;

    /// What the page offers to a user.
    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError>;

    /// What the first `clients` clients show now. A world that can look at all of them at once does.
    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError>;

    /// The messages of each client on the document. Numbers only grow while the document is open.
    fn traffic(&mut self) -> Vec<Traffic>;

    /// What this client's page has read and written since it was asked last, with what the browser itself did if the client has
    /// just performed `step`. `None` if the world cannot tell.
    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError>;
}

/// How many messages (of sockets and streams, requests, answers) a client has sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// What its page sent, held messages included.
    pub sent: u64,
    pub received: u64,
}

/// What reports call the client that joins with an event; `None` for events with which none joins.
pub fn late_joiner_name(event: &Event) -> Option<String> {
    match event {
        Event::Join { client } => Some(format!("{client}, who came later,")),
        Event::Tab { client } => Some(format!("{client}'s second tab")),
        _ => None,
    }
}

/// Which aspects an observation has to have. Errors always come along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserveOptions {
    pub pixels: bool,
    pub dom: bool,
    pub text: bool,
    pub state: bool,
}

impl ObserveOptions {
    pub fn all() -> ObserveOptions {
        ObserveOptions { pixels: true, dom: true, text: true, state: true }
    }

    /// What tells which words the document has, besides.
    pub fn and_words(self, wanted: bool) -> ObserveOptions {
        ObserveOptions { text: self.text || wanted, state: self.state || wanted, ..self }
    }

    pub fn aspects(aspects: &[Aspect]) -> ObserveOptions {
        ObserveOptions {
            pixels: aspects.contains(&Aspect::Pixels),
            dom: aspects.contains(&Aspect::Dom),
            text: false,
            state: aspects.contains(&Aspect::State),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    Done,
    /// The step makes no sense in this state, and why: its element is not there, its wait ran out.
    NotApplicable(String),
    /// A script of the configuration threw, and what.
    Threw(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    Quiet,
    /// Something kept moving until the limit, and what.
    Restless(String),
}

/// What can go wrong in a world. What an application does wrong is never an error, it is observed.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// The browser or a tab died. Open another world and try again.
    #[error("{0}")]
    Died(String),
    /// This interaction cannot be finished, but the world can be used for the next: the page navigated away, closed
    /// itself, did not answer. The verdict is unknown.
    #[error("{0}")]
    Interrupted(String),
    /// The run was asked to end before this was finished. Nothing is said of it.
    #[error("the run was stopped")]
    Stopped,
    /// Nothing can be run at all: no browser, the application exited or never got ready.
    #[error("{0}")]
    CannotRun(String),
}
