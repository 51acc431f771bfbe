//! [`Notes`]: what a user should know at the end of a run, each thing once.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Enough to explain a run; a page that opens a dialog per second needs no more.
const MOST: usize = 50;

#[derive(Default)]
pub struct Notes(Mutex<BTreeSet<String>>);

impl Notes {
    pub fn add(&self, note: String) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() < MOST {
            notes.insert(note);
        }
    }

    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
