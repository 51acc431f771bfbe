//! Orders that are written down before anything runs: the one place that makes a [`Schedule`] for an [`Interaction`].
//! Searches begin with them, reduction takes parts of them away, contrasts compare with them.

use colobus_model::{ClientId, Direction, Event, Interaction, Schedule};

/// The orders that stand for "at the same time". All clients act before any message is delivered, once with A's messages
/// ahead and once with A's behind. And twice for every action of several steps: so that the others see its first step
/// before they act (one user selects, the others' screens show it, and only then another one types), and so that what
/// the others do arrives between its first step and the rest. A client that acts alone has one order.
pub fn concurrent_orders(interaction: &Interaction) -> Vec<Schedule> {
    if interaction.clients() == 1 {
        return vec![together(interaction)];
    }
    let several_steps = |client: &ClientId| interaction.concurrent[client.0].steps.len() > 1;
    let clients = || (0..interaction.clients()).map(ClientId).filter(several_steps);
    let both = [together(interaction), together_in(interaction, (0..interaction.clients()).rev())];
    let led = clients().map(|client| led_by(interaction, client, 1));
    let interrupted = clients().map(|client| interrupted(interaction, client, 1));
    both.into_iter().chain(led).chain(interrupted).collect()
}

/// Orders for pages that poll: every page has polled just before its user acts, and gets the answer, which is out of date by then, too
/// late. A gets it after everything that the users did has arrived everywhere, the others before any of it has; and the other way
/// round, because pages that lose the same agree.
pub fn stale_poll_orders(interaction: &Interaction) -> Vec<Schedule> {
    let everybody = || (0..interaction.clients()).map(ClientId);
    let asked: Vec<Event> = everybody().map(|client| Event::Poll { client }).collect();
    let acted = together(interaction).events;
    let first_flush = acted.iter().position(|event| *event == Event::Flush).unwrap_or(acted.len());
    let (steps, rest) = acted.split_at(first_flush);
    let order = |late: fn(&ClientId) -> bool| {
        let (late, early): (Vec<ClientId>, Vec<ClientId>) = everybody().partition(late);
        let answers = |clients: Vec<ClientId>| clients.into_iter().map(|client| Event::PollAnswer { client }).collect();
        let (late, early): (Vec<Event>, Vec<Event>) = (answers(late), answers(early));
        let end: &[Event] = if late.is_empty() { &[] } else { &[Event::Flush] };
        Schedule { events: [&asked[..], steps, &early, rest, &late, end].concat() }
    };
    vec![order(|client| client.0 == 0), order(|client| client.0 != 0)]
}

/// The order in which users were recorded to take their steps.
pub fn as_taken(steps: Vec<Event>) -> Schedule {
    Schedule { events: steps }
}

/// Orders next to one in which users took turns, each after it had seen what was done before. Of every two turns that
/// follow each other, both are taken before any message of them is delivered, in both directions; then one of them is
/// taken, and arrives, between two steps of the other. All else stays as it was.
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

/// Every client performs its whole action before any message of the others arrives; then all are delivered, A's first.
pub fn together(interaction: &Interaction) -> Schedule {
    together_in(interaction, 0..interaction.clients())
}

/// Each client acts after it has received everything that the clients before it did: A first, or, reversed, A last.
pub fn one_after_the_other(interaction: &Interaction, reversed: bool) -> Schedule {
    let turn = |client: ClientId| {
        let steps = (0..interaction.step_count(client)).map(move |step| Event::Step { client, step });
        steps.chain([Event::Flush]).collect::<Vec<Event>>()
    };
    let mut turns: Vec<Vec<Event>> = (0..interaction.clients()).map(ClientId).map(turn).collect();
    if reversed {
        turns.reverse();
    }
    Schedule { events: turns.concat() }
}

/// Users who take their time: each acts half a minute after everything has arrived that the one before did, and takes every
/// step after everything has arrived that the last one caused.
pub fn at_leisure(interaction: &Interaction, reversed: bool) -> Schedule {
    let everybody = || (0..interaction.clients()).map(ClientId);
    let turn = |client: ClientId| {
        let waits = everybody().map(|client| Event::Wait { client }).chain([Event::Flush]);
        let steps = (0..interaction.step_count(client)).map(move |step| Event::Step { client, step });
        waits.chain(steps.flat_map(|step| [step, Event::Flush])).collect::<Vec<Event>>()
    };
    let mut turns: Vec<Vec<Event>> = everybody().map(turn).collect();
    if reversed {
        turns.reverse();
    }
    Schedule { events: turns.concat() }
}

