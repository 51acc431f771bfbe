//! A session is asked for again if it does not come although there are free places: a hub offers the places of a node that has stopped to
//! answer until it notices, and whatever is asked for there waits for minutes.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tracing::info;

use crate::{GridError, GridSession, Hub, UnderWay};

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
        self.open_while(arguments, &|| true)
    }

    /// The same; nothing more is asked for once the session is not wanted any more.
    pub fn open_while(&self, arguments: &[String], is_wanted: &dyn Fn() -> bool) -> Result<GridSession, GridError> {
        self.open_despite(arguments, OUTAGE, is_wanted)
    }

    /// The same; a hub that has opened sessions before may be away for so long.
    fn open_despite(
        &self,
        arguments: &[String],
        outage: Duration,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<GridSession, GridError> {
        let began = Instant::now();
        loop {
            let error = match self.open_within(arguments, START_PATIENCE, is_wanted) {
                Ok(session) => {
                    self.has_opened.store(true, Ordering::Relaxed);
                    return Ok(session);
                }
                Err(error) => error,
            };
            let may_pass = matches!(error, GridError::Unreachable { .. } | GridError::NoSession { .. });
            if !may_pass || !self.has_opened.load(Ordering::Relaxed) || !is_wanted() {
                return Err(error);
            }
            if began.elapsed() >= outage {
                // One that was away for so long is not waited for again: a search without a hub would take a minute for every
                // browser that it does not get.
                let is_away = matches!(error, GridError::Unreachable { .. });
                self.has_opened.fetch_and(!is_away, Ordering::Relaxed);
                return Err(error);
            }
            thread::sleep(BETWEEN_ATTEMPTS);
        }
    }

    fn open_within(
        &self,
        arguments: &[String],
        patience: Duration,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<GridSession, GridError> {
        let (tell, told) = mpsc::channel();
        let ask = || {
            let (hub, arguments, tell) = (self.clone(), arguments.to_vec(), tell.clone());
            let under_way = UnderWay::begin();
            thread::spawn(move || {
                // A session that comes too late is in what could not be sent, and given back with it.
                drop(tell.send(hub.ask(&arguments)));
                drop(under_way);
            });
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
                    Err(RecvTimeoutError::Timeout) if asked < MOST_REQUESTS && is_wanted() && self.has_free_place() => {
                        break;
                    }
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
    use std::sync::atomic::{AtomicBool, AtomicUsize};
    use std::sync::{Arc, Condvar, Mutex};

    use serde_json::Value;

    use super::*;

    const STATUS: &str = r#"{ "value": { "ready": true, "nodes": [ { "uri": "http://a", "availability": "UP", "slots": [
        { "stereotype": { "browserName": "chrome" }, "session": null } ] } ] } }"#;

    /// Reads a request to its end, so that its answer is not lost with the connection; its first line and its body.
    fn read(stream: &TcpStream) -> (String, String) {
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
        let mut body = String::new();
        reader.take(length).read_to_string(&mut body).unwrap();
        (first, body)
    }

    /// A hub whose first session comes only when it is let go, and all others at once, but those that it refuses.
    #[derive(Default)]
    struct SlowHub {
        sessions: AtomicUsize,
        refusals: AtomicUsize,
        /// Opens the next session, and says nothing of it.
        loses_an_answer: AtomicBool,
        /// The name of that session.
        unheard: Mutex<Option<String>>,
        /// How many requests a gateway answers, because it does not reach the hub.
        away: AtomicUsize,
        /// Answers nothing when the next session is given back, and keeps it.
        loses_an_end: AtomicBool,
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
            let (first, asked) = read(&stream);
            let mut status = "200 OK";
            let one_less = |left: usize| left.checked_sub(1);
            let is_away = self.away.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok();
            let body = match first.split(' ').collect::<Vec<_>>()[..] {
                _ if is_away => {
                    status = "502 Bad Gateway";
                    "<html><h1>502 Bad Gateway</h1></html>".to_string()
                }
                ["GET", ..] => match &*self.unheard.lock().unwrap() {
                    Some(name) => {
                        let capabilities = format!(r#"{{ "se:name": "{name}" }}"#);
                        let session = format!(r#"{{ "sessionId": "unheard", "capabilities": {capabilities} }}"#);
                        STATUS.replace("null", &session)
                    }
                    None => STATUS.to_string(),
                },
                ["POST", ..] if self.loses_an_answer.swap(false, Ordering::Relaxed) => {
                    let asked: Value = serde_json::from_str(&asked).unwrap();
                    let name = asked["capabilities"]["alwaysMatch"]["se:name"].as_str().unwrap();
                    *self.unheard.lock().unwrap() = Some(name.to_string());
                    return;
                }
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
                ["DELETE", ..] if self.loses_an_end.swap(false, Ordering::Relaxed) => return,
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
        let session = hub.open_within(&[], Duration::from_millis(50), &|| true).unwrap();
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
    fn a_session_that_is_not_wanted_any_more_is_not_asked_for_again() {
        let (slow, hub) = SlowHub::start();
        let times = AtomicUsize::new(0);
        let is_wanted = || {
            // Its answer is still to come, and comes when it would have been asked for a few times.
            assert!(!UnderWay::none_within(Duration::ZERO));
            if times.fetch_add(1, Ordering::Relaxed) == 5 {
                *slow.is_let_go.lock().unwrap() = true;
                slow.let_go.notify_all();
            }
            false
        };
        let session = hub.open_within(&[], Duration::from_millis(10), &is_wanted).unwrap();
        assert_eq!((session.id.as_str(), slow.sessions.load(Ordering::Relaxed)), ("s0", 1));
    }

    #[test]
    fn a_session_whose_opening_was_not_heard_of_is_given_back() {
        is_given_back_unheard(|hub| drop(hub.open(&[]).unwrap()));
        // Also if it is the first one.
        is_given_back_unheard(|_| {});
    }

    fn is_given_back_unheard(before: impl Fn(&Hub)) {
        let (slow, hub) = SlowHub::start();
        *slow.is_let_go.lock().unwrap() = true;
        before(&hub);
        slow.loses_an_answer.store(true, Ordering::Relaxed);
        let session = hub.open(&[]).unwrap();
        let given_back = slow.given_back.lock().unwrap();
        let is_missing = |given: &mut Vec<String>| !given.contains(&"/session/unheard".to_string());
        let given_back = slow.returned.wait_timeout_while(given_back, Duration::from_secs(30), is_missing).unwrap().0;
        assert!(given_back.contains(&"/session/unheard".to_string()), "{given_back:?}");
        assert!(!given_back.contains(&format!("/session/{}", session.id)), "the session in use is kept");
    }

    #[test]
    fn a_session_is_given_back_also_if_the_first_connection_breaks() {
        let (slow, hub) = SlowHub::start();
        *slow.is_let_go.lock().unwrap() = true;
        let session = hub.open(&[]).unwrap();
        slow.loses_an_end.store(true, Ordering::Relaxed);
        drop(session);
        assert_eq!(*slow.given_back.lock().unwrap(), ["/session/s0"]);
    }

    #[test]
    fn a_hub_for_which_a_gateway_answers_is_away_and_is_waited_for() {
        let (slow, hub) = SlowHub::start();
        *slow.is_let_go.lock().unwrap() = true;
        slow.away.store(1, Ordering::Relaxed);
        let told = hub.usable().unwrap_err();
        assert!(
            matches!(told, GridError::Unreachable { .. }) && told.to_string().contains("502 Bad Gateway"),
            "{told}"
        );
        drop(hub.open(&[]).unwrap());
        // More than one attempt asks for.
        slow.away.store(5, Ordering::Relaxed);
        let session = hub.open(&[]).unwrap();
        let opened = format!("/session/{}", session.id);
        slow.away.store(2, Ordering::Relaxed);
        drop(session);
        assert!(slow.given_back.lock().unwrap().contains(&opened), "asked for until the hub hears it");
    }

    #[test]
    fn a_hub_that_does_not_come_back_is_waited_for_once() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let hub = Hub::new(&format!("http://{}", port.local_addr().unwrap()), None).unwrap();
        drop(port);
        hub.has_opened.store(true, Ordering::Relaxed);
        let took = |outage: Duration| {
            let began = Instant::now();
            assert!(matches!(hub.open_despite(&[], outage, &|| true), Err(GridError::Unreachable { .. })));
            began.elapsed()
        };
        assert!(took(Duration::from_millis(500)) >= BETWEEN_ATTEMPTS);
        assert!(took(Duration::from_secs(600)) < Duration::from_secs(60), "not a second time");
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
