//! What a page keeps in its browser ends with its document.

use colobus_model::Application;
use serde_json::json;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, run, text, world};

/// What the page finds in every place in which it could have kept something.
const KEPT: &str = "(async () => ({
    cookie: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
}))()";

const KEEP: &str = "(async () => {
    document.cookie = 'user=ann; max-age=1000';
    localStorage.name = sessionStorage.name = 'ann';
    addEventListener('pagehide', () => { localStorage.left = 'late'; });
    await new Promise((done, failed) => {
        const opening = indexedDB.open('notes', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('notes');
        // The connection stays open, as those of editors do.
        opening.onsuccess = () => { window.connection = opening.result; done(); };
        opening.onerror = failed;
    });
    await (await caches.open('files')).put('/kept', new Response('kept'));
    // A page below another path, so that the next load of this one still comes from the server.
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/elsewhere/' });
})()";

#[test]
fn every_document_starts_with_an_empty_browser_and_a_reload_keeps_what_is_there() {
    let server = Server::start();
    let mut world = world(Application { state: Some(KEPT.to_string()), ..application(server.url("/order?doc={doc}")) });
    let nothing = json!({ "caches": 0, "cookie": "", "databases": 0, "local": 0, "session": 0, "workers": 0 });
    let something =
        json!({ "caches": 1, "cookie": "user=ann", "databases": 1, "local": 1, "session": 1, "workers": 1 });
    for _ in 0..3 {
        world.start(2);
        assert_eq!([A, B].map(|client| world.state(client)), [nothing.clone(), nothing.clone()]);
        world.act(A, run(KEEP));
        world.act(B, run(KEEP));
        assert_eq!(world.state(A), something);
    }
    world.hold().unwrap();
    world.play("A@");
    let reloaded = world.state(A);
    assert_eq!((&reloaded["local"], &reloaded["databases"]), (&json!(2), &json!(1)), "{reloaded}");
}

#[test]
fn what_a_page_writes_in_its_last_moment_is_gone_as_well() {
    let server = Server::start();
    let mut world = world(Application { state: Some(KEPT.to_string()), ..application(server.url("/order?doc={doc}")) });
    for _ in 0..2 {
        world.start(1);
        let found = world.state(A);
        assert_eq!((&found["local"], &found["session"]), (&json!(0), &json!(0)), "{found}");
        world.act(A, run("addEventListener('pagehide', () => { localStorage.left = sessionStorage.left = 'late'; })"));
    }
}

/// With y-indexeddb, as editors on Yjs keep their documents: under the same name for every address.
#[test]
fn an_editor_that_keeps_its_document_in_the_browser_starts_empty() {
    let server = Server::start();
    let mut world = world(Application {
        ready: Some("window.synced".into()),
        focus: Some("textarea".into()),
        state: Some("text()".into()),
        ..application(server.url("/editors?kind=persisted&doc={doc}"))
    });
    for _ in 0..2 {
        world.start(1);
        assert_eq!(world.state(A), json!(""));
        world.act(A, text("hello"));
        world.quiet();
        world.hold().unwrap();
        world.play("A@");
        assert_eq!(world.state(A), json!("hello"), "it is kept while the document lasts");
    }
}
