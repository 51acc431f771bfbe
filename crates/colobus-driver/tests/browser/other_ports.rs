//! A page cannot reach other ports of this machine through its proxy: not by requests, sockets, streams or workers.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use colobus_model::Application;
use colobus_world::WorldFactory;

use crate::server::Server;
use crate::stage::{A, Acting, application, factory, run};

/// Listens on a port of its own and counts who comes.
fn canary() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let visits = Arc::new(AtomicUsize::new(0));
    let counted = visits.clone();
    thread::spawn(move || {
        for _visitor in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, visits)
}

/// Tries every way out at once, and says how many have failed.
const TRY: &str = "let failed = 0;
    const fails = () => (shown.textContent = `${++failed} failed`);
    const there = 'http://127.0.0.1:PORT/';
    fetch(there, { mode: 'no-cors' }).then((response) => response.ok || fails(), fails);
    Object.assign(new Image(), { onerror: fails }).src = there;
    new WebSocket('ws://localhost:PORT/').onerror = fails;
    const stream = new EventSource(there);
    stream.onerror = () => (stream.close(), fails());
    const source = `fetch('${there}', { mode: 'no-cors' }).then(() => postMessage(1), () => postMessage(1))`;
    new Worker(URL.createObjectURL(new Blob([source]))).onmessage = fails;";

#[test]
fn other_ports_are_refused_told_and_can_be_allowed() {
    let server = Server::start();
    for allowed in [false, true] {
        let (port, visits) = canary();
        let factory = factory(Application {
            hosts: if allowed { vec![format!("localhost:{port}")] } else { Vec::new() },
            state: Some("shown.textContent".to_string()),
            ..application(server.url("/traffic?{doc}"))
        });
        let mut world = factory.open().unwrap();
        world.start(1);
        world.act(A, run(&TRY.replace("PORT", &port.to_string())));
        world.quiet();
        assert_eq!(world.state(A), "5 failed");
        drop(world);
        let told = factory.notes().iter().any(|note| note.contains(&format!("127.0.0.1:{port} were refused")));
        assert_eq!((visits.load(Ordering::SeqCst) > 0, told), (allowed, !allowed), "{:?}", factory.notes());
    }
}
