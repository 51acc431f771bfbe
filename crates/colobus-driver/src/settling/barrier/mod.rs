//! [`Barrier`]: knows when nothing moves any more in any client of a world, and nothing is coming. A pass asks every page to
//! drain and compares what it sent and received with what its proxy saw, then pings the servers twice: a pong comes behind
//! every message that the server sent before it. Requests are waited for until they are answered. What a server does by itself
//! after that is known if we started it ([`Server`]); otherwise a silence decides, as long as [`Patience`] says. Pages that
//! poll have to have polled twice.

mod open_requests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use colobus_model::Settle;
use futures_util::future::{join_all, try_join_all};
use tokio::time::{Instant, timeout, timeout_at};
use tracing::debug;

use super::limits::{
    ASK_AGAIN, LONG_SILENCE, LONGEST_PERIOD, QUIET, SHARE_OF_EXPECTED, SHARE_OF_OPEN_REQUESTS, SHARE_OF_PERIODS,
    SHARE_OF_SILENCE, share,
};
use super::movement::{Movement, any_change, moved, movements, revisions};
use super::network_idle::network_idle;
use super::owed_frame::OwedFrame;
use super::page_activity::{Agreement, Drain, Frame, PageActivity, PageRequest, compare, drain};
use super::page_time::{let_poll, let_time_pass};
use super::patience::Patience;
use super::pings::Pings;
use super::polls::{AwaitedTimer, Following};
use super::quiesce::has_requests_before_the_gate;
use super::reactions::Reactions;
use super::restlessness::restlessness;
use super::server::{Rest, Server, Timers};
use crate::world::{Client, CostCounters};
use colobus_proxy::{Direction, RequestInfo};
use colobus_world::{Settled, WorldError};

#[derive(Default)]
pub struct Barrier {
    server: Server,
    patience: Arc<Patience>,
    reactions: Mutex<Reactions>,
    pings: Pings,
    owed_frame: Mutex<OwedFrame>,
    costs: Arc<CostCounters>,
}

/// How carefully silence is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Others follow at once, and everything is settled then.
    Joining,
    Usual,
    /// The same, but for the last frame of the pages, which may be left to the look that follows.
    Undrawn,
    /// A failure is to be believed.
    Long,
}

/// What a pass needs to know.
struct Pass<'a> {
    clients: &'a [Client],
    settle: &'a Settle,
    look: Look,
    begun: Instant,
    deadline: Instant,
}

impl Barrier {
    pub fn new(server: Server, patience: Arc<Patience>, costs: Arc<CostCounters>) -> Barrier {
        Barrier { server, patience, costs, ..Barrier::default() }
    }

    /// A new document: what came before belongs to another.
    pub fn restart(&self, clients: &[Client]) {
        self.reactions().absorb(clients, &self.patience);
        *self.reactions() = Reactions::default();
        self.owed_frame().owe(None);
    }

    /// The clients are about to open another document.
    pub fn leave_document(&self, clients: &[Client]) {
        self.reactions().leave_document(clients);
    }

    /// A client is about to leave: what the server then tells the others is a reaction to that, not to what came before.
    pub fn expect_leaving(&self) {
        self.reactions().log.stir(std::time::Instant::now());
    }

    /// Lets what these clients have sent go on to the server, those of the first client first. If several of them have sent something,
    /// a server that we started finds all of it at once: what they did at the same time meets there, and not by luck.
    pub async fn send_together(&self, clients: &[&Client]) {
        let has_sent =
            |client: &&&Client| client.proxy.held().iter().any(|message| message.direction == Direction::ToServer);
        let send = async {
            for client in clients {
                client.proxy.open([Direction::ToServer]).await;
            }
        };
        match clients.iter().filter(has_sent).count() {
            0 | 1 => send.await,
            _ => self.server.stopped_during(send).await,
        }
    }

