//! The keys under which results are found again: [`search_key`] for the journal of an interrupted run, [`phase1_key`] for a
//! first phase that other searches share. Both take every field of the configuration apart, so that a new one fails to
//! compile until it is decided whether it belongs to the key.

use serde::Serialize;
use sha1::{Digest, Sha1};

use crate::{RunConfig, RunError};

/// What executes the search: results of another version, browser or application are not comparable.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Executor {
    version: &'static str,
    browser: String,
    fingerprint: String,
}

impl Executor {
    pub fn new(browser: String, fingerprint: String) -> Executor {
        Executor { version: env!("CARGO_PKG_VERSION"), browser, fingerprint }
    }

    pub fn browser(&self) -> &str {
        &self.browser
    }
}

/// Equal keys are equal searches: one may continue the other.
pub(crate) fn search_key(config: &RunConfig, executor: &Executor) -> Result<String, RunError> {
    key_of(&(executor, taken_apart(config)))
}

/// Equal keys are equal first phases, whatever is searched afterwards.
pub(crate) fn phase1_key(config: &RunConfig, executor: &Executor) -> Result<String, RunError> {
    let (phase1, _) = taken_apart(config);
    key_of(&(executor, phase1))
}

/// What the first phase depends on, and what the search depends on besides.
fn taken_apart(config: &RunConfig) -> (impl Serialize, impl Serialize) {
    let RunConfig {
        application,
        actions,
        returning,
        depth,
        clients,
        same,
        rounds,
        late_joiner,
        prune,
        naive,
        judge,
        checks,
        orders,
        around,
        shard,
        seed,
        // How reports call things.
        title: _,
        source: _,
        // How fast, how long, how often and where: a run may be continued with other values.
        workers: _,
        options: _,
    } = config;
    // One that was started on another port, because its own was taken, is the same.
    let phase1 = (application.on_any_port(), actions, depth, prune, judge.effect, judge.equivalence);
    let interactions = (returning, clients, same, rounds, late_joiner, naive);
    (phase1, (interactions, judge, checks.ids(), orders, around, shard, seed))
}

/// The digest that identifies a search.
pub fn key_of(of: &impl Serialize) -> Result<String, RunError> {
    let text =
        serde_json::to_vec(of).map_err(|source| RunError::Serialize { what: "the configuration".into(), source })?;
    Ok(digest(&text))
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
