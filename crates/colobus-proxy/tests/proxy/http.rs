//! HTTP that flows freely.

use std::time::Duration;

use colobus_proxy::ProxyOptions;

use crate::peer::Setup;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let setup = Setup::new().await;
    let mut client = setup.browser().await;
    let request = |path: &str| {
        let url = setup.url(path);
        format!("GET {url} HTTP/1.1\r\nHost: wrong\r\nProxy-Connection: keep-alive\r\nX: y\r\n\r\n")
    };
    client.send(request("/a")).await;
    let mut server = setup.application.accept().await;
    for path in ["/a", "/b", "/c"] {
        let host = setup.application.address;
        server.expect(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: y\r\n\r\n")).await;
        server.send(OK).await;
        client.expect(OK).await;
        if path != "/c" {
            client.send(request(if path == "/a" { "/b" } else { "/c" })).await;
        }
    }
    setup.until(|proxy| proxy.counts().exchanges_ended == 3).await;
    assert_eq!(setup.proxy.counts().exchanges_started, 3);
    assert_eq!(setup.proxy.in_flight(), []);
    // An idle server that closes takes the browser's connection along.
    drop(server);
    client.expect_end().await;
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let setup = Setup::new().await;
    let mut client = setup.browser().await;
    let (first, second) = (setup.url("/1"), setup.url("/2"));
    client.send(format!("POST {first} HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET {second} HTTP/1.1\r\n\r\n")).await;
    let mut server = setup.application.accept().await;
    assert!(server.head().await.starts_with("POST /1 "));
    server.expect("abc").await;
    server.send(OK).await;
    assert!(server.head().await.starts_with("GET /2 "));
    server.send(OK).await;
    client.expect(OK.repeat(2)).await;
}

#[tokio::test]
async fn bodies_of_requests_arrive() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.request("PUT", "/", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").await;
    server.expect("3\r\nabc\r\n").await;
    client.send("0\r\nTrailer: t\r\n\r\n").await;
    server.expect("0\r\nTrailer: t\r\n\r\n").await;
    server.send(OK).await;
    client.expect(OK).await;

    let body = "x".repeat(1_000_000);
    let head = format!("Content-Length: {}\r\n\r\n", body.len());
    let (mut client, mut server) = setup.request("POST", "/", &head).await;
    let ((), received) = tokio::join!(client.send(&body), server.take(body.len()));
    assert!(received == body.as_bytes());
    server.send(OK).await;
    client.expect(OK).await;
}

#[tokio::test]
async fn bodies_of_responses_end_where_they_should() {
    let setup = Setup::new().await;
    let responses = [
        ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n"),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ];
    for (method, response) in responses {
        let (mut client, mut server) = setup.request(method, "/", "\r\n").await;
        server.send(response).await;
        client.expect(response).await;
        // The connection is ready for more.
        client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url("/next"))).await;
        assert!(server.head().await.starts_with("GET /next "), "after {response:?}");
    }
}

#[tokio::test]
async fn a_body_without_length_ends_with_the_connection() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/").await;
    server.send("HTTP/1.1 200 OK\r\n\r\nsome").await;
    client.expect("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nsome").await;
    server.send(" more").await;
    client.expect(" more").await;
    drop(server);
    client.expect_end().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
}

#[tokio::test]
async fn interim_responses_are_passed_on() {
    let setup = Setup::new().await;
    let head = "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n";
    let (mut client, mut server) = setup.request("POST", "/", head).await;
    server.send("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.expect("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.send("body").await;
    server.expect("body").await;
    server.send(format!("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n{OK}")).await;
    client.expect(format!("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n{OK}")).await;
}

#[tokio::test]
async fn a_long_poll_is_in_flight_until_it_is_answered() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/poll").await;
    let in_flight = setup.proxy.in_flight();
    assert_eq!(in_flight.len(), 1);
    assert_eq!(in_flight[0].url, setup.url("/poll"));
    assert_eq!((in_flight[0].method.as_str(), in_flight[0].streams), ("GET", false));
    server.send(OK).await;
    client.expect(OK).await;
    setup.until(|proxy| proxy.in_flight().is_empty()).await;
}

#[tokio::test]
async fn a_client_that_gives_up_ends_its_request_at_the_server() {
    let setup = Setup::new().await;
    let (client, mut server) = setup.get("/poll").await;
    drop(client);
    server.expect_end().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
}

#[tokio::test]
async fn an_answer_before_the_end_of_the_request_closes_the_connection() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.request("POST", "/", "Content-Length: 100\r\n\r\n").await;
    server.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n").await;
    client.expect("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n").await;
    client.expect_end().await;
}

#[tokio::test]
async fn a_truncated_response_stays_truncated() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/").await;
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").await;
    drop(server);
    let received = client.rest().await;
    assert_eq!(received, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
}

#[tokio::test]
async fn servers_that_do_not_answer_properly_become_502() {
    let setup = Setup::new().await;
    let answers = [
        ("", "without an answer"),
        ("SSH-2.0-OpenSSH\r\n\r\n", "does not parse"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "not asked for"),
    ];
    for (answer, what) in answers {
        let (mut client, mut server) = setup.get("/").await;
        server.send(answer).await;
        drop(server);
        let response = String::from_utf8(client.rest().await).unwrap();
        assert!(response.starts_with("HTTP/1.1 502 Bad Gateway\r\n"), "{response}");
        assert!(response.contains(what), "{response}");
    }
    assert_eq!(setup.proxy.problems().len(), 3);
    assert_eq!(setup.proxy.problems()[0].url, setup.url("/"));
}

#[tokio::test]
async fn a_kept_connection_that_dies_is_the_browsers_to_retry() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/").await;
    server.send(OK).await;
    client.expect(OK).await;
    client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url("/again"))).await;
    server.head().await;
    drop(server);
    client.expect_end().await;
}

#[tokio::test]
async fn a_server_that_never_answers_becomes_504() {
    let options = ProxyOptions { response_timeout: Duration::from_millis(20), ..ProxyOptions::default() };
    let setup = Setup::with(options).await;
    let (mut client, _server) = setup.get("/").await;
    let response = String::from_utf8(client.rest().await).unwrap();
    assert!(response.starts_with("HTTP/1.1 504 Gateway Timeout\r\n"), "{response}");
    assert!(response.contains("did not begin to answer in time (20ms)"), "{response}");
}

#[tokio::test]
async fn http_inside_a_tunnel_works_as_outside() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.tunnel().await;
    client.send("GET /in HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n").await;
    server.expect("GET /in HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n").await;
    server.send(OK).await;
    client.expect(OK).await;
}
