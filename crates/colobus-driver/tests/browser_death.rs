//! A browser that is killed. Alone in its process, where the only child is the browser to kill.

#[allow(dead_code)]
mod processes;
#[allow(dead_code)]
#[path = "browser/server/mod.rs"]
mod server;
#[allow(dead_code)]
#[path = "browser/stage.rs"]
mod stage;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use colobus_model::{Application, Settle};
use colobus_world::{WorldError, WorldFactory};

use processes::{processes, signal};
use server::Server;
use stage::{A, Acting, application, factory, press};

#[test]
fn what_died_is_replaced_by_opening_another_world_and_what_is_paused_is_unknown() {
    let server = Server::start();
    let settle = Settle { limit_ms: 2_000, ..application(String::new()).settle };
    let factory = factory(Application { settle, ..application(server.url("/problem?{doc}")) });
    for kill in [kill_browser, kill_tabs, kill_network] {
        let mut world = factory.open().unwrap();
        world.start(2);
        kill();
        let died = world.step(A, &press("a"));
        assert!(matches!(died, Err(WorldError::Died(_))), "{died:?}");
        let died = world.begin(2);
        assert!(matches!(died, Err(WorldError::Died(_))), "{died:?}");
    }
    let mut world = factory.open().unwrap();
    world.start(1);
    world.act(A, press("a"));

    // A renderer that is paused for longer than is waited for says nothing of its page, and another document can be opened then.
    signal_tabs("-STOP");
    let paused = world.step(A, &press("b")).map(|_| ()).and_then(|()| world.settle().map(|_| ()));
    assert!(matches!(paused, Err(WorldError::Interrupted(_))), "{paused:?}");
    signal_tabs("-CONT");
    world.start(1);
    world.act(A, press("a"));
}

#[test]
fn a_browser_ends_with_the_tool_even_if_that_is_killed() {
    let this = std::env::current_exe().unwrap();
    let mut tool = Command::new(this)
        .args(["--exact", "the_tool_that_is_killed", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(tool.stdout.take().unwrap());
    let group = output.lines().map_while(Result::ok).find_map(|line| line.strip_prefix("browser ").map(str::to_string));
    let group = group.expect("the tool says which browser it has started");
    let members = || processes().into_iter().filter(|(_, stat)| stat[2] == group && stat[0] != "Z").count();
    assert!(members() > 1);
    tool.kill().unwrap();
    tool.wait().unwrap();
    while members() > 0 {
        std::thread::yield_now();
    }
}

/// Not a test of its own: what [`a_browser_ends_with_the_tool_even_if_that_is_killed`] kills.
#[test]
#[ignore = "only makes sense inside another test"]
fn the_tool_that_is_killed() {
    let server = Server::start();
    let mut world = factory(application(server.url("/problem?{doc}"))).open().unwrap();
    world.start(1);
    println!("\nbrowser {}", browser_group());
    let _ = std::io::stdin().read_to_string(&mut String::new());
}

fn kill_browser() {
    signal("-KILL", &format!("-{}", browser_group()));
}

fn kill_tabs() {
    signal_tabs("-KILL");
}

/// The browser starts another one and says nothing of it.
fn kill_network() {
    signal_those_with("network.mojom.NetworkService", "-KILL");
}

/// Sends a signal to the processes that show pages.
fn signal_tabs(name: &str) {
    signal_those_with("--type=renderer", name);
}

/// Sends a signal to the processes of the browser whose command line has a word.
fn signal_those_with(word: &str, name: &str) {
    let group = browser_group();
    let is_meant = |id: u32, stat: &[String]| {
        let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        stat[2] == group.to_string() && String::from_utf8_lossy(&command).contains(word)
    };
    let meant: Vec<u32> = processes().into_iter().filter(|(id, stat)| is_meant(*id, stat)).map(|(id, _)| id).collect();
    assert!(!meant.is_empty(), "no process of the browser has {word}");
    for id in &meant {
        signal(name, &id.to_string());
    }
}

/// The process group of the one browser that is there.
fn browser_group() -> u32 {
    let own = std::process::id().to_string();
    // A child that leads a group of its own: the tool of the other test is in ours.
    let leads = |id: u32, stat: &[String]| stat[1] == own && stat[0] != "Z" && stat[2] == id.to_string();
    let mut found = processes().into_iter().filter(|(id, stat)| leads(*id, stat));
    found.next().expect("a browser runs").0
}
