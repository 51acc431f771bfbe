//! Figures for docs/scale.md, printed as tables: `make bench-grid`. They need root: for a network of their own, and for a control group
//! that counts the processor time of all processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use colobus_model::Report;
use serde_json::Value;
use tempfile::TempDir;

use super::network::Network;
use super::tool::Tool;
use super::{Place, Server, causes, free_port, grid_of_nodes, no_session_is_left};
use colobus_driver::Hub;

/// How often each setting is measured.
const ROUNDS: usize = 3;
/// How often a node is killed.
const KILLS: Duration = Duration::from_secs(20);

/// Processes whose time is counted.
struct Counted {
    folder: PathBuf,
}

impl Counted {
    fn new(name: &str) -> Counted {
        let folder = Path::new("/sys/fs/cgroup/cpuacct").join(format!("colobus-{name}-{}", std::process::id()));
        fs::create_dir(&folder).expect("processor time is counted by a control group (cpuacct), which needs root");
        Counted { folder }
    }

    /// What starts a program in it.
    fn launcher(&self) -> Vec<String> {
        let enter = format!("echo $$ > {}; exec \"$@\"", self.folder.join("cgroup.procs").display());
        ["sh".to_string(), "-c".to_string(), enter, "sh".to_string()].to_vec()
    }

