//! Requests that are answered in the server's place.

use bytes::BytesMut;
use colobus_har::{Direction, Responder};
use tokio::io::{AsyncRead, split};

use super::collect::{Collected, Whole, collect};
use super::rewriting::Ready;
use super::{Ending, Exchange};
use crate::answer::Answer;
use crate::content_encoding::plain_body;
use crate::http::plain_request;
use crate::wire::Wire;

/// What became of asking the answerer.
#[derive(Debug)]
pub(crate) enum Asked {
    /// The exchange is over.
    Answered(Ending),
    /// The server has to answer.
    Server(Outgoing),
}

/// A request on its way to the server.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// It has to pass the gate.
    Ready(Ready),
    /// The gate let it go.
    Passed(Vec<u8>),
}

impl Exchange<'_> {
    /// Lets the answerer reply, if it wants to and can.
    pub async fn ask(&self, client: &mut Wire, ready: Ready) -> Asked {
        let Some(answerer) = &self.context.answerer else {
            return Asked::Server(Outgoing::Ready(ready));
        };
        let head = plain_request(&client.inbox[..ready.head], self.url);
        if !answerer.wants(&head) {
            return Asked::Server(Outgoing::Ready(ready));
        }
        let (mut from, to) = split(&mut client.stream);
        let whole = match self.whole_request(&mut from, &mut client.inbox, ready).await {
            Ok(Some(whole)) => whole,
            Ok(None) => return Asked::Server(Outgoing::Ready(ready)),
            Err(ending) => return Asked::Answered(ending),
        };
        let mut request = head;
        let limit = self.context.limits.rewritten_body;
        let transferred = whole.raw.len() as u64;
        request.body = plain_body(&request.content_encoding(), &whole.raw, transferred, false, limit);
        let mut passed = Vec::with_capacity(whole.end);
        if self.pump_request(&mut from, &mut client.inbox, &mut passed, ready).await.is_err() {
            return Asked::Answered(Ending::Close);
        }
        let answerer = answerer.clone();
        // Asked when the gate has let the request go: that is when a server would see it.
        let answer = match tokio::task::spawn_blocking(move || answerer.answer(&request)).await {
            Ok(None) => return Asked::Server(Outgoing::Passed(passed)),
            Ok(Some(answer)) => answer,
            Err(_) => return Asked::Answered(no_answer("the answerer in the server's place panicked")),
        };
        let bytes = match Answer::to_bytes(&answer) {
            Ok(bytes) => bytes,
            Err(bad) => return Asked::Answered(no_answer(&bad.to_string())),
        };
        if let Some(tap) = &self.tap {
            tap.answered_by(Responder::Answerer);
        }
        let mut inbox = BytesMut::new();
        let answered = tokio::select! {
            biased;
            answered = self.receive(&bytes[..], &mut inbox, to) => answered,
            () = self.watch(&mut from, &mut client.inbox) => return Asked::Answered(Ending::Close),
        };
        Asked::Answered(answered.unwrap_or_else(|failure| self.failed(failure)))
    }

    /// The body of the request, or `None` if it cannot be waited for.
    async fn whole_request(
        &self,
        from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        ready: Ready,
    ) -> Result<Option<Whole>, Ending> {
        let limit = self.context.limits.rewritten_body;
        let why = match self.request.expects_continue {
            true => "the client sends its body only when the server asks for it".to_owned(),
            false => match collect(from, inbox, ready.head, ready.framing, limit).await {
                Ok(Collected::Whole(whole)) => return Ok(Some(whole)),
                Ok(Collected::TooLarge) => format!("its body is larger than {limit} bytes"),
                Ok(Collected::Broken) | Err(_) => return Err(Ending::Close),
            },
        };
        let what = format!("not answered in the server's place: {why}");
        self.context.proxy_state.adjust(|state| state.not_rewritten(self.url, Direction::ToServer, &what));
        Ok(None)
    }
}

fn no_answer(what: &str) -> Ending {
    Ending::NoAnswer { status: 502, what: what.to_owned() }
}
