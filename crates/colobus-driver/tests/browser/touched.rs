//! What the events of a client read and wrote (`check --precise`): a message that arrives is apart from what the user does elsewhere in
//! the page, and not from what changes the same place.

use colobus_driver::{BrowserFactory, BrowserOptions};
use colobus_model::{Application, ClientId, Schedule, Step, Target};
use colobus_world::{Touched, World, WorldFactory};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, world};

fn board(server: &Server) -> Application {
    Application {
        ready: Some("socket.readyState === 1".to_string()),
        state: Some("news.children.length".to_string()),
        ..application(server.url("/board?doc={doc}"))
    }
}

fn click(selector: &str) -> Step {
    Step::Click(Target::Selector(selector.to_string()))
}

/// A world with two clients whose messages are held, and of which nothing is told yet.
fn held(application: Application) -> Box<dyn World> {
    let options = BrowserOptions { run_token: "touched".into(), logs_accesses: true, ..BrowserOptions::default() };
    let mut world = BrowserFactory::new(application, options).unwrap().open().unwrap();
    world.start(2);
    world.hold().unwrap();
    for client in [A, B] {
        world.touched(client, None).unwrap().unwrap();
    }
    world
}

/// What a step touched.
fn stepped(world: &mut Box<dyn World>, client: ClientId, step: Step) -> Touched {
    world.act(client, step.clone());
    world.touched(client, Some(&step)).unwrap().unwrap()
}

/// What the last event of a line touched.
fn happened(world: &mut Box<dyn World>, line: &str) -> Touched {
    world.play(line);
    let last = line.parse::<Schedule>().unwrap().events.pop().unwrap();
    world.touched(last.client().unwrap(), None).unwrap().unwrap()
}

#[test]
fn a_message_is_apart_from_steps_elsewhere_in_the_page() {
    let server = Server::start();
    let mut world = held(board(&server));
    let focused = stepped(&mut world, A, click("#draft"));
    let typed = stepped(&mut world, A, Step::Type("a note".into()));
    stepped(&mut world, B, click("#send"));
    let arrived = happened(&mut world, "B> A<");
    let cleared = stepped(&mut world, A, click("#clear"));
    assert!(!arrived.accesses.is_empty() && !arrived.anything, "{arrived:?}");
    assert!(typed.is_apart_from(&arrived), "{typed:#?}\n{arrived:#?}");
    assert!(focused.is_apart_from(&arrived), "{focused:#?}\n{arrived:#?}");
    assert!(!cleared.is_apart_from(&arrived), "both change the list");
    assert!(!typed.is_apart_from(&focused), "what is typed goes where the focus is");
    assert_eq!((world.state(A), world.state(B)), (0.into(), 0.into()), "B's own message is still on its way to B");
    world.quiet();
    assert_eq!(world.state(B), 1, "the rewritten page does what it did before");
}

#[test]
fn nothing_is_known_of_code_that_runs_as_it_is() {
    let server = Server::start();
    let mut logged = held(board(&server));
    let step = Step::Evaluate("draft.value = 'x'".into());
    logged.act(A, step.clone());
    assert!(logged.touched(A, Some(&step)).unwrap().unwrap().anything);
    let mut plain = world(board(&server));
    plain.start(1);
    assert_eq!(plain.touched(A, None).unwrap(), None, "pages that are not rewritten tell nothing");
}