    /// Lets everything flow and returns when nothing moves, or when the limit is over.
    pub async fn settle(&self, clients: &[Client], settle: &Settle, look: Look) -> Result<Settled, WorldError> {
        if look != Look::Long {
            self.expect_nothing_late(clients)?;
        }
        self.costs.add_settling();
        {
            let mut reactions = self.reactions();
            reactions.in_vain.clear();
            reactions.joining = look == Look::Joining;
        }
        self.owed_frame().owe(None);
        join_all(clients.iter().map(|client| client.proxy.open(Direction::BOTH))).await;
        clients.iter().for_each(|client| client.proxy.forget_ended());
        if let Some(fixed) = settle.fixed_ms {
            tokio::time::sleep(Duration::from_millis(fixed)).await;
            return clients.iter().find_map(|client| client.page.navigation_error()).map_or(Ok(Settled::Quiet), Err);
        }
        let (begun, limit) = (Instant::now(), Duration::from_millis(settle.limit_ms));
        if let Some(idle) = settle.network_idle_ms {
            network_idle(clients, Duration::from_millis(idle), limit).await;
            return clients.iter().find_map(|client| client.page.navigation_error()).map_or(Ok(Settled::Quiet), Err);
        }
        loop {
            // What moves is given the limit; the last silence comes on top of it.
            let deadline = begun + limit + self.silence(clients, settle, look).min(limit);
            if Instant::now() >= deadline {
                let stray = std::mem::take(&mut self.reactions().stray);
                return Ok(Settled::Restless(restlessness(clients, settle, &stray).await));
            }
            let now = Instant::now();
            if self.pass(&Pass { clients, settle, look, begun, deadline }).await? {
                let mut reactions = self.reactions();
                reactions.settled(now.into_std(), clients, &self.patience);
                // What came before the end of a long look is seen by the look that follows now.
                reactions.late = None;
                clients.iter().for_each(|client| client.proxy.forget_ended());
                return Ok(Settled::Quiet);
            }
        }
    }

    /// One pass; true if nothing moved and nothing is coming.
    async fn pass(&self, pass: &Pass<'_>) -> Result<bool, WorldError> {
        let &Pass { clients, settle, look, deadline, .. } = pass;
        self.costs.add_pass();
        let before = movements(clients);
        let reports = drain_all(clients, Frame::None).await?;
        let agreement = agreement(clients, &reports);
        if agreement == Agreement::Apart {
            debug!(target: "settling", "again: a page and its proxy do not agree yet");
            // What is on its way to a page shows in its next report; what is on its way to a proxy shows there.
            let _ = timeout(ASK_AGAIN, moved(clients, &before)).await;
            return Ok(false);
        }
        if self.awaits_stray_requests(pass, &reports) || clients.iter().any(has_requests_before_the_gate) {
            let _ = timeout(ASK_AGAIN, moved(clients, &before)).await;
            return Ok(false);
        }
        let all_answered = self.pings.ping_twice(clients).await;
        if movements(clients) != before {
            debug!(target: "settling", "again: something moved meanwhile");
            return Ok(false);
        }
        let blurred = agreement == Agreement::Blurred;
        let leaves_frame = !blurred && self.leaves_frame(pass, &reports);
        let drawn = if leaves_frame { Some(reports) } else { frames(clients, reports, blurred).await? };
        let Some(reports) = drawn else {
            debug!(target: "settling", "again: a page sent something when it was drawn");
            return Ok(false);
        };
        if movements(clients) != before {
            debug!(target: "settling", "again: something moved while pages were drawn");
            return Ok(false);
        }
        self.reactions().absorb(clients, &self.patience);
        self.reactions().heed_requests_beside_polls(clients, &reports);
        let rest = self.server_rest(clients, &before, deadline).await;
        self.reactions().server_was_idle = rest == Rest::Idle;
        let silence = match rest {
            Rest::Moved => {
                debug!(target: "settling", "again: the server sent something before it came to rest");
                return Ok(false);
            }
            // The page may not have got all that its proxy forwarded, if that cannot be compared.
            Rest::Idle if blurred => QUIET,
            Rest::Idle => Duration::ZERO,
            Rest::Unknown => {
                if self.awaits_answers(pass).await || self.awaits_expected(pass).await {
                    return Ok(false);
                }
                let silence = self.silence(clients, settle, look);
                if settle.quiet_ms.is_none() && !silence.is_zero() {
                    self.patience.decides();
                }
                // No pong tells that the server has answered a long poll at once.
                let untold = clients.iter().any(|client| self.has_open_request(client));
                if blurred || !all_answered || untold { silence.max(QUIET) } else { silence }
            }
        };
        debug!(target: "settling", server = ?rest, blurred, all_answered, milliseconds = silence.as_millis(), "keeps a silence");
        let settled = self.is_silent(clients, &before, silence).await? && self.has_polled(pass, &reports).await?;
        if settled && rest == Rest::Idle {
            self.learn_long_polls(clients, settle);
        }
        if settled && leaves_frame {
            self.owed_frame().owe(Some(movements(clients)));
        }
        Ok(settled)
    }

