//! TLS for connections to browsers behind `wss://`. Their certificates have to be vouched for by an authority of the system, or of the
//! file in `SSL_CERT_FILE`.

use std::io::{Read, Write};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Error, RootCertStore, StreamOwned};

/// A stream that is encrypted from here to its other end.
pub(super) type EncryptedStream<S> = StreamOwned<ClientConnection, S>;

/// The handshake happens with the first bytes that are sent.
pub(super) fn encrypted<S: Read + Write>(stream: S, server: ServerName<'static>) -> Result<EncryptedStream<S>, Error> {
    let mut roots = RootCertStore::empty();
    // Files that cannot be read are missing roots; the handshake says so when one is needed.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(StreamOwned::new(ClientConnection::new(Arc::new(config), server)?, stream))
}
