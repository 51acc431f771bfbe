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
fn a_dead_browser_is_replaced_by_opening_another_world() {
    let server = Server::start();
    let factory = factory(application(server.url("/trouble?{doc}")));
    let mut world = factory.open().unwrap();
    world.start(1);
    let kill = Command::new("kill").args(["-9", "--", &format!("-{}", browser_group())]).status();
    assert!(kill.unwrap().success());
    let died = world.step(A, &press("a"));
    assert!(matches!(died, Err(WorldError::Died(_))), "{died:?}");
    assert!(matches!(world.begin(1), Err(WorldError::Died(_))));
    drop(world);
    let mut world = factory.open().unwrap();
    world.start(1);
    world.act(A, press("a"));
}

/// The process group of the one browser that is there.
fn browser_group() -> u32 {
    let own = std::process::id();
    let children = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let id: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let alive = fields[0] != "Z";
        (alive && fields[1].parse() == Ok(own)).then_some(id)
    });
    children.max().expect("a browser runs")
}
