//! How much of a session comes back: `make bench`, or `cargo bench --package colobus-driver`. A script uses every widget of
//! the fixture with trusted input while the recorder listens; what was recorded is replayed in another browser. The
//! fixture's own listeners log what they hear both times, and the logs are compared event by event. Playwright's recorder
//! gets the same input.

#[path = "../../tests/browser/server/mod.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod server;
#[path = "../../tests/browser/session.rs"]
mod session;

mod actions;
mod alignment;
mod heard;
mod overhead;
mod playwright;
mod survival;
mod table;

use heard::Log;
use server::Server;
use session::{OUTCOME, Session, perform, replay, widgets};
use table::load;

fn main() {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("load average before {}", load());
    let (server, other) = (Server::start(), Server::start());
    let (origin, other) = (server.url(""), other.url(""));
    let script = widgets(&origin);
    let Session { recording, ends, .. } = perform(&script, OUTCOME);
    actions::table(&script, &recording).print();

    let replayed = replay(&recording, (&origin, &other), OUTCOME, false);
    let (performed, came_back) = (Log::of(&ends[0].0), Log::of(&replayed.ends[0].0));
    let theirs = playwright::run(&script);
    heard::table(&performed, &came_back, theirs.as_ref()).print();
    survival::table(&recording, (&origin, &other), &performed, theirs.as_ref()).print();
    overhead::table().print();
    println!("\nload average after {}", load());
}
