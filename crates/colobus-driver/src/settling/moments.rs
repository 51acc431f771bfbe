//! [`MomentLog`]: what passed between the clients of a world and the application, in the order of time. Filled by the barrier
//! with what the proxies saw; says how late reactions came, whether one came after settling, and which come unasked.
//!
//! A *stimulus* is a message or request that went to the server. A *reaction* is a message that came from it and that no
//! client was waiting for. Its *lag* is the silence before it: answers that are waited for count as signs of life.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use colobus_proxy::ConnectionId;

use super::limits::{UNASKED_FOR, UNASKED_REPEATS};

/// The connection of one client.
pub type Line = (u16, ConnectionId);

/// What a moment means for settling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Stimulus,
    /// A request that is waited for until it is over; one that only reads changes nothing for others.
    Question {
        reads: bool,
    },
    /// Something that was waited for has arrived.
    Answer,
    /// A request is over.
    End,
    /// Something came by itself; its shape.
    Reaction(String),
    /// Polls, heartbeats, long polls that begin again.
    Background,
}

/// A reaction, and how long everything had been silent before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lag {
    pub shape: String,
    pub silence: Duration,
    /// It came after settling, and before anything else was asked of the server.
    pub late: bool,
}

#[derive(Debug, Default)]
pub struct MomentLog {
    last: Option<Instant>,
    settled_at: Option<Instant>,
    /// When the server was last asked for anything that may make it tell others.
    demanded_at: Option<Instant>,
    /// When requests were sent that are not over yet.
    asked: BTreeMap<Line, Instant>,
    /// Requests that are waited for.
    open: BTreeSet<Line>,
    /// Since the document was settled last, and those of them that may make the server tell others.
    stimuli: usize,
    demands: usize,
    repeats: BTreeMap<(Line, String), Repeats>,
    changes: u64,
}

/// Messages of one shape on one connection that came after long silences.
#[derive(Debug)]
struct Repeats {
    times: usize,
    first: Instant,
    last: Instant,
}

impl MomentLog {
    /// Enters a moment; a lag if it was a reaction for which silence had to be kept. Silences from `long` on are long for this
    /// server.
    pub fn enter(&mut self, at: Instant, line: Line, meaning: Meaning, long: Duration) -> Option<Lag> {
        if meaning == Meaning::Background {
            return None;
        }
        self.changes += 1;
        let last = self.last.replace(self.last.map_or(at, |last| last.max(at)));
        match meaning {
            Meaning::Stimulus => {
                self.stir(at);
                None
            }
            Meaning::Question { reads } => {
                if reads {
                    self.stimuli += 1;
                } else {
                    self.demand(at);
                }
                self.open.insert(line);
                None
            }
            Meaning::End => {
                self.open.remove(&line);
                None
            }
            Meaning::Answer | Meaning::Background => None,
            Meaning::Reaction(shape) => {
                let silence = at.saturating_duration_since(last?);
                if silence >= long {
                    let repeats = self.repeats.entry((line, shape.clone()));
                    let repeats = repeats.or_insert(Repeats { times: 0, first: at, last: at });
                    (repeats.times, repeats.last) = (repeats.times + 1, at);
                }
                let late = self.stimuli == 0 && self.settled_at.is_some_and(|settled| at > settled);
                // Silence says nothing while an answer is missing.
                (late || self.open.is_empty()).then_some(Lag { shape, silence, late })
            }
        }
    }

    /// Something was asked of the server that looked like background.
    pub fn stimulated(&mut self) {
        self.changes += 1;
        self.demand(Instant::now());
    }

    fn demand(&mut self, at: Instant) {
        (self.stimuli, self.demands) = (self.stimuli + 1, self.demands + 1);
        self.demanded_at = self.demanded_at.max(Some(at));
    }

    /// A request went to the server.
    pub fn asked(&mut self, line: Line, at: Instant) {
        self.asked.insert(line, at);
    }

    /// A request is over.
    pub fn over(&mut self, line: Line) {
        self.asked.remove(&line);
    }

    /// How long a request has been open, if the server was asked for nothing since that may make it tell others.
    pub fn open_by_itself(&self, line: Line, at: Instant) -> Duration {
        let asked = self.asked.get(&line).filter(|asked| self.demanded_at.is_none_or(|demanded| demanded <= **asked));
        asked.map_or(Duration::ZERO, |asked| at.saturating_duration_since(*asked))
    }

    /// Something happens to which the server may react, and which is no message.
    pub fn stir(&mut self, at: Instant) {
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
        self.demand(at);
    }

    /// Everything was settled at this moment.
    pub fn settled(&mut self, at: Instant) {
        (self.settled_at, self.stimuli, self.demands) = (Some(at), 0, 0);
        self.repeats.clear();
        // What is still open has turned out to be background.
        self.open.clear();
    }

    /// Whether anything was asked of the server since then.
    pub fn is_stirred(&self) -> bool {
        self.stimuli > 0 || self.settled_at.is_none()
    }

