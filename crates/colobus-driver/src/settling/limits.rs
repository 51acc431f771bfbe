//! Every constant of settling, in one place. Durations that the user sets (`quiet_ms`, `limit_ms`, `fixed_ms`,
//! `timers_ms`) are in the application's configuration.

use std::time::Duration;

use colobus_browser::scripts::{PageLimits, RaceLimits};
use colobus_model::Settle;

/// What moves: how long a count has to stay as it is where the barrier cannot look (streams, closed TLS, servers without
/// pongs).
pub const QUIET: Duration = Duration::from_millis(30);
/// What moves: the same in free pages, where there is no proxy that counts.
pub const QUIET_IN_SESSIONS: Duration = Duration::from_millis(50);
/// What moves: how long the counts are watched to tell a user what does not come to rest.
pub const RESTLESSNESS: Duration = Duration::from_millis(250);
/// What moves: how long page and proxy may take to tell of a change before both are asked again.
pub const ASK_AGAIN: Duration = Duration::from_millis(2);

/// What is expected: how long a piece of a stream may take to arrive in a page. One that arrives in a worker is not seen.
pub const PIECE_LIMIT: Duration = Duration::from_millis(1000);
/// What is expected: how often a page is asked meanwhile at least, because on a busy machine the answers take longer, too.
pub const QUESTIONS_FOR_A_PIECE: u32 = 40;
/// What is expected: how long a server may take to answer a ping before it is taken for one that never does.
pub const PONG_LIMIT: Duration = Duration::from_secs(1);
/// What is expected: how long a client that is online again may take to connect.
pub const RECONNECT_LIMIT: Duration = Duration::from_secs(5);
/// What is expected: how long a client that asks its server nothing may take to join a document before the next one may
/// talk; it may wait for the next.
pub const JOIN_LIMIT: Duration = Duration::from_secs(3);
/// What is expected: how long a server that waits for a timer of its own is left alone before it is looked at again.
pub const LOOK_AT_SERVER: Duration = Duration::from_millis(5);
/// What is expected: how long a server is stopped at most, while messages of several clients are written to its sockets, ...
pub const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// ... and how soon its threads are looked at again that have not stopped yet.
pub const STOPPING: Duration = Duration::from_micros(100);
/// What is background: timers of a server that have gone off this often while nothing came of it.
pub const MOST_WAKE_UPS: usize = 3;
/// What is expected: how often a page and its web workers are asked while they keep posting messages to each other.
pub const MOST_ROUNDS: usize = 10;

/// What is learned: how long the first executions are watched after each settling for reactions of a server.
pub const LONG_SILENCE: Duration = Duration::from_secs(3);
/// What is learned: how many executions with a user's step are watched so, with one client and with several.
pub const WATCHED_ALONE: usize = 3;
pub const WATCHED_TOGETHER: usize = 2;
/// What is learned: patience is at least this much longer than the latest reaction took.
pub const LEAST_MARGIN: Duration = Duration::from_millis(20);
/// What is learned: a reaction is expected that came in all of so many settlings, ...
pub const ENOUGH_SETTLINGS: usize = 3;
/// ... of so many shapes of messages and requests at most.
pub const MOST_EXPECTATIONS: usize = 200;
/// What is learned: a failing interaction is looked at again after a silence of so many times the patience, and at least ...
pub const LONG_LOOK: u32 = 5;
/// ... so long.
pub const LEAST_LONG_LOOK: Duration = Duration::from_secs(2);
/// What is background: messages of one shape that came so often more than the server was asked for changes, in one settling,
/// each after a silence that is long for this server, ...
pub const UNASKED_REPEATS: usize = 3;
/// ... and went on for so long.
pub const UNASKED_FOR: Duration = Duration::from_secs(2);
/// What is background: after so many different answers in a row without other activity, a poll is background.
pub const VARYING_ANSWERS: u64 = 5;
/// What is expected: how long polls take at most that are followed by moving a page's own clock.
pub const LONGEST_PERIOD: Duration = Duration::from_secs(60);

/// What is background: in the first executions, a GET request that stays open for this part of the limit; and the answer to a long poll that has been
/// open for so long.
pub const SHARE_OF_OPEN_REQUESTS: f64 = 0.75;
/// What is expected: a reaction that came every time so far is waited for during this part of the limit. The rest is for settling
/// without it.
pub const SHARE_OF_EXPECTED: f64 = 0.75;
/// What is learned: long silences take at most this part of the limit.
pub const SHARE_OF_SILENCE: f64 = 0.3;
/// What is expected: on a real clock, polls that come at least as often as this part of the limit.
pub const SHARE_OF_PERIODS: f64 = 0.3;

/// A part of the limit.
pub fn share(settle: &Settle, part: f64) -> Duration {
    Duration::from_millis(settle.limit_ms).mul_f64(part)
}

/// How much time passes for a client that waits, on its own clock: more than applications wait before they try again, and
/// less than those wait that take a silent connection for dead.
pub const LONG_WAIT: Duration = Duration::from_secs(30);

/// The limits that a page itself has to know.
pub const IN_PAGES: PageLimits = PageLimits {
    // What is expected: how long a page waits for a request or an opening socket before it leaves that to the proxy.
    request_ms: 150,
    // What is background: callbacks that have set new ones this often.
    chain: 10,
    // What is expected: how long the browser may take to draw a frame.
    frame_ms: 200,
    // What is expected: how long an element may stay hidden before the player's mouse tries to open what it is in.
    hidden_ms: 150,
};
/// The same for pages whose events are released one by one.
pub const IN_RACED_PAGES: RaceLimits = RaceLimits {
    // What is expected: how long a server whose connection is open may take to say more.
    listen_ms: 1000,
    // What moves: how long a server that has just said something counts as saying more.
    silence_ms: 250,
    // What is expected: how long a script that has come may take to run; one that was taken out of the document never does.
    script_ms: 2000,
    // What moves: how long the browser may take to draw twice.
    frame_ms: 300,
};
/// What is expected: how soon a callback of a free page has to be due to be waited for.
pub const TIMERS_IN_SESSIONS: Duration = Duration::from_millis(100);

