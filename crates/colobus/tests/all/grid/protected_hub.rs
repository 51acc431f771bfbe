//! A hub that speaks TLS and wants a password, as those do that a company shares.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::bad_input::is_anywhere;
use super::tool::Tool;
use super::{Place, Server, causes, free_port, text, wait_until};

const USER: &str = "ann:secret-word";

/// A certificate for this machine that no authority vouches for, and its key.
fn certificate(folder: &Path) -> (String, String) {
    let file = |name: &str| folder.join(name).display().to_string();
    let (certificate, key) = (file("certificate.pem"), file("key.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &key, "-out", &certificate])
        .output()
        .expect("openssl is installed: run `make test`");
    assert!(made.status.success(), "{}", text(&made.stderr));
    (certificate, key)
}

#[test]
#[ignore = "a Grid with TLS and a password: make test-grid"]
fn a_hub_with_tls_and_a_password_is_used_and_leaves_no_session() {
    let (folder, port) = (TempDir::new().unwrap(), free_port());
    let (certificate, key) = certificate(folder.path());
    let protected = ["--https-certificate", &certificate, "--https-private-key", &key, "--username", "ann"];
    let protected = [&protected[..], &["--password", "secret-word"]].concat();
    let _server = Server::with_browsers("standalone", &Place::here(), port, 1, &protected);
    let grid = format!("--grid=https://127.0.0.1:{port}");
    let colobus = |arguments: &[&str], trusted: Option<&str>, user: &str| -> Output {
        let tool = Tool::start(folder.path(), |command| {
            trusted.map(|file| command.env("SSL_CERT_FILE", file));
            command
                .args(arguments)
                .args([&grid, "--grid-argument=--no-sandbox", "--listen-tls"])
                .env("COLOBUS_GRID_USER", user)
        });
        tool.output()
    };
    for (trusted, user, expected) in
        [(None, USER, "invalid peer certificate"), (Some(certificate.as_str()), "", "wants a password")]
    {
        let refused = colobus(&["doctor"], trusted, user);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(expected), "{expected}: {said}");
    }
    let search = ["demo", "--bug=lost-update", "--depth=1", "--action=type a", "--action=type b", "--repeat=2"];
    let search = [&search[..], &["--reporter=json", "--no-open", "--workers=1"]].concat();
    let (found, _) = causes(&colobus(&search, Some(&certificate), USER));
    assert_eq!(found.len(), 1, "{found:?}");
    // `ann:secret-word` in the header.
    for word in ["secret-word", "YW5uOnNlY3JldC13b3Jk"] {
        let results = folder.path().join("colobus-out");
        assert!(results.is_dir() && !is_anywhere(&results, word), "the password is in no result");
    }
    wait_until("the only place is free again", || {
        text(&colobus(&["doctor"], Some(&certificate), USER).stdout).contains("1 of them free")
    });
}
