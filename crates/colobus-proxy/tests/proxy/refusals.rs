//! What the proxy refuses, and how it says so.

use colobus_proxy::{AllowList, ProxyOptions, Refusal};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::peer::Setup;

async fn answer(setup: &Setup, request: &str) -> String {
    let mut client = setup.browser().await;
    client.send(request).await;
    String::from_utf8(client.rest().await).unwrap()
}

fn allow(patterns: &[&str]) -> AllowList {
    patterns.iter().fold(AllowList::nothing(), |list, pattern| list.allow(pattern).unwrap())
}

#[tokio::test]
async fn other_ports_of_this_machine_are_out_of_reach() {
    let setup = Setup::new().await;
    let canary = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = canary.local_addr().unwrap().port();
    for host in ["127.0.0.1", "localhost", "[::1]", "a.localhost", "127.0.0.2"] {
        for request in [
            format!("GET http://{host}:{port}/secret HTTP/1.1\r\n\r\n"),
            format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n"),
        ] {
            let answer = answer(&setup, &request).await;
            assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
            assert!(answer.contains(&format!("add `{host}:{port}` to the hosts")), "{answer}");
        }
    }
    assert_eq!(setup.proxy.counts().refused, 10);
    assert_eq!(setup.proxy.refused().len(), 5);
    // Nobody knocked: the only connection that waits is our own.
    let mut own = tokio::net::TcpStream::connect(canary.local_addr().unwrap()).await.unwrap();
    own.write_all(b"own").await.unwrap();
    let (mut first, _) = canary.accept().await.unwrap();
    let mut said = [0; 3];
    first.read_exact(&mut said).await.unwrap();
    assert_eq!(&said, b"own");
}

#[tokio::test]
async fn hosts_that_are_not_the_applications_are_refused_and_listed() {
    let setup = Setup::new().await;
    for request in [
        "GET http://tracker.example/pixel.gif HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "CONNECT tracker.example:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
        "CONNECT fonts.example:443 HTTP/1.1\r\n\r\n",
        "GET http://localhost.tracker.example/ HTTP/1.1\r\n\r\n",
    ] {
        let answer = answer(&setup, request).await;
        assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
        assert!(answer.contains("not one of the application's hosts"), "{answer}");
    }
    let refusal = |authority: &str, times| Refusal { authority: authority.to_owned(), times };
    assert_eq!(
        setup.proxy.refused(),
        [refusal("fonts.example:443", 1), refusal("localhost.tracker.example:80", 1), refusal("tracker.example:80", 2),]
    );
    assert_eq!(setup.proxy.counts().refused, 4);
}

#[tokio::test]
async fn loopback_names_lead_to_this_machine() {
    let setup = Setup::new().await;
    let port = setup.application.address.port();
    for host in ["localhost", "LocalHost.", "team.app.localhost", "127.0.0.1"] {
        let mut client = setup.browser().await;
        client.send(format!("GET http://{host}:{port}/ HTTP/1.1\r\n\r\n")).await;
        let head = setup.application.accept().await.head().await;
        assert!(head.starts_with("GET / HTTP/1.1\r\nHost: "), "{head}");
    }
}

#[tokio::test]
async fn a_host_header_leads_nowhere() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.request("GET", "/", "Host: tracker.example\r\n\r\n").await;
    server.send("HTTP/1.1 204 No Content\r\n\r\n").await;
    client.head().await;
    let (mut client, mut server) = setup.tunnel().await;
    client.send("GET / HTTP/1.1\r\nHost: tracker.example\r\n\r\n").await;
    server.head().await;
}

#[tokio::test]
async fn a_tunnel_leads_to_one_place() {
    let setup = Setup::new().await;
    for target in ["GET http://localhost/", "CONNECT localhost:80"] {
        let (mut client, _server) = setup.tunnel().await;
        client.send(format!("{target} HTTP/1.1\r\n\r\n")).await;
        let answer = client.head().await;
        assert!(answer.starts_with("HTTP/1.1 421 Misdirected Request\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn nonsense_is_a_bad_request() {
    let setup = Setup::new().await;
    for request in [
        "GET http://localhost:80@tracker.example/ HTTP/1.1\r\n\r\n",
        "CONNECT localhost@tracker.example:80 HTTP/1.1\r\n\r\n",
        "GET https://localhost/ HTTP/1.1\r\n\r\n",
        "GET /direct HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "\u{1}\u{2}\u{3}\r\n\r\n",
        "POST http://localhost/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ] {
        let answer = answer(&setup, request).await;
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{request:?}: {answer}");
    }
}

#[tokio::test]
async fn the_proxy_does_not_run_in_circles() {
    let setup = Setup::with(ProxyOptions { allow: allow(&["localhost:*"]), ..ProxyOptions::default() }).await;
    let own = setup.proxy.address();
    for host in [own.to_string(), format!("localhost:{}", own.port())] {
        let answer = answer(&setup, &format!("GET http://{host}/ HTTP/1.1\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 508 Loop Detected\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn an_application_that_is_not_there_is_a_bad_gateway() {
    let options = ProxyOptions { allow: allow(&["127.0.0.1:*", "nowhere.invalid"]), ..ProxyOptions::default() };
    let setup = Setup::with(options).await;
    // A port that was free a moment ago and that nobody listens on: bound, but not listening.
    let reserved = tokio::net::TcpSocket::new_v4().unwrap();
    reserved.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = reserved.local_addr().unwrap().port();
    let request = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n");
    let refused = answer(&setup, &request).await;
    assert!(refused.starts_with("HTTP/1.1 502 Bad Gateway\r\n"), "{refused}");
    assert!(refused.contains("is the application running?"), "{refused}");
    let unresolved = answer(&setup, "GET http://nowhere.invalid/ HTTP/1.1\r\n\r\n").await;
    assert!(unresolved.starts_with("HTTP/1.1 502 Bad Gateway\r\n"), "{unresolved}");
}

#[tokio::test]
async fn too_many_connections_are_closed_and_room_is_made_again() {
    let mut options = ProxyOptions::default();
    options.limits.connections = 2;
    let setup = Setup::with(options).await;
    let (first, _first_server) = setup.tunnel().await;
    let (_second, _second_server) = setup.tunnel().await;
    setup.browser().await.expect_end().await;
    drop(first);
    // Each attempt waits for the proxy's decision; one of them finds it aware of the free place.
    loop {
        let mut client = setup.browser().await;
        client.send("GET / HTTP/1.1\r\n\r\n").await;
        if !client.rest().await.is_empty() {
            break;
        }
    }
}
