//! [`BrowserWorld`]: a document in one browser, with a [`Client`] per user. [`BrowserFactory`] makes it, searches use it
//! through [`World`]. The clients are kept from one document to the next: loading a page costs a fraction of what a new
//! session does.

mod client;
mod costs;
mod factory;
mod in_place;
mod joining;
mod late_joiners;
mod logged_pages;
mod login;
mod notes;
mod observe;
mod order;
mod polls;
mod recorded;
mod reset;
mod stand_in;
mod steps;
mod storage;
mod targets;
mod visit;

use std::sync::Arc;
use std::time::Instant;

use colobus_browser::Evaluated;
use colobus_model::{BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, Message, Observation, Reset, Step};
use futures_util::future::{join_all, try_join_all};
use tracing::{Instrument, debug, info, info_span};

use crate::browsers::OpenBrowser;
use crate::runtime::DriverRuntime;
use crate::settling::{Barrier, Look, quiesce};
use crate::traffic::{Seams, TrafficLog};
use colobus_proxy::{Answerer, Direction, Rewriter, Tap};
use colobus_world::{
    ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, late_joiner_name,
};

pub(crate) use client::Client;
pub(crate) use costs::CostCounters;
pub use costs::Costs;
pub use factory::{BrowserFactory, BrowserOptions, note_of_sandbox};
pub(crate) use login::Logins;
pub use recorded::RecordedWorlds;
pub(crate) use reset::reset;
pub use stand_in::{WorldStandIn, WorldStandIns};

use factory::Shared;
use in_place::InPlace;
use joining::join_in_order;
use late_joiners::{LateJoiners, Place};
use order::ConnectionNumbers;
use targets::HeldTargets;

pub struct BrowserWorld {
    // Fields are dropped in this order: clients talk to the browser, and everything lives in the runtime.
    clients: Vec<Client>,
    targets: Arc<HeldTargets>,
    browser: OpenBrowser,
    barrier: Barrier,
    shared: Arc<Shared>,
    /// How many of the clients take part; the others show a blank page.
    active: usize,
    /// How many clients took part in the first step; 0 before it.
    acted_with: usize,
    held: bool,
    /// Carets were placed since everything settled: holding follows, for which pages have to be drawn.
    placed_carets: bool,
    connections: ConnectionNumbers,
    /// Clients in the order in which they acted while messages were held: so do their messages go.
    acted: Vec<usize>,
    late_joiners: LateJoiners,
    /// Answers all clients in the server's place.
    stand_in: Option<Arc<dyn WorldStandIn>>,
    /// What its clients say and hear, if that is recorded.
    traffic: Option<TrafficLog>,
    /// The name of the document that the clients are on.
    document: Option<String>,
    in_place: InPlace,
    /// Commands and events of its browser that are counted among the costs already.
    counted: (u64, u64),
    runtime: Arc<DriverRuntime>,
}

impl BrowserWorld {
    fn open(
        runtime: Arc<DriverRuntime>,
        shared: Arc<Shared>,
        traffic: Option<TrafficLog>,
    ) -> Result<BrowserWorld, WorldError> {
        let (browser, targets) = runtime.block_on(shared.interrupt.or(async {
            let browser = shared.browsers.open(&shared.launch).await?;
            let targets = HeldTargets::watch(&browser, shared.notes.clone()).await?;
            Ok::<_, WorldError>((browser, targets))
        }))?;
        shared.note_browser(browser.place());
        let stand_in = shared.stand_ins.as_ref().map(|stand_ins| stand_ins.open());
        let stand_in = stand_in.transpose().map_err(WorldError::CannotRun)?;
        Ok(BrowserWorld {
            clients: Vec::new(),
            targets,
            browser,
            barrier: Barrier::new(shared.server.clone(), shared.patience.clone(), shared.costs.clone()),
            shared,
            active: 0,
            acted_with: 0,
            held: false,
            placed_carets: false,
            connections: ConnectionNumbers::default(),
            acted: Vec::new(),
            late_joiners: LateJoiners::default(),
            stand_in,
            traffic,
            document: None,
            in_place: InPlace::default(),
            counted: (0, 0),
            runtime,
        })
    }

