//! Pages that misbehave, and browsers that die: the run goes on.

use colobus_driver::{BrowserFactory, BrowserOptions};
use colobus_model::{Application, ErrorKind, Settle};
use colobus_world::{WorldError, WorldFactory};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, click, factory, press, run};

fn problem(server: &Server) -> Application {
    let settle = Settle { quiet_ms: Some(0), ..Settle::within(3_000) };
    Application { settle, ..application(server.url("/problem?{doc}")) }
}

#[test]
fn pages_that_misbehave_do_not_stop_a_run() {
    let server = Server::start();
    let factory = factory(problem(&server));
    let mut world = factory.open().unwrap();
    let world = &mut world;

    world.start(2);
    world.act(A, click("#alert"));
    world.act(A, click("#popup"));
    world.act(A, click("#download"));
    world.act(A, run("fetch('http://elsewhere.test/').catch(() => {})"));
    world.quiet();
    world.start(2);
    let notes = factory.notes().join("\n");
    assert!(notes.contains("dialog (alert), which was dismissed: hello"), "{notes}");
    assert!(notes.contains("pop-up"), "{notes}");
    assert!(notes.contains("elsewhere.test") && notes.contains("`hosts`"), "{notes}");

    world.act(A, click("#throw"));
    world.hold().unwrap();
    world.act(A, click("#log"));
    world.act(A, click("#reject"));
    world.act(A, click("#missing"));
    world.quiet();
    let errors = world.see(A).errors;
    let seen: Vec<(ErrorKind, &str, bool)> =
        errors.iter().map(|error| (error.kind, error.text.as_str(), error.during_concurrent)).collect();
    assert_eq!(
        seen,
        [
            (ErrorKind::Uncaught, "Error: thrown by a button", false),
            (ErrorKind::Console, "logged Object 3", true),
            (ErrorKind::Uncaught, "TypeError: rejected", true),
            (
                ErrorKind::Refused(404),
                "Failed to load resource: the server responded with a status of 404 (Not Found)",
                true
            ),
        ]
    );
    assert!(errors[0].place.as_deref().unwrap().contains("/problem"));
    assert_eq!(world.see(B).errors, [], "errors stay with their client");

    let interrupted = |result: Result<_, WorldError>| match result {
        Err(WorldError::Interrupted(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let reason = interrupted(world.step(A, &click("#leave")).map(|_| ()).and_then(|()| world.settle().map(|_| ())));
    assert!(reason.contains("navigated away") && reason.contains("/fields"), "{reason}");
    world.start(2);
    assert_eq!(world.see(A).errors, [], "a new document has no errors yet");

    let reason = interrupted(world.step(B, &click("#spin")).map(|_| ()));
    assert!(reason.contains("did not answer"), "{reason}");
    world.start(2);
    world.act(B, press("a"));
}

#[test]
fn what_cannot_run_says_so_and_what_to_do() {
    let cannot = |application: Application, options: BrowserOptions| {
        let error = BrowserFactory::new(application, options).err().unwrap();
        assert!(matches!(error, WorldError::CannotRun(_)));
        error.to_string()
    };
    let nowhere = application("http://127.0.0.1:1/".to_string());
    let missing = BrowserOptions { browser: Some("/nowhere/chromium".into()), ..Default::default() };
    assert!(cannot(nowhere.clone(), missing).contains("/nowhere/chromium"));
    let no_browser = BrowserOptions { browser: Some("/bin/true".into()), ..Default::default() };
    assert!(cannot(nowhere.clone(), no_browser).contains("does not answer"));

    // An application that is not there, and one that never gets ready.
    let never = |application| {
        let factory = factory(application);
        let mut world = factory.open().unwrap();
        match world.begin(1) {
            Err(WorldError::CannotRun(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(never(nowhere).contains("127.0.0.1:1"));
    let server = Server::start();
    let reason = never(Application { focus: Some("#nothing".into()), ..problem(&server) });
    assert!(reason.contains("#nothing"), "{reason}");
    let reason = never(application(server.url("/missing?{doc}")));
    assert!(reason.contains("404"), "{reason}");
}
