//! How many orders each search visits on the same interaction: `cargo bench --package colobus-schedule`. The clients,
//! the application and their queues are those of the tests, which pin these numbers.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/all/systems/mod.rs"]
mod systems;

use colobus_model::Event;
use colobus_schedule::{Bounded, Dpor, Exhaustive, Strategy};
use systems::editors::Editors;
use systems::orders;

fn main() {
    println!("orders visited on the same interaction\n");
    println!("| interaction | exhaustive | DPOR | within 2 reversals | DPOR visits fewer by |");
    println!("|---|--:|--:|--:|--:|");
    let interactions = [
        ("one step each", Editors::new(&[1, 1])),
        ("one step each, acknowledged", Editors::new(&[1, 1]).acknowledging()),
        ("two steps against one", Editors::new(&[2, 1])),
        ("two steps each", Editors::new(&[2, 2])),
        ("one step each, one goes offline", Editors::new(&[1, 1]).with_cut(0)),
    ];
    for (name, editors) in interactions {
        let exhaustive = visited(&editors, &mut Exhaustive::new());
        let dpor = visited(&editors, &mut Dpor::new());
        let bounded = visited(&editors, &mut Bounded::around_natural(2));
        let ratio = exhaustive as f64 / dpor as f64;
        println!("| {name} | {exhaustive} | {dpor} | {bounded} | {ratio:.0} × |");
    }
}

fn visited(editors: &Editors, strategy: &mut dyn Strategy<Event>) -> usize {
    orders(editors, strategy).len()
}
