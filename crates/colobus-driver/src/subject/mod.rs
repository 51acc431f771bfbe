//! [`Subject`]: the running application under test. Started, waited for, and stopped with all its processes on drop.

mod guard;
mod output;
mod port;
mod process_group;
mod request;
mod watch;

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::ops::RangeInclusive;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use colobus_model::{Application, Launch, WaitFor};
use tempfile::TempDir;

use crate::Interrupt;
use output::Output;
pub use output::last_lines;
pub use port::free_port;
pub use process_group::ProcessGroup;
pub use request::{Request, RequestError};
pub use watch::{Pause, ServerState, ServerWatch};

/// What Node processes of the application load first.
const NODE_SCRIPT: &str = "servers.cjs";
const IN_NODE: &str = include_str!("node-servers.cjs");
/// Between two looks at an application that cannot say that it is there.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long an application may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why there is no application to test.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    #[error("the application's command is empty: give a program and its arguments")]
    NoCommand,
    #[error("the application could not be started: `{command}` in {directory}: {source}")]
    Spawn { command: String, directory: String, source: io::Error },
    #[error(
        "port {port} is taken by another program: stop it, or give the application another port in its command and URL. \
         If it is the application itself that runs already, leave its start command out"
    )]
    PortTaken { port: u16 },
    #[error("the application exited ({status}) before it was ready: `{command}`. Its last output:\n{output}")]
    Exited { command: String, status: String, output: String, by_signal: bool },
    #[error(
        "the application did not get ready within {limit_ms} ms: nothing usable at {awaited} yet. Is that what it listens \
         on, or does it need a longer timeout? Its last output:\n{output}"
    )]
    NeverReady { awaited: String, limit_ms: u64, output: String },
    #[error(
        "the application exits whenever a page of it is opened ({status}): `{command}`. Its last output:\n{output}"
    )]
    KeepsExiting { command: String, status: String, output: String },
    #[error(
        "nothing answers at {address} any more: the application, which was not started by Colobus, has ended. Start it \
         again, or let Colobus start it (`start` in [app])"
    )]
    Gone { address: String },
    #[error("the run was stopped before the application was ready")]
    Stopped,
    #[error("no free port could be had for the application: {0}")]
    NoPort(io::Error),
    #[error("`{awaited}` cannot be waited for: {problem}")]
    BadAddress { awaited: String, problem: RequestError },
}

/// How often in a row the application may exit before anything can be done with it.
const DEATHS: usize = 3;

/// The application; nothing to do if it was running before we came.
pub struct Subject {
    application: Application,
    interrupt: Interrupt,
    started: Mutex<Option<Started>>,
    /// How often it exited since a page of it could be opened.
    deaths: AtomicUsize,
    restarts: AtomicUsize,
}

struct Started {
    /// Whether nothing answered at its address when that was looked at last.
    silent: AtomicBool,
    command: String,
    child: Mutex<Child>,
    processes: ProcessGroup,
    output: Output,
    /// Holds what Node processes load, for those that are started later.
    _scripts: Option<TempDir>,
}

impl Subject {
    /// The application at the place where it is going to be: on a port that is free now, if it asks for one.
    pub fn place(application: &Application) -> Result<Application, SubjectError> {
        if !application.wants_port() {
            return Ok(application.clone());
        }
        Ok(application.on_port(free_port().map_err(SubjectError::NoPort)?))
    }

    /// Starts the application, if that is our task, and returns when it can be used.
    pub fn start(application: &Application) -> Result<Subject, SubjectError> {
        Subject::start_unless(application, &Interrupt::default())
    }

    /// The same, unless the run is stopped before it can be used.
    pub fn start_unless(application: &Application, interrupt: &Interrupt) -> Result<Subject, SubjectError> {
        let started = application.launch.as_ref().map(|launch| Started::ready(launch, interrupt)).transpose()?;
        Ok(Subject {
            application: application.clone(),
            interrupt: interrupt.clone(),
            started: Mutex::new(started),
            deaths: AtomicUsize::new(0),
            restarts: AtomicUsize::new(0),
        })
    }

    fn started(&self) -> MutexGuard<'_, Option<Started>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks whether anything still answers at its address: a command that goes on although its server has ended, as one that watches
    /// files does, counts as exited.
    pub fn notice_silence(&self) {
        if let Some(started) = self.started().as_ref() {
            // A server that is only busy lets connections wait; where none listens, they are refused.
            let is_refused = |silent: Silent| silent.reason.kind() == io::ErrorKind::ConnectionRefused;
            started.silent.store(silent_address(&self.application.url).is_some_and(is_refused), Ordering::SeqCst);
        }
    }

