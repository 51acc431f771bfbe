//! [`Credentials`]: what a hub with a password asks for. They come from the environment and are in no message and no result.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The variable that holds `name:password`. Programs that we start have no use for it.
pub const GRID_USER: &str = "COLOBUS_GRID_USER";

/// A name and a password, as one `Authorization` header.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    header: String,
}

impl Credentials {
    /// From `name:password`.
    pub fn new(name_and_password: &str) -> Credentials {
        Credentials { header: format!("Basic {}", STANDARD.encode(name_and_password)) }
    }

    /// What the environment says, if anything.
    pub fn from_environment() -> Option<Credentials> {
        std::env::var(GRID_USER).ok().filter(|said| !said.is_empty()).map(|said| Credentials::new(&said))
    }

    pub fn header(&self) -> &str {
        &self.header
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}
