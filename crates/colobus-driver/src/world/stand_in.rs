//! [`WorldStandIn`]: answers in the place of the server to all clients of one world. [`WorldStandIns`] makes one for each world.
//! Implemented where descriptions of servers are known.

use std::fmt;
use std::sync::Arc;

use colobus_proxy::Answerer;

pub trait WorldStandIn: Answerer {
    /// A new document: what clients did to the last one is forgotten.
    fn forget(&self);
}

pub trait WorldStandIns: fmt::Debug + Send + Sync {
    /// One that remembers nothing yet, or why there is none.
    fn open(&self) -> Result<Arc<dyn WorldStandIn>, String>;

    /// What the answers depend on: results with other ones are not comparable.
    fn describe(&self) -> String;
}
