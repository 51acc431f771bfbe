//! How an element is looked for when its path leads nowhere, or to several: from the path as it was recorded to ever
//! vaguer ones. What comes after the paths (role and label, text, position) needs the page, and is looked for there.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{Path, PathStep};

/// A path to try, and what was given up for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub given_up: GivenUp,
    pub path: Path,
}

/// From what is given up first to what is given up last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GivenUp {
    Nothing,
    Positions,
    Ids,
    /// The beginning of the path, with what it says of ids and positions left out or not.
    Prefix,
    /// Everything but the element's own name attribute.
    AllButName,
}

/// The paths to try, in this order, without doubles.
pub fn candidates(path: &Path) -> Vec<Candidate> {
    let mut all = vec![
        Candidate { given_up: GivenUp::Nothing, path: path.clone() },
        Candidate { given_up: GivenUp::Positions, path: each_step(path, without_position) },
        Candidate { given_up: GivenUp::Ids, path: each_step(path, without_ids) },
    ];
    let suffixes = |path: &Path| -> Vec<Path> { (1..path.steps.len()).map(|drop| suffix(path, drop)).collect() };
    let relaxed = [path.clone(), each_step(path, without_position), each_step(path, without_ids)];
    // The longest that is left first, whatever it keeps.
    let by_form: Vec<Vec<Path>> = relaxed.iter().map(suffixes).collect();
    for drop in 0..path.steps.len().saturating_sub(1) {
        all.extend(by_form.iter().map(|form| Candidate { given_up: GivenUp::Prefix, path: form[drop].clone() }));
    }
    let last = path.steps.last();
    if let Some(name) = last.and_then(|step| Some((step.tag.clone(), step.attribute("name")?.to_string()))) {
        let attributes = vec![("name".to_string(), name.1)];
        let step = PathStep { deep: true, tag: name.0, position: None, attributes };
        all.push(Candidate { given_up: GivenUp::AllButName, path: Path { steps: vec![step] } });
    }
    let mut distinct: Vec<Candidate> = Vec::new();
    for candidate in all {
        if !distinct.iter().any(|known| known.path == candidate.path) {
            distinct.push(candidate);
        }
    }
    distinct
}

/// As the page wants them.
pub fn to_json(candidates: &[Candidate]) -> Value {
    let step = |step: &PathStep| json!({ "deep": step.deep, "tag": step.tag, "position": step.position, "attributes": step.attributes });
    let candidate = |candidate: &Candidate| json!({ "givenUp": candidate.given_up, "steps": candidate.path.steps.iter().map(step).collect::<Vec<_>>() });
    candidates.iter().map(candidate).collect()
}

fn each_step(path: &Path, change: fn(&mut PathStep)) -> Path {
    let mut path = path.clone();
    path.steps.iter_mut().for_each(change);
    path
}

fn without_position(step: &mut PathStep) {
    step.position = None;
}

fn without_ids(step: &mut PathStep) {
    step.attributes.retain(|(name, _)| name != "id");
}

/// The path without its first steps, anywhere in the document.
fn suffix(path: &Path, drop: usize) -> Path {
    let mut steps = path.steps[drop..].to_vec();
    if let Some(first) = steps.first_mut() {
        first.deep = true;
    }
    Path { steps }
}
