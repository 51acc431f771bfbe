//! [`BrowserFactory`]: makes a [`BrowserWorld`] per worker, all on one application.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use colobus_model::{Application, BrowserPlace, LearnedSettling, Tls};

use super::BrowserWorld;
use super::costs::{CostCounters, Costs};
use super::logged_pages::LoggedPages;
use super::login::Logins;
use super::notes::Notes;
use super::recorded::RecordedWorlds;
use super::stand_in::WorldStandIns;
use crate::browsers::{BrowserChoice, Browsers};
use crate::elsewhere::Elsewhere;
use crate::runtime::DriverRuntime;
use crate::settling::{Patience, Server};
use crate::subject::ServerWatch;
use crate::{Interrupt, TrafficLog};
use colobus_browser::{LaunchOptions, runs_without_sandbox};
use colobus_har::Redaction;
use colobus_proxy::RunAuthority;
use colobus_world::{World, WorldError, WorldFactory};

/// What a report has to say of browsers that were started here.
pub fn note_of_sandbox() -> Option<String> {
    const WITHOUT: &str =
        "the browsers ran without their sandbox, which Chromium cannot use as root; run Colobus as another user";
    runs_without_sandbox().then(|| WITHOUT.to_string())
}

/// What does not depend on the application.
#[derive(Clone, Debug, Default)]
pub struct BrowserOptions {
    /// The browser to use instead of the first one on PATH.
    pub browser: Option<PathBuf>,
    /// Browsers of other machines, instead of those that are started here.
    pub elsewhere: Option<Elsewhere>,
    /// Whether to show its windows.
    pub headed: bool,
    /// Ends whatever a world waits for.
    pub interrupt: Interrupt,
    /// Begins the names of all documents of this run, so that runs do not meet in one.
    pub run_token: String,
    /// What settling knows of the application already.
    pub patience: Arc<Patience>,
    /// Answer in the place of the application's server.
    pub stand_ins: Option<Arc<dyn WorldStandIns>>,
    /// Whether pages log what they read and write.
    pub logs_accesses: bool,
}

pub struct BrowserFactory {
    /// A world that was opened to see that everything works, for the first who asks.
    spare: Mutex<Option<BrowserWorld>>,
    version: String,
    shared: Arc<Shared>,
    runtime: Arc<DriverRuntime>,
}

/// What all worlds of a run have in common.
pub struct Shared {
    pub application: Arc<Application>,
    pub browsers: Browsers,
    pub launch: LaunchOptions,
    /// Opens TLS at the proxies, unless the application wants it closed.
    pub authority: Option<Arc<RunAuthority>>,
    pub notes: Arc<Notes>,
    /// Scripts of the configuration that threw.
    pub script_errors: Arc<Notes>,
    /// Ends whatever a world waits for.
    pub interrupt: Interrupt,
    /// Asked when settling, if we started the application.
    pub server: Server,
    /// What settling has learned of the application.
    pub patience: Arc<Patience>,
    pub costs: Arc<CostCounters>,
    /// What the logins of clients left in a browser.
    pub logins: Arc<Logins>,
    /// Answer in the place of the application's server, one in each world.
    pub stand_ins: Option<Arc<dyn WorldStandIns>>,
    /// Rewrites scripts, if pages log what they read and write.
    pub logged: Option<Arc<LoggedPages>>,
    /// The browsers of all worlds so far.
    used: Mutex<BTreeSet<BrowserPlace>>,
    run_token: String,
    documents: AtomicU64,
    /// Whether emptied documents turned out to differ from fresh ones.
    only_fresh_documents: AtomicBool,
    /// Whether the application's page has got ready at least once.
    worked: AtomicBool,
}

impl BrowserFactory {
    /// Starts a first browser at once, so that a factory is proof that browsers can be started.
    pub fn new(application: Application, options: BrowserOptions) -> Result<BrowserFactory, WorldError> {
        let cannot = |error: &dyn std::fmt::Display| WorldError::CannotRun(error.to_string());
        let BrowserOptions { browser, elsewhere, headed, .. } = &options;
        let choice = BrowserChoice {
            path: browser.clone(),
            headed: *headed,
            elsewhere: elsewhere.clone(),
            logs_accesses: options.logs_accesses,
        };
        let browsers = Browsers::choose(&choice)?;
        let runtime = Arc::new(DriverRuntime::start()?);
        let authority = match application.tls {
            Tls::Open => Some(Arc::new(RunAuthority::new().map_err(|error| cannot(&error))?)),
            Tls::Tunnel => None,
        };
        let trusted = authority.iter().map(|authority| authority.spki_hash().to_string()).collect();
        let proxies = browsers.listen().map(|listen| listen.ip);
        let application = Arc::new(application);
        let logins = Arc::new(Logins::read(&application)?);
        let shared = Arc::new(Shared {
            application,
            launch: LaunchOptions { headed: options.headed, trusted, whole_network: false, proxies },
            browsers,
            authority,
            notes: Arc::default(),
            script_errors: Arc::default(),
            interrupt: options.interrupt,
            server: Server::default(),
            patience: options.patience,
            costs: Arc::default(),
            logins,
            stand_ins: options.stand_ins,
            logged: options.logs_accesses.then(Arc::default),
            used: Mutex::default(),
            run_token: options.run_token,
            documents: AtomicU64::new(0),
            only_fresh_documents: AtomicBool::new(false),
            worked: AtomicBool::new(false),
        });
        let opened = persistently(|| BrowserWorld::open(runtime.clone(), shared.clone(), None));
        // Whatever dies each time cannot be run.
        let first = opened.map_err(|error| match error {
            WorldError::Died(problem) => WorldError::CannotRun(problem),
            other => other,
        })?;
        let version = first.browser().version;
        Ok(BrowserFactory { spare: Mutex::new(Some(first)), version, shared, runtime })
    }

