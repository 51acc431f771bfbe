//! Bodies that are changed on their way, in both directions.

use std::sync::Arc;

use colobus_har::{Request, Response};
use colobus_proxy::{Collector, Direction, ProxyOptions, Rewriter};

use crate::encoded::{ALL, encode};
use crate::peer::{Setup, soon};

/// Makes scripts and form data loud.
#[derive(Debug)]
struct Louder;

impl Rewriter for Louder {
    fn wants_request(&self, request: &Request) -> bool {
        request.media_type() == "text/plain"
    }

    fn rewrite_request(&self, request: &Request) -> Option<Vec<u8>> {
        Some(request.body.content.to_ascii_uppercase())
    }

    fn wants_response(&self, request: &Request, response: &Response) -> bool {
        assert_eq!(request.method, "GET");
        response.media_type() == "text/javascript"
    }

    fn rewrite_response(&self, _: &Request, response: &Response) -> Option<Vec<u8>> {
        let content = &response.body.content;
        assert_ne!(content, b"panic");
        (content != b"leave").then(|| [&content.to_ascii_uppercase()[..], b"!"].concat())
    }
}

async fn louder() -> Setup {
    Setup::with(ProxyOptions { rewriter: Some(Arc::new(Louder)), ..ProxyOptions::default() }).await
}

fn script(headers: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n{headers}\r\n").as_bytes(), body].concat()
}

fn with_length(headers: &str, body: &[u8]) -> Vec<u8> {
    script(&format!("{headers}Content-Length: {}\r\n", body.len()), body)
}

#[tokio::test]
async fn responses_are_decoded_changed_and_described_anew() {
    let setup = louder().await;
    for coding in ALL {
        let (mut client, mut server) = setup.get("/app.js").await;
        let name = coding.strip_prefix("bare ").unwrap_or(coding);
        let headers = format!("ETag: \"1\"\r\nContent-Encoding: {name}\r\nX-Kept: yes\r\n");
        server.send(with_length(&headers, &encode(coding, b"shout"))).await;
        client.expect(script("X-Kept: yes\r\nContent-Length: 6\r\n", b"SHOUT!")).await;
    }
    assert_eq!(setup.proxy.not_rewritten(), []);
}

#[tokio::test]
async fn every_framing_becomes_a_length() {
    let setup = louder().await;
    let (mut client, mut server) = setup.get("/chunked").await;
    server
        .send(script("Transfer-Encoding: chunked\r\nTrailer: X\r\n", b"2\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n"))
        .await;
    client.expect(script("Content-Length: 4\r\n", b"ABC!")).await;
    // The connection is in order for the next request.
    client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url("/close"))).await;
    server.head().await;
    server.send(script("", b"until close")).await;
    drop(server);
    assert_eq!(client.rest().await, script("Connection: close\r\nContent-Length: 12\r\n", b"UNTIL CLOSE!"));
}

#[tokio::test]
async fn requests_are_changed_as_well() {
    let setup = louder().await;
    let body = String::from_utf8(vec![b'a'; 3]).unwrap();
    let rest = format!("Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{body}\r\n0\r\n\r\n");
    let mut client = setup.browser().await;
    client.send(format!("POST {} HTTP/1.1\r\n{rest}", setup.url("/"))).await;
    let mut server = setup.application.accept().await;
    let head = server.head().await;
    assert!(head.contains("Content-Length: 3\r\n") && !head.contains("Transfer-Encoding"), "{head}");
    server.expect("AAA").await;
}

#[tokio::test]
async fn what_nobody_wants_still_streams() {
    let setup = louder().await;
    let (mut client, mut server) = setup.get("/page").await;
    server.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\nfirst").await;
    client.head().await;
    // The second half is sent only after the first was seen.
    client.expect("first").await;
    server.send("after").await;
    client.expect("after").await;
}

