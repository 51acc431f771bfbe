//! Small pages with races: a folder each in `fixtures/`. `page/` is served as it is, `repaired/` has the files that its repaired
//! twin replaces, and `truth.json` says what users do, when answers come, and what is to be found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use colobus_model::Step;
use colobus_race::recorded::UserStep;
use serde::Deserialize;

use super::server::{Answer, PIXEL, STREAM, Site};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../colobus-driver/tests/race/fixtures");

pub struct Fixture {
    pub name: String,
    pub truth: Truth,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// What goes wrong, in one line.
    pub what: String,
    /// The reversals within which everything is found.
    pub bound: usize,
    /// By address: what is not a file, and when it comes.
    answers: BTreeMap<String, Timed>,
    steps: Vec<TimedStep>,
    /// `first / second: [harms]`, one for each cause.
    pub finds: Vec<String>,
    /// `first / second`: what is reported apart.
    #[serde(default)]
    pub apart: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Timed {
    #[serde(default)]
    after: u64,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    image: bool,
    /// An event stream that stays open.
    #[serde(default)]
    stream: Option<String>,
    #[serde(default)]
    status: Option<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimedStep {
    at: u64,
    #[serde(rename = "do")]
    step: Step,
}

/// The names of all fixtures.
pub fn names() -> Vec<String> {
    let folders = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = folders.collect();
    names.sort();
    names
}

pub fn fixture(name: &str) -> Fixture {
    let path = Path::new(FOLDER).join(name).join("truth.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let truth = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Fixture { name: name.to_string(), truth }
}

impl Fixture {
    pub fn steps(&self) -> Vec<UserStep> {
        self.truth.steps.iter().map(|TimedStep { at, step }| UserStep::new(step.clone(), *at)).collect()
    }

    pub fn page(&self) -> Site {
        self.serving(&["page"])
    }

    pub fn repaired(&self) -> Site {
        self.serving(&["page", "repaired"])
    }

    fn serving(&self, folders: &[&str]) -> Site {
        let mut site = Site::default();
        for (address, Timed { after, text, image, stream, status }) in &self.truth.answers {
            if let Some(text) = text {
                let kind = "text/plain; charset=utf-8";
                let answer = Answer { status: status.unwrap_or(200), ..Answer::new(kind, text.as_bytes(), *after) };
                site = site.answering(address, answer);
            } else if let Some(events) = stream {
                site = site.answering(address, Answer::new(STREAM, events.as_bytes(), *after));
            } else if *image {
                site = site.answering(address, Answer::new("image/gif", PIXEL, *after));
            }
        }
        for file in folders.iter().flat_map(|folder| files(&Path::new(FOLDER).join(&self.name).join(folder))) {
            let name = file.file_name().unwrap().to_str().unwrap();
            let (address, kind) = match name {
                "index.html" => ("/".to_string(), "text/html; charset=utf-8"),
                _ => (format!("/{name}"), "text/javascript; charset=utf-8"),
            };
            let after = self.truth.answers.get(&address).map_or(0, |timed| timed.after);
            site = site.answering(&address, Answer::new(kind, &fs::read(&file).unwrap(), after));
        }
        site
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
