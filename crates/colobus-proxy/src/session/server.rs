//! [`Server`]: the connection to the application that belongs to a connection of the client.

use super::super::authority::Authority;
use super::super::context::Context;
use super::super::dial::DialError;
use super::super::tls::Unopened;
use super::super::wire::Wire;

pub(super) struct Server {
    pub authority: Authority,
    pub wire: Wire,
    /// A response came over it before: if it fails now, the browser should try again on a fresh one.
    pub used: bool,
}

/// The application could not be reached.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreached {
    #[error(transparent)]
    Dial(#[from] DialError),
    #[error(transparent)]
    Tls(#[from] Unopened),
}

impl Unreached {
    pub fn status(&self) -> u16 {
        match self {
            Unreached::Dial(error) => error.status(),
            Unreached::Tls(_) => 502,
        }
    }
}

impl Server {
    /// The connection in the slot if it leads to the right place, a fresh one otherwise.
    pub async fn at<'s>(
        slot: &'s mut Option<Server>,
        authority: &Authority,
        context: &Context,
        secure: bool,
    ) -> Result<&'s mut Server, Unreached> {
        let kept = slot.take().filter(|server| server.authority == *authority);
        let server = match kept {
            Some(server) => server,
            None => {
                let wire = Wire::new(context.dialer.dial(authority).await?);
                let wire = match (&context.opener, secure) {
                    (Some(opener), true) => opener.server(wire, authority).await?,
                    _ => wire,
                };
                Server { authority: authority.clone(), wire, used: false }
            }
        };
        Ok(slot.insert(server))
    }
}
