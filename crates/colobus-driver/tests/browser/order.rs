//! Single messages, faults and reloads as events: what happens, and nothing else.

use colobus_model::{Application, Deterministic, LateJoiner};
use colobus_world::{ObserveOptions, World};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, run, world};

/// Clients whose page is ready when `ready` is.
fn clients(server: &Server, ready: &str, count: usize) -> Box<dyn World> {
    let mut world = world(Application {
        ready: Some(ready.to_string()),
        state: Some("shown.textContent".to_string()),
        ..application(server.url("/order?doc={doc}"))
    });
    world.start(count);
    world
}

#[test]
fn messages_arrive_one_at_a_time_and_in_the_order_of_events() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= connect('one')", 2);
    world.hold().unwrap();
    world.act(A, run("say('a1')"));
    world.act(A, run("say('a2')"));
    world.act(B, run("say('b1')"));
    assert_eq!(world.waiting(), "A> A> B>");
    world.play("B>");
    assert_eq!(world.waiting(), "A> A> A< B<");
    assert_eq!(server.messages(), 1);
    world.play("A>");
    assert_eq!(server.messages(), 2);
    for (event, a, b) in [("A<", "b1 ", ""), ("B<", "b1 ", "b1 "), ("B<", "b1 ", "b1 a1 "), ("A<", "b1 a1 ", "b1 a1 ")]
    {
        world.play(event);
        assert_eq!((world.state(A), world.state(B)), (a.into(), b.into()), "after {event}");
    }
    // First in, first out: the second message of A waited behind the first.
    world.play("A> A<");
    assert_eq!(world.state(A), "b1 a1 a2 ");
    assert_eq!(world.waiting(), "B<");
    assert!(world.happen(&"A>".parse::<colobus_model::Schedule>().unwrap().events[0]).is_err());
    world.quiet();
    assert_eq!(world.state(B), "b1 a1 a2 ");
    assert_eq!(world.waiting(), "");
}

#[test]
fn every_socket_is_a_lane_of_its_own() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= connect('one').then(() => connect('two'))", 1);
    world.hold().unwrap();
    world.act(A, run("say('first')"));
    world.act(A, run("say('second', 'two')"));
    assert_eq!(world.waiting(), "A> A>#2");
    world.play("A>#2 A>");
    assert_eq!(world.waiting(), "A< A<#2");
    world.play("A<#2 A<");
    assert_eq!(world.state(A), "second first ");
}

#[test]
fn who_is_cut_off_comes_back() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= connect('one')", 2);
    world.hold().unwrap();
    world.act(A, run("say('lost')"));
    world.play("A!");
    assert_eq!(server.messages(), 0, "what was held is lost");
    assert_eq!(server.present(), 1, "the server has noticed");
    world.act(B, run("say('kept')"));
    world.play("B>");
    assert_eq!(world.waiting(), "B<");
    world.play("A+");
    // A new handshake, there and back, and then the server tells the late joiner what was said last.
    assert_eq!(world.waiting(), "A>#2 B<");
    world.play("A>#2");
    assert_eq!(world.waiting(), "A<#2 B<");
    world.play("A<#2");
    assert_eq!(world.waiting(), "A<#3 B<");
    world.play("A<#3");
    assert_eq!((world.state(A), world.state(B)), ("kept ".into(), "".into()));
    world.quiet();
    assert_eq!(world.state(B), "kept ");
    assert_eq!(server.present(), 2);
}

#[test]
fn a_reload_ends_with_a_settled_page_and_a_closed_gate() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= connect('one')", 2);
    world.act(A, run("say('before')"));
    world.quiet();
    world.hold().unwrap();
    world.act(B, run("say('meanwhile')"));
    world.play("A@");
    assert_eq!((world.state(A), world.state(B)), ("before ".into(), "before ".into()));
    assert_eq!(world.waiting(), "B>");
    world.play("B>");
    world.quiet();
    assert_eq!(world.state(A), "before meanwhile ");
}

/// The names of those who came, and what they show.
fn late_joiners(world: &mut Box<dyn World>) -> Vec<(String, String)> {
    let wanted = ObserveOptions { state: true, ..ObserveOptions::default() };
    let shown = |late_joiner: LateJoiner| {
        (late_joiner.name, late_joiner.observation.state.unwrap().as_str().unwrap().to_string())
    };
    world.late_joiners(wanted).unwrap().into_iter().map(shown).collect()
}

