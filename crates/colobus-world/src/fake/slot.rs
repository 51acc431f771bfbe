//! [`ClientSlot`]: one page of a client on the document, and what is between it and the application.

use std::collections::VecDeque;

use colobus_model::{ClientId, PageError};

use super::text::{Edit, Replica};
use crate::Traffic;

/// What the application tells a client.
#[derive(Clone, Copy)]
pub(super) enum Message {
    Edit(Edit),
    /// An edit of this client's has arrived.
    Acknowledged,
}

pub(super) struct ClientSlot {
    pub client: ClientId,
    /// A second tab is a second connection.
    pub connection: usize,
    pub replica: Replica,
    /// Edits of its own of which it does not know yet that they have arrived.
    pub unacknowledged: VecDeque<Edit>,
    pub acknowledged: usize,
    /// How many edits of the application's log it knows of, its own included.
    pub known: usize,
    pub outbound: VecDeque<Edit>,
    pub inbound: VecDeque<Message>,
    /// What the application will tell it, after a long silence.
    pub later: VecDeque<Message>,
    /// The answer to a poll that is on its way.
    pub polled: Option<Replica>,
    pub offline: bool,
    pub errors: Vec<PageError>,
    pub traffic: Traffic,
}

impl ClientSlot {
    pub fn new(client: ClientId, connection: usize, author: usize) -> ClientSlot {
        ClientSlot {
            client,
            connection,
            replica: Replica::new(author),
            unacknowledged: VecDeque::new(),
            acknowledged: 0,
            known: 0,
            outbound: VecDeque::new(),
            inbound: VecDeque::new(),
            later: VecDeque::new(),
            polled: None,
            offline: false,
            errors: Vec::new(),
            traffic: Traffic::default(),
        }
    }

    pub fn send(&mut self, edit: Edit) {
        self.unacknowledged.push_back(edit);
        if !self.offline {
            self.outbound.push_back(edit);
            self.traffic.sent += 1;
        }
    }

    /// What it does not know to have arrived goes once more.
    pub fn retry(&mut self) {
        if !self.offline {
            self.outbound.extend(&self.unacknowledged);
            self.traffic.sent += self.unacknowledged.len() as u64;
        }
    }

    /// Open connections end, what they held is lost.
    pub fn cut(&mut self) {
        self.offline = true;
        self.outbound.clear();
        self.inbound.clear();
    }

    /// What others wrote comes right behind the first of several acknowledgements.
    pub fn let_edits_overtake(&mut self) {
        let (edits, mut messages): (Vec<Message>, Vec<Message>) =
            self.inbound.iter().partition(|message| matches!(message, Message::Edit(_)));
        if messages.len() > 1 {
            messages.splice(1..1, edits);
            self.inbound = messages.into();
        }
    }

    pub fn take(&mut self) -> Option<Message> {
        let message = self.inbound.pop_front()?;
        self.known += 1;
        self.traffic.received += 1;
        if let Message::Acknowledged = message {
            self.unacknowledged.pop_front();
            self.acknowledged += 1;
        }
        Some(message)
    }
}
