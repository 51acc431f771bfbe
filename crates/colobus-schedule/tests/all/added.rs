//! A strategy from outside of the crate: what CONTRIBUTING.md says it takes.

use colobus_model::{Event, Schedule};
use colobus_schedule::{Choice, Digest, Divergences, Strategy};

use crate::systems::editors::Editors;
use crate::systems::orders;

/// One execution, in which the event that was offered last always goes first.
struct LastFirst {
    begun: bool,
}

impl Strategy<Event> for LastFirst {
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    fn choose(&mut self, enabled: &[Event]) -> Choice {
        Choice::Take(enabled.len() - 1)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {}

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}

#[test]
fn a_strategy_from_outside_decides_every_order() {
    let executed = orders(&Editors::new(&[1, 1]), &mut LastFirst { begun: false });
    let lines: Vec<String> = executed.into_iter().map(|events| Schedule { events }.to_string()).collect();
    assert_eq!(lines, ["B1 B> A< A1 A> B<"]);
}
