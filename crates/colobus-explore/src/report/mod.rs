//! What was explored, for people and other tools: coverage as [`html`] and [`lcov`], the UI model as a file and pictures.

pub mod html;
pub mod lcov;
pub mod scripts;

use std::collections::BTreeMap;

use colobus_reach::ui::{UiModel, file, picture};
use colobus_world::{Script, ScriptName};

use crate::Knowledge;
use scripts::Scripts;

/// Files of a report: names, which may have folders, and contents.
pub type Files = Vec<(&'static str, String)>;

/// The UI model: as a file that `reach` reads, as a picture and as a diagram.
pub fn ui_model(knowledge: &Knowledge, scripts: &Scripts, page: &str) -> Files {
    let model: UiModel = knowledge.states.model(&knowledge.notes(|name, at| scripts.line_of(name, at)), page);
    vec![
        ("ui-model.txt", file::write(&model)),
        ("ui-model.svg", picture::svg(&model)),
        ("ui-model.mmd", picture::mermaid(&model)),
    ]
}

/// Coverage by file and line.
pub fn coverage(knowledge: &Knowledge, scripts: &Scripts) -> Files {
    let known = by_url(scripts.all());
    vec![
        ("coverage/index.html", html::html(knowledge, &known)),
        ("coverage/lcov.info", lcov::lcov(&knowledge.covered, &known)),
    ]
}

/// Scripts by the file that they stand in, in the order in which they stand there.
fn by_url(scripts: BTreeMap<ScriptName, Script>) -> BTreeMap<String, Vec<Script>> {
    let mut files: BTreeMap<String, Vec<Script>> = BTreeMap::new();
    for script in scripts.into_values() {
        files.entry(script.name.url.to_string()).or_default().push(script);
    }
    files.values_mut().for_each(|scripts| scripts.sort_by_key(|script| script.line));
    files
}
