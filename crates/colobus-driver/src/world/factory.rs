//! [`BrowserFactory`]: makes a [`BrowserWorld`] per worker, all on one application.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use colobus_model::{Application, Tls};
use tokio::runtime::Runtime;

use super::BrowserWorld;
use super::notes::Notes;
use colobus_browser::{LaunchOptions, find_browser};
use colobus_proxy::RunAuthority;
use colobus_world::{World, WorldError, WorldFactory};

/// What does not depend on the application.
#[derive(Clone, Debug, Default)]
pub struct BrowserOptions {
    /// The browser to use instead of the first one on PATH.
    pub browser: Option<PathBuf>,
    /// Whether to show its windows.
    pub headed: bool,
    /// Begins the names of all documents of this run, so that runs do not meet in one.
    pub run_token: String,
}

pub struct BrowserFactory {
    /// A world that was opened to see that everything works, for the first who asks.
    spare: Mutex<Option<BrowserWorld>>,
    version: String,
    shared: Arc<Shared>,
    runtime: Arc<Runtime>,
}

/// What all worlds of a run have in common.
pub struct Shared {
    pub application: Arc<Application>,
    pub browser: PathBuf,
    pub launch: LaunchOptions,
    /// Opens TLS at the proxies, unless the application wants it closed.
    pub authority: Option<Arc<RunAuthority>>,
    pub notes: Arc<Notes>,
    run_token: String,
    documents: AtomicU64,
    /// Whether the application's page has got ready at least once.
    worked: AtomicBool,
}

impl BrowserFactory {
    /// Starts a first browser at once: whoever has a factory knows that browsers can be had.
    pub fn new(application: Application, options: BrowserOptions) -> Result<BrowserFactory, WorldError> {
        let cannot = |error: &dyn std::fmt::Display| WorldError::CannotRun(error.to_string());
        let browser = find_browser(options.browser.as_deref(), options.headed).map_err(|error| cannot(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("colobus-driver")
            .enable_all()
            .build()
            .map_err(|error| cannot(&error))?;
        let runtime = Arc::new(runtime);
        let authority = match application.tls {
            Tls::Open => Some(Arc::new(RunAuthority::new().map_err(|error| cannot(&error))?)),
            Tls::Tunnel => None,
        };
        let trusted = authority.as_ref().map(|authority| authority.spki_hash().to_string());
        let shared = Arc::new(Shared {
            application: Arc::new(application),
            browser,
            launch: LaunchOptions { headed: options.headed, trusted, whole_network: false },
            authority,
            notes: Arc::default(),
            run_token: options.run_token,
            documents: AtomicU64::new(0),
            worked: AtomicBool::new(false),
        });
        let first = BrowserWorld::open(runtime.clone(), shared.clone())?;
        let version = first.version().to_string();
        Ok(BrowserFactory { spare: Mutex::new(Some(first)), version, shared, runtime })
    }

    fn world(&self) -> Result<BrowserWorld, WorldError> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        spare.map_or_else(|| BrowserWorld::open(self.runtime.clone(), self.shared.clone()), Ok)
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
        let mut world = self.world()?;
        let fingerprint = world.fingerprint()?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(world);
        Ok(format!("{}\n{fingerprint}", self.version))
    }

    fn notes(&self) -> Vec<String> {
        self.shared.notes.all()
    }
}

impl Shared {
    /// The name of a document that no run has seen before.
    pub fn fresh_document(&self) -> String {
        let number = self.documents.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number:06}", self.run_token)
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
