//! Processes that are paused while the tool waits for them, as on a busy machine: what they have got is not passed over. Alone in its
//! process, where the only browser and the only application are those to pause.

#[allow(dead_code)]
mod processes;
#[allow(dead_code)]
#[path = "browser/stage.rs"]
mod stage;

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use colobus_driver::subject::Subject;
use colobus_model::{Application, ClientId, Settle};
use colobus_world::{World, WorldError, WorldFactory};
use serde_json::json;

use processes::Paused;
use stage::{A, Acting, B, click, factory, press, small, text};

const NETWORK: &str = "network.mojom.NetworkService";
const SERVER: &str = "app.js";
/// One test at a time: each pauses all processes of this kind.
static ALONE: Mutex<()> = Mutex::new(());
/// Longer than anything takes on an idle machine.
const PAUSE: Duration = Duration::from_millis(1500);

/// The list whose pages learn of entries by long polls. Its server answers at once, as its user says.
fn list() -> Application {
    let list =
        small("todo-long-polling", false, "[...document.querySelectorAll('li')].map((entry) => entry.textContent)");
    let settle = Settle { quiet_ms: Some(0), background: vec!["/wait*".to_string()], ..list.settle.clone() };
    Application { settle, ..list }
}

fn add(world: &mut Box<dyn World>, client: ClientId, entry: &str) {
    world.act(client, click("#text"));
    world.act(client, text(entry));
    world.act(client, press("Enter"));
}

/// Lets all messages of one client through, also those that follow from them.
fn deliver_all_of(world: &mut Box<dyn World>, client: ClientId) {
    while let Some(event) = world.deliverable().unwrap().into_iter().find(|event| event.client() == Some(client)) {
        world.happen(&event).unwrap();
    }
}

/// Does something while the processes with this in their command lines are paused, and for as long as that if it takes longer.
fn while_paused<T>(command: &str, pause: Duration, part: impl FnOnce() -> T) -> T {
    let paused = Paused::with(command);
    let goes_on = thread::spawn(move || {
        thread::sleep(pause);
        drop(paused);
    });
    let done = part();
    goes_on.join().unwrap();
    done
}

#[test]
fn what_paused_processes_have_got_is_waited_for() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let application = list();
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();

    // An answer to a long poll that has left the proxy and is not in the page.
    world.start(2);
    world.hold().unwrap();
    add(&mut world, A, "milk");
    deliver_all_of(&mut world, A);
    while_paused(NETWORK, PAUSE, || world.quiet());
    assert_eq!(world.state(B), json!(["milk"]), "B has what its proxy let through");

    // A long poll that the server has not read.
    world.start(2);
    world.hold().unwrap();
    add(&mut world, A, "bread");
    deliver_all_of(&mut world, A);
    world.play("B<");
    assert_eq!((world.state(B), world.waiting().as_str()), (json!(["bread"]), "B>#2"));
    add(&mut world, A, "salt");
    deliver_all_of(&mut world, A);
    while_paused(SERVER, PAUSE, || world.quiet());
    assert_eq!(world.state(B), json!(["bread", "salt"]), "the server has answered what it got");

    // A request that is still inside the browser while messages are held.
    world.start(2);
    world.hold().unwrap();
    while_paused(NETWORK, PAUSE, || add(&mut world, A, "tea"));
    assert_eq!(world.waiting(), "A>#2", "the order goes on with the request");
    world.quiet();
}

#[test]
fn an_order_does_not_go_on_without_what_a_page_has_sent() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let list = list();
    let application = Application { settle: Settle { limit_ms: 5_000, ..list.settle.clone() }, ..list };
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(1);
    world.hold().unwrap();
    world.act(A, click("#text"));
    world.act(A, text("milk"));
    let stepped = while_paused(NETWORK, 2 * Duration::from_millis(5_000), || world.step(A, &press("Enter")));
    let Err(WorldError::Interrupted(reason)) = stepped else { panic!("{stepped:?}") };
    assert!(reason.contains("/add") && reason.contains("was not at its proxy"), "{reason}");
}
