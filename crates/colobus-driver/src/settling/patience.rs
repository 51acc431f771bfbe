//! [`Patience`]: what a run has learned of its application: how late it reacts, which requests stay open, which timers poll.
//! Shared by all worlds of a run. Filled and asked by the barrier; the factory tells the user what it says, and hands it on to runs
//! that continue this one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use colobus_model::LearnedSettling;

use super::expectations::{Episode, Listening, Missing, Receivers, learn, missing};
use super::limits::{LEAST_LONG_LOOK, LEAST_MARGIN, LONG_LOOK, WATCHED_ALONE, WATCHED_TOGETHER};
use super::moments::Lag;

/// The most reactions that are named because they did not come.
const MOST_MISSED: usize = 3;

#[derive(Debug, Default)]
pub struct Patience(Mutex<Learned>);

#[derive(Debug, Default)]
struct Learned {
    /// Executions of this run that were watched to their end.
    alone: usize,
    together: usize,
    /// What the patience was when the first reaction came late.
    before_late: Option<Duration>,
    /// Polls that take longer than is followed, in milliseconds.
    slow_polls: BTreeMap<String, u64>,
    settling: LearnedSettling,
}

impl Patience {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known so far, for a run that continues this one.
    pub fn to_keep(&self) -> LearnedSettling {
        self.learned().settling.clone()
    }

    /// Adds what an earlier run knew. The first executions are watched all the same: the server may have become slower.
    pub fn recall(&self, earlier: LearnedSettling) {
        self.learned().settling.add(earlier);
    }

    /// Whether an execution with so many clients is still one of the first, which are watched through long silences.
    pub fn is_learning(&self, clients: usize) -> bool {
        let learned = self.learned();
        if clients <= 1 { learned.alone < WATCHED_ALONE } else { learned.together < WATCHED_TOGETHER }
    }

    /// An execution in which so many clients acted has ended; none did if a page was only looked at.
    pub fn executed(&self, clients: usize) {
        let mut learned = self.learned();
        match clients {
            0 => {}
            1 => learned.alone += 1,
            _ => learned.together += 1,
        }
    }

    /// How long nothing may come from a server before it is taken to have nothing more to say.
    pub fn needed(&self) -> Duration {
        self.learned().needed()
    }

    /// The silence after which a failure counts.
    pub fn long_look(&self) -> Duration {
        (self.needed() * LONG_LOOK).max(LEAST_LONG_LOOK)
    }

    /// A settling is decided by silence.
    pub fn decides(&self) {
        self.learned().settling.silence_decides = true;
    }

    pub fn saw(&self, lag: &Lag) {
        let mut learned = self.learned();
        if lag.late {
            learned.settling.late += 1;
            let needed = learned.needed();
            learned.before_late.get_or_insert(needed);
        }
        let longest = learned.settling.lags.entry(lag.shape.clone()).or_default();
        *longest = lag.silence.max(*longest);
    }

    /// Messages of this shape come by themselves: they tell nothing about how late the server reacts.
    pub fn comes_unasked(&self, shape: &str) {
        let settling = &mut self.learned().settling;
        settling.unasked.insert(shape.to_string());
        for expected in settling.expected.values_mut() {
            for receivers in Receivers::ALL {
                receivers.of_mut(expected).shapes.remove(shape);
            }
        }
    }

    pub fn is_unasked(&self, shape: &str) -> bool {
        self.learned().settling.unasked.contains(shape)
    }

    /// Reactions that are missing and have followed every time so far.
    pub fn missing(&self, episode: &Episode, now: &Listening) -> Vec<Missing> {
        missing(&self.learned().settling.expected, episode, now)
    }

    /// Learns what follows what.
    pub fn learn_from(&self, episode: &Episode, now: &Listening) {
        learn(&mut self.learned().settling.expected, episode, now);
    }

    /// These reactions did not come, although they were waited for.
    pub fn give_up(&self, missing: &[Missing]) {
        let settling = &mut self.learned().settling;
        for Missing { sent, reaction, receivers } in missing {
            settling.missed.insert(format!("after {sent}, {reaction} did not come to {receivers}"));
            if let Some(expected) = settling.expected.get_mut(sent) {
                receivers.of_mut(expected).shapes.remove(reaction);
            }
        }
    }

    pub fn stays_open(&self, request: String) {
        self.learned().settling.stays_open.insert(request);
    }

    /// Requests that do not even come as far as the proxy: all connections are in use. Where they do, they stay open as well.
    pub fn stays_inside(&self, request: String) {
        let settling = &mut self.learned().settling;
        settling.stays_open.insert(request.clone());
        settling.stays_inside.insert(request);
    }

    pub fn is_inside_for_long(&self, request: &str) -> bool {
        self.learned().settling.stays_inside.contains(request)
    }

    pub fn is_open_for_long(&self, request: &str) -> bool {
        self.learned().settling.stays_open.contains(request)
    }

    pub fn polls(&self, request: String, every_ms: f64) {
        self.learned().settling.polls.insert(request, every_ms as u64);
    }

    /// A poll comes so seldom that it is not waited for.
    pub fn polls_too_seldom(&self, request: String, every_ms: f64) {
        self.learned().slow_polls.insert(request, every_ms as u64);
    }

    pub fn is_poll(&self, request: &str) -> bool {
        self.learned().settling.polls.contains_key(request)
    }

    /// Whether pages poll by requests that only read.
    pub fn knows_polls(&self) -> bool {
        self.learned().settling.polls.keys().any(|request| request.starts_with("GET "))
    }

    pub fn varies(&self, request: &str) {
        self.learned().settling.varying.insert(request.to_string());
    }

    pub fn is_varying(&self, request: &str) -> bool {
        self.learned().settling.varying.contains(request)
    }

