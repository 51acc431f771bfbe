//! [`RunAuthority`]: a certificate authority that lives as long as a run. Its key never leaves memory, and nothing trusts
//! it but the browsers that are told to.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, PublicKeyData};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};

use super::super::authority::Host;
use super::{PROTOCOLS, TlsError, provider};

/// One for a run, shared by the proxies of all clients. A browser started with
/// `--ignore-certificate-errors-spki-list=`[`spki_hash`](RunAuthority::spki_hash) accepts its certificates.
pub struct RunAuthority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    spki_hash: String,
    /// All hosts share a key: making one for each would protect nothing.
    leaf_key: KeyPair,
    leaves: Mutex<HashMap<Host, Arc<ServerConfig>>>,
}

impl RunAuthority {
    pub fn new() -> Result<RunAuthority, TlsError> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, "Colobus, this run only");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let certificate = params.self_signed(&key)?.der().clone();
        let spki_hash = BASE64_STANDARD.encode(Sha256::digest(key.subject_public_key_info()));
        Ok(RunAuthority {
            issuer: Issuer::new(params, key),
            certificate,
            spki_hash,
            leaf_key: KeyPair::generate()?,
            leaves: Mutex::default(),
        })
    }

    /// The base64 SHA-256 of the authority's public key, as Chromium's `--ignore-certificate-errors-spki-list` takes it.
    pub fn spki_hash(&self) -> &str {
        &self.spki_hash
    }

    /// The authority's own certificate (DER), for a client that takes roots.
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }

    /// The same as a file that programs read (PEM).
    pub fn certificate_file(&self) -> String {
        let encoded = BASE64_STANDARD.encode(&self.certificate);
        let lines = encoded.as_bytes().chunks(64).map(String::from_utf8_lossy);
        let lines: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
        format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", lines.concat())
    }

    /// What is needed to be this host towards a browser; made once for each host.
    pub(super) fn server_for(&self, host: &Host) -> Result<Arc<ServerConfig>, TlsError> {
        let mut leaves = self.leaves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leaf) = leaves.get(host) {
            return Ok(leaf.clone());
        }
        let leaf = Arc::new(self.issue(host)?);
        leaves.insert(host.clone(), leaf.clone());
        Ok(leaf)
    }

    fn issue(&self, host: &Host) -> Result<ServerConfig, TlsError> {
        let name = match host {
            Host::Name(name) => name.clone(),
            Host::Ip(ip) => ip.to_string(),
        };
        let leaf = CertificateParams::new([name])?.signed_by(&self.leaf_key, &self.issuer)?;
        // The browser finds the key it was told of in the authority's certificate, so that goes along.
        let chain = vec![leaf.der().clone(), self.certificate.clone()];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.leaf_key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(config)
    }
}

impl fmt::Debug for RunAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunAuthority").field("spki_hash", &self.spki_hash).finish_non_exhaustive()
    }
}