    /// Grows with everything that is not background.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Shapes that arrived more often than the server was asked since the last settling: heartbeats and the like.
    pub fn unasked(&self) -> Vec<String> {
        let most = self.demands + UNASKED_REPEATS;
        let goes_on = |repeats: &Repeats| repeats.times >= most && repeats.last - repeats.first >= UNASKED_FOR;
        let often = self.repeats.iter().filter(|(_, repeats)| goes_on(repeats));
        often.map(|((_, shape), _)| shape.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Line = (1, ConnectionId(1));
    const B: Line = (2, ConnectionId(1));

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn reaction(shape: &str) -> Meaning {
        Meaning::Reaction(shape.to_string())
    }

    /// The lags of a history of (moment, line, meaning).
    fn lags(history: &[(u64, Line, Meaning)]) -> (MomentLog, Vec<(u64, bool)>) {
        let (start, mut log) = (Instant::now(), MomentLog::default());
        let entered = history
            .iter()
            .filter_map(|(at, line, meaning)| log.enter(start + ms(*at), *line, meaning.clone(), ms(500)));
        let lags = entered.map(|lag| (u64::try_from(lag.silence.as_millis()).unwrap(), lag.late)).collect();
        (log, lags)
    }

    #[test]
    fn a_lag_is_the_silence_before_a_reaction() {
        let history = [(0, A, Meaning::Stimulus), (10, A, reaction("echo")), (310, B, reaction("told"))];
        assert_eq!(lags(&history).1, [(10, false), (300, false)]);
    }

    #[test]
    fn what_arrives_while_an_answer_is_missing_shows_no_lag() {
        let history = [
            (0, A, Meaning::Question { reads: false }),
            (1900, B, reaction("told")),
            (2000, A, Meaning::Answer),
            (2000, A, Meaning::End),
            (2005, B, reaction("told")),
        ];
        assert_eq!(lags(&history).1, [(5, false)]);
    }

    #[test]
    fn background_breaks_no_silence() {
        let history = [(0, A, Meaning::Stimulus), (100, A, Meaning::Background), (200, B, reaction("told"))];
        let (log, lags) = lags(&history);
        assert_eq!(lags, [(200, false)]);
        assert_eq!(log.changes(), 2);
    }

    #[test]
    fn late_is_what_comes_after_settling_unless_something_was_asked_since() {
        let (start, mut log) = (Instant::now(), MomentLog::default());
        log.enter(start, A, Meaning::Stimulus, ms(500));
        log.settled(start + ms(50));
        assert!(!log.is_stirred());
        let late = log.enter(start + ms(300), B, reaction("told"), ms(500)).unwrap();
        assert_eq!((late.silence, late.late), (ms(300), true));
        // It had arrived before, and was only looked at afterwards.
        assert!(!log.enter(start + ms(40), B, reaction("told"), ms(500)).unwrap().late);
        log.enter(start + ms(400), A, Meaning::Stimulus, ms(500));
        assert!(!log.enter(start + ms(500), B, reaction("told"), ms(500)).unwrap().late);
    }

    #[test]
    fn what_follows_when_a_client_leaves_is_no_late_reaction_to_what_it_did_before() {
        let (start, mut log) = (Instant::now(), MomentLog::default());
        log.enter(start, A, Meaning::Stimulus, ms(500));
        log.settled(start + ms(3000));
        log.stir(start + ms(3010));
        let lag = log.enter(start + ms(3015), B, reaction("left"), ms(500)).unwrap();
        assert_eq!((lag.silence, lag.late), (ms(5), false));
    }

    #[test]
    fn a_request_is_open_by_itself_until_the_server_is_asked_for_something() {
        let (start, mut log) = (Instant::now(), MomentLog::default());
        log.enter(start, A, Meaning::Question { reads: false }, ms(500));
        log.asked(B, start + ms(10));
        log.enter(start + ms(20), A, Meaning::Question { reads: true }, ms(500));
        assert_eq!(log.open_by_itself(B, start + ms(9010)), ms(9000), "what only reads counts for nothing");
        assert_eq!(log.open_by_itself(A, start + ms(9010)), ms(0), "it is not known when this was sent");
        log.enter(start + ms(30), A, Meaning::Stimulus, ms(500));
        assert_eq!(log.open_by_itself(B, start + ms(9010)), ms(0));
        log.asked(B, start + ms(40));
        assert_eq!(log.open_by_itself(B, start + ms(1040)), ms(1000));
        log.over(B);
        assert_eq!(log.open_by_itself(B, start + ms(1040)), ms(0));
    }

    #[test]
    fn what_repeats_itself_without_being_asked_is_told_from_answers() {
        let mut history = vec![(0, A, Meaning::Stimulus), (0, A, Meaning::Stimulus)];
        history.extend((0..20).map(|number| (number, A, reaction("item"))));
        history.extend((1..5u64).map(|second| (second * 1000, A, reaction("tick"))));
        assert_eq!(lags(&history).0.unasked(), Vec::<String>::new());
        history.push((5000, A, reaction("tick")));
        assert_eq!(lags(&history).0.unasked(), ["tick"]);
    }
}