    /// What all executions that are over have taken.
    pub fn costs(&self) -> Costs {
        self.shared.costs.read()
    }

    /// Takes secrets out of recorded traffic, those of logins included.
    pub fn redaction(&self) -> Redaction {
        self.shared.logins.redaction()
    }

    pub(crate) fn logins(&self) -> Arc<Logins> {
        self.shared.logins.clone()
    }

    pub(crate) fn server(&self) -> Server {
        self.shared.server.clone()
    }

    /// Settling asks these processes from now on: those of the application, if we started it.
    pub fn watch(&self, application: ServerWatch) {
        self.shared.server.watch(application);
    }

    /// Worlds of this factory whose traffic is recorded.
    pub fn recorded(&self) -> RecordedWorlds<'_> {
        RecordedWorlds::new(self)
    }

    /// An unused world, whose clients tell this log what they say and hear.
    pub(super) fn open_recorded(&self, log: &TrafficLog) -> Result<BrowserWorld, WorldError> {
        BrowserWorld::open(self.runtime.clone(), self.shared.clone(), Some(log.clone()))
    }

    fn world(&self) -> Result<BrowserWorld, WorldError> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        spare.map_or_else(|| BrowserWorld::open(self.runtime.clone(), self.shared.clone(), None), Ok)
    }
}

impl WorldFactory for BrowserFactory {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(self.world()?))
    }

    fn browser(&self) -> String {
        self.version.clone()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        let (world, fingerprint) = persistently(|| {
            let mut world = self.world()?;
            let fingerprint = world.fingerprint()?;
            Ok((world, fingerprint))
        })?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(world);
        let stand_ins = self.shared.stand_ins.as_ref().map(|servers| servers.describe()).unwrap_or_default();
        Ok(format!("{}\n{fingerprint}{stand_ins}", self.version))
    }

    fn notes(&self) -> Vec<String> {
        let is_here = matches!(self.shared.browsers, Browsers::Launched(_));
        let unprotected = note_of_sandbox().filter(|_| is_here);
        let mixed = mixed_versions(&self.shared.used.lock().unwrap_or_else(PoisonError::into_inner));
        let own = unprotected.into_iter().chain(mixed);
        let logged = self.shared.logged.iter().flat_map(|logged| logged.notes());
        own.chain(self.shared.notes.all()).chain(self.shared.patience.notes()).chain(logged).collect()
    }

    fn script_errors(&self) -> Vec<String> {
        self.shared.script_errors.all()
    }

    fn learned(&self) -> LearnedSettling {
        let emptied_in_vain = self.shared.needs_fresh_documents();
        LearnedSettling { emptied_in_vain, ..self.shared.patience.to_keep() }
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.shared.patience.recall(earlier);
    }
}

/// Tells a user whose browsers differ: what only one version gets wrong looks like a failure that comes and goes.
fn mixed_versions(used: &BTreeSet<BrowserPlace>) -> Option<String> {
    let mut nodes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for BrowserPlace { version, node } in used {
        nodes.entry(version).or_default().extend(node.as_deref());
    }
    let told: Vec<String> = nodes.iter().map(|(version, nodes)| format!("{version} on {}", nodes.join(", "))).collect();
    (nodes.len() > 1).then(|| format!("browsers of different versions took part: {}", told.join("; ")))
}

/// How often a browser may die before the first interaction.
const ATTEMPTS: usize = 3;

/// Does it again if a browser dies on the way.
fn persistently<T>(work: impl Fn() -> Result<T, WorldError>) -> Result<T, WorldError> {
    let mut result = work();
    for _ in 1..ATTEMPTS {
        if !matches!(result, Err(WorldError::Died(_))) {
            break;
        }
        result = work();
    }
    result
}

impl Shared {
    /// The name of a document that no run has seen before.
    pub fn fresh_document(&self) -> String {
        let number = self.documents.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number:06}", self.run_token)
    }

    /// Whether every document has a name of its own.
    pub fn names_documents(&self) -> bool {
        self.application.url.contains("{doc}")
    }

    pub fn needs_fresh_documents(&self) -> bool {
        self.only_fresh_documents.load(Ordering::Relaxed)
    }

    /// No document is emptied from now on, and why.
    pub fn use_fresh_documents(&self, reason: String) {
        if !self.only_fresh_documents.swap(true, Ordering::Relaxed) {
            self.notes.add(reason);
        }
    }

    /// A world has this browser.
    pub fn note_browser(&self, browser: BrowserPlace) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(browser);
    }

    pub fn url(&self, document: &str) -> String {
        self.application.url.replace("{doc}", document)
    }

    pub fn remember_success(&self) {
        self.worked.store(true, Ordering::Relaxed);
    }

    pub fn has_worked(&self) -> bool {
        self.worked.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_versions_are_told_with_their_nodes() {
        let place = |version: &str, node: &str| BrowserPlace { version: version.into(), node: Some(node.into()) };
        let mut used = BTreeSet::from([place("Chrome/1", "a"), place("Chrome/1", "b")]);
        assert_eq!(mixed_versions(&used), None);
        used.insert(place("Chrome/2", "c"));
        let told = "browsers of different versions took part: Chrome/1 on a, b; Chrome/2 on c";
        assert_eq!(mixed_versions(&used).as_deref(), Some(told));
    }
}