/// What is expected: how long the pages of a recording may take to come to rest when a search performs it; pages that take
/// longer hang.
pub const REST_OF_STAGES: Duration = Duration::from_secs(10);
/// The same for a page that is explored, and for each event that is performed in it.
pub const REST_OF_EXPLORED_PAGES: Duration = Duration::from_secs(5);
/// What is expected: how long an element may take to appear in a page that has come to rest, when a search performs a recording, ...
pub const ELEMENT_IN_STAGES: Duration = Duration::from_secs(1);
/// ... when a page is explored, ...
pub const ELEMENT_IN_EXPLORED_PAGES: Duration = Duration::from_millis(800);
/// ... when a user replays a recording, ...
pub const ELEMENT_IN_REPLAYS: Duration = Duration::from_secs(5);
/// ... and with what a page has got, while the rest is held back.
pub const ELEMENT_WHILE_HELD_BACK: Duration = Duration::from_millis(300);
/// What is expected: how long a page that stops waiting for an element may take to say so.
pub const TO_SAY_SO: Duration = Duration::from_secs(2);

/// What is expected: how long a server may take to answer a page whose requests stop in the browser.
pub const SERVER_LIMIT: Duration = Duration::from_secs(15);
/// What is expected: how long a page whose handlers are run one by one may take to open, and a handler to run.
pub const HANDLER_LIMIT: Duration = Duration::from_secs(5);
/// What is expected: how long a raced page may take to parse a document up to something that is held.
pub const PARSE_LIMIT: Duration = Duration::from_secs(10);
/// What is expected: after this time without an answer a raced page is taken to wait for a synchronous request.
pub const SYNCHRONOUS_REQUEST: Duration = Duration::from_millis(250);
/// What is background: callbacks of a raced page that come again and again so long after the user's last step, in milliseconds of
/// the page's own clock.
pub const REST_OF_RACED_PAGES_MS: f64 = 5_000.0;
/// What is expected: how long an element of a step may take to appear in a page that runs as its users have it, beyond its time.
pub const ELEMENT_IN_PLAIN_PAGES: Duration = Duration::from_secs(2);
/// What moves: how long such a page is left to itself after everything that was recorded. Nothing is put in the place of its
/// timers, so that nothing says which of them are due.
pub const REST_OF_PLAIN_PAGES: Duration = Duration::from_millis(500);

/// What is expected: how much later than it should a timer may be, where a sequence waits for one.
pub const LATE_TIMERS: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Times that are not about settling, with the file that has them; ARCHITECTURE.md says what they are.
    const OTHER_TIMES: [(&str, &str); 7] = [
        ("runtime.rs", "LAST_WORK"),
        ("session/windows.rs", "TAB_LIMIT"),
        ("session/recorder/mod.rs", "HEARD_LIMIT"),
        ("session/player/mouse.rs", "DOUBLE_CLICK"),
        ("recording_proxy.rs", "LAST_ANSWERS"),
        ("race/order.rs", "SESSION_MS"),
        ("race/order.rs", "BETWEEN_STEPS_MS"),
    ];

    fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path, ending));
            } else if path.extension().is_some_and(|known| known == ending) {
                found.push(path);
            }
        }
        found
    }

    /// The lines of the files below a folder that name a time, without tests: file, line.
    fn times(folder: &Path, ending: &str, is_time: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for path in files(folder, ending) {
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            found.extend(code.lines().filter(|line| is_time(line)).map(|line| (name.clone(), line.trim().to_string())));
        }
        found
    }

    /// A number after this text.
    fn number_after(line: &str, text: &str) -> bool {
        line.match_indices(text).any(|(at, _)| line[at + text.len()..].starts_with(|next: char| next.is_ascii_digit()))
    }

    #[test]
    fn no_other_file_has_a_time_of_settling() {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let is_time = |line: &str| {
            let is_duration = ["from_millis(", "from_secs(", "from_micros("].iter().any(|new| number_after(line, new));
            is_duration || line.contains("const ") && line.contains("_MS: ")
        };
        // The application's processes are waited for, started and ended below `subject/`.
        let elsewhere = |name: &str| name != "settling/limits.rs" && !name.starts_with("subject/");
        let found: Vec<_> = times(&driver, "rs", is_time).into_iter().filter(|(name, _)| elsewhere(name)).collect();
        let known = |(name, line): &(String, String)| {
            OTHER_TIMES.iter().any(|(file, constant)| name == file && line.contains(&format!("const {constant}:")))
        };
        let new: Vec<_> = found.iter().filter(|time| !known(time)).collect();
        assert!(new.is_empty(), "belongs into settling/limits.rs: {new:#?}");
        assert_eq!(found.len(), OTHER_TIMES.len(), "the list of other times is out of date: {found:#?}");

        let page = driver.join("../../../page");
        let in_pages = times(&page, "js", |line| number_after(line, "_MS = ") || number_after(line, "Ms = "));
        // How a browser's own clock behaves.
        let new: Vec<_> = in_pages.iter().filter(|(name, _)| name != "clock.js").collect();
        assert!(new.is_empty() && in_pages.len() == 2, "belongs into settling/limits.rs: {in_pages:#?}");
    }
}
