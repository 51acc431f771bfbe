//! The three models of a collaborative editor. They enumerate the same executions in different ways and must agree.

pub mod concrete;
pub mod fast;
pub mod symbolic;

use crate::outcome::{Model, Outcome};
use crate::search::Options;
use crate::setting::{Network, Setting, SettingError};
use crate::transformation::Transformation;

/// Check convergence with one of the models. A server-ordered setting is always checked with the fast one.
pub fn check<T: Transformation>(
    function: &T,
    setting: &Setting,
    model: Model,
    options: &Options,
) -> Result<Outcome, SettingError> {
    match model {
        _ if setting.network == Network::Server => fast::check(function, setting, options),
        Model::Fast => fast::check(function, setting, options),
        Model::Symbolic => Ok(symbolic::check(function, setting, options)),
        Model::Concrete => Ok(concrete::check(function, setting, options)),
    }
}

/// Check convergence with the fast model.
pub fn check_convergence<T: Transformation>(
    function: &T,
    setting: &Setting,
    options: &Options,
) -> Result<Outcome, SettingError> {
    check(function, setting, Model::Fast, options)
}
