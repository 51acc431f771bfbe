//! What an interaction costs, in numbers that do not depend on the machine: a new round trip shows here.

use colobus_demo::{DemoOptions, DemoServer};
use colobus_driver::Costs;
use colobus_model::Application;
use colobus_world::{ObserveOptions, World, WorldFactory};

use crate::stage::{A, Acting, B, application, factory, text};

/// In the first executions it is learned what follows what; then looks draw the last frame.
const LEARNING: usize = 6;
/// On a busy machine a pass is repeated at times, so that an execution takes more of everything: what the fewest took is what the code
/// asks for.
const EXECUTIONS: usize = 8;

/// Two clients, one action before, carets placed, both act at the same time, one look.
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
        let caret = world.caret(A).unwrap().unwrap();
        world.place_caret(B, &caret).unwrap();
        world.quiet();
        world.hold().unwrap();
        world.act(A, text("b"));
        world.act(B, text("c"));
        world.quiet();
        world.observe_all(2, ObserveOptions::all()).unwrap();
    };
    world.start(2);
    let mut costs = Vec::new();
    for _ in 0..LEARNING + EXECUTIONS {
        // Messages count when the next execution begins.
        let before = factory.costs();
        interaction(&mut world);
        world.start(2);
        costs.push(factory.costs().since(before));
    }
    let learned = &costs[LEARNING..];
    let fewest = |count: fn(&Costs) -> u64| learned.iter().map(count).min().unwrap();
    // After the prefix, before messages are held, after the concurrent actions, and of the next document.
    assert!(learned.iter().all(|costs| costs.settlings == 4), "{learned:?}");
    assert!((4..=6).contains(&fewest(|costs| costs.passes)), "{learned:?}");
    assert_eq!(learned.iter().map(|costs| costs.frames_of_looks).max(), Some(1), "{learned:?}");
    assert!(fewest(|costs| costs.commands) <= 44, "{learned:?}");
    // Answers of a busy machine come in more pieces.
    assert!(fewest(|costs| costs.events) <= 45, "{learned:?}");
}
