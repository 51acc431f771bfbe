//! Service workers answer from a cache of their own; what a client sees comes from the application.

use colobus_model::Application;
use serde_json::json;

use crate::server::Server;
use crate::stage::{A, Acting, application, world};

/// Makes the page one that a service worker controls, then asks for something.
const ASK: &str = "(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    while (!navigator.serviceWorker.controller) {
        await new Promise((changed) => (navigator.serviceWorker.oncontrollerchange = changed));
    }
    return (await fetch('/reset')).text();
})()";

#[test]
fn requests_pass_service_workers_by() {
    let server = Server::start();
    let mut world = world(Application { state: Some(ASK.to_string()), ..application(server.url("/order?doc={doc}")) });
    world.start(1);
    assert_eq!(world.state(A), json!("reset"));
}
