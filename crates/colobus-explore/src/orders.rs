//! In which orders an interaction is run.

use colobus_trace::{ClientId, Interaction, Schedule};

/// The orders that stand for "at the same time". All clients act before any message travels, once with A's messages
/// ahead and once with A's behind. And, for every action of several steps, once so that the others see its first step
/// before they act: somebody selects, the others' screens show it, and only then somebody else types.
pub fn orders(interaction: &Interaction) -> Vec<Schedule> {
    let several_steps = |client: &usize| interaction.concurrent[*client].steps.len() > 1;
    let led = (0..interaction.clients())
        .filter(several_steps)
        .map(|client| Schedule::led_by(interaction, ClientId(client), 1));
    let together = [Schedule::together(interaction), Schedule::together_reversed(interaction)];
    together.into_iter().chain(led).collect()
}
