//! [`Session`]: the application under test and the browsers for it, started; both end when it is dropped.

use std::process;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use colobus_driver::subject::Subject;
use colobus_driver::{Attended, BrowserChoice, BrowserFactory, BrowserOptions, Interrupt, Patience, WorldStandIns};
use colobus_model::Application;
use colobus_run::{RunError, StopSignal};

use crate::learned_server::SharedServers;
use crate::verdict;

pub struct Session {
    // Browsers go before the application: pages would complain about a server that is gone.
    pub browsers: BrowserFactory,
    options: BrowserOptions,
    application: Application,
    subject: Arc<Subject>,
}

impl Session {
    /// Both end whatever they wait for as soon as the run is stopped.
    pub fn start(application: &Application, choice: &BrowserChoice, stop: &StopSignal) -> anyhow::Result<Session> {
        Session::continued(application, choice, stop, &Arc::default())
    }

    /// The same, with what earlier sessions learned of how late the application reacts.
    pub fn continued(
        application: &Application,
        choice: &BrowserChoice,
        stop: &StopSignal,
        patience: &Arc<Patience>,
    ) -> anyhow::Result<Session> {
        let interrupt = raised_by(stop);
        let stand_ins = application.server.as_deref().map(|path| SharedServers::read(path, application)).transpose()?;
        let options = BrowserOptions {
            browser: choice.path.clone(),
            elsewhere: choice.elsewhere.clone(),
            headed: choice.headed,
            interrupt: interrupt.clone(),
            run_token: unique_token(),
            patience: patience.clone(),
            stand_ins: stand_ins.map(|servers| Arc::new(servers) as Arc<dyn WorldStandIns>),
            logs_accesses: choice.logs_accesses,
        };
        let application = Subject::place(application)?;
        // First, because an application may take a minute to start, and a missing browser is known at once.
        let browsers = BrowserFactory::new(application.clone(), options.clone())?;
        let subject = Subject::start_unless(&application, &interrupt)?;
        if let Some(watch) = subject.watch() {
            browsers.watch(watch);
        }
        Ok(Session { browsers, options, application, subject: Arc::new(subject) })
    }

    /// Further browsers on the same application, which heed another signal.
    pub fn further_browsers(&self, stop: &StopSignal) -> anyhow::Result<BrowserFactory> {
        let options = BrowserOptions { interrupt: raised_by(stop), run_token: unique_token(), ..self.options.clone() };
        let browsers = BrowserFactory::new(self.application.clone(), options)?;
        if let Some(watch) = self.subject.watch() {
            browsers.watch(watch);
        }
        Ok(browsers)
    }

    /// Worlds for a search, in which an application that exits is started again.
    pub fn worlds(&self) -> Attended<'_> {
        Attended::new(&self.browsers, self.subject.clone())
    }

    /// Why a run failed. An application that has ended explains whatever the browsers complained about.
    pub fn explain(&self, error: RunError) -> anyhow::Error {
        match self.subject.ensure_running() {
            Err(exited) => exited.into(),
            Ok(()) => error.into(),
        }
    }
}

/// What a run is waiting for first, for messages of runs that had to end before.
pub const APPLICATION_READY: &str = "the application was ready";

/// The application of a search of one page, if it has one: started, unless the run has to end before it is ready.
pub fn started(
    application: Option<&Application>,
    stop: &StopSignal,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Subject>> {
    let started = application.map(|application| Subject::start_unless(application, interrupt)).transpose();
    started.map_err(|error| verdict::ended_early(stop, APPLICATION_READY).unwrap_or_else(|| error.into()))
}

/// What browsers heed when the run is stopped.
pub fn raised_by(stop: &StopSignal) -> Interrupt {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    stop.on_set(move || raised.raise());
    interrupt
}

/// Documents of different runs must not meet, also if the application keeps them.
fn unique_token() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("colobus-{}-{}", now.as_millis(), process::id())
}
