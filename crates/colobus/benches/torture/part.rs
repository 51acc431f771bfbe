//! [`Part`]: one row of the table, and which of them the words of the command line select.

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::hostile;

/// Forgets results of earlier runs.
pub const AFRESH: &str = "afresh";
/// Runs nothing.
const NOTHING: &str = "nothing";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    Tool,
    Browser,
    Application,
    Paused,
    Pages,
    Fuzz,
    Exports,
    Memory,
    Busy,
}

impl Part {
    pub const ALL: &[Part] = &[
        Part::Tool,
        Part::Browser,
        Part::Application,
        Part::Paused,
        Part::Pages,
        Part::Fuzz,
        Part::Exports,
        Part::Memory,
        Part::Busy,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Part::Tool => "tool",
            Part::Browser => "browser",
            Part::Application => "application",
            Part::Paused => "paused",
            Part::Pages => "pages",
            Part::Fuzz => "fuzz",
            Part::Exports => "exports",
            Part::Memory => "memory",
            Part::Busy => "busy",
        }
    }

    /// What its amount counts.
    pub fn unit(self) -> &'static str {
        match self {
            Part::Tool => "kills of the tool, each followed by --resume",
            Part::Browser => "kills of browser processes (browser, renderer, GPU, network)",
            Part::Application => "kills of the application",
            Part::Paused => "pauses of 14 s of a renderer",
            Part::Pages => "pages that misbehave",
            Part::Fuzz => "mutated inputs",
            Part::Exports => "hostile strings, each through every exporter",
            Part::Memory => "minutes of one search",
            Part::Busy => "interactions on correct applications beside four busy loops",
        }
    }

    /// How much of it is the whole part.
    pub fn whole(self) -> usize {
        match self {
            Part::Tool | Part::Browser => 100,
            Part::Application => 20,
            Part::Paused => 10,
            Part::Pages => hostile::PAGES.len(),
            Part::Fuzz => 1_000_000,
            Part::Exports => 100_000,
            Part::Memory => 60,
            Part::Busy => 1_000,
        }
    }
}

/// Parts with their amounts: those that are named (`tool`, `tool=10`), all without any.
pub fn selected(words: &[String]) -> anyhow::Result<Vec<(Part, usize)>> {
    let mut selected = Vec::new();
    for word in words.iter().filter(|word| ![AFRESH, NOTHING].contains(&word.as_str())) {
        let (name, amount) = word.split_once('=').map_or((word.as_str(), None), |(name, amount)| (name, Some(amount)));
        let Some(part) = Part::ALL.iter().find(|part| part.word() == name) else {
            let known: Vec<&str> = Part::ALL.iter().map(|part| part.word()).collect();
            bail!("there is no part `{name}`: {}", known.join(", "));
        };
        let amount = amount.map(|amount| amount.parse().with_context(|| format!("`{word}`"))).transpose()?;
        selected.push((*part, amount.unwrap_or_else(|| part.whole())));
    }
    if selected.is_empty() && !words.iter().any(|word| word == NOTHING) {
        selected = Part::ALL.iter().map(|part| (*part, part.whole())).collect();
    }
    Ok(selected)
}
