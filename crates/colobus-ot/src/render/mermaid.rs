//! A Mermaid sequence diagram, for pages that draw those.

use super::{label, verdict};
use crate::scenario::Replay;

/// The replay as a Mermaid sequence diagram.
pub fn mermaid(replay: &Replay) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for (index, site) in replay.sites.iter().enumerate() {
        out += &format!("    participant s{index} as {} \"{}\"\n", site.site, quoted(&replay.scenario.text));
    }
    let longest = replay.sites.iter().map(|site| site.steps.len()).max().unwrap_or(0);
    for at in 0..longest {
        for (index, site) in replay.sites.iter().enumerate() {
            let Some(step) = site.steps.get(at) else { continue };
            let from = replay
                .sites
                .iter()
                .position(|other| other.steps.iter().any(|theirs| theirs.own && theirs.operation == step.operation));
            let said = format!("{} gives \"{}\"", quoted(&label(step)), quoted(&step.text));
            out += &match from.filter(|_| !step.own) {
                Some(from) => format!("    s{from}->>s{index}: {said}\n"),
                None => format!("    Note over s{index}: {said}\n"),
            };
        }
    }
    if let Some(last) = replay.sites.len().checked_sub(1) {
        out += &format!("    Note over s0,s{last}: {}\n", quoted(&verdict(replay)));
    }
    out
}

/// Characters that end a statement are written as entities.
fn quoted(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            ';' | '#' | '<' | '>' | '"' | '%' => format!("#{};", u32::from(c)),
            '\n' | '\r' => "␤".into(),
            c => c.into(),
        })
        .collect()
}
