//! Which registered events of a simulated page can come next: the rules of a browser, written down a second time and
//! independently of [`happens_before`](crate::happens_before), so that tests compare the two.

use super::machine::{Machine, Pending};
use crate::model::{EventKind, PageEvent, Resource, ScriptTiming};

impl Machine<'_> {
    pub(super) fn is_enabled(&self, pending: &Pending) -> bool {
        let event = &pending.event;
        event.needs.iter().all(|needed| self.names_run.contains(needed))
            && !self.pending.iter().any(|other| other.event.name != event.name && comes_first(&other.event, event))
    }
}

/// Whether the second event has to wait as long as the first is still to come.
fn comes_first(first: &PageEvent, second: &PageEvent) -> bool {
    let is_chunk = |event: &PageEvent| matches!(event.kind, EventKind::Chunk { .. });
    let is_timer = |event: &PageEvent| event.kind == EventKind::Timer;
    let blocks_parser = |event: &PageEvent| {
        matches!(&event.kind, EventKind::Response { resource: Resource::Script(ScriptTiming::Blocking), .. })
    };
    let is_deferred = |event: &PageEvent| event.kind.is_deferred_script();
    // Names of queues are texts: compared only where both events can be in one.
    if std::mem::discriminant(&first.kind) == std::mem::discriminant(&second.kind)
        && let (Some((queue, number)), Some((other, other_number))) = (second.kind.queue(), first.kind.queue())
        && queue == other
    {
        return other_number < number;
    }
    match &second.kind {
        EventKind::Timer => {
            is_timer(first)
                && first.creator == second.creator
                && (first.delay, first.serial) < (second.delay, second.serial)
        }
        EventKind::Chunk { .. } => blocks_parser(first),
        EventKind::DomContentLoaded => is_chunk(first) || is_deferred(first) || blocks_parser(first),
        EventKind::Load => is_chunk(first) || first.kind == EventKind::DomContentLoaded || first.blocks_load,
        _ if is_deferred(second) => {
            is_chunk(first) || (is_deferred(first) && (&first.creator, first.serial) < (&second.creator, second.serial))
        }
        _ => false,
    }
}
