//! A browser that is killed. Alone in its process, where the only child is the browser to kill.

#[allow(dead_code)]
#[path = "browser/server.rs"]
mod server;
#[allow(dead_code)]
#[path = "browser/stage.rs"]
mod stage;

use std::fs;
use std::process::Command;

use colobus_driver::{WorldError, WorldFactory};

use server::Server;
use stage::{A, Acting, application, factory, press};

#[test]
fn what_died_is_replaced_by_opening_another_world() {
    let server = Server::start();
    let factory = factory(application(server.url("/trouble?{doc}")));
    for kill in [kill_browser, kill_tabs] {
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
}

fn kill_browser() {
    kill(&format!("-{}", browser_group()));
}

/// Kills the processes that show pages.
fn kill_tabs() {
    let group = browser_group();
    for (id, stat) in processes() {
        let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let is_tab = String::from_utf8_lossy(&command).contains("--type=renderer");
        if is_tab && stat[2] == group.to_string() {
            kill(&id.to_string());
        }
    }
}

fn kill(target: &str) {
    assert!(Command::new("kill").args(["-9", "--", target]).status().unwrap().success());
}

/// The process group of the one browser that is there.
fn browser_group() -> u32 {
    let own = std::process::id().to_string();
    let alive = processes().into_iter().filter(|(_, stat)| stat[1] == own && stat[0] != "Z");
    alive.map(|(id, _)| id).max().expect("a browser runs")
}

/// All processes, and of each its state, parent and group.
fn processes() -> Vec<(u32, Vec<String>)> {
    let process = |entry: fs::DirEntry| {
        let id: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some((id, fields.take(3).map(str::to_string).collect()))
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(process).collect()
}
