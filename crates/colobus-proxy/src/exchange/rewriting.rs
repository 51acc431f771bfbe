//! Bodies changed before they reach the gate.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use colobus_har::Direction;
use tokio::io::AsyncRead;

use super::collect::{Collected, Whole, collect};
use super::{Exchange, put_in_front};
use crate::content_encoding::{End, decode};
use crate::http::{Response, plain_request, plain_response, with_body};
use crate::rewrite::Rewriter;
use crate::split::body::Framing;

/// A message whose head is at the front of an inbox, and its body behind it or still on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    pub head: usize,
    pub framing: Framing,
}

impl Exchange<'_> {
    /// Puts the head of the request in front of its body, and changes both if the rewriter wants to.
    pub async fn prepare_request(&self, from: impl AsyncRead + Unpin, inbox: &mut BytesMut) -> io::Result<Ready> {
        let head = &self.request.outgoing;
        let ready = put_in_front(inbox, head, self.request.framing);
        let mut request = plain_request(head, self.url);
        let Some(rewriter) = self.rewriter(&ready).filter(|rewriter| rewriter.wants_request(&request)) else {
            return Ok(ready);
        };
        if self.request.expects_continue {
            self.not_rewritten(Direction::ToServer, "the client sends it only when the server asks for it");
            return Ok(ready);
        }
        let encoding = request.content_encoding();
        let change = move |content| {
            request.body.content = content;
            rewriter.rewrite_request(&request)
        };
        self.rewrite(Direction::ToServer, from, inbox, ready, encoding, change).await
    }

    /// The same for a response.
    pub async fn prepare_response(
        &self,
        response: &Response,
        from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
    ) -> io::Result<Ready> {
        let ready = put_in_front(inbox, &response.outgoing, response.framing);
        let request = plain_request(&self.request.outgoing, self.url);
        let mut response = plain_response(&response.outgoing);
        let streams = response.media_type() == "text/event-stream";
        let wants = |rewriter: &Arc<dyn Rewriter>| !streams && rewriter.wants_response(&request, &response);
        let Some(rewriter) = self.rewriter(&ready).filter(wants) else { return Ok(ready) };
        if response.status == 206 {
            self.not_rewritten(Direction::ToClient, "it is only a part of its resource (status 206)");
            return Ok(ready);
        }
        let encoding = response.content_encoding();
        let change = move |content| {
            response.body.content = content;
            rewriter.rewrite_response(&request, &response)
        };
        self.rewrite(Direction::ToClient, from, inbox, ready, encoding, change).await
    }

    /// The rewriter, for a message that has a body.
    fn rewriter(&self, ready: &Ready) -> Option<Arc<dyn Rewriter>> {
        self.context.rewriter.clone().filter(|_| ready.framing != Framing::Empty)
    }

    async fn rewrite(
        &self,
        direction: Direction,
        from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        ready: Ready,
        encoding: String,
        change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>> + Send + 'static,
    ) -> io::Result<Ready> {
        let limit = self.context.limits.rewritten_body;
        let Whole { raw, end } = match collect(from, inbox, ready.head, ready.framing, limit).await? {
            Collected::Whole(whole) => whole,
            Collected::Broken => return Ok(ready),
            Collected::TooLarge => {
                self.not_rewritten(direction, &format!("it is larger than {limit} bytes"));
                return Ok(ready);
            }
        };
        let decoded = decode(&encoding, &raw, limit);
        let why = match decoded.end {
            End::Complete => None,
            End::Limit => Some(format!("it is larger than {limit} bytes when decoded")),
            End::Failed(why) => Some(format!("it does not decode: {why}")),
            End::Unknown(coding) => Some(format!("its content-encoding `{coding}` is not known")),
        };
        if let Some(why) = why {
            self.not_rewritten(direction, &why);
            return Ok(ready);
        }
        // Parsing a large script takes a while; other connections go on meanwhile.
        let changed = move || {
            let before = decoded.content.clone();
            change(decoded.content).filter(|after| *after != before)
        };
        let content = match tokio::task::spawn_blocking(changed).await {
            Ok(Some(content)) => content,
            Ok(None) => return Ok(ready),
            Err(_) => {
                self.not_rewritten(direction, "the rewriter panicked");
                return Ok(ready);
            }
        };
        if let Some(tap) = &self.tap {
            tap.rewritten(direction, &raw);
        }
        let message = inbox.split_to(end);
        let head = with_body(&message[..ready.head], content.len());
        let framing = Framing::Length(content.len() as u64);
        Ok(put_in_front(inbox, &[&head[..], &content].concat(), framing).with_head(head.len()))
    }

    fn not_rewritten(&self, direction: Direction, why: &str) {
        self.context.proxy_state.adjust(|state| state.not_rewritten(self.url, direction, why));
    }
}

impl Ready {
    fn with_head(self, head: usize) -> Ready {
        Ready { head, ..self }
    }
}