    /// Whether the frame that pages need is left to the look. Not while it is learned what follows what; and what workers and further tabs
    /// do is not seen by a look.
    fn leaves_frame(&self, pass: &Pass<'_>, reports: &[PageActivity]) -> bool {
        let is_one_page = |client: &Client| client.tabs.is_empty() && !client.workers.are_there();
        pass.look == Look::Undrawn
            && self.owed_frame().pays()
            && reports.iter().any(|report| report.needs_frame)
            && !self.patience.is_learning(pass.clients.len())
            && pass.clients.iter().all(is_one_page)
    }

    /// Whether the pages have yet to be drawn.
    pub fn owes_frame(&self) -> bool {
        self.owed_frame().since().is_some()
    }

    /// After a look at all pages: whether it has drawn them, and nothing happened meanwhile. Otherwise it does not count.
    pub async fn look_was_the_frame(&self, clients: &[Client]) -> Result<bool, WorldError> {
        let reports = drain_all(clients, Frame::OfLook).await?;
        let nothing_happened = !reports.iter().any(|report| report.needs_frame)
            && agreement(clients, &reports) == Agreement::Exact
            && self.owed_frame().since() == Some(&movements(clients));
        match nothing_happened {
            true => self.costs.add_frame_of_look(),
            false => debug!(target: "settling", "again: something happened while pages were looked at"),
        }
        self.owed_frame().looked(nothing_happened);
        Ok(nothing_happened)
    }

    /// Whether pages have made requests that are neither at their proxies nor answered: on a busy machine, and where all connections
    /// to a server are in use, they take their time inside the browser, and so do answers. That holds of long polls, too: their last
    /// answer may be the one that tells of a change. In the first executions, those that stay there are learned.
    fn awaits_stray_requests(&self, pass: &Pass<'_>, reports: &[PageActivity]) -> bool {
        let &Pass { clients, settle, .. } = pass;
        let mut awaited = Vec::new();
        let long = share(settle, SHARE_OF_OPEN_REQUESTS);
        for request in clients.iter().zip(reports).flat_map(|(client, report)| missing(client, report)) {
            let (method, url, age) = (&request.method, &request.url, request.age());
            let shape = super::shape::of_request(method, url);
            if self.patience.is_inside_for_long(&shape) {
                continue;
            }
            debug!(target: "settling", method, url, ?age, "waits: a request is neither at the proxy nor answered");
            awaited.push(request.clone());
            if self.patience.is_learning(clients.len()) && method == "GET" && age >= long {
                self.patience.stays_inside(shape);
            }
        }
        let any = !awaited.is_empty();
        self.reactions().stray = awaited;
        any
    }

    /// Waits for a reaction that has followed every time so far and is missing; whether there was one. After most of the limit it is
    /// given up, so that silence can decide.
    async fn awaits_expected(&self, pass: &Pass<'_>) -> bool {
        if pass.settle.quiet_ms.is_some() || pass.look == Look::Joining {
            return false;
        }
        let revisions = revisions(pass.clients);
        let missing = {
            let mut reactions = self.reactions();
            reactions.absorb(pass.clients, &self.patience);
            reactions.missing(pass.clients, &self.patience)
        };
        let Some(first) = missing.first() else { return false };
        let until = pass.begun + share(pass.settle, SHARE_OF_EXPECTED);
        if Instant::now() >= until {
            self.patience.give_up(&missing);
            return false;
        }
        debug!(target: "settling", missing = missing.len(), ?first, "waits: a reaction is missing that came every time so far");
        let _ = timeout_at(until, any_change(pass.clients, revisions)).await;
        true
    }

    /// How long nothing may come from the servers before they are taken to have nothing more to say.
    fn silence(&self, clients: &[Client], settle: &Settle, look: Look) -> Duration {
        let long_look = |quiet: Duration| self.patience.long_look().max(quiet);
        if let Some(quiet) = settle.quiet_ms.map(Duration::from_millis) {
            return if look == Look::Long && !quiet.is_zero() { long_look(quiet) } else { quiet };
        }
        if !clients.iter().any(|client| self.can_be_told(client)) {
            return Duration::ZERO;
        }
        match look {
            Look::Long => long_look(Duration::ZERO),
            _ if !self.reactions().log.is_stirred() => Duration::ZERO,
            Look::Usual | Look::Undrawn if self.patience.is_learning(clients.len()) => {
                let long = share(settle, SHARE_OF_SILENCE).min(LONG_SILENCE);
                long.max(self.patience.needed())
            }
            Look::Usual | Look::Undrawn | Look::Joining => self.patience.needed(),
        }
    }

