//! What is known after a search for lines, as files: the model and a picture of it beside the report, and all answers as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_reach::ui::file;
use colobus_reach::ui::picture::svg;
use colobus_reach_run::{Answer, Reached};
use serde::Serialize;

#[derive(Serialize)]
struct File<'a> {
    states: usize,
    events: usize,
    summaries: usize,
    runs: usize,
    queries: usize,
    crawled_seconds: f64,
    targets: &'a [Answer],
}

/// All answers, for `--json`; `make bench-reach` reads them.
pub fn write(path: &Path, reached: &Reached) -> anyhow::Result<()> {
    let crawled = &reached.crawled;
    let file = File {
        states: crawled.model.states().len(),
        events: crawled.model.events.len(),
        summaries: crawled.summaries.len(),
        runs: crawled.runs,
        queries: crawled.queries,
        crawled_seconds: reached.crawled_for.as_secs_f64(),
        targets: &reached.answers,
    };
    let text = serde_json::to_string_pretty(&file)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// A picture of the model in the folder of the run, and its file, which `--model` reads; where they are.
pub fn model(reached: &Reached) -> anyhow::Result<[PathBuf; 2]> {
    let model = &reached.crawled.model;
    let write = |name: &str, text: String| {
        let path = reached.folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(path)
    };
    Ok([write("model.svg", svg(model))?, write("ui-model.txt", file::write(model))?])
}
