//! A session is asked for again if it does not come although there are free places: a hub offers the places of a node that has stopped to
//! answer until it notices, and whatever is asked for there waits for minutes.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tracing::info;

use crate::{GridError, GridSession, Hub};

/// How long a hub with free places may take to start a browser.
const START_PATIENCE: Duration = Duration::from_secs(20);
/// How long a hub that has opened sessions before may be away, or fail to open one: nodes end, and others take their places.
const OUTAGE: Duration = Duration::from_secs(60);
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);
/// How many requests of one worker wait at the same time.
const MOST_REQUESTS: usize = 4;

impl Hub {
    /// Waits for a free place, and starts a browser with these arguments there.
    pub fn open(&self, arguments: &[String]) -> Result<GridSession, GridError> {
        let began = Instant::now();
        loop {
            match self.open_within(arguments, START_PATIENCE) {
                Ok(session) => {
                    self.has_opened.store(true, Ordering::Relaxed);
                    return Ok(session);
                }
                Err(GridError::Unreachable { .. } | GridError::NoSession { .. })
                    if self.has_opened.load(Ordering::Relaxed) && began.elapsed() < OUTAGE =>
                {
                    thread::sleep(BETWEEN_ATTEMPTS);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn open_within(&self, arguments: &[String], patience: Duration) -> Result<GridSession, GridError> {
        let (tell, told) = mpsc::channel();
        let ask = || {
            let (hub, arguments, tell) = (self.clone(), arguments.to_vec(), tell.clone());
            // A session that comes too late is in what could not be sent, and given back with it.
            thread::spawn(move || drop(tell.send(hub.ask(&arguments))));
        };
        let (mut asked, mut answered) = (0, 0);
        loop {
            ask();
            asked += 1;
            loop {
                match told.recv_timeout(patience) {
                    Ok(Ok(session)) => return Ok(session),
                    Ok(Err(error)) => {
                        answered += 1;
                        if answered == asked {
                            return Err(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) if asked < MOST_REQUESTS && self.has_free_place() => break,
                    // The thread that was asked last holds a sender.
                    Err(_) => {}
                }
            }
            info!(target: "grid", asked, "no session came although there are free places: asking again");
        }
    }

    fn has_free_place(&self) -> bool {
        self.status().is_ok_and(|status| status.free_slots() > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::atomic::AtomicUsize;
    use std::sync::{Arc, Condvar, Mutex};

    use super::*;

    const STATUS: &str = r#"{ "value": { "ready": true, "nodes": [ { "uri": "http://a", "availability": "UP", "slots": [
        { "stereotype": { "browserName": "chrome" }, "session": null } ] } ] } }"#;

    /// Reads a request to its end, so that its answer is not lost with the connection; its first line.
    fn read(stream: &TcpStream) -> String {
        let mut reader = BufReader::new(stream);
        let (mut first, mut length) = (String::new(), 0);
        reader.read_line(&mut first).unwrap();
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            if header.trim().is_empty() {
                break;
            }
            let header = header.to_ascii_lowercase();
            length = header.strip_prefix("content-length:").map_or(length, |value| value.trim().parse().unwrap());
        }
        reader.take(length).read_to_end(&mut Vec::new()).unwrap();
        first
    }

    /// A hub whose first session comes only when it is let go, and all others at once, but those that it refuses.
    #[derive(Default)]
    struct SlowHub {
        sessions: AtomicUsize,
        refusals: AtomicUsize,
        given_back: Mutex<Vec<String>>,
        is_let_go: Mutex<bool>,
        let_go: Condvar,
        returned: Condvar,
    }

    impl SlowHub {
        fn start() -> (Arc<SlowHub>, Hub) {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let hub = Hub::new(&format!("http://{}", listener.local_addr().unwrap()), None).unwrap();
            let slow = Arc::new(SlowHub::default());
            let serving = slow.clone();
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let serving = serving.clone();
                    thread::spawn(move || serving.serve(stream));
                }
            });
            (slow, hub)
        }

        fn serve(&self, mut stream: TcpStream) {
            let first = read(&stream);
            let mut status = "200 OK";
            let body = match first.split(' ').collect::<Vec<_>>()[..] {
                ["GET", ..] => STATUS.to_string(),
                ["POST", ..] if self.refusals.load(Ordering::Relaxed) > 0 => {
                    self.refusals.fetch_sub(1, Ordering::Relaxed);
                    status = "500 Internal Server Error";
                    r#"{ "value": { "error": "session not created", "message": "the node is gone" } }"#.to_string()
                }
                ["POST", ..] => {
                    let number = self.sessions.fetch_add(1, Ordering::Relaxed);
                    if number == 0 {
                        let waiting = self.is_let_go.lock().unwrap();
                        drop(self.let_go.wait_while(waiting, |is_let_go| !*is_let_go).unwrap());
                    }
                    let capabilities = r#"{ "se:cdp": "ws://x/session" }"#;
                    format!(r#"{{ "value": {{ "sessionId": "s{number}", "capabilities": {capabilities} }} }}"#)
                }
                ["DELETE", path, ..] => {
                    self.given_back.lock().unwrap().push(path.to_string());
                    self.returned.notify_all();
                    r#"{ "value": null }"#.to_string()
                }
                _ => return,
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    }

    #[test]
    fn a_session_that_does_not_come_is_asked_for_again_and_given_back_when_it_does() {
        let (slow, hub) = SlowHub::start();
        let session = hub.open_within(&[], Duration::from_millis(50)).unwrap();
        assert_ne!(session.id, "s0");
        let opened = session.id.clone();
        *slow.is_let_go.lock().unwrap() = true;
        slow.let_go.notify_all();
        let given_back = slow.given_back.lock().unwrap();
        let is_back = |given: &mut Vec<String>| !given.contains(&"/session/s0".to_string());
        let given_back = slow.returned.wait_timeout_while(given_back, Duration::from_secs(30), is_back).unwrap().0;
        assert!(given_back.contains(&"/session/s0".to_string()), "{given_back:?}");
        assert!(!given_back.contains(&format!("/session/{opened}")), "the session in use is kept");
        drop(given_back);
        drop(session);
        assert!(slow.given_back.lock().unwrap().contains(&format!("/session/{opened}")));
    }
    #[test]
    fn a_hub_that_has_opened_sessions_may_refuse_one_for_a_while() {
        let (slow, hub) = SlowHub::start();
        *slow.is_let_go.lock().unwrap() = true;
        slow.refusals.store(1, Ordering::Relaxed);
        assert!(matches!(hub.open(&[]), Err(GridError::NoSession { .. })), "it has opened none yet");
        drop(hub.open(&[]).unwrap());
        slow.refusals.store(2, Ordering::Relaxed);
        drop(hub.open(&[]).unwrap());
        assert_eq!(slow.refusals.load(Ordering::Relaxed), 0);
    }
}