    /// Whether nothing but background comes for so long. What did come must have been processed.
    async fn is_silent(&self, clients: &[Client], before: &[Movement], long: Duration) -> Result<bool, WorldError> {
        if !self.nothing_comes(clients, long).await {
            return Ok(false);
        }
        if movements(clients) == before {
            return Ok(true);
        }
        let reports = drain_all(clients, Frame::Next).await?;
        let stirred = self.reactions().absorb(clients, &self.patience);
        Ok(!stirred && agreement(clients, &reports) != Agreement::Apart)
    }

    /// Whether nothing but background comes for so long.
    async fn nothing_comes(&self, clients: &[Client], long: Duration) -> bool {
        let until = Instant::now() + long;
        while Instant::now() < until {
            let revisions = revisions(clients);
            if self.reactions().absorb(clients, &self.patience) {
                return false;
            }
            if timeout_at(until, any_change(clients, revisions)).await.is_err() {
                break;
            }
        }
        true
    }

    /// Whether every page that polls has polled since the last change; if not, lets it poll. On a page's own clock time is moved;
    /// a server that is known to be idle is asked at once, since its answer cannot become another one by waiting.
    async fn has_polled(&self, pass: &Pass<'_>, reports: &[PageActivity]) -> Result<bool, WorldError> {
        let revisions = revisions(pass.clients);
        let due = self.due_polls(pass, reports);
        let at_once = self.reactions().server_was_idle;
        let mut wait: Option<Duration> = None;
        for (client, due) in &due {
            if due.polls {
                let_poll(client, at_once).await?;
            }
            if client.application.deterministic.clock {
                let_time_pass(client, due.next).await?;
            } else {
                wait = Some(wait.map_or(due.next, |other| other.min(due.next)));
            }
        }
        if let Some(next) = wait {
            let until = (Instant::now() + next + ASK_AGAIN).min(pass.deadline);
            let _ = timeout_at(until, any_change(pass.clients, revisions)).await;
        }
        if !due.is_empty() {
            debug!(target: "settling", clients = due.len(), at_once, "again: pages poll");
        }
        Ok(due.is_empty())
    }