    /// How it exited, if it did.
    pub fn exit(&self) -> Option<String> {
        self.started().as_ref().and_then(Started::exit)
    }

    /// Starts the application again if it has exited; then these are its processes. An error if it does nothing but exit.
    pub fn revive(&self) -> Result<Option<ServerWatch>, SubjectError> {
        let mut started = self.started();
        let (Some(old), Some(launch)) = (started.as_ref(), &self.application.launch) else { return Ok(None) };
        let Some(status) = old.exit() else { return Ok(None) };
        if self.deaths.fetch_add(1, Ordering::SeqCst) + 1 >= DEATHS {
            old.output.wait_for_end();
            let (command, output) = (old.command.clone(), old.output.last_lines());
            return Err(SubjectError::KeepsExiting { command, status, output });
        }
        self.restarts.fetch_add(1, Ordering::SeqCst);
        // What is left of it goes first: it may hold the port.
        *started = None;
        let again = started.insert(Started::ready(launch, &self.interrupt)?);
        Ok(Some(again.watch()))
    }

    /// A page of the application could be opened.
    pub fn works(&self) {
        self.deaths.store(0, Ordering::SeqCst);
    }

    /// How often it was started again.
    pub fn restarts(&self) -> usize {
        self.restarts.load(Ordering::SeqCst)
    }

    /// An error if the application is not ours to start, and nothing answers at its address.
    pub fn ensure_reachable(&self) -> Result<(), SubjectError> {
        if self.application.launch.is_some() {
            return Ok(());
        }
        silent_address(&self.application.url)
            .map_or(Ok(()), |Silent { address, .. }| Err(SubjectError::Gone { address }))
    }

    /// An error if the application has ended.
    pub fn ensure_running(&self) -> Result<(), SubjectError> {
        self.started().as_ref().map_or(Ok(()), Started::ensure_running)
    }

    /// Tells whether the application has anything left to do, if we started it.
    pub fn watch(&self) -> Option<ServerWatch> {
        self.started().as_ref().map(Started::watch)
    }

    /// What the application has written last.
    pub fn last_output(&self) -> String {
        self.started().as_ref().map(|started| started.output.last_lines()).unwrap_or_default()
    }
}

impl Started {
    /// Starts it, and returns when it can be used. One that a signal ends before that is started again: it did not end by itself.
    fn ready(launch: &Launch, interrupt: &Interrupt) -> Result<Started, SubjectError> {
        let mut deaths = 0;
        loop {
            match Started::ready_unless_it_exits(launch, interrupt) {
                Err(SubjectError::Exited { by_signal: true, .. }) if deaths + 1 < DEATHS => deaths += 1,
                other => return other,
            }
        }
    }

