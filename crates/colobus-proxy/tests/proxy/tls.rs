//! TLS that the proxy opens with the authority of the run.

use std::sync::Arc;
use std::time::Duration;

use colobus_proxy::{Direction, ProxyOptions, RunAuthority};
use rcgen::{CertificateParams, KeyPair};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::peer::{ACCEPTED, Peer, Setup, from_client, from_server, handshake, soon};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

struct Secure {
    setup: Setup,
    authority: Arc<RunAuthority>,
}

impl Secure {
    async fn new() -> Secure {
        let authority = Arc::new(RunAuthority::new().unwrap());
        let options = ProxyOptions { tls: Some(authority.clone()), ..ProxyOptions::default() };
        let setup = Setup::with(options).await;
        Secure { setup, authority }
    }

    /// A tunnel with TLS at both ends; the browser believes the run's authority, the application vouches for itself.
    async fn tunnel(&self, host: &str) -> (Peer, Peer) {
        let port = self.setup.application.address.port();
        let (client, server) = self.setup.tunnel_to(&format!("{host}:{port}")).await;
        let name = ServerName::try_from(host.to_owned()).unwrap();
        let browser = browser(self.authority.certificate());
        let (client, server) =
            soon(async { tokio::join!(browser.connect(name, client.0), application().accept(server.0)) }).await;
        let (client, server) = (client.unwrap(), server.unwrap());
        assert_eq!(client.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        assert_eq!(server.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        (Peer(Box::new(client)), Peer(Box::new(server)))
    }
}

/// The browser's end of a tunnel, encrypted.
pub async fn encrypted(client: Peer, run: &RunAuthority, host: &'static str) -> Peer {
    let name = ServerName::try_from(host).unwrap();
    Peer(Box::new(soon(browser(run.certificate()).connect(name, client.0)).await.unwrap()))
}

/// A browser that trusts one authority, and would like to speak HTTP/2.
fn browser(trusted: &[u8]) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(trusted.to_vec())).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsConnector::from(Arc::new(config))
}

