//! Plain text: the operations, then one column per site.

use super::{causality, label, verdict};
use crate::scenario::Replay;

/// The replay as text.
pub fn text(replay: &Replay) -> String {
    let scenario = &replay.scenario;
    let mut out = format!("start \"{}\"\n", scenario.text);
    for operation in &scenario.operations {
        let after = match operation.after.is_empty() {
            true => String::new(),
            false => format!(", having seen {}", operation.after.join(", ")),
        };
        out += &format!("  {} = {} at site {}{after}\n", operation.name, operation.action, operation.site);
    }
    if causality(scenario).is_empty() {
        out += "  all of them concurrent\n";
    }
    for site in &replay.sites {
        out += &format!("\n{}\n", site.site);
        let width = site.steps.iter().map(|step| label(step).chars().count()).max().unwrap_or(0);
        for step in &site.steps {
            let who = if step.own { "·" } else { "←" };
            out += &format!("  {who} {:width$}  \"{}\"\n", label(step), step.text);
        }
    }
    out += &format!("\n{}\n", verdict(replay));
    if !replay.lost.is_empty() {
        out += &format!("Inserted and missing, though no site deleted it: {}.\n", replay.lost.join(", "));
    }
    out
}
