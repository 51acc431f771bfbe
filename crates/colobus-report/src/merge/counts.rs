//! Which counts and times of shards are added, and which every shard has as a whole.

use std::collections::BTreeMap;

use colobus_model::{ActionGap, Counts, Exercised, PersonalPlace, Report, Tally, Timing};

/// Counts of findings and root causes are left at zero: only the joined findings tell them.
pub(super) fn merged_counts(reports: &[&Report]) -> Counts {
    let whole = |count: fn(&Counts) -> usize| reports.iter().map(|report| count(&report.counts)).max().unwrap_or(0);
    let sum = |count: fn(&Counts) -> usize| reports.iter().map(|report| count(&report.counts)).sum();
    Counts {
        sequences: reports.iter().map(|report| report.counts.sequences).max_by_key(Tally::ran).unwrap_or_default(),
        source_states: whole(|counts| counts.source_states),
        equivalence_classes: whole(|counts| counts.equivalence_classes),
        potential_conflicts: whole(|counts| counts.potential_conflicts),
        naive: whole(|counts| counts.naive),
        interactions: reports.iter().fold(Tally::default(), |sum, report| sum.plus(&report.counts.interactions)),
        executions: sum(|counts| counts.executions),
        failures: sum(|counts| counts.failures),
        restarts: sum(|counts| counts.restarts),
        findings: 0,
        root_causes: 0,
    }
}

/// Every shard runs all sequences, and its own interactions.
pub(super) fn merged_gaps(reports: &[&Report]) -> Vec<ActionGap> {
    let mut by_action: BTreeMap<&str, ActionGap> = BTreeMap::new();
    for gap in reports.iter().flat_map(|report| &report.not_applicable) {
        match by_action.get_mut(gap.action.as_str()) {
            None => {
                by_action.insert(&gap.action, gap.clone());
            }
            Some(joined) => {
                joined.sequences = joined.sequences.max(gap.sequences);
                joined.interactions += gap.interactions;
                joined.threw |= gap.threw;
                joined.reason = joined.reason.clone().min(gap.reason.clone());
            }
        }
    }
    by_action.into_values().collect()
}

/// What all shards together exercised.
pub(super) fn merged_exercise(reports: &[&Report]) -> Option<Exercised> {
    let parts = reports.iter().filter_map(|report| report.exercised.clone());
    parts.reduce(|joined, part| joined.plus(&part))
}

/// Actions that no shard could perform.
pub(super) fn never_applied(reports: &[&Report]) -> Vec<String> {
    let Some((first, others)) = reports.split_first() else { return Vec::new() };
    let nowhere = |action: &&String| others.iter().all(|report| report.never_applied.contains(*action));
    first.never_applied.iter().filter(nowhere).cloned().collect()
}

/// Shards run side by side: the slowest tells how long the search took.
pub(super) fn merged_timing(reports: &[&Report]) -> Timing {
    let longest = |time: fn(&Timing) -> f64| reports.iter().map(|report| time(&report.timing)).fold(0.0, f64::max);
    Timing {
        phase1_s: longest(|timing| timing.phase1_s),
        phase1_reused: reports.iter().all(|report| report.timing.phase1_reused),
        phase2_s: longest(|timing| timing.phase2_s),
        reduce_s: longest(|timing| timing.reduce_s),
        interaction_ms_median: weighted_median(reports),
    }
}

/// The shards' medians, each weighing as much as the interactions it stands for.
fn weighted_median(reports: &[&Report]) -> f64 {
    let mut medians: Vec<(f64, usize)> = reports
        .iter()
        .map(|report| (report.timing.interaction_ms_median, report.counts.interactions.ran()))
        .filter(|(_, weight)| *weight > 0)
        .collect();
    medians.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: usize = medians.iter().map(|(_, weight)| weight).sum();
    let mut passed = 0;
    for (median, weight) in medians {
        passed += weight;
        if passed * 2 >= total {
            return median;
        }
    }
    0.0
}

/// Every place once, with the cases of all shards.
pub(super) fn merged_places(reports: &[&Report]) -> Vec<PersonalPlace> {
    let mut places: BTreeMap<String, PersonalPlace> = BTreeMap::new();
    for found in reports.iter().flat_map(|report| &report.personal) {
        let known = places.entry(found.place.clone()).or_insert_with(|| PersonalPlace { cases: 0, ..found.clone() });
        known.add(found);
    }
    places.into_values().collect()
}