    /// An execution is over: its messages count.
    fn count_messages(&mut self) {
        let (commands, events) = self.browser.message_counts();
        self.shared.costs.add_messages(commands - self.counted.0, events - self.counted.1);
        self.counted = (commands, events);
    }

    /// Waits for an asynchronous part, unless the run is stopped; only the public, blocking face does so. Pages that settling has
    /// not drawn are drawn before.
    fn wait<T>(&self, part: impl Future<Output = Result<T, WorldError>>) -> Result<T, WorldError> {
        self.wait_undrawn(async {
            self.draw().await?;
            part.await
        })
    }

    /// The same for what needs no frame.
    fn wait_undrawn<T>(&self, part: impl Future<Output = Result<T, WorldError>>) -> Result<T, WorldError> {
        let done = self.runtime.block_on(self.shared.interrupt.or(part));
        self.unless_the_network_broke(done)
    }

    /// Draws the frame that settling has left to a look which does not follow, or which did not count.
    async fn draw(&self) -> Result<(), WorldError> {
        if !self.barrier.owes_frame() {
            return Ok(());
        }
        let (clients, settle) = (&self.clients[..self.active], &self.shared.application.settle);
        match self.barrier.settle(clients, settle, Look::Usual).await? {
            Settled::Quiet => Ok(()),
            Settled::Restless(what) => {
                Err(WorldError::Interrupted(format!("the pages did not settle when they were drawn: {what}")))
            }
        }
    }

    /// What all clients show, if looking at them draws the frame that settling has left out, and nothing happens in it.
    fn observe_undrawn(&self, wanted: ObserveOptions) -> Result<Option<Vec<Observation>>, WorldError> {
        if !self.barrier.owes_frame() || !wanted.pixels {
            return Ok(None);
        }
        let clients = &self.clients[..self.active];
        self.wait_undrawn(async {
            let observations = try_join_all(clients.iter().map(|client| client.observe(wanted))).await?;
            Ok(self.barrier.look_was_the_frame(clients).await?.then_some(observations))
        })
    }

    /// Nothing can be said of an execution in which messages may have been lost between the browser and this process: with a process of the
    /// browser, or on the way from another machine. Another browser may have a better network.
    fn unless_the_network_broke<T>(&self, done: Result<T, WorldError>) -> Result<T, WorldError> {
        let broken = self.clients.iter().find(|client| client.has_lost_a_connection());
        match (broken, done) {
            (_, Err(error @ (WorldError::Stopped | WorldError::Died(_)))) => Err(error),
            _ if self.browser.has_lost_its_network() => {
                Err(WorldError::Died("the process with the network of the browser's pages ended".to_string()))
            }
            (Some(client), _) => Err(WorldError::Died(format!(
                "the network broke a connection between {} and the proxy of its client at {}",
                self.browser.place(),
                client.proxy.address()
            ))),
            (None, done) => done,
        }
    }

    fn client(&self, client: ClientId) -> Result<&Client, WorldError> {
        let missing = || WorldError::Interrupted(format!("there is no client {client}: {} take part", self.active));
        self.clients[..self.active].get(client.0).ok_or_else(missing)
    }

    /// The address of the present document.
    fn url(&self) -> String {
        self.shared.url(self.document.as_deref().unwrap_or_default())
    }

    /// Opens a client or a tab for the late joiner of this event.
    fn welcome(&mut self, event: &Event) -> Result<(), WorldError> {
        let Some(name) = late_joiner_name(event) else { return Ok(()) };
        let place = match *event {
            Event::Tab { client: ClientId(of) } => {
                let tab = self.wait(self.client(ClientId(of))?.open_tab(&self.shared))?;
                self.clients[of].tabs.push(tab);
                Place::Tab { of, number: self.clients[of].tabs.len() - 1 }
            }
            _ => {
                if self.clients.len() == self.active {
                    self.clients.push(self.wait(self.open_client(self.active))?);
                }
                self.active += 1;
                Place::Client(self.active - 1)
            }
        };
        self.late_joiners.add(name, place);
        Ok(())
    }

