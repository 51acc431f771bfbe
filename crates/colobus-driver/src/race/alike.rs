//! [`Alike`]: places that the same events touch in the same ways. A render of a real application touches thousands of them, and each says of
//! every pair of events what the others say: a few stand for all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use colobus_race::digest;
use colobus_race::model::Digest;

use super::accesses::NumberedAccess;

/// So many of the places that are alike are told: more than a finding names, so that it still says that there are others.
pub const MOST_ALIKE: usize = 32;

/// How a place is touched.
#[derive(Default)]
struct Touches {
    /// Of each access its event, its kind, and which of the place's earlier values it has: rules ask whether values are equal, not for more.
    manner: Digest,
    values: Vec<Digest>,
}

/// Places of one sort that are touched in one manner.
type Class<S> = ((S, Digest), Vec<u32>);

/// How each place is touched.
#[derive(Default)]
pub struct Alike {
    places: HashMap<u32, Touches>,
}

impl Alike {
    /// Events must be given in their order.
    pub fn add(&mut self, event: usize, access: &NumberedAccess) {
        let Touches { manner, values } = self.places.entry(access.place).or_default();
        let value = access.value.map_or(0, |value| match values.iter().position(|known| *known == value) {
            Some(known) => known + 1,
            None => {
                values.push(value);
                values.len()
            }
        });
        *manner = [event as u64, access.kind as u64, value as u64].into_iter().fold(*manner, digest::push);
    }

    /// Those places that stand for all. `sort` tells apart what rules treat differently, `rank` chooses the same ones in every execution.
    /// `owner` is the object of a place that is used as a whole, too: what happens to the whole concerns each property, so that such objects
    /// are alike if the same happens to all that they have, and are told or left out as a whole.
    pub fn chosen<S: Hash + Eq + Copy>(
        &self,
        sort: impl Fn(u32) -> S,
        rank: impl Fn(u32) -> Digest,
        owner: impl Fn(u32) -> Option<u64>,
    ) -> HashSet<u32> {
        let mut classes: HashMap<(Option<u64>, S, Digest), Vec<u32>> = HashMap::new();
        for (place, touches) in &self.places {
            classes.entry((owner(*place), sort(*place), touches.manner)).or_default().push(*place);
        }
        let mut first: Vec<u32> = Vec::new();
        let mut objects: HashMap<u64, Vec<Class<S>>> = HashMap::new();
        for ((owner, sort, manner), mut places) in classes {
            keep_first(&mut places, |place| (rank(*place), *place));
            match owner {
                Some(object) => objects.entry(object).or_default().push(((sort, manner), places)),
                None => first.extend(places),
            }
        }
        let mut kinds: HashMap<S, u64> = HashMap::new();
        let mut alike: HashMap<BTreeSet<(u64, Digest)>, Vec<Vec<u32>>> = HashMap::new();
        for parts in objects.into_values() {
            let mut manners = BTreeSet::new();
            for ((sort, manner), _) in &parts {
                let known = kinds.len() as u64;
                manners.insert((*kinds.entry(*sort).or_insert(known), *manner));
            }
            alike.entry(manners).or_default().push(parts.into_iter().flat_map(|(_, places)| places).collect());
        }
        for mut objects in alike.into_values() {
            keep_first(&mut objects, |places| {
                let least = places.iter().map(|place| (rank(*place), *place)).min();
                least.unwrap_or_default()
            });
            first.extend(objects.into_iter().flatten());
        }
        first.into_iter().collect()
    }
}

fn keep_first<T, K: Ord>(list: &mut Vec<T>, key: impl FnMut(&T) -> K) {
    list.sort_by_cached_key(key);
    list.truncate(MOST_ALIKE);
}
