//! What the barrier waits for, and what it does not.

use colobus_model::{Application, Settle};
use colobus_world::Settled;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, click, run, text, world};

#[test]
fn settling_waits_for_what_ends_and_for_nothing_else() {
    let server = Server::start();
    let settle = Settle { quiet_ms: Some(0), ..Settle::within(3_000) };
    let mut world = world(Application {
        settle,
        state: Some("shown.textContent".to_string()),
        ..application(server.url("/traffic?{doc}"))
    });
    let world = &mut world;
    world.start(1);
    for (button, shown) in [
        ("#timer", "timer "),
        ("#frame", "timer frames "),
        ("#fetch", "timer frames slow "),
        ("#poll", "timer frames slow polling "),
        ("#chain", "timer frames slow polling "),
    ] {
        world.act(A, click(button));
        world.quiet();
        assert_eq!(world.state(A), shown);
    }
    world.start(1);
    world.act(A, click("#chatter"));
    match world.settle().unwrap() {
        Settled::Restless(what) => assert!(what.contains("client A sends"), "{what}"),
        Settled::Quiet => panic!("a page that never stops cannot be quiet"),
    }
    world.start(1);
    world.quiet();
}

#[test]
fn pages_cannot_tell_that_they_are_observed() {
    let server = Server::start();
    let mut world = world(Application {
        state: Some("shown.textContent".to_string()),
        ..application(server.url("/traffic?{doc}"))
    });
    world.start(1);
    let checks = [
        "setTimeout.name === 'setTimeout' && setTimeout.length === 1",
        "String(setTimeout) === 'function setTimeout() { [native code] }'",
        "String(WebSocket) === 'function WebSocket() { [native code] }'",
        "Function.prototype.toString.toString() === 'function toString() { [native code] }'",
        "WebSocket.CONNECTING === 0 && WebSocket.prototype.constructor === WebSocket",
        "!Object.keys(window).some((key) => /colobus/i.test(key)) && !('colobus' in window)",
        "new (class Mine extends WebSocket { mine() { return true } })('ws://127.0.0.1:1/').mine()",
        "new WebSocket('ws://127.0.0.1:1/') instanceof WebSocket && new WebSocket('ws://127.0.0.1:1/') instanceof EventTarget",
        "(() => { try { WebSocket('ws://x') } catch (e) { return e instanceof TypeError } })()",
        "Object.prototype.toString.call(new WebSocket('ws://127.0.0.1:1/')) === '[object WebSocket]'",
        "new Promise((resolve) => setTimeout((a, b) => resolve(a === 1 && b === 2), 0, 1, 2))",
        "new Promise((resolve) => setTimeout(function () { resolve(this === window) }))",
        "new Promise((resolve) => { const id = setTimeout(() => resolve(false), 0); clearInterval(id); setTimeout(() => resolve(true), 5) })",
        "new Promise((resolve) => { const order = []; setTimeout(() => order.push(1), 1); setTimeout(() => order.push(2), 1); setTimeout(() => resolve(order.join() === '1,2'), 5) })",
        "new Promise((resolve) => requestAnimationFrame((time) => resolve(typeof time === 'number')))",
        "fetch('/slow') instanceof Promise",
        "Object.getOwnPropertyDescriptor(window, 'setTimeout').enumerable",
        "document.adoptedStyleSheets.every((sheet) => sheet instanceof CSSStyleSheet) && document.styleSheets.length === 0",
    ];
    for check in checks {
        world
            .act(A, run(&format!("Promise.resolve({check}).then((ok) => {{ if (!ok) throw new Error('it shows') }})")));
    }
}

#[test]
fn servers_without_pongs_and_slow_ones_settle_by_a_quiet_window() {
    let server = Server::start();
    let mut world = world(Application {
        ready: Some("window.ready".to_string()),
        focus: Some("#editor".to_string()),
        state: Some("editor.textContent".to_string()),
        settle: Settle { quiet_ms: Some(30), ..Settle::within(10_000) },
        ..application(server.url("/shared?doc={doc}&socket=mute"))
    });
    world.start(2);
    for (round, letter) in ["a", "b", "c"].into_iter().enumerate() {
        world.act(A, text(letter));
        world.quiet();
        assert_eq!(world.state(B), "abc"[..=round]);
    }
}
