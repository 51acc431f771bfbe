//! [`NormalForm`]: the one name of all orders that differ only in how independent neighbours stand.

use crate::Schedulable;

/// The Foata normal form of an order: layers of events that do not conflict with each other, each event in the first
/// layer after all that it conflicts with. Two orders are equivalent exactly if theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalForm<E>(Vec<Vec<E>>);

impl<E: Schedulable> NormalForm<E> {
    pub fn of(order: &[E]) -> NormalForm<E> {
        let mut layers: Vec<Vec<E>> = Vec::new();
        for event in order {
            let last_conflict = layers.iter().rposition(|layer| layer.iter().any(|other| other.conflicts(event)));
            let layer = last_conflict.map_or(0, |found| found + 1);
            if layer == layers.len() {
                layers.push(Vec::new());
            }
            layers[layer].push(event.clone());
        }
        layers.iter_mut().for_each(|layer| layer.sort());
        NormalForm(layers)
    }

    pub fn layers(&self) -> &[Vec<E>] {
        &self.0
    }
}
