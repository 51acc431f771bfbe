//! A [`Replay`](crate::scenario::Replay) for people: as text, as a Mermaid diagram, as a picture.

mod mermaid;
mod svg;
mod text;

pub use mermaid::mermaid;
pub use svg::svg;
pub use text::text;

use crate::scenario::{Replay, Scenario, Step};

/// What a step says: the operation's name, primed once it was transformed, and its form.
fn label(step: &Step) -> String {
    format!("{}{} = {}", step.operation, if step.transformed { "′" } else { "" }, step.form)
}

/// What happened, in one sentence.
fn verdict(replay: &Replay) -> String {
    let ends: Vec<String> = replay.sites.iter().map(|site| format!("{} \"{}\"", site.site, site.text)).collect();
    match replay.converges {
        false => format!("The sites differ: {}.", ends.join(", ")),
        true => format!("All sites end with \"{}\".", replay.sites.first().map_or("", |site| &site.text)),
    }
}

/// What happened before what, in words; nothing if all operations are pairwise concurrent.
fn causality(scenario: &Scenario) -> Vec<String> {
    let after = scenario.operations.iter().filter(|operation| !operation.after.is_empty());
    after.map(|operation| format!("{} → {}", operation.after.join(", "), operation.name)).collect()
}
