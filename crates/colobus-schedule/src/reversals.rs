//! [`reversals`]: what is different about an order, in as few pairs as say it. Two events are reversed if they conflict
//! and another order, usually the natural one, has them the other way round.

use std::collections::BTreeMap;

use crate::causality::Causality;
use crate::{Race, Schedulable};

/// Two conflicting events that stand the other way round than naturally.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reversal<E> {
    pub first: E,
    pub second: E,
    /// Where the two are in the order that was asked about.
    pub positions: (usize, usize),
}

/// The critical reversals of an order: those with nothing between the two that the first leads to and the second needs.
/// All others follow from these. Events that only one of the orders has are left out of account.
pub fn reversals<E: Schedulable>(natural: &[E], order: &[E]) -> Vec<Reversal<E>> {
    let (common, places): (Vec<E>, Vec<(usize, usize)>) = shared(natural, order).into_iter().unzip();
    let races = Causality::assumed(&common).races().into_iter();
    let reversed = races.filter(|race| places[race.first].1 > places[race.second].1);
    let mut found: Vec<Reversal<E>> = reversed
        .map(|Race { first, second }| Reversal {
            first: common[first].clone(),
            second: common[second].clone(),
            positions: (places[first].0, places[second].0),
        })
        .collect();
    found.sort_by_key(|reversal| reversal.positions);
    found
}

/// How many conflicting pairs stand the other way round: the number of conflict reversals from one order to the other.
pub fn distance<E: Schedulable>(natural: &[E], order: &[E]) -> usize {
    count_turned(&shared(natural, order), |one, other| one.conflicts(other))
}

/// How many pairs stand the other way round, whether it matters or not.
pub(crate) fn displacement<E: Schedulable>(natural: &[E], order: &[E]) -> usize {
    count_turned(&shared(natural, order), |_, _| true)
}

fn count_turned<E>(shared: &[(E, (usize, usize))], counts: impl Fn(&E, &E) -> bool) -> usize {
    let turned = |(index, (one, place)): (usize, &(E, (usize, usize)))| {
        shared[index + 1..].iter().filter(|(other, later)| place.1 > later.1 && counts(one, other)).count()
    };
    shared.iter().enumerate().map(turned).sum()
}

/// The events that both orders have, with their places in `order` and in `natural`.
fn shared<E: Schedulable>(natural: &[E], order: &[E]) -> Vec<(E, (usize, usize))> {
    let places = natural_places(natural, order).into_iter().enumerate();
    places.filter_map(|(here, there)| Some((order[here].clone(), (here, there?)))).collect()
}

/// Where each event of `order` is in `natural`: the n-th of equal ones is the n-th there.
pub(crate) fn natural_places<E: Schedulable>(natural: &[E], order: &[E]) -> Vec<Option<usize>> {
    let mut turns: BTreeMap<&E, Vec<usize>> = BTreeMap::new();
    for (place, event) in natural.iter().enumerate().rev() {
        turns.entry(event).or_default().push(place);
    }
    order.iter().map(|event| turns.get_mut(event)?.pop()).collect()
}
