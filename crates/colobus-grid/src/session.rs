//! [`GridSession`]: a browser of a Grid. It is given back when this is dropped.

use tracing::debug;

use crate::Hub;

pub struct GridSession {
    pub(crate) hub: Hub,
    pub id: String,
    /// Where its browser is driven: `ws://…`.
    pub devtools: String,
    /// The version that the browser says it has.
    pub version: String,
    /// The node on which it runs, if the hub tells.
    pub node: Option<String>,
}

impl GridSession {
    /// Ends the browser. The Grid ends it as well when it hears nothing for long enough.
    fn give_back(&self) {
        match self.hub.delete_session(&self.id) {
            Ok(()) => debug!(target: "grid", session = self.id, "given back"),
            Err(error) => debug!(target: "grid", session = self.id, %error, "not given back"),
        }
    }
}

impl Drop for GridSession {
    fn drop(&mut self) {
        self.give_back();
    }
}