    fn seconds(&self) -> f64 {
        let text = fs::read_to_string(self.folder.join("cpuacct.usage")).unwrap();
        text.trim().parse::<f64>().unwrap() / 1e9
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        // It cannot be removed while one of its processes ends.
        for _ in 0..100 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Browsers whose costs are measured.
struct Setting {
    workers: usize,
    /// How long a round trip to the Grid takes; `None` for browsers of this machine.
    round_trip_ms: Option<u64>,
}

impl Setting {
    const ALL: [Setting; 7] = [
        Setting { workers: 2, round_trip_ms: None },
        Setting { workers: 2, round_trip_ms: Some(0) },
        Setting { workers: 1, round_trip_ms: None },
        Setting { workers: 1, round_trip_ms: Some(0) },
        Setting { workers: 1, round_trip_ms: Some(1) },
        Setting { workers: 1, round_trip_ms: Some(5) },
        Setting { workers: 1, round_trip_ms: Some(20) },
    ];

    fn is_nearest(&self) -> bool {
        (self.workers, self.round_trip_ms) == (1, Some(0))
    }

    fn name(&self) -> String {
        match self.round_trip_ms {
            None => "of this machine".to_string(),
            Some(round_trip) => format!("of a Grid, {round_trip} ms away"),
        }
    }
}

/// What the searches of one setting took, in all rounds.
#[derive(Default)]
struct Taken {
    interactions: usize,
    executions: u64,
    search_s: f64,
    took_ms: Vec<f64>,
    processor_s: f64,
    bytes: (u64, u64),
}

impl Taken {
    /// Of all executions of all rounds.
    fn median_ms(&self) -> f64 {
        let mut took_ms = self.took_ms.clone();
        took_ms.sort_by(f64::total_cmp);
        took_ms[took_ms.len() / 2]
    }

    fn row(&self, setting: &Setting, nearest_ms: f64) -> String {
        let Taken { interactions, executions, search_s, processor_s, bytes: (there, back), .. } = self;
        let each = |bytes: u64| match setting.round_trip_ms {
            Some(_) => format!("{} KB", bytes / executions / 1024),
            None => "-".to_string(),
        };
        format!(
            "| {} | {} | {interactions} | {:.0} | {:.0} ms | {:.2} | {:.2} s | {} | {} |",
            setting.name(),
            setting.workers,
            *interactions as f64 * 60.0 / search_s,
            self.median_ms(),
            self.median_ms() / nearest_ms,
            processor_s / *executions as f64,
            each(*there),
            each(*back),
        )
    }
}

/// A search that finds nothing, and how long its executions took.
fn search(launcher: &[String], more: &[&str]) -> (Report, Vec<f64>) {
    let folder = TempDir::new().unwrap();
    let demo = ["demo", "--correct", "--depth=1", "--reporter=json", "--no-open"];
    let output = Tool::start_in(folder.path(), launcher, |command| command.args(demo).args(more)).output();
    assert_eq!(output.status.code(), Some(0), "{}", super::text(&output.stderr));
    let journal = fs::read_to_string(folder.path().join("colobus-out/last/journal.jsonl")).unwrap();
    let took_ms = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        entry["result"]["took_ms"].as_array().cloned().unwrap_or_default()
    };
    let took_ms = journal.lines().flat_map(took_ms).filter_map(|took| took.as_f64()).collect();
    (serde_json::from_slice(&output.stdout).unwrap(), took_ms)
}

/// What a Grid and a network between cost. Settings take turns, so that whatever else the machine does meets all of them.
#[test]
#[ignore = "minutes, for docs/scale.md: make bench-grid"]
fn costs_of_a_grid_and_of_a_network() {
    let mut network = Network::start();
    let counted = Counted::new("figures");
    let far = network.far();
    let launcher = [counted.launcher(), far.launcher.clone()].concat();
    let (port, place) = (free_port(), Place { launcher, ..far });
    let _server = Server::with_browsers("standalone", &place, port, 2, &[]);
    let (grid, listen) = (format!("--grid=http://{}:{port}", place.address), format!("--listen={}", network.near()));
    let hub = Hub::new(grid.trim_start_matches("--grid="), None).unwrap();
    let mut all: Vec<(Setting, Taken)> = Setting::ALL.into_iter().map(|setting| (setting, Taken::default())).collect();
    for _ in 0..ROUNDS {
        for (setting, taken) in &mut all {
            let workers = format!("--workers={}", setting.workers);
            let elsewhere = [grid.as_str(), &listen, "--grid-argument=--no-sandbox"];
            let elsewhere = if setting.round_trip_ms.is_some() { &elsewhere[..] } else { &[] };
            network.delay(setting.round_trip_ms.unwrap_or(0));
            network.bytes();
            let before = counted.seconds();
            let (report, took_ms) = search(&counted.launcher(), &[&[workers.as_str()], elsewhere].concat());
            taken.processor_s += counted.seconds() - before;
            let (there, back) = network.bytes();
            taken.bytes = (taken.bytes.0 + there, taken.bytes.1 + back);
            taken.interactions += report.counts.interactions.judged;
            taken.executions += (report.counts.executions + report.counts.sequences.judged) as u64;
            taken.search_s += report.timing.phase2_s;
            taken.took_ms.extend(took_ms);
            assert!(no_session_is_left(&hub));
        }
    }
    let nearest_ms = all.iter().find(|(setting, _)| setting.is_nearest()).map(|(_, taken)| taken.median_ms()).unwrap();
    println!(
        "| browsers | workers | interactions | a minute | median of an execution | times that of 0 ms | processor time of an execution | bytes to the \
         node | bytes back |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    all.iter().for_each(|(setting, taken)| println!("{}", taken.row(setting, nearest_ms)));
}

const FIREPAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects/firepad");

#[test]
#[ignore = "minutes, for docs/scale.md: make bench-grid"]
fn the_demo_has_the_same_causes_while_nodes_are_killed() {
    same_causes_while_nodes_are_killed("the demo with every bug", &["demo", "--bug=all", "--depth=1", "--no-open"]);
}

#[test]
#[ignore = "minutes, for docs/scale.md: make bench-grid"]
fn firepad_has_the_same_causes_while_nodes_are_killed() {
    let actions = ["--action=type a", "--action=type b", "--action=bold on the line before"];
    let search = [&["check", "-c", FIREPAD, "--depth=2", "--action=size 18 on the line before"][..], &actions].concat();
    same_causes_while_nodes_are_killed("Firepad, two actions deep", &search);
}

/// A node with its browser is killed every twenty seconds, and another one takes its place: the same causes as here.
fn same_causes_while_nodes_are_killed(name: &str, arguments: &[&str]) {
    let (_server, hub, mut nodes) = grid_of_nodes(3);
    let run = |more: &[&str]| {
        let (folder, began) = (TempDir::new().unwrap(), Instant::now());
        let out = format!("--out={}", folder.path().display());
        let tool = Tool::start(folder.path(), |command| {
            command.args(arguments).args(["--repeat=2", "--reporter=json", "--workers=3", &out]).args(more)
        });
        (tool.output(), began.elapsed())
    };
    let (here, took_here) = run(&[]);
    let (grid, sandbox) = (format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox");
    let ((there, took), kills) = while_nodes_are_killed(&mut nodes, || run(&[&grid, sandbox]));
    println!("| search | browsers | causes | interactions | time | nodes killed | browsers replaced |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for (output, took, place, kills) in [(&here, took_here, "here", None), (&there, took, "of a Grid", Some(kills))] {
        let (causes, judged) = causes(output);
        let Report { counts, .. } = serde_json::from_slice(&output.stdout).unwrap();
        let kills = kills.map_or("-".to_string(), |kills: usize| kills.to_string());
        let (causes, judged, seconds) = (causes.len(), judged.judged, took.as_secs());
        println!("| {name} | {place} | {causes} | {judged} | {seconds} s | {kills} | {} |", counts.restarts);
    }
    assert_eq!(causes(&there), causes(&here), "{name}, {kills} nodes killed");
    let report: Report = serde_json::from_slice(&there.stdout).unwrap();
    assert!(kills > 0 && report.counts.restarts > 0, "{kills} nodes killed, {} restarts", report.counts.restarts);
    assert!(no_session_is_left(&hub));
}

/// Does something while one node after the other is killed and replaced; what came of it, and how many were.
fn while_nodes_are_killed<T>(nodes: &mut [Server], work: impl FnOnce() -> T) -> (T, usize) {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let killing = scope.spawn(|| {
            let (mut kills, mut last) = (0, Instant::now());
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(100));
                if last.elapsed() >= KILLS {
                    let number = kills % nodes.len();
                    nodes[number].signal("-KILL");
                    nodes[number] = nodes[number].another();
                    (kills, last) = (kills + 1, Instant::now());
                }
            }
            kills
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        (done, killing.join().unwrap())
    })
}
