//! [`Pump`]: moves one direction of one connection. It owns the writing end, so that what passes freely, what the gate
//! releases and the pings of the barrier never mix within a frame, and a caller that stops waiting does not
//! break one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::connection_guard::QueueHandle;
use super::options::Limits;
use super::queue::{NextWrite, Release};
use super::split::{Malformed, Part, Piece, Splitter};
use super::tap::Listener;
use super::view::{MessageKind, is_data};

const READ_AT_ONCE: usize = 64 * 1024;

pub(super) struct Pump<'b, R, W, S> {
    reader: R,
    writer: W,
    buffer: &'b mut BytesMut,
    splitter: S,
    queue: QueueHandle,
    listener: Option<Box<dyn Listener + 'b>>,
    coding: Coding,
    life: Life,
    /// Set when the connection of the sender ends with an error.
    is_broken: Option<&'b AtomicBool>,
    stage: Stage,
    max_message: usize,
    max_queue: usize,
    at_eof: bool,
    /// No frame is half written.
    at_boundary: bool,
}

/// How content is framed for the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// As it came.
    Verbatim,
    /// In chunks of its own, the sender's framing having been taken off.
    Chunked,
}

/// What the end of one side means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    /// The exchange decides.
    Exchange,
    /// A side that closes a WebSocket receives nothing more; what it sent before is still delivered.
    Socket { receiver_lost: bool },
}

#[derive(Debug)]
enum Stage {
    BetweenMessages,
    Passing,
    Collecting(Collected),
    /// The beginning of a message too large for the gate is held; the rest waits in the socket.
    Stopped {
        at_boundary: bool,
    },
}