    fn number_connections(&mut self) {
        if self.held {
            self.connections.look(&self.clients[..self.active]);
        }
    }

    async fn begin_async(&mut self, count: usize) -> Result<Settled, WorldError> {
        self.barrier.restart(&self.clients);
        self.shared.patience.executed(std::mem::take(&mut self.acted_with));
        // The last interaction may have ended while messages were held or a client was offline.
        for client in &self.clients {
            client.proxy.restore();
            client.proxy.let_talk(true);
        }
        join_all(self.clients.iter().map(|client| client.proxy.let_kept_answers_go())).await;
        join_all(self.clients.iter().map(|client| client.proxy.open(Direction::BOTH))).await;
        self.clients.iter().for_each(Client::note_refusals);
        if self.held {
            self.in_place.spoil();
        }
        (self.held, self.connections) = (false, ConnectionNumbers::default());
        self.placed_carets = false;
        self.acted.clear();
        self.late_joiners = LateJoiners::default();
        join_all(self.clients.iter_mut().map(Client::close_tabs)).await;
        self.clients.iter().for_each(Client::forget_lost_connections);
        self.ensure_logins().await?;
        self.ensure_clients(count).await?;
        self.stand_in.iter().for_each(|stand_in| stand_in.forget());
        let application = self.shared.application.clone();
        match &application.reset {
            Reset::Evaluate(source) if self.shared.names_documents() => {
                return self.begin_in_place(count, source).await;
            }
            Reset::Evaluate(source) => self.empty_in_place(count, source).await?,
            way => {
                reset(way).await?;
                self.open_fresh_document(count).await?;
            }
        }
        self.barrier.settle(&self.clients[..count], &application.settle, Look::Usual).await
    }

    async fn open_fresh_document(&mut self, count: usize) -> Result<(), WorldError> {
        let document = self.document.insert(self.shared.fresh_document());
        let url = self.shared.url(document);
        self.clients.iter().for_each(Client::expect_fresh_document);
        self.barrier.leave_document(&self.clients);
        self.visit(0..count, &url).await
    }

    /// Makes sure that this many clients are there and can be used; the others leave the document.
    async fn ensure_clients(&mut self, count: usize) -> Result<(), WorldError> {
        let (usable, hung): (Vec<Client>, Vec<Client>) =
            std::mem::take(&mut self.clients).into_iter().partition(|client| !client.page.is_hung());
        self.clients = usable;
        for client in hung {
            client.close().await;
        }
        let missing = count.saturating_sub(self.clients.len());
        let present = self.clients.len();
        self.clients.extend(try_join_all((present..present + missing).map(|client| self.open_client(client))).await?);
        let surplus = self.clients[count..].iter().filter(|client| !client.is_blank());
        self.barrier.expect_leaving();
        try_join_all(surplus.map(Client::blank)).await?;
        self.active = count;
        Ok(())
    }

    /// Waits until nothing moves in any client that takes part.
    fn settle_clients(&self, look: Look) -> Result<Settled, WorldError> {
        let (clients, since) = (&self.clients[..self.active], Instant::now());
        let settled = self.wait_undrawn(self.barrier.settle(clients, &self.shared.application.settle, look));
        info!(target: "world", milliseconds = since.elapsed().as_millis(), outcome = ?settled, "settled");
        settled
    }

    /// What a client's proxy has beside the gate.
    fn seams(&self, tap: Option<Arc<dyn Tap>>) -> Seams {
        let answerer = self.stand_in.clone().map(|stand_in| stand_in as Arc<dyn Answerer>);
        let rewriter = self.shared.logged.clone().map(|logged| logged as Arc<dyn Rewriter>);
        Seams { tap, answerer, rewriter }
    }

    /// Opens a client, in whose span all that it does is logged.
    async fn open_client(&self, client: usize) -> Result<Client, WorldError> {
        let span = info_span!("client", id = %ClientId(client));
        Client::open(&self.browser, &self.targets, &self.shared, self.seams(self.traffic.as_ref().map(TrafficLog::tap)))
            .instrument(span)
            .await
    }