    fn ready_unless_it_exits(launch: &Launch, interrupt: &Interrupt) -> Result<Started, SubjectError> {
        let awaited = Awaited::new(&launch.wait_for)?;
        if awaited.is_listening() {
            return Err(SubjectError::PortTaken { port: awaited.port });
        }
        let started = Started::spawn(launch)?;
        let deadline = Instant::now() + Duration::from_millis(launch.timeout_ms);
        loop {
            started.ensure_running()?;
            if awaited.is_ready(interrupt) {
                return Ok(started);
            }
            if interrupt.is_raised() {
                return Err(SubjectError::Stopped);
            }
            if Instant::now() >= deadline {
                let (limit_ms, output) = (launch.timeout_ms, started.output.last_lines());
                return Err(SubjectError::NeverReady { awaited: awaited.to_string(), limit_ms, output });
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn spawn(launch: &Launch) -> Result<Started, SubjectError> {
        let (program, arguments) = launch.command.split_first().ok_or(SubjectError::NoCommand)?;
        let command = launch.command.join(" ");
        let failed = |source| SubjectError::Spawn {
            command: command.clone(),
            directory: launch.directory.display().to_string(),
            source,
        };
        let scripts = node_scripts().ok();
        let mut start = Command::new(program);
        start
            .args(arguments)
            .current_dir(&launch.directory)
            // The password of a Grid is not for the application.
            .env_remove(colobus_grid::GRID_USER)
            .envs(&launch.environment)
            .envs(scripts.as_ref().map(|scripts| node_options(scripts.path(), launch)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (processes, mut child) = ProcessGroup::spawn(&mut start).map_err(failed)?;
        let output = Output::default();
        output.follow(child.stdout.take());
        output.follow(child.stderr.take());
        let (silent, child) = (AtomicBool::new(false), Mutex::new(child));
        Ok(Started { silent, command, child, processes, output, _scripts: scripts })
    }

    fn ensure_running(&self) -> Result<(), SubjectError> {
        match self.exit() {
            None => Ok(()),
            Some(status) => {
                self.output.wait_for_end();
                let (command, output) = (self.command.clone(), self.output.last_lines());
                Err(SubjectError::Exited { command, status, output, by_signal: self.was_ended_by_signal() })
            }
        }
    }

    fn watch(&self) -> ServerWatch {
        ServerWatch::new(self.child.lock().unwrap_or_else(PoisonError::into_inner).id())
    }

    fn exit(&self) -> Option<String> {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        match child.try_wait() {
            Ok(None) if self.silent.load(Ordering::SeqCst) => {
                Some("its address is silent, its command goes on".to_string())
            }
            Ok(status) => status.map(|status| status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Whether a signal has ended it, or what a shell has run for us.
    fn was_ended_by_signal(&self) -> bool {
        // A shell adds 128 to the number of the signal; Linux has 64 signals.
        const OF_A_SHELL: RangeInclusive<i32> = 129..=192;
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let status = child.try_wait().ok().flatten();
        status.is_some_and(|status| {
            status.signal().is_some() || status.code().is_some_and(|code| OF_A_SHELL.contains(&code))
        })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let Started { child, processes, output, .. } = self;
        let child = child.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Also those that have left the group: no process holds its output any more.
        processes.end(child, || output.has_ended());
    }
}

fn node_scripts() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("colobus-node").tempdir()?;
    std::fs::write(folder.path().join(NODE_SCRIPT), IN_NODE)?;
    Ok(folder)
}

/// The variable from which Node takes options, with ours behind those that are there.
fn node_options(scripts: &Path, launch: &Launch) -> (&'static str, String) {
    const VARIABLE: &str = "NODE_OPTIONS";
    let given = launch.environment.get(VARIABLE).cloned().or_else(|| std::env::var(VARIABLE).ok());
    let ours = format!("--require=\"{}\"", scripts.join(NODE_SCRIPT).display());
    (VARIABLE, given.into_iter().chain([ours]).collect::<Vec<_>>().join(" "))
}

/// What tells that the application is there.
struct Awaited {
    address: String,
    port: u16,
    request: Option<Request>,
}

impl Awaited {
    fn new(wait_for: &WaitFor) -> Result<Awaited, SubjectError> {
        match wait_for {
            WaitFor::Port(port) => Ok(Awaited { address: format!("127.0.0.1:{port}"), port: *port, request: None }),
            WaitFor::ChosenPort => Err(SubjectError::NoPort(io::Error::other("the URL does not ask for one"))),
            WaitFor::Url(url) => {
                let request = Request { method: "GET".into(), url: url.clone(), body: String::new() };
                let place = request.place();
                let (address, port) =
                    place.map_err(|problem| SubjectError::BadAddress { awaited: url.clone(), problem })?;
                Ok(Awaited { address, port, request: Some(request) })
            }
        }
    }

    fn is_listening(&self) -> bool {
        request::addresses(&self.address).iter().any(|place| connect(place).is_ok())
    }

    /// Whether it is there. An answer is waited for until the run is stopped.
    fn is_ready(&self, interrupt: &Interrupt) -> bool {
        match &self.request {
            None => self.is_listening(),
            Some(request) => match request.send_while(&|| !interrupt.is_raised()) {
                Ok(status) => status < 500,
                // What speaks TLS cannot be asked, only seen.
                Err(RequestError::Encrypted { .. }) => self.is_listening(),
                Err(_) => false,
            },
        }
    }
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.request {
            Some(request) => f.write_str(&request.url),
            None => write!(f, "port {}", self.port),
        }
    }
}

/// An address at which nothing answers, and why.
pub(crate) struct Silent {
    pub address: String,
    pub reason: io::Error,
}

/// The address of a URL, if nothing answers there.
pub(crate) fn silent_address(url: &str) -> Option<Silent> {
    let request = Request { method: "GET".into(), url: url.to_string(), body: String::new() };
    let (address, _) = request.place().ok()?;
    let mut last = None;
    for place in request::addresses(&address) {
        last = Some(connect(&place).err()?);
    }
    last.map(|reason| Silent { address, reason })
}

fn connect(address: &SocketAddr) -> io::Result<()> {
    TcpStream::connect_timeout(address, Duration::from_millis(500)).map(drop)
}
