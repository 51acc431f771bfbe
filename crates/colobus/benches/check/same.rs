//! The causes that an older build finds beside those of this one, on the same applications: no cause is lost for speed.
//! `COLOBUS_BEFORE` is the path of the older program. Causes are compared by their names, and by check and actions where names differ:
//! names have changed over time.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::applications::installed;
use crate::table::Table;
use crate::tool::{PROGRAM, Search};

const BEFORE: &str = "COLOBUS_BEFORE";
const ONCE: [&str; 2] = ["--depth=2", "--repeat=1"];

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    let before = std::env::var(BEFORE).with_context(|| format!("{BEFORE} has to be the path of an older colobus"))?;
    ensure!(Path::new(&before).is_file(), "{BEFORE}: there is no {before}");
    let firepad = installed("firepad")?;
    let searches: [(&str, Vec<&str>); 2] = [
        ("the editor with all bugs", vec!["demo", "--port=0", "--no-open", "--bug=all"]),
        ("Firepad", vec!["check", "-c", &firepad]),
    ];
    for (name, command) in searches {
        table.section(&format!("{name}, depth 2: causes, and the failures that each explains"));
        let causes = |program: &str| Causes::read(&Search::of_program(program, &command, &ONCE)?.finish_as_json()?);
        compare(causes(&before)?, causes(PROGRAM)?, table);
    }
    Ok(())
}

struct Causes(Vec<Cause>);

struct Cause {
    name: String,
    check: String,
    /// Names of the actions at the same time, sorted.
    actions: Vec<String>,
    failures: u64,
}

impl Causes {
    /// Reports of older builds lack fields that this one has.
    fn read(report: &Value) -> anyhow::Result<Causes> {
        let causes = report["root_causes"].as_array().context("the report has no causes")?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let cause = |cause: &Value| {
            let actions = cause["case"]["interaction"]["concurrent"].as_array();
            let mut actions: Vec<String> = actions.into_iter().flatten().map(text).collect();
            actions.sort();
            let failures = cause["failures"].as_u64().unwrap_or_default();
            Cause { name: text(&cause["name"]), check: text(&cause["check"]), actions, failures }
        };
        Ok(Causes(causes.iter().map(cause).collect()))
    }

    /// Takes out the cause that is the same.
    fn take(&mut self, same: impl Fn(&Cause) -> bool) -> Option<Cause> {
        self.0.iter().position(same).map(|place| self.0.remove(place))
    }
}

fn compare(before: Causes, mut now: Causes, table: &mut Table) {
    let counts = (before.0.len(), now.0.len());
    let (mut both, mut only_before) = (0, Vec::new());
    for cause in before.0 {
        let by_name = now.take(|other| !cause.name.is_empty() && other.name == cause.name);
        let found =
            by_name.or_else(|| now.take(|other| (&other.check, &other.actions) == (&cause.check, &cause.actions)));
        match found {
            Some(found) => {
                both += 1;
                table.row(cause.said(), format!("before {}, now {}", cause.failures, found.failures));
            }
            None => only_before.push(cause),
        }
    }
    for cause in only_before {
        table.row(cause.said(), format!("before {}, not now", cause.failures));
    }
    for cause in now.0 {
        table.row(cause.said(), format!("not before, now {}", cause.failures));
    }
    table.row("causes before, now, both times", format!("{}, {}, {both}", counts.0, counts.1));
}

impl Cause {
    fn said(&self) -> String {
        let actions = self.actions.join(" || ").replace('|', "\\|");
        format!("{} ({}: {actions})", self.name.replace('|', "\\|"), self.check)
    }
}
