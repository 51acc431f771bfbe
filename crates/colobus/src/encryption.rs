//! Encryption of bug reports with the program `age`: [`encrypt`] for the owner of a public key, [`decrypt`] with a file of
//! secret keys. The owner made the key with `age-keygen` and so has the program; a library for it would be a third of all crates.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, bail};

/// Every file of age begins with this.
const HEADER: &[u8] = b"age-encryption.org/v1";

pub fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER)
}

pub fn encrypt(bytes: &[u8], public_key: &str) -> anyhow::Result<Vec<u8>> {
    let public_key = public_key.trim();
    if !public_key.starts_with("age1") || !public_key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        bail!("`{public_key}` is not a public key of age: it begins with age1, and `age-keygen` makes one");
    }
    age(Command::new("age").args(["--encrypt", "--recipient", public_key]), bytes)
        .context("the report could not be encrypted")
}

/// Decrypts with the keys of a file, as `age-keygen` writes it.
pub fn decrypt(bytes: &[u8], keys: &Path) -> anyhow::Result<Vec<u8>> {
    age(Command::new("age").args(["--decrypt", "--identity"]).arg(keys), bytes)
        .with_context(|| format!("no key in {} opens it", keys.display()))
}

/// What the program makes of these bytes.
fn age(command: &mut Command, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("the program `age` is not on the PATH: `apt-get install age`, or see https://age-encryption.org")
        }
        started => started.context("`age` does not start")?,
    };
    let stdin = child.stdin.take();
    // It writes while it still reads.
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.map_or(Ok(()), |mut stdin| write(&mut stdin, bytes)));
        child.wait_with_output()
    });
    let output = output.context("`age` does not end")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}", said.lines().next().unwrap_or("`age` failed without a message"));
    }
    Ok(output.stdout)
}

/// The program ends without reading everything if a key is wrong; its exit code says so.
fn write(stdin: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    match stdin.write_all(bytes) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
