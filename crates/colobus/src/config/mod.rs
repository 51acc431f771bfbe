//! [`Configuration`]: `colobus.toml`, read, checked and resolved.
//!
//! [`file`] is what a user writes, [`structure`] compares a file with its [`schema`], [`resolve`] checks what the texts in
//! it mean; [`write`] writes actions. Everything that is wrong ends up as [`problem::Problems`], each at its line and column.

mod address;
pub mod command;
mod file;
#[cfg(test)]
mod fuzzed;
mod locator;
mod nearest;
mod neutral;
mod problem;
mod resolve;
mod schema;
mod selector;
mod sets;
mod source;
mod structure;
pub mod write;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use colobus_model::{Action, Application};
use colobus_run::Judge;
use serde::Deserialize;
use toml::de::DeTable;

pub use file::{Checks, Search};
pub use neutral::NeutralSteps;
pub use resolve::RaceChoices;
pub use schema::schema;

use problem::{Problem, Problems};
use sets::Sets;
use source::Source;

/// The name of the file that is looked for in a folder.
pub const FILE_NAME: &str = "colobus.toml";

/// What a configuration file says, complete: every default is filled in, every text is known to be usable.
#[derive(Debug)]
pub struct Configuration {
    /// What `--config` names it by.
    pub source: String,
    /// What reports call the application.
    pub title: String,
    pub application: Application,
    pub actions: Vec<Action>,
    pub judge: Judge,
    pub search: Search,
    pub checks: Checks,
    pub race: RaceChoices,
    sets: Sets,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("there is no {path}\n  `colobus init` writes one to start from; `--config PATH` names one elsewhere", path = .0.display())]
    Missing(PathBuf),
    #[error("cannot read {path}: a configuration is a text file; `colobus init` writes one", path = path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("there is no action `{name}`\n  {advice}")]
    NoSuchAction { name: String, advice: String },
    #[error("there is no set of actions `{name}`\n  {advice}")]
    NoSuchSet { name: String, advice: String },
    #[error(transparent)]
    Wrong(#[from] Problems),
}

impl Configuration {
    /// Reads `path`, a file or the folder of a `colobus.toml`.
    pub fn load(path: &Path) -> Result<Configuration, ConfigError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
        let text = std::fs::read_to_string(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ConfigError::Missing(path.clone()),
            _ => ConfigError::Unreadable { path: path.clone(), source },
        })?;
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        Ok(Configuration::parse(&text, &path.display().to_string(), folder)?)
    }

    /// Keeps the actions of this set and those with these names. Without either, those of the set that the file chooses.
    pub fn keep_actions(&mut self, set: Option<&str>, names: &[String]) -> Result<(), ConfigError> {
        let chosen = if names.is_empty() { set.or(self.search.set.as_deref()) } else { set };
        if chosen.is_none() && names.is_empty() {
            return Ok(());
        }
        let mut kept = BTreeSet::new();
        if let Some(set) = chosen {
            let unknown = || ConfigError::NoSuchSet { name: set.to_string(), advice: advice(set, self.sets.names()) };
            kept.extend(self.sets.get(set).ok_or_else(unknown)?.iter().cloned());
        }
        for name in names {
            if !self.actions.iter().any(|action| action.name == *name) {
                let known = self.actions.iter().map(|action| action.name.as_str());
                return Err(ConfigError::NoSuchAction { name: name.clone(), advice: advice(name, known) });
            }
            kept.insert(name.clone());
        }
        // A set says what users do; what should change nothing is tried beside it, unless actions were named one by one.
        let tried_beside = |action: &Action| names.is_empty() && action.returns();
        self.actions.retain(|action| kept.contains(&action.name) || tried_beside(action));
        Ok(())
    }

    /// Reads the text of a configuration; `name` is what errors call it, `folder` what its paths are relative to.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Configuration, Problems> {
        let wrong = |problems| Problems::new(name, text, problems);
        if text.trim().is_empty() {
            let empty = Problem::new(0..0, "the file is empty");
            return Err(wrong(vec![empty.label("`colobus init` writes one to start from")]));
        }
        let (tree, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(wrong(errors.iter().map(syntax_problem).collect()));
        }
        let problems = structure::compare(&schema(), &tree);
        if !problems.is_empty() {
            return Err(wrong(problems));
        }
        let deserializer = toml::de::Deserializer::from(tree.clone());
        let file = file::File::deserialize(deserializer).map_err(|error| wrong(vec![syntax_problem(&error)]))?;
        resolve::resolve(file, name, folder, &Source::new(text, &tree)).map_err(wrong)
    }
}

/// What a user who asked for `name` may have meant.
fn advice<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match nearest::did_you_mean(name, known.iter().copied()) {
        Some(advice) => advice,
        None if known.is_empty() => "the configuration has none".to_string(),
        None => format!("there are: {}", known.join(", ")),
    }
}

fn syntax_problem(error: &toml::de::Error) -> Problem {
    Problem::new(error.span().unwrap_or_default(), error.message())
}