#[test]
fn a_client_that_comes_in_the_middle_gets_a_gate_of_its_own_and_a_second_tab_shares_that_of_the_first() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= connect('one')", 2);
    world.act(A, run("say('before')"));
    world.quiet();
    world.hold().unwrap();
    world.act(A, run("say('meanwhile')"));
    world.play("C* A&");
    assert_eq!(server.present(), 4);
    assert_eq!(world.waiting(), "A>", "what was held still is");
    let before = [("C, who came later,", "before "), ("A's second tab", "before ")].map(|(a, b)| (a.into(), b.into()));
    assert_eq!(late_joiners(&mut world), before);
    world.play("A>");
    assert_eq!(world.waiting(), "A< A<#2 B< C<");
    world.play("A<#2 C<");
    assert_eq!(world.waiting(), "A< B<");
    assert_eq!(late_joiners(&mut world)[1].1, "before meanwhile ");
    assert_eq!(world.state(A), "before ");
    world.act(A, run("say('after')"));
    assert_eq!(world.waiting(), "A> A< B<");
    world.quiet();
    assert_eq!(late_joiners(&mut world)[0].1, "before meanwhile after ");
    world.start(2);
    assert_eq!((server.present(), late_joiners(&mut world)), (2, vec![]), "with the document they leave");
}

#[test]
fn time_passes_for_one_client_while_messages_stay_where_they_are() {
    let server = Server::start();
    for clock in [false, true] {
        let mut world = world(Application {
            ready: Some("window.once ??= connect('one')".to_string()),
            state: Some("shown.textContent".to_string()),
            deterministic: Deterministic { clock, ..Deterministic::default() },
            ..application(server.url("/order?doc={doc}"))
        });
        world.start(2);
        world.hold().unwrap();
        world.act(A, run("began = Date.now(); retry = setInterval(() => say('again'), 11_000)"));
        world.act(
            A,
            run("setTimeout(() => setTimeout(() => show(Math.round((Date.now() - began) / 1000)), 9_000), 20_000)"),
        );
        world.act(A, run("void setTimeout(() => show('never'), 31_000)"));
        world.act(A, run("say('once')"));
        world.play("A>");
        assert_eq!(world.waiting(), "A< B<");
        world.play("A...");
        assert_eq!((world.waiting().as_str(), world.state(A)), ("A> A> A< B<", "29 ".into()), "clock: {clock}");
        world.act(A, run("clearInterval(retry)"));
        world.quiet();
        assert_eq!(world.state(B), "once again again ");
    }
}

#[test]
fn requests_and_answers_are_held_like_messages() {
    let server = Server::start();
    let mut world = clients(&server, "true", 1);
    world.hold().unwrap();
    world.act(A, run("void ask('one')"));
    world.act(A, run("void ask('two')"));
    assert_eq!(world.waiting(), "A> A>#2");
    world.play("A>#2 A>");
    assert_eq!(world.waiting(), "A< A<#2");
    world.play("A<#2");
    assert_eq!(world.state(A), "two ");
    world.play("A<");
    assert_eq!(world.state(A), "two one ");
    world.quiet();
}

#[test]
fn what_waits_inside_the_browser_for_a_held_answer_is_held() {
    let server = Server::start();
    let mut world = clients(&server, "true", 1);
    world.hold().unwrap();
    world.act(A, run("const get = (path, name, options) => void fetch(path, options).then(() => show(name)); globalThis.get = get"));
    world.act(A, run("get('/slow', 'one')"));
    world.act(A, run("get('/slow', 'two')"));
    assert_eq!(world.waiting(), "A>", "a browser sends equal requests one after the other");
    world.act(A, run("get('/slow', 'three', { cache: 'no-store' })"));
    world.act(A, run("get('/slow', 'four', { headers: { Pragma: 'no-cache' } })"));
    assert_eq!(world.waiting(), "A> A>#2 A>#3", "what goes past the cache does not wait");
    world.play("A> A<");
    assert_eq!(world.state(A), "one ");
    assert_eq!(world.waiting(), "A>#2 A>#3 A>#4");
    world.quiet();

    world.start(1);
    world.hold().unwrap();
    world.act(A, run("for (let number = 0; number < 8; number++) void ask(String(number))"));
    assert_eq!(world.waiting(), "A> A>#2 A>#3 A>#4 A>#5 A>#6", "all connections to the server are in use");
    world.quiet();
}

#[test]
fn a_request_that_is_redirected_is_where_it_was_sent_to() {
    let server = Server::start();
    let mut world = clients(&server, "true", 1);
    world.hold().unwrap();
    world.act(A, run("void fetch('/moved').then(() => show('arrived'))"));
    world.play("A> A<");
    assert_eq!(world.waiting(), "A>#2");
    world.play("A>#2 A<#2");
    assert_eq!(world.state(A), "arrived ");
    world.quiet();
}

#[test]
fn streams_are_held_event_by_event() {
    let server = Server::start();
    let mut world = clients(&server, "window.once ??= listen()", 2);
    world.hold().unwrap();
    world.act(A, run("void post('one')"));
    world.play("A>#2");
    assert_eq!(world.waiting(), "A< A<#2 B<");
    world.act(B, run("void post('two')"));
    world.play("B>#2");
    assert_eq!(world.waiting(), "A< A< A<#2 B< B< B<#2");
    world.play("B<");
    assert_eq!((world.state(A), world.state(B)), ("".into(), "one ".into()));
    world.play("B<");
    assert_eq!((world.state(A), world.state(B)), ("".into(), "one two ".into()));
    world.quiet();
    assert_eq!(world.state(A), "one two ");
}
