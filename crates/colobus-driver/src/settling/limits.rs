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
pub const DISAGREEMENT: Duration = Duration::from_millis(100);
/// What is expected: how often a page is asked in a disagreement at least, because on a busy machine the answers take
/// longer, too.
pub const QUESTIONS_IN_DISAGREEMENT: u32 = 40;
/// What is expected: how long a server may take to answer a ping before it is taken for one that never does.
pub const PONG_LIMIT: Duration = Duration::from_secs(1);
/// What is expected: how long a client that is online again may take to connect.
pub const RECONNECT_LIMIT: Duration = Duration::from_secs(5);
/// What is expected: how long a client may take to join a document before the next one may talk; it may wait for the next.
pub const JOIN_LIMIT: Duration = Duration::from_secs(3);
/// What is expected: how often a page and its web workers are asked while they keep posting messages to each other.
pub const MOST_ROUNDS: usize = 10;

/// What is background: a request that stays open for longer than this, while nothing else moves, is a long poll.
pub const LONG_POLL: Duration = Duration::from_millis(150);

/// How much time passes for a client that waits, on its own clock: more than applications wait before they try again, and
/// less than those wait that take a silent connection for dead.
pub const LONG_WAIT: Duration = Duration::from_secs(30);

/// The limits that a page itself has to know.
pub const IN_PAGES: PageLimits = PageLimits {
    // What is background: a request or an opening socket that is older than this.
    long_poll_ms: 150,
    // What is background: callbacks that have set new ones this often.
    chain: 10,
    // What is expected: how long the browser may take to draw a frame.
    frame_ms: 200,
};
/// What is expected: how soon a callback of a free page has to be due to be waited for.
pub const TIMERS_IN_SESSIONS: Duration = Duration::from_millis(100);
