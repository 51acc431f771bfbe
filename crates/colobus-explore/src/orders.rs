//! In which orders an interaction is run.

use colobus_trace::{ClientId, Interaction, Schedule};

/// The orders that stand for "at the same time": all clients act before any message travels; and, for every action of
/// several steps, once so that the others see its first step before they act. The latter is what happens among people:
/// somebody selects, the others' screens show it, and only then somebody else types.
pub fn orders(interaction: &Interaction) -> Vec<Schedule> {
    let several_steps = |client: &usize| interaction.concurrent[*client].steps.len() > 1;
    let led = (0..interaction.clients())
        .filter(several_steps)
        .map(|client| Schedule::led_by(interaction, ClientId(client), 1));
    std::iter::once(Schedule::together(interaction)).chain(led).collect()
}
