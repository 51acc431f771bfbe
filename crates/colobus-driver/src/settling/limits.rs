//! Every constant of settling, in one place. Durations that the user sets (`quiet_ms`, `limit_ms`, `fixed_ms`,
//! `timers_ms`) are in the application's configuration.

use std::time::Duration;

use colobus_browser::scripts::PageLimits;

/// What moves: how long a count has to stay as it is where the barrier cannot look (streams, closed TLS, servers without
/// pongs).
pub const QUIET: Duration = Duration::from_millis(30);
/// What moves: the same in free pages, where there is no proxy that counts.
pub const QUIET_IN_SESSIONS: Duration = Duration::from_millis(50);
/// What moves: how long the counts are watched to tell a user what does not come to rest.
pub const RESTLESSNESS: Duration = Duration::from_millis(250);
/// What moves: how long page and proxy may take to tell of a change before both are asked again.
pub const ASK_AGAIN: Duration = Duration::from_millis(2);

/// What is expected: how long page and proxy may disagree on requests that may never reach a proxy, such as those that a
/// cache answers or that wait for a free connection.
pub const DISAGREEMENT: Duration = Duration::from_millis(1000);
/// What is expected: how often a page is asked in a disagreement at least, because on a busy machine the answers take
/// longer, too.
pub const QUESTIONS_IN_DISAGREEMENT: u32 = 40;
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

/// What is background: in the first executions, a GET request that stays open for this part of the limit.
pub const SHARE_OF_OPEN_REQUESTS: f64 = 0.75;
/// What is learned: long silences take at most this part of the limit.
pub const SHARE_OF_SILENCE: f64 = 0.3;
/// What is expected: on a real clock, polls that come at least as often as this part of the limit.
pub const SHARE_OF_PERIODS: f64 = 0.3;

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
};
/// What is expected: how soon a callback of a free page has to be due to be waited for.
pub const TIMERS_IN_SESSIONS: Duration = Duration::from_millis(100);
