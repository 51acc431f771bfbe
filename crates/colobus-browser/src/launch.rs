//! [`Process`]: a Chromium of our own, found, started and ended. It ends with us even when we are killed, because the
//! pipe that it is driven through closes.

use std::env;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::transport::Pipe;

/// Lightest first: the shell has no window, and needs half the memory and time.
const HEADLESS_NAMES: [&str; 6] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const HEADED_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const PIPE: &str = "--remote-debugging-pipe";
const FLAGS: [&str; 22] = [
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-dev-shm-usage",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--hide-scrollbars",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// What held pages do without: each of these costs a load time and shows nothing that is compared. `DeferRendererTasksAfterInput` stays on,
/// although a page's own tasks come after a frame then: executions without it were no shorter, and users have it.
const QUICK_LOADS: &str = "--disable-features=BackForwardCache,RenderDocument,PaintHolding";
/// Pages reach the network through their client's proxy alone, and the browser itself not at all.
const NO_NETWORK: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
/// Pages that are loaded again when a user goes back to them, as in the shell, which keeps none; all frames of a page in one process, so
/// that one session sees them all; sockets to this machine also from pages whose document was answered here, which browsers take for pages
/// from elsewhere; and scrolling without glides.
const WHOLE_PAGES: [&str; 3] = [
    "--disable-site-isolation-trials",
    "--disable-features=BackForwardCache,IsolateOrigins,site-per-process,OriginKeyedProcessesByDefault,\
     LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets",
    "--disable-smooth-scrolling",
];

/// Moves the pipes to the descriptors 3 and 4, where the browser looks for them, and removes the profile when the browser
/// ends because we were killed.
const SHELL: &str =
    r#"exec 3<&0 4>&1 </dev/null >/dev/null 2>&1; "$0" "$@"; exec 3<&- 4>&-; rm -rf "$COLOBUS_PROFILE""#;
/// How often the removal of a profile is tried while the browser's processes end.
const PROFILE_REMOVALS: usize = 40;

/// How a browser is started.
#[derive(Clone)]
pub struct LaunchOptions {
    /// Whether to show its windows.
    pub headed: bool,
    /// Hashes of public keys whose certificates it takes, beside those it takes anyway.
    pub trusted: Vec<String>,
    /// Whether pages may go wherever they want: there is no proxy, and a person may be sitting in front of them.
    pub whole_network: bool,
    /// Where the proxies of its pages listen, if not on loopback.
    pub proxies: Option<IpAddr>,
}

impl LaunchOptions {
    /// What a Chromium is started with, wherever it runs.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = FLAGS.map(String::from).to_vec();
        if !self.trusted.is_empty() {
            arguments.push(format!("--ignore-certificate-errors-spki-list={}", self.trusted.join(",")));
        }
        if self.whole_network {
            arguments.extend(WHOLE_PAGES.map(String::from));
        } else {
            let proxies = self.proxies.iter().map(|ip| format!(", EXCLUDE {ip}"));
            arguments.push(format!("{NO_NETWORK}{}", proxies.collect::<String>()));
            arguments.push(QUICK_LOADS.to_string());
        }
        if !self.headed {
            arguments.push("--headless".to_string());
        }
        arguments
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error(
        "no Chromium found: none of {names} is on PATH. Install one (`apt-get install {package}`) or name one with --browser PATH"
    )]
    NotFound { names: String, package: &'static str },
    #[error("there is no browser at {}: give the path of a Chromium or Chrome, or leave it out to search PATH", .0.display())]
    NoSuchFile(PathBuf),
    #[error("{} could not be started: {source}", path.display())]
    Spawn { path: PathBuf, source: io::Error },
    #[error("no directory for the browser's profile could be made: {0}; is the disk full, or TMPDIR wrong?")]
    Profile(io::Error),
}

/// Whether browsers are started without the sandbox that keeps pages from the machine: Chromium refuses to use it as root.
pub fn runs_without_sandbox() -> bool {
    rustix::process::geteuid().is_root()
}

/// The browser to use: the one asked for, or the first that PATH has.
pub fn find_browser(asked_for: Option<&Path>, headed: bool) -> Result<PathBuf, LaunchError> {
    if let Some(path) = asked_for {
        return on_path(path).ok_or_else(|| LaunchError::NoSuchFile(path.to_path_buf()));
    }
    let names: &[&str] = if headed { &HEADED_NAMES } else { &HEADLESS_NAMES };
    names.iter().find_map(|name| on_path(Path::new(name))).ok_or_else(|| LaunchError::NotFound {
        names: names.join(", "),
        package: if headed { "chromium" } else { "chromium-headless-shell" },
    })
}

/// A path with a directory stands for itself; a bare name is looked up.
fn on_path(path: &Path) -> Option<PathBuf> {
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_path_buf());
    }
    let directories = env::var_os("PATH")?;
    env::split_paths(&directories).map(|directory| directory.join(path)).find(|full| full.is_file())
}

/// A running browser with a profile of its own; both are gone when this is dropped.
pub struct Process {
    child: Child,
    profile: TempDir,
}

impl Process {
    /// Must be called inside a tokio runtime.
    pub fn start(
        path: &Path,
        options: &LaunchOptions,
    ) -> Result<(Process, Pipe<ChildStdin, ChildStdout>), LaunchError> {
        let profile = tempfile::Builder::new().prefix("colobus-browser-").tempdir().map_err(LaunchError::Profile)?;
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", SHELL])
            .arg(path)
            .arg(PIPE)
            .args(options.arguments())
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .env("COLOBUS_PROFILE", profile.path());
        if runs_without_sandbox() {
            command.arg("--no-sandbox");
        }
        let mut child = command
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A group of its own: Ctrl-C in the terminal is for us to handle, and one signal ends all its processes.
            .process_group(0)
            .spawn()
            .map_err(|source| LaunchError::Spawn { path: path.to_path_buf(), source })?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to_browser, from_browser) = pipes.ok_or_else(|| LaunchError::Spawn {
            path: path.to_path_buf(),
            source: io::Error::other("its pipes are missing"),
        })?;
        Ok((Process { child, profile }, Pipe { to_browser, from_browser }))
    }

    /// The process below which all others of the browser are; `None` when it has ended.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group {
            // Nothing to do if it is gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
        // Its last processes may still be writing for a moment.
        for _ in 0..PROFILE_REMOVALS {
            if fs::remove_dir_all(self.profile.path()).is_ok() || !self.profile.path().exists() {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}
