//! Hubs behind `https://`: their certificates have to be vouched for by an authority of the system, or of the file in `SSL_CERT_FILE`.

use std::sync::Arc;

use rustls::crypto::ring;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

pub(crate) fn trusting_the_system() -> TlsConfig {
    // Files that cannot be read are missing roots; the handshake says so when one is needed.
    let found = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<_> = found.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build()
}