#[tokio::test]
async fn what_cannot_be_rewritten_passes_unchanged_and_is_told() {
    let mut options = ProxyOptions { rewriter: Some(Arc::new(Louder)), ..ProxyOptions::default() };
    options.limits.rewritten_body = 1000;
    let setup = Setup::with(options).await;
    let large = vec![b'x'; 200_000];
    let cases = [
        (with_length("", &large), "larger than 1000 bytes"),
        (
            with_length("Content-Encoding: gzip\r\n", &encode("gzip", &large[..2000])),
            "larger than 1000 bytes when decoded",
        ),
        (with_length("Content-Encoding: gzip\r\n", b"nonsense"), "does not decode"),
        (with_length("Content-Encoding: dcb\r\n", b"nonsense"), "`dcb` is not known"),
        (with_length("", b"panic"), "panicked"),
    ];
    for (index, (bytes, why)) in cases.iter().enumerate() {
        let (mut client, mut server) = setup.get("/app.js").await;
        tokio::join!(server.send(bytes), client.expect(bytes));
        let told = &setup.proxy.not_rewritten()[index];
        assert!(told.why.contains(why), "{told:?}");
        assert_eq!((&told.url, told.direction), (&setup.url("/app.js"), Direction::ToClient));
    }
    let (mut client, mut server) = setup.get("/part.js").await;
    let part = "HTTP/1.1 206 Partial Content\r\nContent-Type: text/javascript\r\nContent-Length: 4\r\n\r\npart";
    server.send(part).await;
    client.expect(part).await;
    assert!(setup.proxy.not_rewritten()[cases.len()].why.contains("206"));
}

#[tokio::test]
async fn a_request_that_waits_to_be_asked_for_is_left_alone() {
    let setup = louder().await;
    let rest = "Content-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
    let (mut client, mut server) = setup.request("POST", "/", rest).await;
    server.send("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.expect("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.send("abc").await;
    server.expect("abc").await;
    assert!(setup.proxy.not_rewritten()[0].why.contains("only when the server asks"));
}

#[tokio::test]
async fn rewritten_messages_are_held_and_counted_like_others() {
    let setup = louder().await;
    setup.proxy.hold(Direction::BOTH);
    let mut client = setup.browser().await;
    client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url("/app.js"))).await;
    assert_eq!(setup.held(1).await, ["GET /app.js"]);
    let request = setup.proxy.held()[0].id;
    soon(setup.proxy.release(request)).await.unwrap();
    let mut server = setup.application.accept().await;
    server.head().await;
    server.send(with_length("", b"shout")).await;
    assert_eq!(setup.held(1).await, ["200 text/javascript SHOUT!"]);
    assert_eq!(setup.proxy.in_flight().len(), 1);
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    client.expect(with_length("", b"SHOUT!")).await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    assert_eq!(setup.proxy.counts().exchanges_started, 1);
}

#[tokio::test]
async fn a_body_that_breaks_off_arrives_as_without_a_rewriter() {
    let setup = louder().await;
    let (mut client, mut server) = setup.get("/app.js").await;
    let half = script("Content-Length: 10\r\n", b"half");
    server.send(&half).await;
    drop(server);
    assert_eq!(client.rest().await, half);
}

#[tokio::test]
async fn the_tap_sees_what_was_sent_and_that_it_was_changed() {
    let tap = Arc::new(Collector::new(1000, 1000));
    let rewriter = Some(Arc::new(Louder) as Arc<dyn Rewriter>);
    let setup = Setup::with(ProxyOptions { rewriter, tap: Some(tap.clone()), ..ProxyOptions::default() }).await;
    for body in ["shout", "leave"] {
        let (mut client, mut server) = setup.get("/app.js").await;
        server.send(with_length("Content-Encoding: gzip\r\n", &encode("gzip", body.as_bytes()))).await;
        client.head().await;
    }
    setup.until(|proxy| proxy.counts().exchanges_ended == 2).await;
    let responses = tap.take().exchanges.into_iter().map(|exchange| exchange.response.unwrap());
    let seen: Vec<_> = responses.map(|response| (response.body.content, response.rewritten)).collect();
    assert_eq!(seen, [(b"shout".to_vec(), true), (b"leave".to_vec(), false)]);
}
