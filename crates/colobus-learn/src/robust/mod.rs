//! The learning algorithm for real traffic. Produces a description with extensions in which the operation with more
//! constants answers where patterns overlap.
//!
//! The flow: [`sample`] reads exchanges; [`rest`] finds paths that are data; [`trie`] holds the paths; [`generalize`] finds
//! fragments that are values; [`dispatch`] splits by parameters that select an operation; [`operation`] writes patterns
//! and schemas; [`reference`] finds values that come from other answers; [`channel`] adds sockets and event streams.

mod channel;
mod dispatch;
mod generalize;
mod operation;
mod reference;
mod rest;
mod sample;
mod trie;
mod words;

use crate::exchange::Exchange;
use crate::language::{Description, Router};
use crate::learned::{Learned, file_names};
use crate::schema::Schemas;
use crate::secret::Secrets;
use operation::Draft;
use sample::{Sample, Traffic};

/// Reassigning samples to the operation that answers them ends after this many rounds.
const MOST_ROUNDS: usize = 8;

/// Learns a description.
pub fn learn(exchanges: &[Exchange]) -> Learned {
    let secrets = Secrets::of(exchanges);
    let Traffic { base, samples, notes } = sample::read(exchanges, &secrets);
    let mut drafts = assigned(&base, drafts(&samples, &secrets), &samples);
    drafts.sort_by_key(|draft| draft.operation.pattern());
    drafts.sort_by_key(|draft| draft.path_text());
    let names = file_names(drafts.iter().map(|draft| &draft.operation));
    let mut schemas = Schemas::default();
    let mut operations = Vec::new();
    for (draft, name) in drafts.iter().zip(&names) {
        operations.push(operation::finish(draft, name, &samples, &mut schemas));
    }
    reference::add(&mut operations, &drafts, &samples, &secrets);
    let channels = channel::learn(exchanges, &base, &secrets, &mut schemas);
    Learned { description: Description { base, operations, channels }, schemas, notes }
}

fn drafts(samples: &[Sample], secrets: &Secrets) -> Vec<Draft> {
    let known = sample::known_values(samples);
    let rests = rest::prefixes(samples, &known);
    let mut root = trie::Node::default();
    for (number, sample) in samples.iter().enumerate() {
        let segments = rests.segments(&sample.request.path, &known, secrets);
        root.insert(&segments, &sample.request.method, number, sample);
    }
    generalize::generalize(&mut root, &known);
    let mut drafts = Vec::new();
    for (segments, method, numbers) in root.leaves() {
        for part in dispatch::split(&numbers, samples, secrets) {
            drafts.push(Draft::new(&method, &segments, part, samples));
        }
    }
    drafts
}

/// Gives every sample to the operation that will answer it: where patterns overlap that need not be the one it led to.
fn assigned(base: &str, mut drafts: Vec<Draft>, samples: &[Sample]) -> Vec<Draft> {
    for _ in 0..MOST_ROUNDS {
        let operations = drafts.iter().map(|draft| draft.operation.clone()).collect();
        let description = Description { base: base.to_string(), operations, channels: Vec::new() };
        let router = Router::new(&description);
        let mut owners: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
        for (number, sample) in samples.iter().enumerate() {
            if let Some(found) = router.select(&description, &Schemas::default(), &sample.request) {
                owners[found.number].push(number);
            }
        }
        let unchanged = owners.iter().zip(&drafts).all(|(owned, draft)| *owned == draft.samples);
        if unchanged {
            break;
        }
        let reassigned = drafts.into_iter().zip(owners).filter(|(_, owned)| !owned.is_empty());
        drafts = reassigned.map(|(draft, owned)| draft.with_samples(owned, samples)).collect();
    }
    drafts
}
