//! [`encrypt`] and [`open`]: encryption with age, for whoever has the secret key and nobody else.

use age::x25519::{Identity, Recipient};

/// Every file of age begins with this.
const AGE: &[u8] = b"age-encryption.org/v1";

#[derive(Debug, thiserror::Error)]
pub enum EncryptError {
    #[error("`{0}` is no public key of age: it begins with age1, and `age-keygen` makes one")]
    PublicKey(String),
    #[error("there is no secret key of age here: a line that begins with AGE-SECRET-KEY-1")]
    SecretKey,
    #[error("it could not be encrypted: {0}")]
    Encrypt(String),
    #[error("it cannot be opened with this key: {0}")]
    Decrypt(String),
}

pub fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(AGE)
}

/// Encrypts for the owner of this public key.
pub fn encrypt(bytes: &[u8], public_key: &str) -> Result<Vec<u8>, EncryptError> {
    let recipient: Recipient =
        public_key.trim().parse().map_err(|_| EncryptError::PublicKey(public_key.to_string()))?;
    age::encrypt(&recipient, bytes).map_err(|error| EncryptError::Encrypt(error.to_string()))
}

/// Decrypts with the first key in a file of keys, as `age-keygen` writes it.
pub fn open(bytes: &[u8], keys: &str) -> Result<Vec<u8>, EncryptError> {
    let key = keys.lines().map(str::trim).find(|line| line.starts_with("AGE-SECRET-KEY-1"));
    let identity: Identity = key.and_then(|key| key.parse().ok()).ok_or(EncryptError::SecretKey)?;
    age::decrypt(&identity, bytes).map_err(|error| EncryptError::Decrypt(error.to_string()))
}
