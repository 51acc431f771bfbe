//! The law of rewriting: a rewriter that changes nothing changes no byte that either end sees, whatever the encoding and
//! the framing, and however the network cuts the bytes.

use std::sync::Arc;

use colobus_har::{Request, Response};
use colobus_proxy::{ProxyOptions, Rewriter};
use proptest::prelude::*;

use crate::encoded::{ALL, encode};
use crate::peer::{Peer, Setup};

/// Wants everything and returns it as it was.
#[derive(Debug)]
struct Same;

impl Rewriter for Same {
    fn wants_request(&self, _: &Request) -> bool {
        true
    }

    fn rewrite_request(&self, request: &Request) -> Option<Vec<u8>> {
        Some(request.body.content.clone())
    }

    fn wants_response(&self, _: &Request, _: &Response) -> bool {
        true
    }

    fn rewrite_response(&self, _: &Request, response: &Response) -> Option<Vec<u8>> {
        Some(response.body.content.clone())
    }
}

#[derive(Debug, Clone, Copy)]
enum Frame {
    Length,
    Chunks(usize),
    UntilClose,
}

fn frame() -> impl Strategy<Value = Frame> {
    prop_oneof![Just(Frame::Length), (1..3000usize).prop_map(Frame::Chunks), Just(Frame::UntilClose)]
}

/// The headers of the body, and the body in its frame.
fn framed(frame: Frame, coding: &str, body: &[u8]) -> (String, Vec<u8>) {
    let coding = coding.strip_prefix("bare ").unwrap_or(coding);
    let headers = format!("Content-Type: text/javascript\r\nETag: \"e\"\r\nContent-Encoding: {coding}\r\n");
    match frame {
        Frame::Length => (format!("{headers}Content-Length: {}\r\n", body.len()), body.to_vec()),
        Frame::UntilClose => (headers, body.to_vec()),
        Frame::Chunks(size) => {
            let mut chunks = Vec::new();
            for chunk in body.chunks(size) {
                chunks.extend(format!("{:X};x\r\n", chunk.len()).bytes());
                chunks.extend_from_slice(chunk);
                chunks.extend_from_slice(b"\r\n");
            }
            chunks.extend_from_slice(b"0\r\nX-After: 1\r\n\r\n");
            (format!("{headers}Transfer-Encoding: chunked\r\n"), chunks)
        }
    }
}

async fn send_in_two(peer: &mut Peer, bytes: &[u8], cut: usize) {
    let (first, second) = bytes.split_at(cut % (bytes.len() + 1));
    peer.send(first).await;
    tokio::task::yield_now().await;
    peer.send(second).await;
}

/// What server and client see of one exchange.
async fn seen(rewriter: Option<Arc<dyn Rewriter>>, request: &[u8], response: &[u8], cut: usize) -> [Vec<u8>; 2] {
    let setup = Setup::with(ProxyOptions { rewriter, ..ProxyOptions::default() }).await;
    let (mut client, mut server) = setup.tunnel().await;
    let answer = async {
        send_in_two(&mut client, request, cut).await;
        let asked = server.take(request.len()).await;
        send_in_two(&mut server, response, cut).await;
        drop(server);
        asked
    };
    let asked = answer.await;
    [asked, client.rest().await]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rewriter_that_changes_nothing_changes_no_byte(
        content in prop::collection::vec(any::<u8>(), 0..4000),
        copies in 0..20usize,
        codings in (0..ALL.len(), 0..ALL.len()),
        frames in (frame(), frame()),
        cut in any::<usize>(),
    ) {
        let content = content.repeat(copies);
        let up = match frames.0 {
            Frame::UntilClose => Frame::Length,
            other => other,
        };
        let (headers, body) = framed(up, ALL[codings.0], &encode(ALL[codings.0], &content));
        let request = [format!("POST /p HTTP/1.1\r\nHost: h\r\n{headers}\r\n").as_bytes(), &body].concat();
        let (headers, body) = framed(frames.1, ALL[codings.1], &encode(ALL[codings.1], &content));
        let response = [format!("HTTP/1.1 200 OK\r\n{headers}\r\n").as_bytes(), &body].concat();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let plain = seen(None, &request, &response, cut).await;
            let rewritten = seen(Some(Arc::new(Same)), &request, &response, cut).await;
            assert!(plain == rewritten);
            assert!(plain[0] == request);
            assert!(plain[1].ends_with(&body));
        });
    }
}
