//! Findings of one cause put together: those whose pair touches the same two positions in the source.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::conflicts;
use crate::explore::Reversal;
use crate::model::{Access, EventName};

/// What a bug is known by: two positions in the source, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourcePair {
    pub one: String,
    pub other: String,
}

impl SourcePair {
    pub fn of(reversal: &Reversal) -> SourcePair {
        let (first, second) = match &reversal.cause {
            conflicts::ConflictReason::Place(shared) => {
                (position(&shared.first, &reversal.first), position(&shared.second, &reversal.second))
            }
            _ => (kind_of(&reversal.first), kind_of(&reversal.second)),
        };
        let (one, other) = if first <= second { (first, second) } else { (second, first) };
        SourcePair { one, other }
    }
}

impl fmt::Display for SourcePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.one, self.other)
    }
}

/// The findings of each cause, as indices, the first found first.
pub fn group<'a>(reversals: impl IntoIterator<Item = &'a Reversal>) -> Vec<(SourcePair, Vec<usize>)> {
    let mut groups: BTreeMap<SourcePair, Vec<usize>> = BTreeMap::new();
    for (index, reversal) in reversals.into_iter().enumerate() {
        groups.entry(SourcePair::of(reversal)).or_default().push(index);
    }
    let mut groups: Vec<(SourcePair, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, findings)| findings[0]);
    groups
}

fn position(access: &Access, event: &EventName) -> String {
    access.site.as_ref().map_or_else(|| kind_of(event), ToString::to_string)
}

/// The name without numbers that count: `A:click 2` and `A:click 3` are the same button, as far as is known.
fn kind_of(event: &EventName) -> String {
    event
        .as_str()
        .split(' ')
        .filter(|word| word.trim_start_matches('#').parse::<u32>().is_err())
        .collect::<Vec<_>>()
        .join(" ")
}
