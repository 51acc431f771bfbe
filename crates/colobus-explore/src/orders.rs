//! In which orders an interaction is run.

use colobus_trace::{ClientId, Event, Interaction, Schedule};

/// The orders that stand for "at the same time". All clients act before any message travels, once with A's messages
/// ahead and once with A's behind. And twice for every action of several steps: so that the others see its first step
/// before they act (somebody selects, the others' screens show it, and only then somebody else types), and so that what
/// the others do arrives between its first step and the rest. Who acts alone has one order.
pub fn orders(interaction: &Interaction) -> Vec<Schedule> {
    if interaction.clients() == 1 {
        return vec![Schedule::together(interaction)];
    }
    let several_steps = |client: &ClientId| interaction.concurrent[client.0].steps.len() > 1;
    let clients = || (0..interaction.clients()).map(ClientId).filter(several_steps);
    let together = [Schedule::together(interaction), Schedule::together_reversed(interaction)];
    let led = clients().map(|client| Schedule::led_by(interaction, client, 1));
    let interrupted = clients().map(|client| Schedule::interrupted(interaction, client, 1));
    together.into_iter().chain(led).chain(interrupted).collect()
}

/// Orders next to one in which users took turns, each after it had seen what was done before: of every two turns that
/// follow each other, both are taken before any message of them travels, in both directions. All else stays as it was.
pub fn orders_around(taken: &Schedule) -> Vec<Schedule> {
    let turns: Vec<&[Event]> = taken.events.chunk_by(|one, next| one.client() == next.client()).collect();
    let joined = |first: usize, swapped: bool| {
        let mut events = Vec::new();
        for (index, turn) in turns.iter().enumerate() {
            match (index.checked_sub(first), swapped) {
                (Some(0), false) => events.extend_from_slice(turn),
                (Some(0), true) => {}
                (Some(1), true) => events.extend([turn, turns[first]].concat().into_iter().chain([Event::Flush])),
                _ => events.extend(turn.iter().copied().chain([Event::Flush])),
            }
        }
        Schedule { events }
    };
    (1..turns.len()).flat_map(|second| [false, true].map(|swapped| joined(second - 1, swapped))).collect()
}