    /// The clients that have to poll, or to show whether they do.
    fn due_polls<'a>(&self, pass: &Pass<'a>, reports: &[PageActivity]) -> Vec<(&'a Client, AwaitedTimer)> {
        let mut reactions = self.reactions();
        let (changes, idle) = (reactions.log.changes(), reactions.server_was_idle);
        reactions.polls.note_changes(changes);
        let real = share(pass.settle, SHARE_OF_PERIODS);
        let mut due = Vec::new();
        // A page whose poll is on its way, by the order that is executed, polls again when it has the answer.
        let free = pass.clients.iter().zip(reports).filter(|(client, _)| client.proxy.kept_answers().is_empty());
        for (client, report) in free {
            let own_clock = client.application.deterministic.clock;
            let following = Following {
                longest: if own_clock { LONGEST_PERIOD } else { real },
                longest_poll: if own_clock || idle { LONGEST_PERIOD } else { real },
                curious: pass.settle.quiet_ms != Some(0) && pass.look != Look::Joining,
                // Reading may change what others read, such as who is there: a failure is believed after two answers.
                idle: idle && pass.look != Look::Long,
            };
            let port = client.proxy.address().port();
            let next = reactions.polls.next(port, &report.timers, &self.patience, following);
            due.extend(next.map(|next| (client, next)));
        }
        due
    }

    /// Returns when all that the servers have to say so far has arrived, and is held or forwarded.
    pub async fn hear_servers(&self, clients: &[Client]) -> Result<(), WorldError> {
        let Some(first) = clients.first() else { return Ok(()) };
        let (settle, begun) = (&first.application.settle, Instant::now());
        loop {
            self.reactions().absorb(clients, &self.patience);
            let silence = self.silence(clients, settle, Look::Usual);
            let deadline = begun + first.page.limit() + silence;
            let (now, before) = (Instant::now(), movements(clients));
            if now >= deadline {
                return Ok(());
            }
            match self.server_rest(clients, &before, deadline).await {
                Rest::Idle => {
                    self.reactions().absorb(clients, &self.patience);
                    self.reactions().server_was_idle = true;
                    break;
                }
                Rest::Moved => continue,
                Rest::Unknown => {}
            }
            let all_answered = self.pings.ping_twice(clients).await;
            self.reactions().absorb(clients, &self.patience);
            let pass = Pass { clients, settle, look: Look::Usual, begun, deadline };
            if self.awaits_answers(&pass).await {
                if Instant::now() >= begun + first.page.limit() {
                    self.give_up_waiting(clients, settle);
                }
                continue;
            }
            if self.awaits_expected(&pass).await {
                continue;
            }
            let has_streams = clients.iter().any(|client| !client.proxy.in_flight().is_empty());
            let silence = if !all_answered || has_streams { silence.max(QUIET) } else { silence };
            if self.nothing_comes(clients, silence).await {
                self.reactions().absorb(clients, &self.patience);
                let mut reactions = self.reactions();
                reactions.settled(now.into_std(), clients, &self.patience);
                reactions.server_was_idle = false;
                break;
            }
        }
        Ok(())
    }

    /// An error if something came after everything had settled: what was seen meanwhile, and the order of events, may be wrong.
    /// A user who says how long to wait, and a server that was asked, are believed.
    pub fn expect_nothing_late(&self, clients: &[Client]) -> Result<(), WorldError> {
        let mut reactions = self.reactions();
        reactions.absorb(clients, &self.patience);
        let Some(late) = reactions.late.take() else { return Ok(()) };
        let learned = clients.iter().all(|client| client.application.settle.quiet_ms.is_none());
        if !learned || reactions.server_was_idle {
            return Ok(());
        }
        Err(WorldError::Interrupted(format!(
            "a reaction of the server came late, after {} ms of silence; patience is {} ms from now on",
            late.as_millis(),
            self.patience.needed().as_millis()
        )))
    }

    /// Waits for the server. If the user says that it answers everything at once (`quiet_ms = 0`), a pong tells that it has; where
    /// something is told without a socket, it is seen whether the server has read what it got and does nothing now.
    async fn server_rest(&self, clients: &[Client], before: &[Movement], deadline: Instant) -> Rest {
        if clients.iter().all(|client| client.application.settle.quiet_ms == Some(0)) {
            if !clients.iter().any(|client| self.has_open_request(client)) {
                return Rest::Unknown;
            }
            return self.server.rest(|| moved(clients, before), Timers::None, deadline).await;
        }
        // What takes longer than half of the time that is left is not waited for: there must be time to settle afterwards. An
        // answer that is missing may be what a timer of the server is for: that is waited for as long as anything is.
        let awaited = clients.iter().filter(|client| self.awaits_answer(client));
        let limit = awaited.map(|client| Duration::from_millis(client.application.settle.limit_ms)).max();
        let horizon = limit.unwrap_or(deadline.saturating_duration_since(Instant::now()) / 2);
        let timers = match clients.iter().any(|client| self.has_long_poll(client)) {
            true => Timers::OfLongPolls { horizon },
            false => Timers::Within(horizon),
        };
        self.server.rest(|| moved(clients, before), timers, deadline).await
    }

    fn owed_frame(&self) -> MutexGuard<'_, OwedFrame> {
        self.owed_frame.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reactions(&self) -> MutexGuard<'_, Reactions> {
        self.reactions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn drain_all(clients: &[Client], frame: Frame) -> Result<Vec<PageActivity>, WorldError> {
    try_join_all(clients.iter().map(|client| drain(client, Drain { requests: true, frame, polls_wait: true }))).await
}

/// The reports of pages that have been drawn since something last happened in them; nothing if a page and its proxy do not agree
/// afterwards. Pages in which nothing happened are not waited for, unless what reaches them cannot be counted.
async fn frames(
    clients: &[Client],
    reports: Vec<PageActivity>,
    blurred: bool,
) -> Result<Option<Vec<PageActivity>>, WorldError> {
    let drawn = async |(client, report): (&Client, PageActivity)| match report.needs_frame || blurred {
        true => drain(client, Drain { requests: true, frame: Frame::Next, polls_wait: true }).await,
        false => Ok(report),
    };
    let reports = try_join_all(clients.iter().zip(reports).map(drawn)).await?;
    Ok((agreement(clients, &reports) != Agreement::Apart).then_some(reports))
}

fn agreement(clients: &[Client], reports: &[PageActivity]) -> Agreement {
    let compared = clients.iter().zip(reports).map(|(client, report)| compare(client, report));
    compared.max().unwrap_or(Agreement::Exact)
}

/// The requests of a page that are neither at its proxy nor answered. Those that wait inside the browser for an answer that the order
/// keeps are held like it.
fn missing<'a>(client: &Client, report: &'a PageActivity) -> Vec<&'a PageRequest> {
    let kept = client.proxy.kept_answers();
    let ahead: Vec<RequestInfo> =
        client.proxy.in_flight().into_iter().filter(|request| kept.contains(&request.id)).collect();
    report.missing_requests(client, &ahead)
}
