//! Figures for docs/scale.md, printed as tables: `make bench-grid`. They need root: for a network of their own, and for a control group
//! that counts the processor time of all processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use colobus_model::Report;
use tempfile::TempDir;

use super::network::Network;
use super::{Place, Server, causes, free_port, grid_of_nodes, no_session_is_left};
use colobus_driver::Hub;

const ROUND_TRIPS_MS: [u64; 4] = [0, 1, 5, 20];
const WORKERS: usize = 2;
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

/// A search that finds nothing, with this many workers.
fn search(launcher: &[String], more: &[&str]) -> Report {
    let folder = TempDir::new().unwrap();
    let workers = format!("--workers={WORKERS}");
    let program = env!("CARGO_BIN_EXE_colobus").to_string();
    let words: Vec<&str> = launcher.iter().chain([&program]).map(String::as_str).collect();
    let output = Command::new(words[0])
        .args(&words[1..])
        .args(["demo", "--correct", "--depth=1", "--reporter=json", "--no-open", &workers])
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", super::text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn row(what: &str, report: &Report, processor_s: f64) -> String {
    let interactions = report.counts.interactions.judged as f64;
    let all = interactions + report.counts.sequences.judged as f64;
    format!(
        "| {what} | {interactions} | {:.0} | {:.0} ms | {:.2} s |",
        interactions * 60.0 / report.timing.phase2_s,
        report.timing.interaction_ms_median,
        processor_s / all
    )
}

/// What a Grid and a network between cost.
#[test]
#[ignore = "minutes, for docs/scale.md: make bench-grid"]
fn costs_of_a_grid_and_of_a_network() {
    let mut network = Network::start();
    let counted = Counted::new("figures");
    let far = network.far();
    let launcher = [counted.launcher(), far.launcher.clone()].concat();
    let (port, place) = (free_port(), Place { launcher, ..far });
    let _server = Server::with_browsers("standalone", &place, port, WORKERS, &[]);
    let (grid, listen) = (format!("--grid=http://{}:{port}", place.address), format!("--listen={}", network.near()));
    let hub = Hub::new(grid.trim_start_matches("--grid="), None).unwrap();
    println!("| browsers | interactions | a minute | median of one | processor time of one execution |");
    println!("|---|--:|--:|--:|--:|");
    let before = counted.seconds();
    let here = search(&counted.launcher(), &[]);
    println!("{}", row("of this machine", &here, counted.seconds() - before));
    network.bytes();
    let mut sizes = Vec::new();
    for round_trip in ROUND_TRIPS_MS {
        network.delay(round_trip);
        let before = counted.seconds();
        let report = search(&counted.launcher(), &[&grid, &listen, "--grid-argument=--no-sandbox"]);
        println!("{}", row(&format!("of a Grid, {round_trip} ms away"), &report, counted.seconds() - before));
        let (there, back) = network.bytes();
        let executions = (report.counts.interactions.judged + report.counts.sequences.judged) as u64;
        sizes.push((round_trip, there / executions / 1024, back / executions / 1024));
        assert!(no_session_is_left(&hub));
    }
    println!("\n| round trip | to the node, for each execution | back |\n|--:|--:|--:|");
    sizes.iter().for_each(|(round_trip, there, back)| println!("| {round_trip} ms | {there} KB | {back} KB |"));
}

/// A node with its browser is killed every twenty seconds, and another one takes its place: the same causes as here.
#[test]
#[ignore = "minutes, for docs/scale.md: make bench-grid"]
fn the_same_causes_while_nodes_are_killed() {
    let (_server, hub, mut nodes) = grid_of_nodes(3);
    let search = ["demo", "--bug=all", "--depth=1", "--repeat=2", "--reporter=json", "--no-open", "--workers=2"];
    let run = |more: &[&str]| {
        let (folder, began) = (TempDir::new().unwrap(), Instant::now());
        let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
        command.args(search).args(more).current_dir(folder.path()).stderr(Stdio::piped());
        (command.output().unwrap(), began.elapsed())
    };
    let (here, took_here) = run(&[]);
    let over = AtomicBool::new(false);
    let (there, took, kills) = thread::scope(|scope| {
        let killing = scope.spawn(|| {
            let (mut kills, mut last) = (0, Instant::now());
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(100));
                if last.elapsed() >= KILLS {
                    let place = Place::here();
                    let further = ["--hub", hub.url(), "--heartbeat-period", "2"];
                    let number = kills % nodes.len();
                    nodes[number].signal("-KILL");
                    nodes[number] = Server::with_browsers("node", &place, free_port(), 1, &further);
                    (kills, last) = (kills + 1, Instant::now());
                }
            }
            kills
        });
        let (there, took) = run(&[&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"]);
        over.store(true, Ordering::Relaxed);
        (there, took, killing.join().unwrap())
    });
    assert_eq!(causes(&there), causes(&here));
    let report: Report = serde_json::from_slice(&there.stdout).unwrap();
    println!("| browsers | causes | time | nodes killed | browsers replaced |\n|---|--:|--:|--:|--:|");
    println!("| of this machine | {} | {} s | - | - |", report.root_causes.len(), took_here.as_secs());
    let restarts = report.counts.restarts;
    println!("| of a Grid | {} | {} s | {kills} | {restarts} |", report.root_causes.len(), took.as_secs());
    assert!(no_session_is_left(&hub));
}
