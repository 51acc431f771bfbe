//! [`Accepted`]: causes that a team knows and lives with for now, in a file beside the configuration that is committed with
//! it. Written by `colobus accept`, read by every search, whose report says which causes are new.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_model::{AcceptedCause, Report};
use serde::{Deserialize, Serialize};

/// The file, in the folder of the configuration.
const FILE: &str = "colobus-accepted.toml";

const HEAD: &str = "\
# Causes that are known: a search fails on others only. `colobus accept` adds them; take away those that no longer come back.

";

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    #[serde(default, rename = "cause")]
    causes: Vec<AcceptedCause>,
}

/// Where the causes of a configuration are: beside it, or here for one that is no file.
pub fn file(configuration: &str) -> PathBuf {
    let folder = Path::new(configuration).parent().filter(|_| Path::new(configuration).exists());
    folder.unwrap_or(Path::new("")).join(FILE)
}

impl Accepted {
    /// None if there is no file.
    pub fn load(path: &Path) -> anyhow::Result<Accepted> {
        match fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).with_context(|| format!("{} cannot be read", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Accepted::default()),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        let text = format!("{HEAD}{}", toml::to_string(self)?);
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Adds a cause, or gives one that is there another reason.
    pub fn add(&mut self, cause: AcceptedCause) {
        self.causes.retain(|known| known.name != cause.name);
        self.causes.push(cause);
        self.causes.sort();
    }

    /// Says in a report which causes are accepted, and which of those that are did not come back.
    pub fn mark(&self, report: &mut Report) {
        for cause in &mut report.root_causes {
            cause.accepted = self.causes.iter().find(|known| known.name == cause.name).map(|known| known.why.clone());
        }
        let found = |known: &&AcceptedCause| report.root_causes.iter().any(|cause| cause.name == known.name);
        let is_complete = report.stopped.is_none() && report.shard.is_none();
        let gone = self.causes.iter().filter(|known| is_complete && !found(known)).cloned();
        report.gone = gone.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::{Finding, RootCause};

    fn accepted(names: &[&str]) -> Accepted {
        let mut accepted = Accepted::default();
        for name in names {
            accepted.add(AcceptedCause { name: name.to_string(), why: format!("because of {name}") });
        }
        accepted
    }

    fn report(causes: &[&str]) -> Report {
        let finding = |id: usize, cause: &str| -> Finding {
            serde_json::from_value(serde_json::json!({
                "id": id, "searched": { "session": { "mistake": "m", "script": [] } }, "check": "c",
                "difference": { "kind": "text", "summary": "s" }, "reproduced": 3, "attempts": 3,
                "cause": cause, "root_cause": 0, "trace": "t", "failures": 1
            }))
            .unwrap()
        };
        let mut findings: Vec<Finding> = causes.iter().enumerate().map(|(at, cause)| finding(at + 1, cause)).collect();
        let root_causes = RootCause::group(&mut findings);
        Report { findings, root_causes, ..Report::default() }
    }

    #[test]
    fn only_new_causes_fail_a_search_and_those_that_are_gone_are_told() {
        let mut both = report(&["old", "new"]);
        accepted(&["old", "older"]).mark(&mut both);
        let reasons: Vec<Option<&str>> = both.root_causes.iter().map(|cause| cause.accepted.as_deref()).collect();
        assert_eq!(reasons, [Some("because of old"), None]);
        assert_eq!(both.gone.iter().map(|cause| cause.name.as_str()).collect::<Vec<_>>(), ["older"]);
        assert!(both.has_confirmed_finding());
        let mut known = report(&["old"]);
        assert!(known.has_confirmed_finding());
        accepted(&["old"]).mark(&mut known);
        assert!(!known.has_confirmed_finding());
        // A search that ended early says nothing of what it did not see.
        let mut stopped = Report { stopped: Some("the time was up".into()), ..report(&[]) };
        accepted(&["old"]).mark(&mut stopped);
        assert_eq!(stopped.gone, []);
    }

    #[test]
    fn the_file_is_read_back_and_a_cause_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(Accepted::load(&path).unwrap(), Accepted::default());
        let mut written = accepted(&["b", "a \"quoted\""]);
        written.add(AcceptedCause { name: "b".into(), why: "#7".into() });
        written.save(&path).unwrap();
        assert_eq!(Accepted::load(&path).unwrap(), written);
        assert_eq!(written.causes.len(), 2);
        fs::write(&path, "cause = 3").unwrap();
        assert!(Accepted::load(&path).unwrap_err().to_string().contains(FILE));
    }
}