/// The order with the fault at each of its places. First the places behind a message that the client has just sent, whose
/// answer is then lost, and behind what it does; then all others.
pub fn with_fault(without_fault: &[Event], fault: &Event) -> Vec<Vec<Event>> {
    let rank = |place: &usize| match place.checked_sub(1).map(|before| &without_fault[before]) {
        Some(Event::Deliver { client, direction: Direction::ToServer, .. }) if fault.client() == Some(*client) => 0,
        Some(Event::Step { client, .. }) if fault.client() == Some(*client) => 1,
        _ => 2,
    };
    let mut places: Vec<usize> = (0..=without_fault.len()).collect();
    places.sort_by_key(rank);
    places
        .iter()
        .map(|place| [&without_fault[..*place], std::slice::from_ref(fault), &without_fault[*place..]].concat())
        .collect()
}

/// The order without a client: later clients move up.
pub fn without_client(order: &Schedule, gone: ClientId) -> Schedule {
    let moved = |event: &Event| match event.client() {
        Some(client) if client == gone => None,
        Some(client) if client > gone => Some(event.clone().of(ClientId(client.0 - 1))),
        _ => Some(event.clone()),
    };
    without_idle_flushes(order.events.iter().filter_map(moved))
}

/// The order without one step of a client: its later steps move up.
pub fn without_step(order: &Schedule, of: ClientId, gone: usize) -> Schedule {
    let moved = |event: &Event| match event {
        &Event::Step { client, step } if client == of && step == gone => None,
        &Event::Step { client, step } if client == of && step > gone => Some(Event::Step { client, step: step - 1 }),
        other => Some(other.clone()),
    };
    without_idle_flushes(order.events.iter().filter_map(moved))
}

/// Where nothing is left to deliver there is no flush.
fn without_idle_flushes(events: impl Iterator<Item = Event>) -> Schedule {
    let mut busy = Vec::new();
    for event in events {
        if event != Event::Flush || !matches!(busy.last(), None | Some(Event::Flush)) {
            busy.push(event);
        }
    }
    Schedule { events: busy }
}

fn together_in(interaction: &Interaction, clients: impl Iterator<Item = usize>) -> Schedule {
    let clients: Vec<usize> = clients.collect();
    let round = |round: usize| {
        clients.iter().flat_map(move |client| steps(interaction, *client, round, 0)).chain([Event::Flush])
    };
    Schedule { events: (0..interaction.rounds).flat_map(round).collect() }
}

/// The others see `leader`'s first steps before they begin; the rest is as in [`together`].
fn led_by(interaction: &Interaction, leader: ClientId, seen_steps: usize) -> Schedule {
    let mut events: Vec<Event> = (0..seen_steps).map(|step| Event::Step { client: leader, step }).collect();
    events.push(Event::Flush);
    events.extend(steps(interaction, leader.0, 0, seen_steps));
    for client in (0..interaction.clients()).filter(|client| *client != leader.0) {
        events.extend(steps(interaction, client, 0, 0));
    }
    events.push(Event::Flush);
    and_further_rounds(events, interaction)
}

/// The others' actions arrive after the client's first steps and before the rest of its action.
fn interrupted(interaction: &Interaction, client: ClientId, done_steps: usize) -> Schedule {
    let first = (0..done_steps).map(|step| Event::Step { client, step });
    let others = (0..interaction.clients()).filter(|other| *other != client.0);
    let between = others.flat_map(|other| steps(interaction, other, 0, 0)).chain([Event::Flush]);
    let rest = steps(interaction, client.0, 0, done_steps).chain([Event::Flush]);
    and_further_rounds(first.chain(between).chain(rest).collect(), interaction)
}

fn and_further_rounds(mut events: Vec<Event>, interaction: &Interaction) -> Schedule {
    for round in 1..interaction.rounds {
        events.extend((0..interaction.clients()).flat_map(|client| steps(interaction, client, round, 0)));
        events.push(Event::Flush);
    }
    Schedule { events }
}

/// A client's steps of one round, without the first `from`.
fn steps(interaction: &Interaction, client: usize, round: usize, from: usize) -> impl Iterator<Item = Event> + use<> {
    let count = interaction.concurrent[client].steps.len();
    (round * count + from..(round + 1) * count).map(move |step| Event::Step { client: ClientId(client), step })
}
