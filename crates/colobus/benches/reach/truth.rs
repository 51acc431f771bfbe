//! [`Truth`]: the lines of an application that its `truth.toml` names, as files and numbers. Read before anything is searched, so that
//! a line without an answer is counted as well.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// What a person says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Sequence,
    Parameters,
    Unsatisfiable,
}

impl Kind {
    pub fn can_be_reached(self) -> bool {
        self != Kind::Unsatisfiable
    }

    pub fn word(self) -> &'static str {
        match self {
            Kind::Sequence => "sequence",
            Kind::Parameters => "parameters",
            Kind::Unsatisfiable => "unsatisfiable",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    /// `FILE:LINE`; the text of the truth file if no line of the application is found for it.
    pub line: String,
    pub kind: Kind,
}

impl Target {
    /// File and number.
    pub fn place(&self) -> Option<(&str, u32)> {
        let (file, number) = self.line.rsplit_once(':')?;
        Some((file, number.parse().ok()?))
    }
}

#[derive(Debug, Deserialize)]
pub struct Truth {
    #[serde(rename = "target")]
    pub targets: Vec<Target>,
}

impl Truth {
    /// `served` is the folder with the files that a browser gets.
    pub fn read(path: &Path, served: &Path) -> anyhow::Result<Truth> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut truth: Truth = toml::from_str(&text).with_context(|| format!("{} is no truth file", path.display()))?;
        let sources = sources(served)?;
        for target in truth.targets.iter_mut().filter(|target| target.place().is_none()) {
            if let Some(line) = line_with(&target.line, &sources) {
                target.line = line;
            }
        }
        Ok(truth)
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.targets.iter().filter(|target| target.kind == kind).count()
    }

    pub fn can_be_reached(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.kind.can_be_reached())
    }
}

/// The application's own code: names as the page has them, and texts.
fn sources(served: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let (mut found, mut folders) = (Vec::new(), vec![served.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default();
            let is_code = path.extension().is_some_and(|it| it == "js" || it == "html");
            if path.is_dir() && name != "node_modules" {
                folders.push(path);
            } else if is_code && name != "server.js" {
                found.push((named(&path, served), fs::read_to_string(&path)?));
            }
        }
    }
    Ok(found)
}

fn named(path: &Path, served: &Path) -> String {
    path.strip_prefix(served).unwrap_or(path).to_string_lossy().into_owned()
}

/// The one line that contains a text.
fn line_with(text: &str, sources: &[(String, String)]) -> Option<String> {
    let lines = sources.iter().flat_map(|(file, source)| (1..).zip(source.lines()).map(move |it| (file, it)));
    let mut found = lines.filter(|(_, (_, line))| line.contains(text));
    let (file, (number, _)) = found.next()?;
    found.next().is_none().then(|| format!("{file}:{number}"))
}
