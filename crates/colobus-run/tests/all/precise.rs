//! Orders that are left out because of what events touched: told by the world, used by the strategies that skip equivalent orders.

use colobus_model::{Report, Step};
use colobus_run::{Orders, RunConfig, check};
use colobus_world::Touched;
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{action, config, typing};

/// A search of one interaction in all orders within two reversals, on pages that say that each event touched this.
fn searched(bugs: &[FakeBug], touched: Option<Touched>, precise: bool) -> (Report, usize) {
    let out = tempfile::tempdir().unwrap();
    let two = action("two", vec![Step::Type("x".into()), Step::Type("y".into())]);
    let orders = Orders { limit: usize::MAX, bound: Some(2), precise, ..Orders::default() };
    let config = RunConfig { naive: true, orders, ..config(out.path(), vec![two, typing("b")], 1) };
    let mut factory = FakeFactory::with_bugs(bugs);
    factory.touched = touched;
    let report = check(&config, &factory, &mut |_| {}).unwrap();
    (report, factory.begins(2))
}

fn everything() -> Option<Touched> {
    Some(Touched { anything: true, ..Touched::default() })
}

#[test]
fn events_that_touch_nothing_in_common_leave_out_orders() {
    let (_, coarse) = searched(&[], Some(Touched::default()), false);
    let (_, precise) = searched(&[], Some(Touched::default()), true);
    assert!(precise < coarse, "{precise} of {coarse} orders");
}

#[test]
fn events_that_touch_the_same_keep_every_order() {
    let (_, coarse) = searched(&[], None, false);
    assert_eq!(searched(&[], everything(), true).1, coarse);
    assert_eq!(searched(&[], None, true).1, coarse, "a world that cannot tell");
}

/// The bug needs an order in which a message arrives between two acknowledgements, which real pages touch as well.
#[test]
fn what_is_found_is_found_as_long_as_conflicts_are_told() {
    let bug = [FakeBug::InsertOrderBetweenAcknowledgements];
    let (coarse, _) = searched(&bug, everything(), false);
    let (precise, _) = searched(&bug, everything(), true);
    assert_eq!(coarse.findings.len(), precise.findings.len());
    assert_eq!(precise.findings.len(), 1);
}
