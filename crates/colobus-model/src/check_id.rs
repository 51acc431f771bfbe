//! [`CheckId`]: the name of a check in reports, journals and documentation. Checks produce it; no other code compares it with
//! a text: what a check is like, the check itself says.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a check, such as `conservation`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CheckId(Cow<'static, str>);

impl CheckId {
    pub const fn new(name: &'static str) -> CheckId {
        CheckId(Cow::Borrowed(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for CheckId {
    fn from(name: String) -> CheckId {
        CheckId(Cow::Owned(name))
    }
}
