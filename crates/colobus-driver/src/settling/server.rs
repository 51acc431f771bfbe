//! [`Server`]: what an application that we started says of itself while it is waited for. Used by the barrier, which asks it
//! whenever pages and proxies are at rest: a pong comes from a server's socket library and says nothing about what its
//! handlers still compute.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::limits::{ASK_AGAIN, LONGEST_PAUSE, LOOK_AT_SERVER, MOST_WAKE_UPS, STOPPING};
use crate::subject::{ServerState, ServerWatch};

/// The application's processes, once they are known.
#[derive(Clone, Default)]
pub struct Server {
    watch: Arc<Mutex<Option<Arc<ServerWatch>>>>,
    /// Held by the world that has stopped them: another one would let them go on too early.
    stopped: Arc<tokio::sync::Mutex<()>>,
}

/// How waiting for the server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It has nothing left to do.
    Idle,
    /// Something moved meanwhile, or the time is over.
    Moved,
    /// It cannot be told.
    Unknown,
}

/// Which timers of the server are waited for.
#[derive(Clone, Copy, Debug)]
pub enum Timers {
    None,
    /// Those that go off within this time from when they were set.
    Within(Duration),
    /// The same, but they may be those that end long polls, also of pages that are gone: with one of them it cannot be told
    /// whether there is more to come.
    OfLongPolls {
        horizon: Duration,
    },
}

impl Server {
    /// From now on these processes are asked.
    pub fn watch(&self, watch: ServerWatch) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(watch));
    }

    fn watched(&self) -> Option<Arc<ServerWatch>> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Does something while the server is stopped, if we started it: it finds all that reaches it meanwhile at once, in the order in
    /// which it came. What takes too long, such as a message that is larger than the sockets' buffers, is finished while the server runs.
    pub async fn stopped_during<T>(&self, part: impl Future<Output = T>) -> T {
        let Some(watch) = self.watched() else { return part.await };
        let stopped = self.stopped.lock().await;
        let deadline = Instant::now() + LONGEST_PAUSE;
        accepts_all(&watch, deadline).await;
        let pause = watch.pause();
        // Threads stop within microseconds. The runtime's timers tick in milliseconds: with one of these, every pair of messages that meet
        // would cost that, and the server would stand still for as long.
        while pause.as_ref().is_some_and(|pause| !pause.is_complete()) && Instant::now() < deadline {
            std::thread::sleep(STOPPING);
        }
        let mut part = std::pin::pin!(part);
        let done = timeout(LONGEST_PAUSE, &mut part).await;
        drop((pause, stopped));
        match done {
            Ok(done) => done,
            Err(_) => part.await,
        }
    }

    /// Waits until the server has nothing left to do, or something `moved`.
    pub async fn rest<M: Future<Output = ()>>(&self, moved: impl Fn() -> M, timers: Timers, deadline: Instant) -> Rest {
        let Some(watch) = self.watched() else { return Rest::Unknown };
        let horizon = match timers {
            Timers::None => Duration::ZERO,
            Timers::Within(horizon) | Timers::OfLongPolls { horizon } => horizon,
        };
        let (mut last, mut wake_ups) = (None, 0);
        loop {
            let pause = match watch.look(horizon) {
                ServerState::Unknowable(_) => return Rest::Unknown,
                ServerState::Idle(stamp) if last.as_ref() == Some(&stamp) => {
                    read_what_has_arrived().await;
                    return match timeout(Duration::ZERO, moved()).await {
                        Ok(()) => Rest::Moved,
                        Err(_) => Rest::Idle,
                    };
                }
                ServerState::Idle(stamp) => {
                    last = Some(stamp);
                    Duration::ZERO
                }
                ServerState::Working => ASK_AGAIN,
                ServerState::Wakes(..) if matches!(timers, Timers::OfLongPolls { .. }) => return Rest::Unknown,
                ServerState::Wakes(_, stamp) => {
                    wake_ups += usize::from(last.as_ref().is_some_and(|last| *last != stamp));
                    // A timer that goes off again and again, and nothing comes of it: a heartbeat.
                    if wake_ups >= MOST_WAKE_UPS {
                        return Rest::Unknown;
                    }
                    last = Some(stamp);
                    LOOK_AT_SERVER
                }
            };
            let until = (Instant::now() + pause).min(deadline);
            if timeout_at(until, moved()).await.is_ok() || Instant::now() >= deadline {
                return Rest::Moved;
            }
        }
    }
}

/// Waits until the server has nothing to do: a connection that was opened just now has to be accepted before the server stops, or what is
/// sent over it is read one turn later.
async fn accepts_all(watch: &ServerWatch, deadline: Instant) {
    let mut last = None;
    while Instant::now() < deadline {
        match watch.look(Duration::ZERO) {
            ServerState::Unknowable(_) => return,
            ServerState::Idle(stamp) | ServerState::Wakes(_, stamp) if last.as_ref() == Some(&stamp) => return,
            ServerState::Idle(stamp) | ServerState::Wakes(_, stamp) => {
                // Something ran since the look before.
                if last.is_some() {
                    tokio::time::sleep(ASK_AGAIN).await;
                }
                last = Some(stamp);
            }
            ServerState::Working => tokio::time::sleep(ASK_AGAIN).await,
        }
    }
}

/// Lets the proxies read what the server has sent: it is in their sockets by now. The runtime learns of sockets in the order in
/// which something arrived, so that those of the proxies come before ours.
async fn read_what_has_arrived() {
    for _ in 0..2 {
        let Ok((mut near, mut far)) = UnixStream::pair() else { return };
        if near.write_all(&[0]).await.is_ok() {
            let _ = far.read_exact(&mut [0]).await;
        }
        tokio::task::yield_now().await;
    }
}
