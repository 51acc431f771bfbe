//! [`Reactions`]: what the server did on its own in the present document, as the proxies saw it. Kept by the barrier; what is
//! learned from it goes to [`Patience`].

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::expectations::{Episode, Listening, Missing, without};
use super::limits::{SHARE_OF_OPEN_REQUESTS, share};
use super::moments::{Line, Meaning, MomentLog};
use super::page_activity::{PageActivity, PageRequest};
use super::patience::Patience;
use super::polls::PollWatch;
use super::shape;
use crate::world::Client;
use colobus_model::Settle;
use colobus_proxy::{Moment, Passage};
use tracing::debug;

#[derive(Debug, Default)]
pub struct Reactions {
    pub log: MomentLog,
    pub polls: PollWatch,
    /// The longest silence before a reaction that came after settling, until someone asks.
    pub late: Option<Duration>,
    /// Whether the server itself said that nothing more was coming, when everything settled last.
    pub server_was_idle: bool,
    /// Requests that were waited for in vain while messages were held.
    pub in_vain: BTreeSet<Line>,
    /// What the last pass waited for of which only the pages know.
    pub stray: Vec<PageRequest>,
    /// Clients join one after the other, and are waited for one by one. What they are told then may follow from what another one
    /// sends, which is not seen: neither lags nor expectations are learned from it.
    pub joining: bool,
    /// Connections of the document before: on a busy machine they are still there when the next one has settled.
    left: Listening,
    episode: Episode,
}

impl Reactions {
    /// Takes in what the proxies saw since the last time; whether there was anything but background.
    pub fn absorb(&mut self, clients: &[Client], patience: &Patience) -> bool {
        let changes = self.log.changes();
        let mut moments: Vec<(u16, &Client, Moment)> = Vec::new();
        for client in clients {
            let port = client.proxy.address().port();
            moments.extend(client.proxy.take_moments().into_iter().map(|moment| (port, client, moment)));
        }
        moments.sort_by_key(|(_, _, moment)| moment.at);
        for (port, client, moment) in moments {
            let (line, settle) = ((port, moment.connection), &client.application.settle);
            self.note_request(line, &moment);
            let meaning = match meaning(&moment, &settle.background, patience) {
                Meaning::Reaction(_) if self.ends_by_itself(line, &moment, settle) => Meaning::Background,
                meaning => meaning,
            };
            self.count(port, &moment, &meaning);
            let long = patience.needed() / 4;
            let Some(mut lag) = self.log.enter(moment.at, line, meaning, long) else { continue };
            // A server that was asked is believed: what comes now, it does by itself.
            lag.late &= !self.server_was_idle;
            // A user who says how long the server may take is believed: there is nothing to learn.
            if settle.quiet_ms.is_some() || self.joining {
                continue;
            }
            let milliseconds = lag.silence.as_millis();
            debug!(target: "settling", milliseconds, late = lag.late, shape = lag.shape, "a reaction after silence");
            patience.saw(&lag);
            if lag.late {
                self.late = self.late.max(Some(lag.silence));
            }
        }
        for shape in self.log.unasked() {
            patience.comes_unasked(&shape);
        }
        self.log.changes() != changes
    }
}

impl Reactions {
    fn note_request(&mut self, line: Line, moment: &Moment) {
        match moment.passage {
            Passage::Asked => self.log.asked(line, moment.at),
            Passage::Ended => self.log.over(line),
            _ => {}
        }
    }

    /// Whether a long poll is answered only because it was open for long: no reaction that takes so long is waited for.
    fn ends_by_itself(&self, line: Line, moment: &Moment, settle: &Settle) -> bool {
        moment.passage == Passage::Answered
            && self.log.open_by_itself(line, moment.at) >= share(settle, SHARE_OF_OPEN_REQUESTS)
    }

    /// Enters what may be expected, and what may be what was expected.
    fn count(&mut self, port: u16, moment: &Moment, meaning: &Meaning) {
        match (meaning, &moment.passage) {
            (Meaning::Stimulus, Passage::Sent { preview }) if !shape::is_heartbeat(preview) => {
                self.episode.sent(port, shape::of_message(preview));
            }
            (Meaning::Question { reads: false }, _) => {
                self.episode.sent(port, shape::of_request(&moment.method, &moment.url));
            }
            (Meaning::Reaction(shape), _) => self.episode.came(port, shape.clone()),
            _ => {}
        }
    }

    /// Reactions that are missing and have followed every time so far.
    pub fn missing(&self, clients: &[Client], patience: &Patience) -> Vec<Missing> {
        patience.missing(&self.episode, &self.listening(clients))
    }

    /// The clients leave their document, and with it all their connections.
    pub fn leave_document(&mut self, clients: &[Client]) {
        self.left = listening(clients);
    }

    fn listening(&self, clients: &[Client]) -> Listening {
        without(listening(clients), &self.left)
    }

    /// Everything had settled at this moment: what came is all that follows what was sent.
    pub fn settled(&mut self, at: Instant, clients: &[Client], patience: &Patience) {
        self.episode = match self.joining {
            true => Episode::default(),
            false => {
                let listening = self.listening(clients);
                patience.learn_from(&self.episode, &listening);
                Episode::new(listening)
            }
        };
        self.log.settled(at);
    }

    /// Takes in what the pages say they sent beside their polls: the proxies cannot tell it from those.
    pub fn heed_requests_beside_polls(&mut self, clients: &[Client], reports: &[PageActivity]) {
        for (client, report) in clients.iter().zip(reports) {
            if self.polls.asked_beside_polls(client.proxy.address().port(), &report.timers) {
                self.log.stimulated();
            }
        }
    }
}

/// The connections over which each client can be told something at any time.
fn listening(clients: &[Client]) -> Listening {
    let lines = |client: &Client| {
        let streams = client.proxy.in_flight().into_iter().filter(|request| request.streams).map(|request| request.id);
        client.proxy.sockets().into_iter().map(|socket| socket.id).chain(streams).collect()
    };
    clients.iter().map(|client| (client.proxy.address().port(), lines(client))).collect()
}

/// Whether requests of this method to this address are known to stay open.
pub fn is_background(method: &str, url: &str, configured: &[String], patience: &Patience) -> bool {
    configured.iter().any(|pattern| shape::matches(pattern, url))
        || patience.is_open_for_long(&shape::of_request(method, url))
}

fn meaning(moment: &Moment, configured: &[String], patience: &Patience) -> Meaning {
    let request = || shape::of_request(&moment.method, &moment.url);
    let is_long_poll = || is_background(&moment.method, &moment.url, configured, patience);
    let is_poll = || patience.is_poll(&request());
    match &moment.passage {
        Passage::Sent { .. } | Passage::Left => Meaning::Stimulus,
        Passage::Asked | Passage::Ended if is_long_poll() || is_poll() => Meaning::Background,
        Passage::Asked => Meaning::Question { reads: moment.method == "GET" },
        Passage::Ended => Meaning::End,
        // An answer to a long poll is what the server says by itself.
        Passage::Answered if is_long_poll() => Meaning::Reaction(request()),
        Passage::Answered if is_poll() => Meaning::Background,
        Passage::Answered => Meaning::Answer,
        Passage::Heard { preview } if shape::is_heartbeat(preview) => Meaning::Background,
        Passage::Heard { preview } => {
            let shape = shape::of_message(preview);
            if patience.is_unasked(&shape) { Meaning::Background } else { Meaning::Reaction(shape) }
        }
    }
}
