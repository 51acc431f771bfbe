//! [`GridSession`]: a browser of a Grid. It is given back when this is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tracing::debug;

use crate::{GridError, Hub, UnderWay};

/// How long the end of a browser is waited for. The Grid goes on to end it afterwards: it was told.
const END_PATIENCE: Duration = Duration::from_secs(20);
/// The same of a browser that does not answer any more: the request to end it has to be on its way before this process may end.
const LOST_PATIENCE: Duration = Duration::from_secs(2);

/// For how long its end is asked for again if the hub is not reached.
const END_RETRIES: Duration = Duration::from_secs(60);
const BETWEEN_RETRIES: Duration = Duration::from_millis(200);

pub struct GridSession {
    pub(crate) hub: Hub,
    pub id: String,
    /// Where its browser is driven: `ws://…` or `wss://…`.
    pub devtools: String,
    /// The version that the browser says it has.
    pub version: String,
    /// The node on which it runs, if the hub tells.
    pub node: Option<String>,
    is_lost: AtomicBool,
}

impl GridSession {
    pub(crate) fn new(hub: Hub, id: String, devtools: String, version: String, node: Option<String>) -> GridSession {
        GridSession { hub, id, devtools, version, node, is_lost: AtomicBool::new(false) }
    }

    /// The node on which it runs, for people.
    pub fn place(&self) -> String {
        self.node.clone().unwrap_or_else(|| format!("an unknown node of {}", self.hub.url()))
    }

    /// Its browser does not answer any more: its end is asked for, and hardly waited for.
    pub fn is_lost(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }
}

impl Hub {
    /// Ends a session, also if the network breaks the first connections that say so: a session that is not ended keeps its place.
    pub(crate) fn end_session(&self, id: &str) -> Result<(), GridError> {
        let limit = Instant::now() + END_RETRIES;
        loop {
            match self.delete_session(id) {
                Err(GridError::Unreachable { .. }) if Instant::now() < limit => thread::sleep(BETWEEN_RETRIES),
                ended => return ended,
            }
        }
    }
}

/// Ends the browser. The Grid ends it as well when it hears nothing for long enough.
impl Drop for GridSession {
    fn drop(&mut self) {
        let (hub, id) = (self.hub.clone(), std::mem::take(&mut self.id));
        let (tell, told) = mpsc::channel();
        let under_way = UnderWay::begin();
        thread::spawn(move || {
            match hub.end_session(&id) {
                Ok(()) => debug!(target: "grid", session = id, "given back"),
                Err(error) => debug!(target: "grid", session = id, %error, "not given back"),
            }
            drop(under_way);
            // Not waited for any more after a while.
            let _ = tell.send(());
        });
        let patience = if self.is_lost.load(Ordering::Relaxed) { LOST_PATIENCE } else { END_PATIENCE };
        let _ = told.recv_timeout(patience);
    }
}
