//! [`Function`]: a transformation function behind one type, whatever its operations carry, so that it can be looked up by
//! name. Everything inside still runs compiled for the one function.

use crate::counterexample::Counterexample;
use crate::models::{
    self,
    fast::{self, Estimate},
};
use crate::outcome::{Model, Outcome};
use crate::properties::intention::{self, Anomaly, AnomalyReport};
use crate::properties::tp::{self, Law, LawCount};
use crate::scenario::{Replay, Scenario, ScenarioError, replay};
use crate::search::Options;
use crate::setting::{Setting, SettingError};
use crate::transformation::Transformation;

/// What can be asked about a transformation function.
pub trait Function: Sync {
    /// Whether its result may depend on site numbers.
    fn uses_sites(&self) -> bool;

    /// Whether its document keeps deleted characters.
    fn has_tombstones(&self) -> bool;

    /// Check convergence.
    fn check(&self, setting: &Setting, model: Model, options: &Options) -> Result<Outcome, SettingError>;

    /// How much work a check with the fast model would be.
    fn estimate(&self, setting: &Setting, symmetry: bool) -> Result<Estimate, SettingError>;

    /// Count violations of a law.
    fn count_law(
        &self,
        law: Law,
        positions: u8,
        alphabet: usize,
        context: usize,
        options: &Options,
    ) -> Result<LawCount, SettingError>;

    /// Look for an intention anomaly.
    fn find_anomaly(
        &self,
        setting: &Setting,
        anomaly: Anomaly,
        options: &Options,
    ) -> Result<AnomalyReport, SettingError>;

    /// Execute a scenario directly.
    fn replay(&self, scenario: &Scenario) -> Result<Replay, ScenarioError>;

    /// What a search found, written down.
    fn scenario(&self, found: &Counterexample, name: &str) -> Scenario;
}

impl<T: Transformation> Function for T {
    fn uses_sites(&self) -> bool {
        T::USES_SITES
    }

    fn has_tombstones(&self) -> bool {
        T::TOMBSTONES
    }

    fn check(&self, setting: &Setting, model: Model, options: &Options) -> Result<Outcome, SettingError> {
        models::check(self, setting, model, options)
    }

    fn estimate(&self, setting: &Setting, symmetry: bool) -> Result<Estimate, SettingError> {
        fast::estimate::<T>(setting, symmetry)
    }

    fn count_law(
        &self,
        law: Law,
        positions: u8,
        alphabet: usize,
        context: usize,
        options: &Options,
    ) -> Result<LawCount, SettingError> {
        tp::count(self, law, positions, alphabet, context, options)
    }

    fn find_anomaly(
        &self,
        setting: &Setting,
        anomaly: Anomaly,
        options: &Options,
    ) -> Result<AnomalyReport, SettingError> {
        intention::find(self, setting, anomaly, options)
    }

    fn replay(&self, scenario: &Scenario) -> Result<Replay, ScenarioError> {
        replay(self, scenario)
    }

    fn scenario(&self, found: &Counterexample, name: &str) -> Scenario {
        found.scenario(self, name)
    }
}

/// The smallest violation: fewest operations, then fewest sites, then the lowest positions. `found` is any violation
/// within `setting`; the search looks at everything smaller.
pub fn smallest_violation(
    function: &dyn Function,
    found: &Counterexample,
    options: &Options,
) -> Result<Counterexample, SettingError> {
    for setting in smaller_settings(&found.setting)? {
        let options = Options { limit: None, watch: None, ..options.clone() };
        if let Some(smaller) = function.check(&setting, Model::Fast, &options)?.counterexample {
            return Ok(smaller);
        }
    }
    Ok(found.clone())
}

/// The settings within a setting, smallest first.
fn smaller_settings(setting: &Setting) -> Result<Vec<Setting>, SettingError> {
    let mut vectors: Vec<Vec<usize>> = vec![Vec::new()];
    for &most in &setting.operations {
        vectors = vectors.iter().flat_map(|v| (0..=most).map(move |n| [&v[..], &[n]].concat())).collect();
    }
    for vector in &mut vectors {
        vector.retain(|&count| count > 0);
        vector.sort_by(|a, b| b.cmp(a));
    }
    vectors.retain(|vector| vector.len() > 1);
    vectors.sort_by_key(|vector| (vector.iter().sum::<usize>(), vector.len(), vector.clone()));
    vectors.dedup();
    let (low, high) = (*setting.positions.start(), *setting.positions.end());
    let mut settings = Vec::new();
    for operations in vectors {
        for highest in low..=high {
            let smaller = Setting { operations: operations.clone(), ..setting.clone() };
            settings.push(smaller.positions(low..=highest)?);
        }
    }
    Ok(settings)
}
