//! What an interaction costs, in numbers that do not depend on the machine: a new round trip shows here.

use colobus_demo::{DemoOptions, DemoServer};
use colobus_model::Application;
use colobus_world::{ObserveOptions, World, WorldFactory};

use crate::stage::{A, Acting, B, application, factory, text};

/// Two clients, one action before, both act at the same time, one look. Events and passes differ with what is faster.
#[test]
fn an_interaction_takes_so_many_messages_and_passes() {
    let server = DemoServer::start(DemoOptions::default()).unwrap();
    let factory = factory(Application {
        ready: Some("colobusDemo.ready".to_string()),
        focus: Some("#editor".to_string()),
        state: Some("colobusDemo.state()".to_string()),
        ..application(format!("{}?doc={{doc}}", server.url()))
    });
    let mut world = factory.open().unwrap();
    let interaction = |world: &mut Box<dyn World>| {
        world.act(A, text("a"));
        world.quiet();
        world.hold().unwrap();
        world.act(A, text("b"));
        world.act(B, text("c"));
        world.quiet();
        world.observe_all(2, ObserveOptions::all()).unwrap();
    };
    // The first opens the clients, and fills caches. Messages count when the next one begins.
    world.start(2);
    interaction(&mut world);
    world.start(2);
    let before = factory.costs();
    interaction(&mut world);
    world.start(2);
    let costs = factory.costs().since(before);
    assert_eq!(costs.settlings, 3, "{costs:?}");
    assert!((3..=12).contains(&costs.passes), "{costs:?}");
    assert!(costs.commands <= 70, "{costs:?}");
    assert!(costs.events <= 80, "{costs:?}");
}
