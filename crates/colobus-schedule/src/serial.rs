//! [`Serial`]: an order in which messages pass one at a time. All clients act, then the messages of one client reach the
//! application before those of the next. Made by the search for causes, which asks whether a failure needs messages that meet.

use std::collections::VecDeque;

use colobus_model::{ClientId, Direction, Event, Interaction, Schedule};

use crate::{Choice, Digest, Divergences, Strategy};

/// One execution. Steps come in parts; after each part all messages are passed on in rounds: those of each client to the
/// application, one by one, then those to each client.
#[derive(Clone, Debug)]
pub struct Serial {
    begun: bool,
    /// The steps that are still to be taken, and between the parts the places where messages arrive.
    parts: VecDeque<VecDeque<Event>>,
    turns: Vec<(ClientId, Direction)>,
    turn: usize,
}

impl Serial {
    /// All steps of a round first; A's messages ahead of the others', or, reversed, behind them.
    pub fn ahead(interaction: &Interaction, reversed: bool) -> Serial {
        let clients = clients_in_order(interaction, reversed);
        let steps = |client: ClientId, round: usize| {
            let count = interaction.concurrent[client.0].steps.len();
            (round * count..(round + 1) * count).map(move |step| Event::Step { client, step })
        };
        let part = |round| clients.iter().flat_map(|client| steps(*client, round)).collect();
        Serial::new((0..interaction.rounds).map(part).collect(), &clients)
    }

    /// The steps at their places in an order: messages arrive where they arrive there.
    pub fn along(order: &Schedule, interaction: &Interaction) -> Serial {
        let is_step = |event: &Event| matches!(event, Event::Step { .. });
        let runs = order.events.chunk_by(|one, next| is_step(one) == is_step(next));
        let parts = runs.filter(|run| run.first().is_some_and(is_step)).map(|run| run.iter().cloned().collect());
        Serial::new(parts.collect(), &clients_in_order(interaction, false))
    }

    fn new(parts: VecDeque<VecDeque<Event>>, clients: &[ClientId]) -> Serial {
        let turn = |direction| clients.iter().map(move |client| (*client, direction));
        let turns = turn(Direction::ToServer).chain(turn(Direction::ToClient)).collect();
        Serial { begun: false, parts, turns, turn: 0 }
    }

    fn next_step(&mut self, enabled: &[Event]) -> Option<usize> {
        let part = self.parts.front_mut()?;
        while let Some(step) = part.pop_front() {
            if let Some(index) = enabled.iter().position(|event| *event == step) {
                return Some(index);
            }
        }
        None
    }

    /// The first message of whose turn it is; a turn ends when nothing more waits.
    fn next_message(&mut self, enabled: &[Event]) -> Option<usize> {
        for _ in 0..self.turns.len() {
            let (client, direction) = self.turns[self.turn];
            let mine = |event: &Event| match *event {
                Event::Deliver { client: of, direction: to, .. } => of == client && to == direction,
                _ => false,
            };
            if let Some(index) = enabled.iter().position(mine) {
                return Some(index);
            }
            self.turn = (self.turn + 1) % self.turns.len();
        }
        None
    }
}

fn clients_in_order(interaction: &Interaction, reversed: bool) -> Vec<ClientId> {
    let mut clients: Vec<ClientId> = (0..interaction.clients()).map(ClientId).collect();
    if reversed {
        clients.reverse();
    }
    clients
}

impl Strategy<Event> for Serial {
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    fn choose(&mut self, enabled: &[Event]) -> Choice {
        loop {
            if let Some(next) = self.next_step(enabled).or_else(|| self.next_message(enabled)) {
                return Choice::Take(next);
            }
            self.turn = 0;
            if self.parts.pop_front().is_none() {
                return Choice::LetGo;
            }
        }
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {}

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}