    async fn join_late(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        let Some(document) = self.document.clone().filter(|_| self.shared.names_documents()) else { return Ok(None) };
        let index = self.active;
        if self.clients.len() == index {
            self.clients.push(self.open_client(index).await?);
        }
        self.clients[index].expect_fresh_document();
        self.visit(index..index + 1, &self.shared.url(&document)).await?;
        let present = &self.clients[..=index];
        let settled = self.barrier.settle(present, &self.shared.application.settle, Look::Usual).await?;
        let both = tokio::try_join!(present[index].observe(wanted), present[0].observe(wanted))?;
        self.barrier.expect_leaving();
        present[index].blank().await?;
        let (late_joiner, reference) = both;
        Ok((settled == Settled::Quiet).then_some(LateJoin { late_joiner, reference }))
    }

    async fn visit(&self, clients: std::ops::Range<usize>, url: &str) -> Result<(), WorldError> {
        match join_in_order(&self.clients, clients, url, &self.barrier).await {
            Ok(()) => {
                self.shared.remember_success();
                Ok(())
            }
            // A page that never worked will not work the next time either.
            Err(WorldError::Interrupted(problem)) if !self.shared.has_worked() => Err(WorldError::CannotRun(problem)),
            Err(error) => Err(error),
        }
    }

    /// Empties the document that the clients are on; those that are elsewhere come to it first.
    async fn empty_in_place(&mut self, count: usize, source: &str) -> Result<(), WorldError> {
        let document = self.document.get_or_insert_with(|| self.shared.fresh_document());
        let url = self.shared.url(document);
        for index in 0..count {
            let client = &self.clients[index];
            if client.is_blank() || client.page.navigation_error().is_some() {
                self.visit(index..index + 1, &url).await?;
            }
        }
        let clients = &self.clients[..count];
        for client in clients {
            client.page.forget_log_entries();
        }
        let Some(first) = clients.first() else { return Ok(()) };
        if let Evaluated::Threw(message) = first.page.run_block(source).await? {
            self.shared.script_errors.add(format!("`reset`: {message}"));
            let message = format!("the JavaScript that empties the document failed: {message}");
            return Err(WorldError::Interrupted(message));
        }
        first.expect_frame();
        try_join_all(clients.iter().map(Client::focus)).await.map(|_| ())
    }
}

impl World for BrowserWorld {
    fn browser(&self) -> BrowserPlace {
        self.browser.place()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        self.count_messages();
        let (runtime, interrupt, since) = (self.runtime.clone(), self.shared.interrupt.clone(), Instant::now());
        let begun = runtime.block_on(interrupt.or(self.begin_async(clients)));
        let begun = self.unless_the_network_broke(begun);
        self.browser.find_network();
        info!(target: "world", clients, document = ?self.document, milliseconds = since.elapsed().as_millis(), outcome = ?begun, "began");
        begun
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        if self.acted_with == 0 {
            self.acted_with = self.active;
        }
        if self.held && !self.acted.contains(&client.0) {
            self.acted.push(client.0);
        }
        debug!(target: "world", %client, %step, "steps");
        if matches!(step, Step::Resize(_)) {
            self.in_place.spoil();
        }
        let client = self.client(client)?;
        let outcome = self.wait(async {
            let outcome = client.perform(step).await?;
            quiesce(client, self.held).await?;
            Ok(outcome)
        });
        self.number_connections();
        outcome
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.wait(async { Ok(()) })?;
        self.barrier.expect_nothing_late(&self.clients[..self.active])?;
        for client in &self.clients[..self.active] {
            client.proxy.hold(Direction::BOTH);
            client.page.begin_concurrent();
        }
        self.held = true;
        self.number_connections();
        Ok(())
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        self.held = false;
        let acted = std::mem::take(&mut self.acted);
        let clients = &self.clients[..self.active];
        let acted: Vec<&Client> = acted.iter().filter_map(|index| clients.get(*index)).collect();
        self.wait_undrawn(async {
            self.barrier.send_together(&acted).await;
            Ok(())
        })?;
        let draws = std::mem::take(&mut self.placed_carets);
        self.settle_clients(if draws { Look::Usual } else { Look::Undrawn })
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.settle_clients(Look::Long)
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        Ok(self.connections.deliverable(&self.clients[..self.active]))
    }

