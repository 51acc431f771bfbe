//! All documents of a server. A room is made when its first client comes; rooms that stand empty are kept, so that
//! clients can come back, until there are too many of them.

use crate::protocol::ClientId;
use crate::room::{Conduct, Returning, Room};
use crate::socket::Outbox;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MOST_EMPTY_ROOMS: usize = 1000;

#[derive(Debug)]
pub(crate) struct Rooms {
    conduct: Conduct,
    directory: Mutex<Directory>,
}

#[derive(Debug, Default)]
struct Directory {
    rooms: HashMap<String, Arc<Room>>,
    emptied: VecDeque<String>,
}

impl Rooms {
    pub(crate) fn new(conduct: Conduct) -> Rooms {
        Rooms { conduct, directory: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Directory> {
        self.directory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn join(
        &self,
        document: &str,
        outbox: Arc<Outbox>,
        returning: Option<Returning>,
    ) -> (Arc<Room>, ClientId) {
        let mut directory = self.lock();
        let conduct = self.conduct;
        let room = directory.rooms.entry(document.to_owned()).or_insert_with(|| Arc::new(Room::new(conduct)));
        // Joined while the directory is locked: an empty room must not be cleared away in between.
        let client = room.join(outbox, returning);
        (Arc::clone(room), client)
    }

    pub(crate) fn leave(&self, document: &str, room: &Room, client: ClientId, outbox: &Arc<Outbox>) {
        if room.leave(client, outbox) {
            let mut directory = self.lock();
            directory.emptied.retain(|emptied| emptied != document);
            directory.emptied.push_back(document.to_owned());
            directory.clear_away();
        }
    }
}

impl Directory {
    fn clear_away(&mut self) {
        while self.emptied.len() > MOST_EMPTY_ROOMS {
            let Some(document) = self.emptied.pop_front() else { return };
            if self.rooms.get(&document).is_some_and(|room| room.is_empty()) {
                self.rooms.remove(&document);
            }
        }
    }
}
