//! [`ServerWatch`]: whether an application that we started has anything left to do. Linux shows for each thread of its
//! processes whether it runs, which system call it sleeps in, and when that call ends by itself; and for each connection who
//! is at its other end and whether bytes wait in it. Used by settling. On other systems, and where it may not look, the
//! answer is [`ServerState::Unknowable`].

mod connections;
mod pause;
mod processes;
mod sleep;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use connections::Connections;
pub use pause::Pause;
use processes::Tree;
use sleep::Sleep;

/// What an application is doing at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// Every thread sleeps until something comes from outside, and all connections are with processes that are watched. What it
    /// sent has reached the sockets of the receivers, who may not have read it yet. Equal stamps of two looks mean that
    /// nothing ran between them.
    Idle(Stamp),
    /// The same, but a timer wakes it up after at most this time.
    Wakes(Duration, Stamp),
    /// Something runs, is stopped for a moment, or bytes are on their way.
    Working,
    /// It cannot be told from outside, and why.
    Unknowable(String),
}

/// How often the threads of an application have been given a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<(u32, u64)>);

/// Looks at the processes that descend from one.
#[derive(Debug)]
pub struct ServerWatch {
    root: u32,
    /// The sockets of these processes whose other ends are known to be watched. Finding that out costs milliseconds.
    known: Mutex<BTreeSet<u64>>,
}

impl ServerWatch {
    pub fn new(root: u32) -> ServerWatch {
        ServerWatch { root, known: Mutex::default() }
    }

    /// Stops the application until the result is dropped; nothing if its processes are no group of their own.
    pub fn pause(&self) -> Option<Pause> {
        Pause::begin(self.root)
    }

    /// Timers that go off later than `horizon` from when they were set are not waited for.
    pub fn look(&self, horizon: Duration) -> ServerState {
        self.try_look(horizon).unwrap_or_else(ServerState::Unknowable)
    }

    fn try_look(&self, horizon: Duration) -> Result<ServerState, String> {
        let tree = Tree::below(self.root)?;
        let mut switches = Vec::new();
        let mut wakes: Option<Duration> = None;
        for thread in &tree.threads {
            match thread.sleep()? {
                Sleep::Ended => {}
                Sleep::Runs => return Ok(ServerState::Working),
                Sleep::UntilCalled => switches.push((thread.id, thread.switches()?)),
                Sleep::AtMost(time) => {
                    switches.push((thread.id, thread.switches()?));
                    if time <= horizon {
                        wakes = Some(wakes.map_or(time, |other| other.min(time)));
                    }
                }
            }
        }
        if switches.is_empty() {
            return Err("it has no processes any more".to_string());
        }
        let sockets = tree.sockets()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !sockets.is_subset(&known) {
            if Connections::read()?.has_bytes_on_their_way(&sockets)? {
                return Ok(ServerState::Working);
            }
            *known = sockets;
        }
        let stamp = Stamp(switches);
        Ok(match wakes {
            None => ServerState::Idle(stamp),
            Some(time) => ServerState::Wakes(time, stamp),
        })
    }
}
