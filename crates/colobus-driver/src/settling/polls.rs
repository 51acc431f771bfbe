//! [`PollWatch`]: pages that learn of changes by asking again and again. Such a page is settled when it has asked twice since
//! the last change and got the same answer; or once, if its server had nothing left to do when it was asked. Kept by the barrier for the
//! document of a world.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::limits::VARYING_ANSWERS;
use super::patience::Patience;
use super::shape;

/// A timer of a page that goes off again and again, or late, and what it sent.
#[derive(Clone, Debug, Deserialize)]
pub struct PageTimer {
    /// What it runs: the same in every execution.
    pub key: String,
    pub every_ms: f64,
    /// `None` if it is not set at the moment.
    pub next_ms: Option<f64>,
    pub fired: u64,
    /// Where its requests go.
    pub method: String,
    pub url: Option<String>,
    /// How many requests of this method went to the same place that no timer sent.
    pub beside: u64,
    pub sent: u64,
    pub answered: u64,
    /// How many answers in a row were equal to the one before.
    pub same: u64,
}

#[derive(Debug, Default)]
pub struct PollWatch {
    /// What had changed so far when the base was taken.
    changes: u64,
    /// How many requests each timer of each client had sent when the last change happened.
    base: BTreeMap<(u16, String), u64>,
    /// The same when the server was first known to be idle after that.
    idle_base: BTreeMap<(u16, String), u64>,
    /// How many requests each client had sent beside its polls, to the same places.
    beside: BTreeMap<(u16, String), u64>,
}

/// How far timers are followed.
#[derive(Clone, Copy, Debug)]
pub struct Following {
    /// Timers that take longer than this are not.
    pub longest: Duration,
    /// The same for those that are known to poll.
    pub longest_poll: Duration,
    /// Whether timers of which nothing is known yet are waited for.
    pub curious: bool,
    /// Whether the server has nothing left to do: it would answer a second time as it does the first time.
    pub idle: bool,
}

/// The next timer that a client has to be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwaitedTimer {
    /// How long it takes until the first of its timers goes off.
    pub next: Duration,
    /// Whether a poll is missing; otherwise timers of which nothing is known yet.
    pub polls: bool,
}

impl PollWatch {
    /// Everything so far happened before the next poll that counts.
    pub fn note_changes(&mut self, changes: u64) {
        if self.changes != changes {
            self.changes = changes;
            self.base.clear();
            self.idle_base.clear();
        }
    }

    /// Whether the client sent a request that looks like one of its polls and may have changed something: what is read is told by
    /// its method.
    pub fn asked_beside_polls(&mut self, client: u16, timers: &[PageTimer]) -> bool {
        let mut asked = false;
        for timer in timers.iter().filter(|timer| timer.method != "GET") {
            let before = self.beside.insert((client, timer.key.clone()), timer.beside);
            asked |= timer.beside > before.unwrap_or(0);
        }
        asked
    }

    /// The timers that have to be waited for; `None` if no timer has.
    pub fn next(
        &mut self,
        client: u16,
        timers: &[PageTimer],
        patience: &Patience,
        following: Following,
    ) -> Option<AwaitedTimer> {
        let due = timers.iter().filter_map(|timer| {
            let next = Duration::from_secs_f64(timer.next_ms?.max(0.0) / 1000.0);
            let polls = timer.sent > 0;
            let longest = if polls { following.longest_poll } else { following.longest };
            let is_followed = Duration::from_secs_f64(timer.every_ms / 1000.0) <= longest;
            if let Some(url) = timer.url.as_ref().filter(|_| polls && !is_followed) {
                patience.polls_too_seldom(shape::of_request(&timer.method, url), timer.every_ms);
            }
            let is_missing = is_followed && self.is_missing(client, timer, patience, following);
            is_missing.then_some(AwaitedTimer { next, polls })
        });
        due.reduce(|one, other| AwaitedTimer { next: one.next.min(other.next), polls: one.polls || other.polls })
    }

