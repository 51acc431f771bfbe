//! Requests that are answered in the server's place.

use std::sync::Arc;
use std::sync::Mutex;

use colobus_har::{Header, Request, Responder};
use colobus_proxy::{Answer, Answerer, Collector, Direction, ProxyOptions, RunAuthority};

use crate::encoded::encode;
use crate::peer::{ACCEPTED, Setup, handshake, soon};

/// Knows what is below `/known`, and remembers what it was asked.
#[derive(Debug, Default)]
struct Recorded {
    asked: Mutex<Vec<String>>,
}

impl Answerer for Recorded {
    fn wants(&self, request: &Request) -> bool {
        !request.url.ends_with("/live")
    }

    fn answer(&self, request: &Request) -> Option<Answer> {
        let body = String::from_utf8(request.body.content.clone()).unwrap();
        self.asked.lock().unwrap().push(format!("{} {body}", request.method));
        let (_, known) = request.url.split_once("/known")?;
        let headers = match known {
            "/bad" => vec![Header::new("X", "a\r\nb: c")],
            "/stream" => vec![Header::new("Content-Type", "text/event-stream")],
            _ => vec![Header::new("Content-Type", "application/json")],
        };
        let body = match known {
            "/stream" => b"data: 1\n\ndata: 2\n\n".to_vec(),
            "/panic" => panic!("on purpose"),
            _ => format!("[{body:?}]").into_bytes(),
        };
        Some(Answer { status: 201, headers, body })
    }
}

async fn answering(options: ProxyOptions) -> (Setup, Arc<Recorded>) {
    let recorded = Arc::new(Recorded::default());
    let answerer = Some(recorded.clone() as Arc<dyn Answerer>);
    let allow = options.allow.clone().allow("localhost:9").unwrap();
    (Setup::with(ProxyOptions { answerer, allow, ..options }).await, recorded)
}

const MADE: &str = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ";