    fn is_poll(&mut self, event: &Event) -> bool {
        let clients = &self.clients[..self.active];
        self.connections.request(clients, event).is_some_and(|request| self.barrier.is_poll(&request))
    }

    fn polls(&mut self) -> bool {
        self.shared.patience.knows_polls()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        let message = self.connections.message(&self.clients[..self.active], event)?;
        let Message { kind, url, preview } = message;
        let logins = &self.shared.logins;
        Some(Message { kind, url: logins.hide(&url), preview: logins.hide(&preview) })
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        debug!(target: "world", %event, "happens");
        if !matches!(event, Event::Deliver { .. }) {
            self.in_place.spoil();
        }
        let Some(id) = event.client() else { return Ok(()) };
        self.welcome(event)?;
        let (clients, client) = (&self.clients[..self.active], self.client(id)?);
        let happened = self.wait(async {
            match event {
                Event::Deliver { .. } => self.connections.deliver(clients, event, &self.barrier).await,
                Event::Cut { .. } => order::cut(clients, client, &self.barrier).await,
                Event::Restore { .. } => order::restore(client).await,
                Event::Wait { .. } => order::wait(client).await,
                Event::Poll { .. } => polls::ask(clients, client, &self.barrier).await,
                Event::PollAnswer { .. } => polls::answer(client).await,
                Event::Reload { .. } => order::reload(clients, id, &self.url(), &self.barrier).await,
                Event::Join { .. } => late_joiners::join(clients, id, &self.url(), &self.barrier).await,
                Event::Tab { .. } => late_joiners::open_tab(clients, id, &self.url(), &self.barrier).await,
                Event::Step { .. } | Event::Flush => Ok(()),
            }
        });
        self.number_connections();
        happened
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.wait_undrawn(self.client(client)?.caret())
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.placed_carets = true;
        let client = self.client(client)?;
        self.wait_undrawn(async {
            client.place_caret(caret).await?;
            quiesce(client, self.held).await
        })
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        let undrawn = if self.active == 1 && client.0 == 0 { self.observe_undrawn(wanted)? } else { None };
        let observation = match undrawn.and_then(|mut alone| alone.pop()) {
            Some(observation) => observation,
            None => self.wait(self.client(client)?.observe(wanted))?,
        };
        self.barrier.expect_nothing_late(&self.clients[..self.active])?;
        Ok(observation)
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        self.wait(self.late_joiners.observe(&self.clients[..self.active], wanted))
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        let (runtime, interrupt) = (self.runtime.clone(), self.shared.interrupt.clone());
        let joined = runtime.block_on(interrupt.or(self.join_late(wanted)));
        self.unless_the_network_broke(joined)
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.wait(self.client(client)?.page.survey())
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        let clients: Vec<&Client> = (0..clients).map(|id| self.client(ClientId(id))).collect::<Result<_, _>>()?;
        let undrawn = if clients.len() == self.active { self.observe_undrawn(wanted)? } else { None };
        let observations = match undrawn {
            Some(observations) => observations,
            None => self.wait(try_join_all(clients.into_iter().map(|client| client.observe(wanted))))?,
        };
        self.barrier.expect_nothing_late(&self.clients[..self.active])?;
        Ok(observations)
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.clients[..self.active].iter().map(Client::traffic).collect()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.wait(self.client(client)?.touched(step))
    }
}

impl BrowserWorld {
    /// A text that changes when what the application serves does.
    fn fingerprint(&mut self) -> Result<String, WorldError> {
        self.begin(1)?;
        let client = self.client(ClientId(0))?;
        self.wait(client.page.fingerprint(self.document.as_deref().unwrap_or_default()))
    }
}
