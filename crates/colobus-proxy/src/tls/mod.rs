//! TLS that the proxy opens, so that https and wss pass through the same gate as everything else: towards the browser
//! with certificates of a [`RunAuthority`], towards the application as a client that verifies it.

mod authority;
mod door;
mod open;
mod prefixed_stream;
mod verify;

pub use authority::RunAuthority;
pub(super) use door::Door;
pub(super) use open::{Opener, Unopened};

/// The authority of a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("the certificate authority of this run could not be made: {0}")]
    Certificate(#[from] rcgen::Error),
    #[error("TLS could not be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// The only protocol the proxy speaks; servers and browsers that offer HTTP/2 as well fall back to it.
const PROTOCOLS: [&[u8]; 1] = [b"http/1.1"];

fn provider() -> std::sync::Arc<rustls::crypto::CryptoProvider> {
    std::sync::Arc::new(rustls::crypto::ring::default_provider())
}
