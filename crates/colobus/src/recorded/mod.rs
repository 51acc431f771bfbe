//! Recorded sessions as what searches do: one user's as an action of a `colobus.toml` ([`action`], [`append`]), that of several
//! as an order to search around ([`around`]), any as what an exploration begins with ([`seeds`]). Which steps say a recorded line is decided in [`colobus_record::steps`].

pub mod append;
pub mod around;
pub mod seeds;

use anyhow::bail;
use colobus_model::{Step, Target, Viewport};
use colobus_record::Recording;
use colobus_record::steps::{Entry, steps};

use crate::config::write;

/// The text of an action, and what it does not say.
#[derive(Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub warnings: Vec<String>,
    /// The size of the window, if places in elements depend on it.
    pub recorded_in: Option<Viewport>,
}

/// What the only user of a recording does, as an action.
pub fn action(recording: &Recording, name: &str) -> anyhow::Result<Written> {
    check_name(name)?;
    if let Some(variable) = colobus_record::variables(recording).first() {
        bail!(
            "the user enters a secret ({variable}), which a configuration has no place for\n  \
             record what comes behind it: sign in elsewhere, or let the application open documents to all users while it is tested"
        );
    }
    let entries = steps(recording);
    if entries.iter().any(|entry| entry.client != entries[0].client) {
        bail!(
            "an action is what one user does, and here are several\n  \
             `colobus check --around RECORDING` searches the orders near theirs"
        );
    }
    if entries.iter().all(|entry| entry.step.is_none()) {
        bail!("nothing was done that an action could do{}", complaints(&entries, recording));
    }
    let warnings =
        entries.iter().filter(|entry| entry.loss.is_some()).map(|entry| entry.complaint(recording)).collect();
    let recorded_in = entries.iter().any(names_a_place).then_some(recording.viewport);
    Ok(Written { text: table(recording, name, &entries), warnings, recorded_in })
}

fn names_a_place(entry: &Entry) -> bool {
    let targets = entry.step.iter().flat_map(Step::targets);
    targets.into_iter().any(|target| matches!(target, Target::Inside(_)))
}

fn check_name(name: &str) -> anyhow::Result<()> {
    if name.trim().is_empty() || name.contains(char::is_control) {
        bail!("an action cannot be called {name:?}\n  a name is one line of text");
    }
    Ok(())
}

fn complaints(entries: &[Entry], recording: &Recording) -> String {
    entries.iter().map(|entry| format!("\n  {}", entry.complaint(recording))).collect()
}

/// A step a line; what is left out is a comment.
fn table(recording: &Recording, name: &str, entries: &[Entry]) -> String {
    let mut text = format!("[[action]]\nname = {}\nsteps = [\n", write::text(name));
    for entry in entries {
        if entry.loss.is_some() {
            text.push_str(&format!("  # {}\n", write::comment(&entry.complaint(recording))));
        }
        if let Some(step) = &entry.step {
            let about = entry.about.as_ref().map(|about| format!(" # {}", write::comment(about)));
            text.push_str(&format!("  {},{}\n", step.to_toml(), about.unwrap_or_default()));
        }
    }
    text.push_str("]\n");
    text
}

#[cfg(test)]
#[path = "../../../colobus-record/tests/all/sample/mod.rs"]
mod sample;

#[cfg(test)]
mod tests;