    fn is_missing(&mut self, client: u16, timer: &PageTimer, patience: &Patience, following: Following) -> bool {
        let key = || (client, timer.key.clone());
        // What it sends from now on comes after everything so far.
        let base = *self.base.entry(key()).or_insert(timer.sent);
        let idle_base = following.idle.then(|| *self.idle_base.entry(key()).or_insert(timer.sent));
        let Some(url) = timer.url.as_ref().filter(|_| timer.sent > 0) else {
            if timer.fired > 0 {
                patience.sends_nothing(&timer.key);
            }
            return following.curious && timer.fired == 0 && !patience.is_silent(&timer.key);
        };
        let request = shape::of_request(&timer.method, url);
        patience.polls(request.clone(), timer.every_ms);
        if idle_base.is_some_and(|base| timer.answered > base) {
            return false;
        }
        let answered = timer.answered.saturating_sub(base);
        if timer.same == 0 && answered >= VARYING_ANSWERS {
            patience.varies(&request);
        }
        answered < 2 || (timer.same == 0 && !patience.is_varying(&request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLLOWING: Following =
        Following { longest: Duration::from_secs(5), longest_poll: Duration::from_secs(9), curious: true, idle: false };

    fn timer(fired: u64, sent: u64, answered: u64, same: u64) -> PageTimer {
        let (key, url) = ("setInterval 1000 ask".to_string(), Some("http://h/todos?doc=1".to_string()));
        let url = url.filter(|_| sent > 0);
        let (method, every_ms, next_ms) = ("GET".to_string(), 1000.0, Some(400.0));
        PageTimer { key, every_ms, next_ms, fired, method, url, beside: 0, sent, answered, same }
    }

    fn waits(watch: &mut PollWatch, patience: &Patience, timer: PageTimer) -> bool {
        watch.next(1, &[timer], patience, FOLLOWING).is_some()
    }

    #[test]
    fn two_equal_answers_after_the_last_change_are_enough() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        watch.note_changes(7);
        assert!(waits(&mut watch, &patience, timer(3, 3, 3, 2)), "the change came after these");
        assert!(waits(&mut watch, &patience, timer(4, 4, 4, 0)));
        assert!(waits(&mut watch, &patience, timer(5, 5, 5, 0)), "the answers differ");
        assert!(!waits(&mut watch, &patience, timer(6, 6, 6, 1)));
        watch.note_changes(7);
        assert!(!waits(&mut watch, &patience, timer(7, 7, 7, 2)));
        watch.note_changes(8);
        assert!(waits(&mut watch, &patience, timer(7, 7, 7, 2)));
        assert!(patience.is_poll("GET /todos"));
    }

    #[test]
    fn a_timer_that_sends_nothing_is_waited_for_once_in_a_run() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        assert!(waits(&mut watch, &patience, timer(0, 0, 0, 0)));
        assert!(!waits(&mut watch, &patience, timer(1, 0, 0, 0)));
        assert!(!waits(&mut PollWatch::default(), &patience, timer(0, 0, 0, 0)), "another page with the same timer");
        assert!(waits(&mut watch, &patience, timer(2, 1, 1, 0)), "it does send, now and then");
    }

    #[test]
    fn a_poll_that_is_not_waited_for_is_told() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        let seldom = |every_ms| PageTimer { every_ms, ..timer(3, 3, 3, 2) };
        assert!(waits(&mut watch, &patience, seldom(9_000.0)));
        assert!(!patience.notes().iter().any(|note| note.contains("is not waited for")), "{:?}", patience.notes());
        assert!(!waits(&mut watch, &patience, seldom(10_000.0)));
        let told = "polling: GET /todos every 10000 ms is not waited for";
        assert!(patience.notes().iter().any(|note| note.starts_with(told)), "{:?}", patience.notes());
    }

    #[test]
    fn the_first_polls_of_a_page_count() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        assert_eq!(watch.next(1, &[timer(0, 0, 0, 0)], &patience, FOLLOWING).map(|due| due.polls), Some(false));
        let first = watch.next(1, &[timer(1, 1, 1, 0)], &patience, FOLLOWING);
        assert_eq!(first, Some(AwaitedTimer { next: Duration::from_millis(400), polls: true }));
        assert!(!waits(&mut watch, &patience, timer(2, 2, 2, 1)));
    }

    #[test]
    fn a_request_beside_the_polls_counts_once_unless_it_only_reads() {
        let mut watch = PollWatch::default();
        let timer = |method: &str, beside| PageTimer { method: method.into(), beside, ..timer(1, 1, 1, 0) };
        assert!(!watch.asked_beside_polls(1, &[timer("POST", 0)]));
        assert!(watch.asked_beside_polls(1, &[timer("POST", 1)]));
        assert!(!watch.asked_beside_polls(1, &[timer("POST", 1)]));
        assert!(watch.asked_beside_polls(2, &[timer("POST", 1)]), "another client");
        assert!(!watch.asked_beside_polls(1, &[timer("GET", 9)]));
    }

    #[test]
    fn answers_that_never_are_the_same_are_not_compared() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        assert!(waits(&mut watch, &patience, timer(1, 1, 1, 0)));
        for sent in 2..6 {
            assert!(waits(&mut watch, &patience, timer(sent, sent, sent, 0)));
        }
        assert!(!waits(&mut watch, &patience, timer(6, 6, 6, 0)));
    }

    #[test]
    fn one_answer_of_a_server_that_is_idle_is_enough() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        let idle = Following { idle: true, ..FOLLOWING };
        let mut missing = |timer, following| watch.next(1, &[timer], &patience, following).is_some();
        assert!(missing(timer(3, 3, 3, 2), FOLLOWING), "the server works");
        assert!(missing(timer(4, 4, 4, 0), idle), "it did so when this was asked");
        assert!(missing(timer(5, 5, 4, 0), idle), "this is not answered yet");
        assert!(!missing(timer(5, 5, 5, 0), idle));
        assert!(missing(timer(5, 5, 5, 0), FOLLOWING), "a long look asks twice");
        watch.note_changes(8);
        assert!(watch.next(1, &[timer(5, 5, 5, 0)], &patience, idle).is_some(), "the change came after it");
    }

    #[test]
    fn what_takes_too_long_or_is_not_set_is_not_followed() {
        let (mut watch, patience) = (PollWatch::default(), Patience::default());
        assert!(!waits(&mut watch, &patience, PageTimer { every_ms: 5_001.0, ..timer(0, 0, 0, 0) }));
        assert!(waits(&mut watch, &patience, PageTimer { every_ms: 9_000.0, ..timer(1, 1, 1, 0) }));
        assert!(!waits(&mut watch, &patience, PageTimer { every_ms: 9_001.0, ..timer(1, 1, 1, 0) }));
        assert!(!waits(&mut watch, &patience, PageTimer { next_ms: None, ..timer(1, 1, 1, 0) }));
    }
}
