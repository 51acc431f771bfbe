//! Partitions of the features of a signature into keys (constants) and wildcards, and the one that costs least
//! (section 10.4.2, figure 10.7).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Abstraction;

/// A request as its features, and the baseline cluster of its answer.
#[derive(Clone, Debug)]
pub struct Sample {
    pub features: Vec<String>,
    pub cluster: Abstraction,
}

/// Which features are keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub keys: Vec<bool>,
    pub cost: Cost,
}

/// What a partition does to the baseline clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub splits: usize,
    pub merges: usize,
}

impl Cost {
    pub fn total(self) -> usize {
        self.splits + self.merges
    }
}

/// The number of partitions doubles with every feature that varies.
const MOST_FEATURES: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{method} requests with {fragments} path fragments have {count} features that vary, and the plain algorithm tries all \
     2^{count} partitions; learn without --plain"
)]
pub struct TooManyFeatures {
    pub method: String,
    pub fragments: usize,
    pub count: usize,
}

/// The cost of a partition: cells are non-empty intersections of a baseline cluster and a group of equal keys.
pub fn cost(samples: &[Sample], keys: &[bool]) -> Cost {
    let mut cells = HashSet::new();
    let (mut clusters, mut groups) = (HashSet::new(), HashSet::new());
    let mut numbers: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut kinds: BTreeMap<&Abstraction, usize> = BTreeMap::new();
    for sample in samples {
        let values: Vec<&str> =
            sample.features.iter().zip(keys).filter(|(_, key)| **key).map(|(value, _)| value.as_str()).collect();
        let next = numbers.len();
        let group = *numbers.entry(values).or_insert(next);
        let next = kinds.len();
        let cluster = *kinds.entry(&sample.cluster).or_insert(next);
        cells.insert((cluster, group));
        clusters.insert(cluster);
        groups.insert(group);
    }
    Cost { splits: cells.len() - clusters.len(), merges: cells.len() - groups.len() }
}

/// The partition with the least cost; of equals the one with fewer wildcards, then with earlier keys. The error is the
/// number of features that vary, if there are too many.
pub(super) fn best(samples: &[Sample], forbidden: &dyn Fn(usize) -> bool) -> Result<Partition, usize> {
    let count = samples.first().map_or(0, |sample| sample.features.len());
    let allowed: Vec<bool> = (0..count).map(|feature| !forbidden(feature)).collect();
    let varies =
        |feature: &usize| samples.iter().any(|sample| sample.features[*feature] != samples[0].features[*feature]);
    // A feature with one value is a key: that never costs more, and it saves a wildcard.
    let varying: Vec<usize> = (0..count).filter(|feature| allowed[*feature]).filter(varies).collect();
    if varying.len() > MOST_FEATURES {
        return Err(varying.len());
    }
    let distinct = without_repetitions(samples);
    let mut choices: Vec<u32> = (0..1 << varying.len()).collect();
    choices.sort_by_key(|keys: &u32| (std::cmp::Reverse(keys.count_ones()), std::cmp::Reverse(*keys)));
    let mut found: Option<Partition> = None;
    for choice in choices {
        let mut keys = allowed.clone();
        for (place, feature) in varying.iter().enumerate() {
            // The first feature is the highest bit, so that earlier keys come first.
            keys[*feature] = choice >> (varying.len() - 1 - place) & 1 == 1;
        }
        let cost = cost(&distinct, &keys);
        if found.as_ref().is_none_or(|best| cost.total() < best.cost.total()) {
            let done = cost.total() == 0;
            found = Some(Partition { keys, cost });
            if done {
                break;
            }
        }
    }
    Ok(found.unwrap_or(Partition { keys: allowed, cost: Cost::default() }))
}

fn without_repetitions(samples: &[Sample]) -> Vec<Sample> {
    let distinct: BTreeSet<(&Vec<String>, &Abstraction)> =
        samples.iter().map(|sample| (&sample.features, &sample.cluster)).collect();
    distinct
        .into_iter()
        .map(|(features, cluster)| Sample { features: features.clone(), cluster: cluster.clone() })
        .collect()
}

impl Partition {
    /// The values of the keys of each group, `None` for wildcards, and the clusters of its answers.
    pub(super) fn groups(&self, samples: &[Sample]) -> BTreeMap<Vec<Option<String>>, BTreeSet<Abstraction>> {
        let mut groups: BTreeMap<Vec<Option<String>>, BTreeSet<Abstraction>> = BTreeMap::new();
        for sample in samples {
            let values = sample.features.iter().zip(&self.keys).map(|(value, key)| key.then(|| value.clone()));
            groups.entry(values.collect()).or_default().insert(sample.cluster.clone());
        }
        groups
    }
}