#[derive(Debug)]
struct Collected {
    position: u64,
    bytes: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum PumpError {
    #[error("reading failed: {0}")]
    Read(io::Error),
    #[error("writing failed: {0}")]
    Write(io::Error),
    #[error("what arrived is malformed: {0}")]
    Malformed(#[from] Malformed),
}

impl<'b, R, W, S> Pump<'b, R, W, S>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    S: Splitter,
{
    pub fn new(
        reader: R,
        writer: W,
        buffer: &'b mut BytesMut,
        splitter: S,
        queue: QueueHandle,
        limits: &Limits,
    ) -> Self {
        Pump {
            reader,
            writer,
            buffer,
            splitter,
            queue,
            listener: None,
            coding: Coding::Verbatim,
            life: Life::Exchange,
            is_broken: None,
            stage: Stage::BetweenMessages,
            max_message: limits.held_message,
            max_queue: limits.held_queue,
            at_eof: false,
            at_boundary: true,
        }
    }

    pub fn coding(mut self, coding: Coding) -> Self {
        self.coding = coding;
        self
    }

    /// Tells the tap of all messages.
    pub fn heard_by(mut self, listener: Option<Box<dyn Listener + 'b>>) -> Self {
        self.listener = listener;
        self
    }

    pub fn of_socket(mut self, is_broken: &'b AtomicBool) -> Self {
        self.life = Life::Socket { receiver_lost: false };
        self.is_broken = Some(is_broken);
        self
    }

    /// Holds no more than the first piece of a message, because its sender waits for an answer to that.
    pub fn hold_first_piece_only(mut self, only: bool) -> Self {
        if only {
            self.max_message = 0;
        }
        self
    }

    /// Moves everything until the splitter is finished or the sender closed, and the queue is empty.
    pub async fn run(&mut self) -> Result<(), PumpError> {
        loop {
            self.write_due().await?;
            let backlog = self.queue.backlog();
            let has_room = backlog.is_none_or(|bytes| bytes < self.max_queue);
            let takes = has_room && !matches!(self.stage, Stage::Stopped { .. });
            let piece = match takes {
                true => self.splitter.next(self.buffer)?,
                false => None,
            };
            if let Some(piece) = piece {
                self.take(piece).await?;
                continue;
            }
            let over = self.at_eof || self.splitter.is_finished();
            if over && backlog.is_none() {
                return self.finish().await;
            }
            let reads = takes && !self.at_eof && self.splitter.wants_input() && self.buffer.len() <= READ_AT_ONCE * 2;
            self.buffer.reserve(if reads { READ_AT_ONCE } else { 0 });
            tokio::select! {
                biased;
                () = self.queue.woken() => {}
                read = self.reader.read_buf(self.buffer), if reads => match read {
                    Ok(0) => self.end_of_input().await?,
                    Ok(_) => {}
                    Err(_) if self.life != Life::Exchange => {
                        self.is_broken.inspect(|is_broken| is_broken.store(true, Ordering::Relaxed));
                        self.end_of_input().await?;
                    }
                    Err(error) => return Err(PumpError::Read(error)),
                }
            }
        }
    }

    async fn end_of_input(&mut self) -> Result<(), PumpError> {
        self.at_eof = true;
        if self.life != Life::Exchange {
            self.queue.sender_left();
        }
        if let Some(end) = self.splitter.at_eof()? {
            self.take(end).await?;
        }
        Ok(())
    }

    async fn finish(&mut self) -> Result<(), PumpError> {
        match (self.coding, self.life) {
            (Coding::Chunked, _) => self.write(b"0\r\n\r\n").await,
            (Coding::Verbatim, Life::Exchange) => Ok(()),
            (Coding::Verbatim, Life::Socket { .. }) => {
                // The receiver may be gone before it hears that the sender is.
                let _ = self.writer.shutdown().await;
                Ok(())
            }
        }
    }

    async fn take(&mut self, piece: Piece) -> Result<(), PumpError> {
        let bytes = self.buffer.split_to(piece.len);
        match piece.part {
            Part::Framing => Ok(()),
            Part::Control => self.write(&bytes).await,
            Part::Pong(number) => {
                self.queue.answered(number);
                Ok(())
            }
            Part::Message { opens, closes, kind, boundary } => {
                if opens {
                    self.begin();
                }
                if let Some(listener) = &mut self.listener {
                    listener.bytes(&bytes);
                }
                if let Stage::Collecting(collected) = &mut self.stage {
                    collected.bytes.extend_from_slice(&bytes);
                    if closes || collected.bytes.len() >= self.max_message {
                        self.hold(kind, closes, boundary);
                    }
                    return Ok(());
                }
                self.at_boundary = boundary;
                let preview = if closes && is_data(kind) { self.splitter.preview(&bytes) } else { String::new() };
                if closes {
                    self.departs(kind, preview.clone());
                }
                self.write_content(&bytes).await?;
                if closes {
                    self.stage = Stage::BetweenMessages;
                    let received = !self.receiver_is_lost();
                    if let Some(listener) = &mut self.listener {
                        listener.passed(received);
                    }
                    self.count(kind, Some(preview));
                }
                Ok(())
            }
        }
    }

    fn begin(&mut self) {
        if let Some(listener) = &mut self.listener {
            listener.opens();
        }
        let (position, passes) = self.queue.arrive();
        self.stage = match passes {
            true => Stage::Passing,
            false => Stage::Collecting(Collected { position, bytes: Vec::new() }),
        };
    }

    fn hold(&mut self, kind: MessageKind, complete: bool, at_boundary: bool) {
        let next = match complete {
            true => Stage::BetweenMessages,
            false => Stage::Stopped { at_boundary },
        };
        if let Stage::Collecting(Collected { position, bytes }) = std::mem::replace(&mut self.stage, next) {
            let preview = self.splitter.preview(&bytes);
            self.queue.enqueue(position, kind, bytes, complete, preview);
        }
    }

    async fn write_due(&mut self) -> Result<(), PumpError> {
        while self.at_boundary {
            match self.queue.next_due() {
                None => break,
                Some(NextWrite::Interjection(frame)) => self.write(&frame).await?,
                Some(NextWrite::QueuedMessage(message)) => {
                    if message.complete {
                        self.departs(message.kind, message.preview);
                    }
                    self.write_content(&message.bytes).await?;
                    match self.stage {
                        Stage::Stopped { at_boundary } if !message.complete => {
                            self.at_boundary = at_boundary;
                            self.stage = Stage::Passing;
                        }
                        _ => {
                            let received = !self.receiver_is_lost();
                            if let Some(listener) = &mut self.listener {
                                listener.delivered(received);
                            }
                            self.count(message.kind, None);
                        }
                    }
                    if let Release::Released(went) = message.release {
                        // The caller may have stopped waiting; the message went all the same.
                        let _ = went.send(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Called after the tap was told: what was counted can be looked up there.
    fn count(&self, kind: MessageKind, preview: Option<String>) {
        if !self.receiver_is_lost() {
            self.queue.forwarded(kind, preview);
        }
    }

    fn departs(&self, kind: MessageKind, preview: String) {
        if !self.receiver_is_lost() {
            self.queue.departs(kind, preview);
        }
    }

    fn receiver_is_lost(&self) -> bool {
        self.life == Life::Socket { receiver_lost: true }
    }

    async fn write_content(&mut self, bytes: &[u8]) -> Result<(), PumpError> {
        match self.coding {
            Coding::Verbatim => self.write(bytes).await,
            Coding::Chunked if bytes.is_empty() => Ok(()),
            Coding::Chunked => {
                let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                chunk.extend_from_slice(bytes);
                chunk.extend_from_slice(b"\r\n");
                self.write(&chunk).await
            }
        }
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), PumpError> {
        if bytes.is_empty() || self.receiver_is_lost() {
            return Ok(());
        }
        let written = async {
            self.writer.write_all(bytes).await?;
            // Nothing to do for TCP; a TLS stream keeps what it has not been told to send.
            self.writer.flush().await
        };
        match (written.await, self.life) {
            (Ok(()), _) => Ok(()),
            (Err(error), Life::Exchange) => Err(PumpError::Write(error)),
            (Err(_), Life::Socket { .. }) => {
                self.life = Life::Socket { receiver_lost: true };
                self.queue.receiver_left();
                Ok(())
            }
        }
    }
}
