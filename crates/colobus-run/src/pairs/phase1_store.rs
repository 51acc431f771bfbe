//! [`Phase1Store`]: phase 1 on disk. One line a sequence that was run, screenshots beside it under the digest of their
//! bytes. It outlives its run: the next one with the same configuration, application and browser starts from it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use colobus_model::{NotApplicable, Observation, Png};
use colobus_pairs::{Exploration, Node, Sequence};
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::line_file::LineFile;
use crate::search_key::digest;

pub(crate) struct Phase1Store {
    folder: PathBuf,
    file: LineFile,
    /// Full-length sequences that need not be run again.
    pub done: BTreeSet<Sequence>,
    pub exploration: Exploration,
}

#[derive(Serialize, Deserialize)]
struct Line {
    leaf: Sequence,
    nodes: Vec<StoredNode>,
}

#[derive(Serialize, Deserialize)]
struct StoredNode {
    sequence: Sequence,
    #[serde(flatten)]
    content: Content,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    Seen { observation: Observation, screenshot: Option<String> },
    NotApplicable(NotApplicable),
}

impl Phase1Store {
    /// Opens the store for this key below `out`; an unfinished one is used as far as it goes, a damaged one begun anew.
    pub fn open(out: &Path, key: &str) -> Result<Phase1Store, RunError> {
        let folder = out.join("phase1").join(key);
        fs::create_dir_all(&folder).map_err(RunError::write(&folder))?;
        let path = folder.join("sequences.jsonl");
        let mut lines: Vec<Line> = Vec::new();
        let file = match LineFile::open(&path, |line| lines.push(line)) {
            Err(RunError::Damaged { .. }) => {
                fs::remove_file(&path).map_err(RunError::write(&path))?;
                lines.clear();
                LineFile::open(&path, |line| lines.push(line))?
            }
            opened => opened?,
        };
        let mut store = Phase1Store { folder, file, done: BTreeSet::new(), exploration: Exploration::default() };
        for line in lines {
            store.take(line);
        }
        Ok(store)
    }

    fn take(&mut self, line: Line) {
        let nodes: Option<Vec<_>> = line.nodes.into_iter().map(|node| self.load(node)).collect();
        if let Some(nodes) = nodes {
            self.done.insert(line.leaf);
            for (sequence, node) in nodes {
                self.exploration.insert(sequence, node);
            }
        }
    }

    /// `None` if its screenshot is gone: then the sequence is run again.
    fn load(&self, stored: StoredNode) -> Option<(Sequence, Node)> {
        let node = match stored.content {
            Content::Seen { mut observation, screenshot } => {
                if let Some(name) = screenshot {
                    let bytes = fs::read(self.folder.join(format!("{name}.png"))).ok()?;
                    observation.screenshot = Some(Png(bytes.into()));
                }
                Node::Seen(observation)
            }
            Content::NotApplicable(reason) => Node::NotApplicable(reason),
        };
        Some((stored.sequence, node))
    }

    /// Keeps what the run of `leaf` saw. What nothing can be said of is kept for this run only: the next one tries again.
    pub fn add(&mut self, leaf: &Sequence, nodes: Vec<(Sequence, Node)>) -> Result<(), RunError> {
        let stored =
            nodes.iter().map(|(sequence, node)| self.save(sequence, node)).collect::<Result<Option<_>, _>>()?;
        if let Some(nodes) = stored {
            self.file.append(&Line { leaf: leaf.clone(), nodes })?;
            self.done.insert(leaf.clone());
        }
        for (sequence, node) in nodes {
            self.exploration.insert(sequence, node);
        }
        Ok(())
    }

    /// `None` if nothing can be said of the state.
    fn save(&self, sequence: &Sequence, node: &Node) -> Result<Option<StoredNode>, RunError> {
        let content = match node {
            Node::Seen(observation) => Content::Seen {
                observation: observation.clone(),
                screenshot: observation.screenshot.as_ref().map(|png| self.save_png(png)).transpose()?,
            },
            Node::NotApplicable(found) => Content::NotApplicable(found.clone()),
            Node::Unknown(_) => return Ok(None),
        };
        Ok(Some(StoredNode { sequence: sequence.clone(), content }))
    }

    fn save_png(&self, png: &Png) -> Result<String, RunError> {
        let name = digest(&png.0);
        let path = self.folder.join(format!("{name}.png"));
        if !path.exists() {
            let unfinished = path.with_extension("part");
            fs::write(&unfinished, &png.0).map_err(RunError::write(&unfinished))?;
            fs::rename(&unfinished, &path).map_err(RunError::write(&path))?;
        }
        Ok(name)
    }
}
