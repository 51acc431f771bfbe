//! In which orders an interaction is run.

use colobus_trace::{ClientId, Interaction, Schedule};

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
