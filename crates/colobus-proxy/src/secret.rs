//! [`Secret`]: what a browser on another machine has to know to use its proxy. Made for each client by `colobus-driver`, which tells
//! the browser; the proxy asks for it with every connection.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rustls::crypto::ring;

use super::error::ProxyError;

/// 24 random bytes cannot be guessed.
const BYTES: usize = 24;

/// A name and a password for one proxy.
#[derive(Clone)]
pub struct Secret {
    password: String,
}

impl Secret {
    pub const USER: &str = "colobus";

    pub fn new() -> Result<Secret, ProxyError> {
        let mut bytes = [0; BYTES];
        ring::default_provider().secure_random.fill(&mut bytes).map_err(|_| ProxyError::NoRandomness)?;
        Ok(Secret { password: URL_SAFE_NO_PAD.encode(bytes) })
    }

    pub fn password(&self) -> &str {
        &self.password
    }

    /// Whether a `Proxy-Authorization` header shows it. Takes as long for a wrong password as for the right one.
    pub(crate) fn admits(&self, header: Option<&str>) -> bool {
        let Some((scheme, shown)) = header.and_then(|header| header.split_once(' ')) else { return false };
        let expected = STANDARD.encode(format!("{}:{}", Secret::USER, self.password));
        let shown = shown.trim();
        let differences = expected.bytes().zip(shown.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        scheme.eq_ignore_ascii_case("basic") && expected.len() == shown.len() && differences == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_itself_admits() {
        let (secret, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        let shown = |secret: &Secret| format!("Basic {}", STANDARD.encode(format!("colobus:{}", secret.password())));
        assert!(secret.admits(Some(&shown(&secret))));
        assert!(!secret.admits(Some(&shown(&other))));
        assert!(!secret.admits(None));
        for wrong in ["", "Basic", "Basic ", "Bearer x", &shown(&secret)[..20], &format!("{}=", shown(&secret))] {
            assert!(!secret.admits(Some(wrong)), "{wrong}");
        }
        assert!(!format!("{secret:?}").contains(secret.password()));
    }
}