    pub fn sends_nothing(&self, timer: &str) {
        self.learned().settling.silent_timers.insert(timer.to_string());
    }

    pub fn is_silent(&self, timer: &str) -> bool {
        self.learned().settling.silent_timers.contains(timer)
    }

    /// What the user should know of it.
    pub fn notes(&self) -> Vec<String> {
        let learned = self.learned();
        let mut notes = Vec::new();
        let (slowest, needed) = (learned.settling.slowest().as_millis(), learned.needed().as_millis());
        if learned.settling.silence_decides {
            notes.push(format!(
                "settling: the server reacted within {slowest} ms, so {needed} ms of silence are waited for (patience)"
            ));
        }
        if let Some(before) = learned.before_late {
            let (late, before) = (learned.settling.late, before.as_millis());
            notes.push(format!("late reactions: {late}, patience raised from {before} to {needed} ms"));
        }
        for missed in learned.settling.missed.iter().take(MOST_MISSED) {
            notes
                .push(format!("missing: {missed}, as every time before; it was waited for, and is not expected again"));
        }
        for request in &learned.settling.stays_open {
            notes.push(format!(
                "background: {request} stays open and is not waited for, as `settle.background` would say"
            ));
        }
        for (request, every) in &learned.settling.polls {
            notes.push(format!("polling: {request} every {every} ms, followed while everything settles"));
        }
        for (request, every) in &learned.slow_polls {
            notes.push(format!(
                "polling: {request} every {every} ms is not waited for, and what it would show is not judged; \
                 a greater `settle.limit_ms` or `[deterministic] clock = true` helps"
            ));
        }
        for request in &learned.settling.varying {
            notes.push(format!("polling: {request} never answers the same twice; two answers are waited for"));
        }
        for shape in &learned.settling.unasked {
            notes.push(format!("background: messages like {shape} come again and again by themselves"));
        }
        notes
    }
}

impl Learned {
    fn needed(&self) -> Duration {
        let slowest = self.settling.slowest();
        (slowest * 2).max(slowest + LEAST_MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::ENOUGH_SETTLINGS;
    use super::*;
    use colobus_proxy::ConnectionId;

    fn lag(shape: &str, ms: u64, late: bool) -> Lag {
        Lag { shape: shape.to_string(), silence: Duration::from_millis(ms), late }
    }

    #[test]
    fn patience_is_twice_the_slowest_reaction_and_never_shrinks() {
        let patience = Patience::default();
        assert_eq!(patience.needed(), LEAST_MARGIN);
        for (ms, needed) in [(5, 25), (300, 600), (100, 600)] {
            patience.saw(&lag("told", ms, false));
            assert_eq!(patience.needed(), Duration::from_millis(needed));
        }
        assert_eq!(patience.long_look(), Duration::from_secs(3));
    }

    #[test]
    fn what_comes_by_itself_costs_no_patience() {
        let patience = Patience::default();
        patience.saw(&lag("told", 40, false));
        patience.saw(&lag("tick", 2_000, false));
        assert_eq!(patience.needed(), Duration::from_secs(4));
        patience.comes_unasked("tick");
        assert_eq!(patience.needed(), Duration::from_millis(80));
    }

    #[test]
    fn the_first_executions_are_watched_by_the_number_of_their_clients() {
        let patience = Patience::default();
        for _ in 0..WATCHED_ALONE {
            patience.executed(0);
            assert!(patience.is_learning(1));
            patience.executed(1);
        }
        assert!(!patience.is_learning(1));
        assert!(patience.is_learning(2));
        patience.executed(2);
        patience.executed(3);
        assert!(!patience.is_learning(2));
    }

    #[test]
    fn what_an_earlier_run_knew_is_known_from_the_start_and_its_lateness_is_its_own() {
        let earlier = Patience::default();
        earlier.saw(&lag("told", 100, false));
        earlier.saw(&lag("told", 450, true));
        earlier.stays_open("GET /news".into());
        let text = serde_json::to_string(&earlier.to_keep()).unwrap();
        let patience = Patience::default();
        patience.saw(&lag("told", 500, false));
        patience.recall(serde_json::from_str(&text).unwrap());
        assert_eq!(patience.needed(), Duration::from_secs(1), "the longer lag counts");
        assert!(patience.is_open_for_long("GET /news"));
        assert!(patience.is_learning(2));
        assert_eq!((earlier.to_keep().late, patience.to_keep().late), (1, 0));
    }

    #[test]
    fn what_was_waited_for_in_vain_is_told_and_not_expected_again() {
        let patience = Patience::default();
        let listening: Listening = [1, 2].map(|client| (client, [ConnectionId(7)].into())).into();
        let episode = |is_told: bool| {
            let mut episode = Episode::new(listening.clone());
            episode.sent(1, "say".to_string());
            if is_told {
                episode.came(2, "said".to_string());
            }
            episode
        };
        for _ in 0..ENOUGH_SETTLINGS {
            patience.learn_from(&episode(true), &listening);
        }
        let missing = patience.missing(&episode(false), &listening);
        assert_eq!(missing.len(), 1);
        patience.give_up(&missing);
        assert_eq!(patience.missing(&episode(false), &listening), []);
        let note = "missing: after say, said did not come to the others, as every time before; it was waited for, and is not expected again";
        assert_eq!(patience.notes(), [note]);
    }

    #[test]
    fn lateness_is_told_with_what_it_changed() {
        let patience = Patience::default();
        assert_eq!(patience.notes(), Vec::<String>::new());
        patience.saw(&lag("told", 100, false));
        patience.saw(&lag("told", 450, true));
        patience.saw(&lag("told", 300, true));
        assert_eq!(patience.notes(), ["late reactions: 2, patience raised from 200 to 900 ms"]);
    }
}
