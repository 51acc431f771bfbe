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
    let RunConfig {
        application,
        actions,
        returning,
        depth,
        clients,
        same,
        rounds,
        reload,
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
        max_findings: _,
        timeout: _,
        repeat: _,
        out: _,
        resume: _,
        tolerance: _,
        stop: _,
    } = config;
    // One that was started on another port, because its own was taken, is the same.
    let application = &application.on_any_port();
    let searched = (application, actions, returning, depth, clients, same, rounds, reload);
    key_of(&(executor, searched, prune, naive, judge, checks.ids(), orders, around, shard, seed))
}

/// Equal keys are equal first phases, whatever is searched afterwards.
pub(crate) fn phase1_key(config: &RunConfig, executor: &Executor) -> Result<String, RunError> {
    let RunConfig {
        application,
        actions,
        depth,
        prune,
        judge,
        // Everything else is of the second phase, in which these take part.
        returning: _,
        clients: _,
        same: _,
        rounds: _,
        reload: _,
        naive: _,
        checks: _,
        orders: _,
        around: _,
        shard: _,
        seed: _,
        // How reports call things, how fast, how long, how often and where.
        title: _,
        source: _,
        workers: _,
        max_findings: _,
        timeout: _,
        repeat: _,
        out: _,
        resume: _,
        tolerance: _,
        stop: _,
    } = config;
    let application = &application.on_any_port();
    key_of(&(executor, application, actions, depth, prune, judge.effect, judge.equivalence))
}

/// A digest of what makes a search that one and no other.
pub fn key_of(of: &impl Serialize) -> Result<String, RunError> {
    let text =
        serde_json::to_vec(of).map_err(|source| RunError::Serialize { what: "the configuration".into(), source })?;
    Ok(digest(&text))
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
