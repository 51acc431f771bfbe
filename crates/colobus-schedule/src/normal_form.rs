//! [`NormalForm`]: the one name of all orders that differ only in how independent neighbours stand.

use crate::Schedulable;

/// The Foata normal form of an order: layers of events that do not conflict with each other, each event in the first
/// layer after all that it conflicts with. Two orders are equivalent exactly if theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalForm<E>(Vec<Vec<E>>);

impl<E: Schedulable> NormalForm<E> {
    pub fn of(order: &[E]) -> NormalForm<E> {
        let mut form = NormalForm(Vec::new());
        order.iter().for_each(|event| form.push(event));
        form
    }

    /// The form of the order that has one more event at its end.
    pub fn push(&mut self, event: &E) {
        let NormalForm(layers) = self;
        let last_conflict = layers.iter().rposition(|layer| layer.iter().any(|other| other.conflicts(event)));
        let layer = last_conflict.map_or(0, |found| found + 1);
        if layer == layers.len() {
            layers.push(Vec::new());
        }
        let place = layers[layer].partition_point(|other| other < event);
        layers[layer].insert(place, event.clone());
    }

    pub fn layers(&self) -> &[Vec<E>] {
        &self.0
    }
}
