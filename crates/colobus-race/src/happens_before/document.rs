//! The order in which a browser loads a document: a blocking script before the next chunk; deferred scripts after the
//! last chunk, in the order of the document; then DOMContentLoaded; `load` after everything that it waits for.

use std::collections::HashMap;

use super::{HappensBefore, Rule};
use crate::model::{EventKind, EventName, PageEvent, Resource, ScriptTiming};

/// `ran` is how many of the events ran. The others do not keep `load` back: it ran without them.
pub(super) fn add(graph: &mut HappensBefore, events: &[&PageEvent], ran: usize) {
    let mut chunks: Vec<(u32, usize)> = Vec::new();
    let mut chunk_numbers: HashMap<&EventName, u32> = HashMap::new();
    for (number, event) in events.iter().enumerate() {
        if let EventKind::Chunk { number: place } = event.kind {
            chunks.push((place, number));
            chunk_numbers.insert(&event.name, place);
        }
    }
    chunks.sort_unstable();
    let chunk_of = |event: &PageEvent| event.creator.as_ref().and_then(|name| chunk_numbers.get(name)).copied();

    for (number, event) in events.iter().enumerate() {
        if let EventKind::Response { resource: Resource::Script(ScriptTiming::Blocking), .. } = event.kind
            && let Some(chunk) = chunk_of(event)
            && let Some((_, next)) = chunks.iter().find(|(place, _)| *place > chunk)
        {
            graph.add(number, *next, Rule::Document);
        }
    }

    let last_chunk = chunks.last().map(|(_, number)| *number);
    let mut deferred: Vec<(Option<u32>, u32, usize)> = (0..events.len())
        .filter(|number| events[*number].kind.is_deferred_script())
        .map(|number| (chunk_of(events[number]), events[number].serial, number))
        .collect();
    deferred.sort_unstable();
    for (_, _, script) in &deferred {
        last_chunk.iter().for_each(|chunk| graph.add(*chunk, *script, Rule::Document));
    }
    for pair in deferred.windows(2) {
        graph.add(pair[0].2, pair[1].2, Rule::Document);
    }

    let parsed = (0..events.len()).find(|number| events[*number].kind == EventKind::DomContentLoaded);
    if let Some(parsed) = parsed {
        let before = last_chunk.into_iter().chain(deferred.last().map(|(_, _, script)| *script));
        before.for_each(|number| graph.add(number, parsed, Rule::Document));
    }
    if let Some(load) = (0..ran).find(|number| events[*number].kind == EventKind::Load) {
        parsed.or(last_chunk).iter().for_each(|number| graph.add(*number, load, Rule::Document));
        (0..load).filter(|number| events[*number].blocks_load).for_each(|it| graph.add(it, load, Rule::Document));
    }
}
