//! Every way to an empty document, more clients than before, and the fingerprint.

use colobus_model::{Application, Reset};
use colobus_world::WorldFactory;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, factory, run, text};

#[test]
fn every_reset_gives_an_empty_document() {
    let server = Server::start();
    let curl = format!("printf 'POST /reset HTTP/1.0\\r\\n\\r\\n' > /dev/tcp/127.0.0.1/{}", server.port);
    let command = ["bash", "-c", &curl].map(str::to_string).to_vec();
    for (path, reset) in [
        ("/shared?doc={doc}", Reset::FreshDocument),
        ("/shared?doc=fixed", Reset::Evaluate("window.clear()".to_string())),
        ("/shared?doc={doc}", Reset::Evaluate("window.clear()".to_string())),
        ("/shared?doc=one", Reset::Request { method: "POST".into(), url: server.url("/reset"), body: "{}".into() }),
        ("/shared?doc=two", Reset::Command { command, directory: ".".into() }),
        ("/fields", Reset::Reload),
    ] {
        let shared = path.starts_with("/shared");
        let factory = factory(Application {
            reset: reset.clone(),
            ready: shared.then(|| "window.ready".to_string()),
            focus: Some(if shared { "#editor" } else { "#input" }.to_string()),
            state: Some("document.activeElement.value ?? document.activeElement.textContent".to_string()),
            ..application(server.url(path))
        });
        let fingerprint = factory.fingerprint().unwrap();
        assert!(fingerprint.contains("Chrome"), "{fingerprint}");
        let mut world = factory.open().unwrap();
        for clients in [2, 1, 3] {
            world.start(clients);
            world.act(A, text("text"));
            world.quiet();
            assert_eq!(world.state(A), "text", "{reset:?}");
            if shared && clients > 1 {
                assert_eq!(world.state(B), "text", "{reset:?} with {clients} clients");
            }
        }
        world.act(A, run("document.body.append('no trace of this in the next document')"));
        drop(world);
        assert_eq!(factory.fingerprint().unwrap(), fingerprint, "what is served has not changed");
    }
}