/// A development server with a certificate that it signed itself.
fn application() -> TlsAcceptor {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["dev.example".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

#[tokio::test]
async fn https_is_served_like_http_for_every_loopback_name() {
    let secure = Secure::new().await;
    for host in ["127.0.0.1", "localhost", "team.localhost"] {
        let (mut client, mut server) = secure.tunnel(host).await;
        for _ in 0..2 {
            client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").await;
            server.expect("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").await;
            let port = secure.setup.application.address.port();
            assert_eq!(secure.setup.proxy.in_flight()[0].url, format!("https://{host}:{port}/a"));
            server.send(OK).await;
            client.expect(OK).await;
        }
    }
    let counts = secure.setup.proxy.counts();
    assert_eq!(counts.exchanges_started, 6);
    assert_eq!(counts.to_server.opaque_bytes, 0);
    assert_eq!(secure.setup.proxy.problems(), []);
}

#[tokio::test]
async fn wss_messages_are_held_and_released() {
    let secure = Secure::new().await;
    let setup = &secure.setup;
    let (mut client, mut server) = secure.tunnel("localhost").await;
    client.send(handshake("/ws")).await;
    assert!(!server.head().await.contains("Extensions"));
    server.send(ACCEPTED).await;
    client.head().await;
    setup.until(|proxy| proxy.sockets().len() == 1).await;
    assert!(setup.proxy.sockets()[0].url.starts_with("wss://localhost:"));

    setup.proxy.hold(Direction::BOTH);
    client.send(from_client("up")).await;
    setup.held(1).await;
    server.send(from_server("down")).await;
    assert_eq!(setup.held(2).await, ["up", "down"]);
    let held = setup.proxy.held();
    soon(setup.proxy.release(held[1].id)).await.unwrap();
    client.expect(from_server("down")).await;
    soon(setup.proxy.release(held[0].id)).await.unwrap();
    server.expect(from_client("up")).await;

    let answer = async {
        let ping = server.take(30).await;
        server.send([&[0x8a, 24], &ping[6..]].concat()).await;
    };
    let barrier = setup.proxy.ping_servers(Duration::from_secs(30));
    let (outcome, ()) = soon(async { tokio::join!(barrier, answer) }).await;
    assert_eq!(outcome.answered.len(), 1);
}

#[tokio::test]
async fn a_cut_ends_encrypted_connections_as_well() {
    let secure = Secure::new().await;
    let (mut client, mut server) = secure.tunnel("localhost").await;
    soon(secure.setup.proxy.cut()).await;
    client.expect_end().await;
    server.expect_end().await;
}

#[tokio::test]
async fn an_application_without_tls_is_a_bad_gateway() {
    let secure = Secure::new().await;
    let (client, mut server) = secure.setup.tunnel().await;
    let browser = browser(secure.authority.certificate());
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let plain = server.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    let (client, ()) = tokio::join!(browser.connect(name, client.0), plain);
    let mut client = Peer(Box::new(client.unwrap()));
    client.send("GET / HTTP/1.1\r\n\r\n").await;
    let answer = client.head().await;
    assert!(answer.starts_with("HTTP/1.1 502 Bad Gateway\r\n"), "{answer}");
    let problems = secure.setup.proxy.problems();
    assert!(problems[0].what.starts_with("the TLS handshake with 127.0.0.1:"), "{problems:?}");
}

#[tokio::test]
async fn a_client_that_does_not_know_the_authority_is_explained() {
    let secure = Secure::new().await;
    let (client, server) = secure.setup.tunnel().await;
    let stranger = RunAuthority::new().unwrap();
    let browser = browser(stranger.certificate());
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let (refused, _served) =
        soon(async { tokio::join!(browser.connect(name, client.0), application().accept(server.0)) }).await;
    assert!(refused.is_err());
    secure.setup.until(|proxy| !proxy.problems().is_empty()).await;
    let what = &secure.setup.proxy.problems()[0].what;
    assert!(what.contains("was the browser started with the hash"), "{what}");
    assert_ne!(stranger.spki_hash(), secure.authority.spki_hash());
}

/// The way from a browser on another machine: TLS before the first request, and TLS of the application inside of it.
#[tokio::test]
async fn the_way_to_the_proxy_itself_is_encrypted_and_nothing_else_is_understood() {
    let (door, run) = (Arc::new(RunAuthority::new().unwrap()), Arc::new(RunAuthority::new().unwrap()));
    let options = ProxyOptions { listen_tls: Some(door.clone()), tls: Some(run.clone()), ..ProxyOptions::default() };
    let setup = Setup::with(options).await;
    let connect = async || encrypted(Peer::connect(setup.proxy.address()).await, &door, "127.0.0.1").await;

    let mut client = connect().await;
    client.send(format!("GET {} HTTP/1.1\r\nHost: h\r\n\r\n", setup.url("/plain"))).await;
    let mut server = setup.application.accept().await;
    assert!(server.head().await.starts_with("GET /plain HTTP/1.1\r\n"));
    server.send(OK).await;
    client.expect(OK).await;

    let mut client = connect().await;
    let host = format!("localhost:{}", setup.application.address.port());
    client.send(format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
    let server = setup.application.accept().await;
    assert!(client.head().await.starts_with("HTTP/1.1 200 "));
    let name = ServerName::try_from("localhost").unwrap();
    let (client, server) = soon(async {
        tokio::join!(browser(run.certificate()).connect(name, client.0), application().accept(server.0))
    })
    .await;
    let (mut client, mut server) = (Peer(Box::new(client.unwrap())), Peer(Box::new(server.unwrap())));
    client.send("GET /inside HTTP/1.1\r\nHost: h\r\n\r\n").await;
    server.expect("GET /inside HTTP/1.1\r\nHost: h\r\n\r\n").await;
    assert_eq!(setup.proxy.problems(), []);

    let mut plain = Peer::connect(setup.proxy.address()).await;
    plain.send(format!("GET {} HTTP/1.1\r\nHost: h\r\n\r\n", setup.url("/plain"))).await;
    let answer = plain.rest().await;
    assert!(!answer.starts_with(b"HTTP/"), "{:?}", String::from_utf8_lossy(&answer));
    setup.until(|proxy| !proxy.problems().is_empty()).await;
    assert!(format!("{:?}", setup.proxy.problems()).contains("encrypted way to its proxy"));
}
