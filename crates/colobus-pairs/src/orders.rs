//! In which orders an interaction is run.

use colobus_model::{ClientId, Event, Interaction, Schedule};

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

/// Orders next to one in which users took turns, each after it had seen what was done before. Of every two turns that
/// follow each other, both are taken before any message of them travels, in both directions; then one of them is taken, and
/// arrives, between two steps of the other. All else stays as it was.
pub fn orders_around(taken: &Schedule) -> Vec<Schedule> {
    let turns: Vec<&[Event]> = taken.events.chunk_by(|one, next| one.client() == next.client()).collect();
    // The two turns from `first` on in another way: as parts, each of which arrives before the next begins.
    let instead = |first: usize, parts: &[&[&[Event]]]| {
        let around = |turns: &[&[Event]]| turns.iter().map(|turn| turn.to_vec()).collect::<Vec<_>>();
        let parts = parts.iter().map(|part| part.concat()).collect();
        let all = [around(&turns[..first]), parts, around(&turns[first + 2..])].concat();
        Schedule { events: all.into_iter().flat_map(|turn| turn.into_iter().chain([Event::Flush])).collect() }
    };
    let pairs = || turns.windows(2).enumerate().map(|(first, pair)| (first, pair[0], pair[1]));
    let together =
        pairs().flat_map(|(first, one, other)| [&[one, other], &[other, one]].map(|both| instead(first, &[both])));
    let between = pairs().flat_map(|(first, one, other)| {
        let later = (1..one.len()).rev().map(|done| (done, one, other));
        let earlier = (1..other.len()).map(|done| (done, other, one));
        let interrupted = later.chain(earlier).map(|(done, interrupted, by)| {
            let (begun, rest) = interrupted.split_at(done);
            instead(first, &[&[begun, by], &[rest]])
        });
        interrupted.collect::<Vec<_>>()
    });
    together.chain(between).collect()
}
