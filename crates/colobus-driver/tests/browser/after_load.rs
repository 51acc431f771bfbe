//! What every client does before a page can be used: a room that nobody enters without a name.

use colobus_model::{Application, Settle, Step, Target};
use colobus_world::{ObserveOptions, WorldError};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, world};

fn click(selector: &str) -> Step {
    Step::Click(Target::Selector(selector.to_string()))
}

fn lobby(server: &Server, after_load: Vec<Step>) -> Application {
    Application {
        after_load,
        ready: Some("window.ready".to_string()),
        focus: Some("#words".to_string()),
        state: Some("document.querySelector('p').textContent + ' ' + words.value".to_string()),
        ..application(server.url("/lobby?doc={doc}"))
    }
}

#[test]
fn every_client_gets_in_under_its_own_name_also_after_a_reload_and_late_joiners() {
    let server = Server::start();
    let steps = vec![click("placeholder=Your name"), Step::Type("{client}.".to_string()), click("#enter")];
    let mut world = world(lobby(&server, steps));
    world.start(2);
    world.act(A, Step::Type("a".to_string()));
    world.quiet();
    assert_eq!((world.state(A), world.state(B)), ("Hello, A. a".into(), "Hello, B. a".into()));
    world.hold().unwrap();
    world.play("A@");
    world.quiet();
    assert_eq!(world.state(A), "Hello, A. a", "the room tells those who come what was said last");
    let late = world.late_joiner(ObserveOptions::all()).unwrap().unwrap();
    assert!(late.late_joiner.text.unwrap().iter().any(|line| line.contains("Hello, C.")));
    // The next document begins in the same way.
    world.start(2);
    assert_eq!((world.state(A), world.state(B)), ("Hello, A. ".into(), "Hello, B. ".into()));
}

/// The page that it leads to is none of the application: users would act where nobody sees them.
#[test]
fn a_way_in_that_leads_to_no_document_is_an_error() {
    let server = Server::start();
    let away = Step::Evaluate("location.href = 'http://127.0.0.1:39999/'".to_string());
    let mut world = world(lobby(&server, vec![away]));
    let Err(error) = world.begin(1) else { panic!("a page that the proxy refuses was taken for the document") };
    assert!(error.to_string().contains("http://127.0.0.1:39999/"), "{error}");
}

#[test]
fn a_way_in_that_is_not_there_is_named() {
    let server = Server::start();
    let settle = Settle { limit_ms: 300, ..application(String::new()).settle };
    let mut world = world(Application { settle, ..lobby(&server, vec![click("#door")]) });
    let Err(WorldError::CannotRun(problem)) = world.begin(1) else { panic!("there is no door") };
    assert!(problem.contains("`after_load` cannot click #door on http://127.0.0.1:"), "{problem}");
}
