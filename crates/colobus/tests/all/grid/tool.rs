//! [`Tool`]: the program under test, of which no process may be left when it has ended.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::happens_within;

/// All processes that a tool or a server starts have this variable, with a word of its own.
pub const MARK: &str = "COLOBUS_TOOL_OF_TEST";

pub struct Tool {
    process: Option<Child>,
    mark: String,
}

impl Tool {
    pub fn start(folder: &Path, prepare: impl FnOnce(&mut Command) -> &mut Command) -> Tool {
        Tool::start_in(folder, &[], prepare)
    }

    /// The same; `launcher` are the words of a command that starts it.
    pub fn start_in(folder: &Path, launcher: &[String], prepare: impl FnOnce(&mut Command) -> &mut Command) -> Tool {
        let mark = new_mark();
        let program = env!("CARGO_BIN_EXE_colobus");
        let words: Vec<&str> = launcher.iter().map(String::as_str).chain([program]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(folder).env(MARK, &mark).stdout(Stdio::piped()).stderr(Stdio::piped());
        let process = prepare(&mut command).spawn().unwrap();
        Tool { process: Some(process), mark }
    }

    pub fn is_over(&mut self) -> bool {
        self.process.as_mut().is_none_or(|process| process.try_wait().unwrap().is_some())
    }

    /// Ends it as the system does, without a chance to give anything back.
    pub fn kill(mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    pub fn signal(&self, signal: &str) {
        let id = self.process.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Waits for its end.
    pub fn output(mut self) -> Output {
        self.process.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
        let is_gone = happens_within(20, || processes_with(&self.mark).is_empty());
        assert!(is_gone || thread::panicking(), "processes are left: {:?}", processes_with(&self.mark));
    }
}

/// A word that no other tool or server has.
pub fn new_mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The command lines of processes that were started with this mark in their environment.
pub fn processes_with(mark: &str) -> Vec<String> {
    let variable = format!("{MARK}={mark}");
    let of_tool = |entry: fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let is_marked = environment.split(|byte| *byte == 0).any(|each| each == variable.as_bytes());
        let line = || String::from_utf8_lossy(&fs::read(entry.path().join("cmdline")).unwrap_or_default()).into_owned();
        is_marked.then(line)
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(of_tool).collect()
}
