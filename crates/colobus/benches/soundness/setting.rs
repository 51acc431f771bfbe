//! [`Setting`]: one search of the table, and which of them the words of the command line select.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::{Deserialize, Serialize};

/// Forgets results of earlier runs.
pub const AFRESH: &str = "afresh";
/// Runs what is selected although there is a result, which it replaces.
pub const AGAIN: &str = "again";
/// Runs nothing.
pub const NOTHING: &str = "nothing";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    pub application: String,
    pub version: Version,
    pub server: ServerTime,
    pub started_by: StartedBy,
    pub workers: u8,
    /// Whether four busy loops run beside it.
    pub machine: Machine,
    pub wait: Wait,
}

impl Setting {
    /// What tells the application which version it is and how long it takes.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let bug = [("BUG", u64::from(self.version == Version::Bug))];
        let variables = bug.iter().chain(self.server.environment());
        variables.map(|(name, value)| (*name, value.to_string())).collect()
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),+];

            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }
    };
}

words! {
    Version { Bug = "bug", Repaired = "repaired" }
}
words! {
    /// How long the server takes before it answers or tells the others.
    ServerTime { AtOnce = "0ms", Short = "60ms", Noticeable = "300ms", Long = "2000ms", Jitter = "jitter",
        /// 0 to 5 s.
        Random = "random",
        /// At once, and 1.5 s later from the eighth time on.
        Slower = "slower" }
}
words! {
    /// Whether Colobus may look at the server's processes.
    StartedBy { Colobus = "started", SomebodyElse = "running" }
}
words! {
    Machine { Idle = "idle", Busy = "busy" }
}
words! {
    /// How the search waits: as Colobus does, or as people do.
    Wait { Observed = "observed", HalfASecond = "fixed-500ms", TwoSeconds = "fixed-2s",
        /// As tests in Playwright wait: no request has been open for 500 ms.
        NetworkIdle = "network-idle" }
}

impl ServerTime {
    /// What tells the server: variables of its environment, in milliseconds but for the number of times.
    pub fn environment(self) -> &'static [(&'static str, u64)] {
        match self {
            ServerTime::AtOnce => &[],
            ServerTime::Short => &[("DELAY", 60)],
            ServerTime::Noticeable => &[("DELAY", 300)],
            ServerTime::Long => &[("DELAY", 2000)],
            ServerTime::Jitter => &[("JITTER", 300)],
            ServerTime::Random => &[("JITTER", 5000)],
            ServerTime::Slower => &[("SLOWER_AFTER", 8), ("SLOWER", 1500)],
        }
    }

    /// The limit of settling, where the default is not enough for two answers in a row.
    pub fn limit_ms(self) -> Option<i64> {
        (self == ServerTime::Random).then_some(30_000)
    }
}

impl Wait {
    /// The line of the configuration that makes a search wait so: its key, and milliseconds.
    pub fn configured(self) -> Option<(&'static str, i64)> {
        match self {
            Wait::Observed => None,
            Wait::HalfASecond => Some(("fixed_ms", 500)),
            Wait::TwoSeconds => Some(("fixed_ms", 2000)),
            Wait::NetworkIdle => Some(("network_idle_ms", 500)),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting { application, version, server, started_by, workers, machine, wait } = self;
        write!(f, "{application}, {}, server {}, {}, ", version.word(), server.word(), started_by.word())?;
        write!(f, "{workers} workers, {}, {}", machine.word(), wait.word())
    }
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small")
}

fn applications() -> anyhow::Result<Vec<String>> {
    let mut names = vec![];
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.join("colobus.toml").exists() {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Of every kind of word: those that were given, or else the default ones.
pub fn selected(words: &[String]) -> anyhow::Result<Vec<Setting>> {
    let mut unknown: Vec<&String> = words.iter().filter(|word| ![AFRESH, AGAIN].contains(&word.as_str())).collect();
    let mut choose = |all: Vec<String>, default: Vec<String>| {
        unknown.retain(|word| !all.contains(word));
        let given: Vec<String> = all.into_iter().filter(|word| words.contains(word)).collect();
        if given.is_empty() { default } else { given }
    };
    if words.iter().any(|word| word == NOTHING) {
        return Ok(Vec::new());
    }
    let applications = choose(applications()?, applications()?);
    let versions = choose(texts(Version::ALL, Version::word), texts(Version::ALL, Version::word));
    let servers = choose(texts(ServerTime::ALL, ServerTime::word), texts(ServerTime::ALL, ServerTime::word));
    let started = choose(texts(StartedBy::ALL, StartedBy::word), texts(StartedBy::ALL, StartedBy::word));
    let workers = choose(vec!["one-worker".into(), "two-workers".into()], vec!["two-workers".into()]);
    let machines = choose(texts(Machine::ALL, Machine::word), vec![Machine::Idle.word().into()]);
    let waits = choose(texts(Wait::ALL, Wait::word), vec![Wait::Observed.word().into()]);
    if let Some(word) = unknown.first() {
        bail!("`{word}` is neither an application in subjects/small nor a word for a setting");
    }

    let mut settings =
        if words.iter().all(|word| [AFRESH, AGAIN].contains(&word.as_str())) { samples() } else { vec![] };
    for wait in named(Wait::ALL, Wait::word, &waits) {
        for machine in named(Machine::ALL, Machine::word, &machines) {
            for workers in &workers {
                for started_by in named(StartedBy::ALL, StartedBy::word, &started) {
                    for server in named(ServerTime::ALL, ServerTime::word, &servers) {
                        for application in &applications {
                            for version in named(Version::ALL, Version::word, &versions) {
                                settings.push(Setting {
                                    application: application.clone(),
                                    version,
                                    server,
                                    started_by,
                                    workers: if workers == "one-worker" { 1 } else { 2 },
                                    machine,
                                    wait,
                                });
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(settings)
}

/// What is run besides, of a few applications only, if no word says otherwise: a busy machine, and waits as people use them.
fn samples() -> Vec<Setting> {
    let usual = |application: &str, version, server| Setting {
        application: application.to_string(),
        version,
        server,
        started_by: StartedBy::Colobus,
        workers: 1,
        machine: Machine::Idle,
        wait: Wait::Observed,
    };
    let mut samples = vec![];
    for version in Version::ALL.iter().copied() {
        for application in ["chat", "todo-polling"] {
            samples.push(Setting { machine: Machine::Busy, ..usual(application, version, ServerTime::Noticeable) });
        }
        for wait in [Wait::HalfASecond, Wait::TwoSeconds, Wait::NetworkIdle] {
            for server in [ServerTime::Noticeable, ServerTime::Long] {
                for application in ["chat", "todo-events"] {
                    samples.push(Setting { wait, ..usual(application, version, server) });
                }
            }
        }
    }
    samples
}

fn texts<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<String> {
    all.iter().map(|value| word(*value).to_string()).collect()
}

fn named<T: Copy>(all: &[T], word: fn(T) -> &'static str, chosen: &[String]) -> Vec<T> {
    all.iter().copied().filter(|value| chosen.iter().any(|text| text == word(*value))).collect()
}
