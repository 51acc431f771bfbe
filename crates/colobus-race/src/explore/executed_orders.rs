//! [`ExecutedOrders`]: the beginnings of all executed orders, by their hashes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::facts::Facts;
use super::names::Id;
use crate::digest;

/// After each executed beginning, the facts of one execution that began so.
#[derive(Debug, Default)]
pub struct ExecutedOrders {
    beginnings: HashMap<u64, Arc<Facts>>,
}

impl ExecutedOrders {
    /// Remembers all beginnings of an order.
    pub fn add(&mut self, order: &[Id], facts: &Arc<Facts>) {
        let mut hash = 0;
        self.beginnings.entry(hash).or_insert_with(|| facts.clone());
        for id in order {
            hash = digest::push(hash, u64::from(*id));
            self.beginnings.entry(hash).or_insert_with(|| facts.clone());
        }
    }

    pub fn has_beginning(&self, order: &[Id]) -> bool {
        let hash = order.iter().fold(0, |hash, id| digest::push(hash, u64::from(*id)));
        self.beginnings.contains_key(&hash)
    }

    /// Whether an executed order begins with this one, without those of its events that are known not to be enabled.
    pub fn covers(&self, order: &[Id]) -> bool {
        let mut hash = 0;
        let mut has_run: HashSet<Id> = HashSet::with_capacity(order.len());
        for id in order {
            let Some(facts) = self.beginnings.get(&hash) else { return false };
            let next = digest::push(hash, u64::from(*id));
            if self.beginnings.contains_key(&next) || facts.is_enabled(*id, &has_run) {
                hash = next;
                has_run.insert(*id);
            }
        }
        self.beginnings.contains_key(&hash)
    }
}
