//! Which servers of the application are trusted: on this machine all, as development servers sign for themselves;
//! elsewhere those that an authority of the system vouches for.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::super::authority::Host;
use super::{PROTOCOLS, TlsError, provider};

/// How to connect to the application, on this machine and elsewhere.
#[derive(Debug)]
pub(super) struct Clients {
    local: Arc<ClientConfig>,
    /// `None` on a system without any certificate authorities.
    remote: Option<Arc<ClientConfig>>,
}

impl Clients {
    pub fn new() -> Result<Clients, TlsError> {
        let local = client(Arc::new(AnyCertificate(provider())))?;
        let mut roots = RootCertStore::empty();
        // Files that cannot be read are missing roots; the handshake says so when one is needed.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider());
        let remote = verifier.build().ok().map(|verifier| client(verifier));
        Ok(Clients { local, remote: remote.transpose()? })
    }

    pub fn for_host(&self, host: &Host) -> Option<Arc<ClientConfig>> {
        match host.is_loopback() {
            true => Some(self.local.clone()),
            false => self.remote.clone(),
        }
    }
}

fn client(verifier: Arc<dyn ServerCertVerifier>) -> Result<Arc<ClientConfig>, TlsError> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    Ok(Arc::new(config))
}

/// For loopback only, where no other machine is in between.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
