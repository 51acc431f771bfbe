//! A page that uses timers, dates, chance, sockets, streams, polls and workers, and checks itself: it must not notice
//! whether it is alone in a browser, observed, on a clock of its own, or fed message by message.

use std::process::Command;

use colobus_model::{Application, Deterministic, Settle};
use colobus_world::{Settled, World};

use crate::server::Server;
use crate::stage::{A, Acting, application, run, world};

const DONE: &str = "25 checks done";

fn observed(server: &Server, deterministic: Deterministic) -> Box<dyn World> {
    let plain = application(server.url("/selftest?doc={doc}"));
    let mut world = world(Application {
        settle: Settle { background: vec!["/wait*".to_string()], ..plain.settle.clone() },
        state: Some("shown.textContent".to_string()),
        deterministic,
        ..plain
    });
    world.start(1);
    world
}

/// Settles until the page says that it is done; it may be quiet in between, while a poll waits or a worker starts.
fn finish(world: &mut Box<dyn World>) -> String {
    loop {
        assert_eq!(world.settle().unwrap(), Settled::Quiet);
        let shown = world.state(A).as_str().unwrap().to_string();
        if shown.ends_with("done") {
            return shown;
        }
    }
}

#[test]
fn the_page_works_alone() {
    let server = Server::start();
    // Its load event waits for a picture, and the picture for the end of the test.
    let alone = |browser: &&str| {
        Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--dump-dom"])
            .arg(server.url("/selftest-alone?doc=alone"))
            .output()
            .ok()
    };
    let output = ["chromium-headless-shell", "chromium", "google-chrome"].iter().find_map(alone).unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(&format!("<pre id=\"shown\">{DONE}</pre>")), "{shown}");
}

#[test]
fn the_page_works_while_it_is_observed() {
    let server = Server::start();
    for deterministic in [
        Deterministic { random: false, clock: false, seed: 0 },
        Deterministic { random: true, clock: false, seed: 0 },
        Deterministic { random: true, clock: true, seed: 0 },
    ] {
        let mut world = observed(&server, deterministic);
        world.act(A, run("void selfTest()"));
        assert_eq!(finish(&mut world), DONE, "{deterministic:?}");
    }
}

#[test]
fn the_page_works_fed_message_by_message() {
    let server = Server::start();
    for clock in [false, true] {
        let mut world = observed(&server, Deterministic { clock, ..Deterministic::default() });
        world.hold().unwrap();
        world.act(A, run("void selfTest()"));
        let mut delivered = 0;
        loop {
            match world.deliverable().unwrap().first() {
                Some(event) => {
                    world.happen(event).unwrap();
                    delivered += 1;
                }
                None if world.state(A).as_str().unwrap().ends_with("done") => break,
                // A worker is starting, or time passes.
                None => world.act(A, run("new Promise((resolve) => setTimeout(resolve, 10))")),
            }
        }
        assert_eq!(world.state(A), DONE);
        assert!(delivered > 50, "{delivered}");
    }
}
