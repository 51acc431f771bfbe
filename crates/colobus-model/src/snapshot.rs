//! [`Snapshot`]: what one client showed in the middle of an execution. For checks of the way to the end.

use serde::{Deserialize, Serialize};

use crate::ClientId;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// How many events of the schedule had happened.
    pub after: usize,
    pub client: ClientId,
    /// The visible text.
    pub text: String,
}
