//! A proxy with a secret serves those who show it, wherever they are, and nobody else.

use std::net::Ipv4Addr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use colobus_proxy::{HELLO, Proxy, ProxyError, ProxyOptions, Secret};

use crate::peer::{Peer, Setup};

async fn ask(setup: &Setup, request: String) -> String {
    let mut client = Peer::connect(setup.proxy.address()).await;
    client.send(request).await;
    client.head().await
}

#[tokio::test]
async fn only_who_shows_the_secret_is_served() {
    let (secret, other) = (Secret::new().unwrap(), Secret::new().unwrap());
    let setup = Setup::with(ProxyOptions { secret: Some(secret.clone()), ..ProxyOptions::default() }).await;
    let shown = |secret: &Secret| {
        let credentials = STANDARD.encode(format!("{}:{}", Secret::USER, secret.password()));
        format!("Proxy-Authorization: Basic {credentials}\r\n")
    };
    let host = setup.url("/").trim_start_matches("http://").trim_end_matches('/').to_string();
    for wrong in [String::new(), shown(&other)] {
        for line in [format!("GET {}", setup.url("/")), format!("GET {HELLO}"), format!("CONNECT {host}")] {
            let answer = ask(&setup, format!("{line} HTTP/1.1\r\n{wrong}\r\n")).await;
            assert!(answer.starts_with("HTTP/1.1 407 Proxy Authentication Required\r\n"), "{line}: {answer}");
            assert!(answer.contains("Proxy-Authenticate: Basic realm=\"colobus\"\r\n"), "{answer}");
        }
    }
    assert_eq!(setup.proxy.counts().exchanges_started, 0, "none of that is traffic of the application");

    // Browsers ask for the icon of the page, too.
    for path in ["", "favicon.ico"] {
        let answer = ask(&setup, format!("GET {HELLO}{path} HTTP/1.1\r\n{}\r\n", shown(&secret))).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{path}: {answer}");
    }
    assert_eq!(setup.proxy.counts().exchanges_started, 0);

    let serve = async {
        let mut server = setup.application.accept().await;
        let head = server.head().await;
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
        head
    };
    let request = format!("GET {} HTTP/1.1\r\n{}\r\n", setup.url("/"), shown(&secret));
    let (answer, asked) = tokio::join!(ask(&setup, request), serve);
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(!asked.to_lowercase().contains("proxy-authorization"), "the application does not learn it: {asked}");
}

#[tokio::test]
async fn a_proxy_that_other_machines_reach_needs_a_secret() {
    let listen = Ipv4Addr::UNSPECIFIED.into();
    let refused = Proxy::start(ProxyOptions { listen, ..ProxyOptions::default() }).await;
    assert!(matches!(refused, Err(ProxyError::Unprotected { .. })), "{refused:?}");
}