#[tokio::test]
async fn answers_need_no_server() {
    let (setup, recorded) = answering(ProxyOptions::default()).await;
    let mut client = setup.browser().await;
    let url = "http://127.0.0.1:9/known";
    let body = encode("gzip", b"ask");
    for _ in 0..2 {
        client
            .send(format!("POST {url} HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len()))
            .await;
        client.send(&body).await;
        client.expect(format!("{MADE}7\r\n\r\n[\"ask\"]")).await;
    }
    client.send(format!("HEAD {url} HTTP/1.1\r\n\r\n")).await;
    client.expect(format!("{MADE}4\r\n\r\n")).await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 3).await;
    assert_eq!(setup.proxy.counts().exchanges_started, 3);
    assert_eq!(*recorded.asked.lock().unwrap(), ["POST ask", "POST ask", "HEAD "]);
}

#[tokio::test]
async fn hosts_that_are_not_allowed_stay_out_of_reach() {
    let (setup, recorded) = answering(ProxyOptions::default()).await;
    for request in ["GET http://tracker.example/known HTTP/1.1\r\n\r\n", "CONNECT tracker.example:443 HTTP/1.1\r\n\r\n"]
    {
        let mut client = setup.browser().await;
        client.send(request).await;
        let answer = String::from_utf8(client.rest().await).unwrap();
        assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
    }
    assert_eq!(setup.proxy.counts().refused, 2);
    assert!(recorded.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_it_does_not_know_goes_to_the_server() {
    let (setup, recorded) = answering(ProxyOptions::default()).await;
    for (path, asked) in [("/unknown", 1), ("/live", 1)] {
        let (mut client, mut server) = setup.request("POST", path, "Content-Length: 3\r\n\r\nabc").await;
        server.expect("abc").await;
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
        client.expect("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
        assert_eq!(recorded.asked.lock().unwrap().len(), asked);
    }
    setup.until(|proxy| proxy.counts().exchanges_ended == 2).await;
}

#[tokio::test]
async fn answers_are_held_and_the_answerer_is_asked_when_the_request_goes() {
    let (setup, recorded) = answering(ProxyOptions::default()).await;
    setup.proxy.hold(Direction::BOTH);
    let mut client = setup.browser().await;
    client.send(format!("POST {} HTTP/1.1\r\nContent-Length: 3\r\n\r\nask", setup.url("/known"))).await;
    assert_eq!(setup.held(1).await, ["POST /known ask"]);
    assert!(recorded.asked.lock().unwrap().is_empty());
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    assert_eq!(setup.held(1).await, ["201 application/json [\"ask\"]"]);
    assert_eq!((setup.proxy.in_flight().len(), setup.proxy.counts().exchanges_ended), (1, 0));
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    client.expect(format!("{MADE}7\r\n\r\n[\"ask\"]")).await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    // A client that leaves while its request is held ends the exchange.
    client.send(format!("POST {} HTTP/1.1\r\nContent-Length: 3\r\n\r\nask", setup.url("/known"))).await;
    setup.held(1).await;
    drop(client);
    setup.until(|proxy| proxy.counts().exchanges_ended == 2).await;
    assert_eq!(recorded.asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn event_streams_are_answered_event_by_event() {
    let (setup, _) = answering(ProxyOptions::default()).await;
    let mut client = setup.browser().await;
    client.send(format!("GET {} HTTP/1.1\r\nAccept: text/event-stream\r\n\r\n", setup.url("/known/stream"))).await;
    client.head().await;
    client.expect("data: 1\n\ndata: 2\n\n").await;
    setup.until(|proxy| proxy.counts().to_client.messages == 2).await;
}

#[tokio::test]
async fn handshakes_are_refused_or_left_to_the_server() {
    let (setup, _) = answering(ProxyOptions::default()).await;
    let mut client = setup.browser().await;
    let authority = setup.application.address;
    client.send(format!("CONNECT {authority} HTTP/1.1\r\n\r\n")).await;
    client.expect("HTTP/1.1 200 Connection Established\r\n\r\n").await;
    client.send(handshake("/known")).await;
    assert!(client.head().await.starts_with("HTTP/1.1 201 Created\r\n"));
    let mut client = setup.browser().await;
    client.send(format!("CONNECT {authority} HTTP/1.1\r\n\r\n")).await;
    client.expect("HTTP/1.1 200 Connection Established\r\n\r\n").await;
    client.send(handshake("/ws")).await;
    let mut server = setup.application.accept().await;
    server.head().await;
    server.send(ACCEPTED).await;
    assert!(client.head().await.starts_with("HTTP/1.1 101 "));
    setup.until(|proxy| proxy.sockets().len() == 1).await;
}

#[tokio::test]
async fn bad_answers_are_bad_gateways() {
    let (setup, _) = answering(ProxyOptions::default()).await;
    for (path, why) in [("/known/bad", "cannot be sent"), ("/known/panic", "panicked")] {
        let mut client = setup.browser().await;
        client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url(path))).await;
        let answer = String::from_utf8(client.rest().await).unwrap();
        assert!(answer.starts_with("HTTP/1.1 502 Bad Gateway\r\n") && answer.contains(why), "{answer}");
    }
    assert_eq!(setup.proxy.problems().len(), 2);
}

#[tokio::test]
async fn large_requests_go_to_the_server_and_are_told() {
    let mut options = ProxyOptions::default();
    options.limits.rewritten_body = 10;
    let (setup, recorded) = answering(options).await;
    let (_client, mut server) = setup.request("POST", "/known", "Content-Length: 11\r\n\r\n0123456789A").await;
    server.expect("0123456789A").await;
    assert!(setup.proxy.not_rewritten()[0].why.contains("larger than 10 bytes"));
    assert!(recorded.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_tap_says_who_answered() {
    let tap = Arc::new(Collector::new(100, 1000));
    let (setup, _) = answering(ProxyOptions { tap: Some(tap.clone()), ..ProxyOptions::default() }).await;
    let mut client = setup.browser().await;
    client.send(format!("POST {} HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", setup.url("/known"))).await;
    client.head().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    let exchange = tap.take().exchanges.remove(0);
    assert_eq!(exchange.responder, Responder::Answerer);
    assert_eq!(exchange.request.body.content, b"x");
    assert_eq!(exchange.response.unwrap().body.content, b"[\"x\"]");
    assert!(exchange.timings.sent.is_some() && exchange.timings.delivered.is_some());
}

#[tokio::test]
async fn https_is_answered_without_a_server_as_well() {
    let run = Arc::new(RunAuthority::new().unwrap());
    let (setup, _) = answering(ProxyOptions { tls: Some(run.clone()), ..ProxyOptions::default() }).await;
    let mut client = setup.browser().await;
    client.send("CONNECT localhost:9 HTTP/1.1\r\n\r\n").await;
    client.expect("HTTP/1.1 200 Connection Established\r\n\r\n").await;
    let mut client = crate::tls::encrypted(client, &run, "localhost").await;
    client.send("GET /known HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    client.expect(format!("{MADE}4\r\n\r\n[\"\"]")).await;
    client.send("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    let answer = String::from_utf8(client.rest().await).unwrap();
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
}
