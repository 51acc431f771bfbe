//! Timers that one event sets run by their delay, equal ones in the order of registration.

use std::collections::HashMap;

use super::{HappensBefore, Rule};
use crate::model::{EventKind, EventName, PageEvent};

pub(super) fn add(graph: &mut HappensBefore, events: &[&PageEvent]) {
    let mut set_by: HashMap<&Option<EventName>, Vec<(u64, u32, usize)>> = HashMap::new();
    for (number, event) in events.iter().enumerate() {
        let first = match event.kind {
            EventKind::Timer => true,
            EventKind::Interval { tick, .. } => tick == 1,
            _ => false,
        };
        if let (true, Some(delay)) = (first, event.delay) {
            set_by.entry(&event.creator).or_default().push((delay, event.serial, number));
        }
    }
    for timers in set_by.values_mut() {
        timers.sort_unstable();
        for pair in timers.windows(2) {
            graph.add(pair[0].2, pair[1].2, Rule::Timers);
        }
    }
}
