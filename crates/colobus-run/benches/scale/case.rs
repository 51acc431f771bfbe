//! [`Case`]: a search of a certain size, and [`Measured`]: what it took.

use std::fmt;
use std::fs;
use std::path::Path;

use colobus_model::{Action, Aspect, Phase, RunEvent, Step};
use colobus_run::{Checks, Judge, LateJoinerChoice, Orders, RunConfig, RunOptions, check};
use colobus_world::fake::{FakeBug, FakeFactory};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub actions: usize,
    pub depth: usize,
    pub clients: usize,
    /// Whether nearly every interaction fails.
    pub fails: bool,
}

impl Default for Case {
    fn default() -> Case {
        Case { actions: 10, depth: 2, clients: 2, fails: false }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { actions, depth, clients, fails } = self;
        write!(f, "{actions} actions, depth {depth}, {clients} clients{}", if *fails { ", all fail" } else { "" })
    }
}

/// What one case took, in the process that ran it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub case: Case,
    pub interactions: usize,
    pub executions: usize,
    /// Seconds of processor time: a busy machine makes everything take longer, and nothing take more.
    pub search_s: f64,
    pub reduce_s: f64,
    pub journal_bytes: u64,
    /// The most memory that the process had.
    pub memory_bytes: u64,
    /// Until a run that continues this one, of which only the last line is missing, has its report.
    pub resume_s: f64,
}

impl Case {
    pub fn all() -> Vec<Case> {
        let usual = Case::default();
        let actions = [5, 10, 20, 40].map(|actions| Case { actions, ..usual });
        let depths = [1, 3].map(|depth| Case { depth, ..usual });
        let clients = [4, 6, 8].map(|clients| Case { clients, depth: 1, ..usual });
        let failures = [5, 10, 20].map(|actions| Case { actions, fails: true, ..usual });
        let large = [Case { actions: 59, ..usual }];
        [&actions[..], &depths, &clients, &failures, &large].concat()
    }

    pub fn read(text: &str) -> Result<Case, Problem> {
        Ok(serde_json::from_str(text)?)
    }

    pub fn measure(&self) -> Result<Measured, Problem> {
        let out = tempfile::tempdir()?;
        let bugs: &[FakeBug] = if self.fails { &[FakeBug::InsertOrder] } else { &[] };
        let factory = FakeFactory::with_bugs(bugs);
        let begun = processor_seconds();
        let mut searched = begun;
        let report = check(&self.config(out.path(), false)?, &factory, &mut |event| {
            if matches!(event, RunEvent::PhaseFinished { phase: Phase::Search, .. }) {
                searched = processor_seconds();
            }
        })?;
        let reduced = processor_seconds();
        let journal = out.path().join("last").join("journal.jsonl");
        let text = fs::read_to_string(&journal)?;
        let memory_bytes = peak_memory();
        // As if the run had been killed right before its end.
        let cut = text.trim_end().rfind('\n').map_or(0, |last| last + 1);
        fs::write(&journal, &text[..cut])?;
        let ended = processor_seconds();
        let resumed = check(&self.config(out.path(), true)?, &factory, &mut |_| {})?;
        let resume_s = processor_seconds() - ended;
        if resumed.counts.executions != report.counts.executions || resumed.findings.len() != report.findings.len() {
            return Err(format!("{self}: a resumed run has another report").into());
        }
        Ok(Measured {
            case: *self,
            interactions: report.counts.interactions.judged,
            executions: report.counts.executions,
            search_s: searched - begun,
            reduce_s: reduced - searched,
            journal_bytes: text.len() as u64,
            memory_bytes,
            resume_s,
        })
    }

    /// One worker and every combination in every state, so that counts follow from the case alone.
    pub fn config(&self, out: &Path, resume: bool) -> Result<RunConfig, Problem> {
        let application = serde_json::from_value(json!({
            "url": "http://127.0.0.1/?doc={doc}", "launch": null, "reset": "fresh_document", "hosts": [], "ready": null,
            "focus": null, "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
            "viewport": { "width": 100, "height": 50 },
            "settle": { "quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0 },
        }))?;
        let typed = |number: usize| char::from_u32(0x100 + number as u32).unwrap_or('x').to_string();
        let action = |number: usize| Action::new(format!("type {number}"), vec![Step::Type(typed(number))]);
        Ok(RunConfig {
            title: "a fake".into(),
            source: "colobus.toml".into(),
            application,
            actions: (0..self.actions).map(action).collect(),
            returning: Vec::new(),
            depth: self.depth,
            clients: self.clients,
            same: false,
            rounds: 1,
            late_joiner: LateJoinerChoice::Sampled,
            prune: false,
            naive: true,
            judge: Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: vec![Aspect::Pixels] },
            checks: Checks::default(),
            orders: Orders::default(),
            around: None,
            workers: 1,
            shard: None,
            seed: 1,
            options: RunOptions { repeat: 1, resume, ..RunOptions::new(out) },
        })
    }
}

/// How many ticks of `/proc` make a second.
const TICKS: f64 = 100.0;

/// What all threads of this process have used.
pub fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name before these fields may hold spaces and brackets.
    let fields = text.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks: f64 = fields.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / TICKS
}

/// Where the kernel does not tell, nothing.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}
