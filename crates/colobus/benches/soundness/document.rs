//! The section of docs/evaluation.md: a table for every way of running the searches, a row for every application, a column for
//! every server time. Written from the kept results alone: what was not run says so.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::kept::Line;
use crate::setting::{Machine, ServerTime, Setting, StartedBy, Version, Wait};

/// Everything from here to the end of the page is ours; `make evaluation` leaves it as it is.
const BEGIN: &str = "<!-- Written by `make soundness` -->\n";

/// Replaces the section in the page at this path.
pub fn write_into(page: &Path, lines: &[Line]) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let before = text.split(BEGIN).next().unwrap_or_default().trim_end();
    fs::write(page, format!("{before}\n\n{BEGIN}{}", section(lines)?))?;
    Ok(())
}

/// The searches of one table: everything but application, version and server time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    wait: Wait,
    machine: Machine,
    workers: u8,
    started_by: StartedBy,
}

impl Way {
    fn of(setting: &Setting) -> Way {
        let &Setting { wait, machine, workers, started_by, .. } = setting;
        Way { wait, machine, workers, started_by }
    }

    fn title(self) -> String {
        let wait = match self.wait {
            Wait::Observed => String::new(),
            Wait::NetworkIdle => {
                ", network idle for 500 ms after every step (as in Playwright) instead of observing".to_string()
            }
            fixed => format!(", {} after every step instead of observing", fixed.word()),
        };
        let server = match self.started_by {
            StartedBy::Colobus => "Started by Colobus",
            StartedBy::SomebodyElse => "A server that runs already",
        };
        let workers = if self.workers == 1 { "one worker" } else { "two workers" };
        let busy = if self.machine == Machine::Busy { ", beside four busy loops" } else { "" };
        format!("{server}, {workers}{busy}{wait}")
    }
}

fn section(lines: &[Line]) -> anyhow::Result<String> {
    let mut text = String::from(
        "## Verdicts on servers that take their time\n\n\
         `make soundness` searches the small applications of `subjects/small`, each with its bug and repaired, and writes this section.\n\
         The server takes the time at the head of a column before it answers or tells the others (jitter: 0 to 300 ms, drawn anew each\n\
         time; random: 0 to 5 s, with `limit_ms = 30000`; slower: at once, and 1.5 s later from the eighth time on). In a cell: how often the bug came back, of the finding that came back least often; what was said of the repaired\n\
         twin. **Bold** is wrong. docs/settling.md says how Colobus waits.\n\
         At 0 ms the bug of `booking` is open for one turn of the server's event loop: both requests have to arrive in it. They do where\n\
         Colobus starts the server; with one that runs already it is chance (docs/schedules.md).\n\n",
    );
    let dates: BTreeSet<&str> =
        lines.iter().map(|line| line.outcome.circumstances.date.as_str()).filter(|date| !date.is_empty()).collect();
    let loads: Vec<f64> = lines.iter().filter_map(|line| line.outcome.circumstances.load.parse().ok()).collect();
    let (least, most) =
        loads.iter().fold((f64::MAX, 0.0_f64), |(least, most), load| (least.min(*load), most.max(*load)));
    writeln!(
        text,
        "Measured on {}, with several builds: `evaluation/soundness.jsonl` names that of some cells (most were built from a changed worktree, which is named `-dirty` and cannot be built again), and cells without one are older than the last\n\
         changes to settling and to orders. The machine was shared: other programs compiled and drove browsers meanwhile, the load average was\n\
         {least:.0} to {most:.0} on two cores where it was noted, so that times are not shown.\n",
        dates.into_iter().collect::<Vec<_>>().join(", "),
    )?;
    for way in lines.iter().map(|line| Way::of(&line.setting)).collect::<BTreeSet<_>>() {
        table(&mut text, way, lines)?;
    }
    Ok(text)
}

fn table(text: &mut String, way: Way, lines: &[Line]) -> anyhow::Result<()> {
    let of_way: Vec<&Line> = lines.iter().filter(|line| Way::of(&line.setting) == way).collect();
    let servers: Vec<ServerTime> = ServerTime::ALL
        .iter()
        .copied()
        .filter(|server| of_way.iter().any(|line| line.setting.server == *server))
        .collect();
    let applications: BTreeSet<&str> = of_way.iter().map(|line| line.setting.application.as_str()).collect();
    writeln!(text, "### {}\n", way.title())?;
    let heads: Vec<&str> = servers.iter().map(|server| server.word()).collect();
    writeln!(text, "| application | {} |\n| --- |{}", heads.join(" | "), " --- |".repeat(heads.len()))?;
    for application in applications {
        let cell = |server: &ServerTime| {
            let outcome = |version| {
                let line = of_way.iter().find(|line| {
                    let Setting { application: name, server: time, version: which, .. } = &line.setting;
                    name == application && time == server && *which == version
                });
                line.map_or("not run".to_string(), |line| line.outcome.verdict(version))
            };
            format!("{}; {}", outcome(Version::Bug), outcome(Version::Repaired))
        };
        writeln!(text, "| {application} | {} |", servers.iter().map(cell).collect::<Vec<_>>().join(" | "))?;
    }
    writeln!(text, "\n{}\n", summary(&of_way))?;
    Ok(())
}

fn summary(lines: &[&Line]) -> String {
    let of = |version| lines.iter().filter(move |line| line.setting.version == version);
    let right = |version| of(version).filter(|line| line.outcome.right).count();
    let clean = || of(Version::Repaired).filter(|line| line.outcome.right);
    let interactions: usize = clean().filter_map(|line| line.outcome.interactions).sum();
    let unknown = clean().filter(|line| line.outcome.interactions.is_none()).count();
    let unknown = if unknown == 0 { String::new() } else { format!(" (not kept for {unknown} of them)") };
    format!(
        "Bugs found and repeated every time: {} of {}. Repaired twins without a false finding: {} of {}, {interactions} interactions{unknown}.",
        right(Version::Bug),
        of(Version::Bug).count(),
        right(Version::Repaired),
        of(Version::Repaired).count(),
    )
}
