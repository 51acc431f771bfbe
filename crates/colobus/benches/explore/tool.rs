//! The tools that are compared: each explores a page for some time, and tells what it reached.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use colobus_browser::find_browser;
use colobus_explore::coverage::{executed, lines};
use colobus_model::Report;
use colobus_world::{FunctionRun, RangeRun, ScriptName, ScriptRun};
use serde_json::Value;

use crate::folder;

/// What is let loose on a page; ours first.
#[derive(Clone, Copy)]
pub enum Tool {
    Explore,
    Gremlins,
    Bombadil,
}

impl Tool {
    pub const ALL: [Tool; 3] = [Tool::Explore, Tool::Gremlins, Tool::Bombadil];

    pub fn name(self) -> &'static str {
        match self {
            Tool::Explore => "colobus explore",
            Tool::Gremlins => "gremlins.js",
            Tool::Bombadil => "Bombadil",
        }
    }
}

/// What a tool reached.
pub struct Reached {
    pub lines: usize,
    /// Different ones, as the tool words them, but for the port: every run has another.
    pub errors: BTreeSet<String>,
    pub actions: usize,
}

/// Lets a tool loose on a page for some time. Bombadil takes no seed.
pub fn reach(tool: Tool, url: &str, time: Duration, seed: u64) -> Reached {
    let (seconds, seed) = (time.as_secs_f64().to_string(), seed.to_string());
    match tool {
        Tool::Explore => explore(url, time, &seed),
        Tool::Gremlins => other("gremlins.mjs", url, &[&seconds, &seed]),
        Tool::Bombadil => other("bombadil.mjs", url, &[&seconds]),
    }
}

/// An error of the same application in another run has the same words.
fn without_port(error: &str, url: &str) -> String {
    let authority = url.split("//").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let Some((host, port)) = authority.rsplit_once(':') else { return error.to_string() };
    error.replace(authority, host).replace(port, "PORT")
}

fn explore(url: &str, time: Duration, seed: &str) -> Reached {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let timeout = format!("{}s", time.as_secs());
    let limits = ["--budget", "100000", "--timeout", &timeout, "--repeat", "1"];
    let report = explored(folder.path(), &[&["explore", url, "--seed", seed], &limits[..]].concat());
    let explored = report.exploration.unwrap_or_default();
    let errors = report.findings.iter().map(|finding| without_port(&finding.difference.summary, url)).collect();
    Reached { lines: explored.lines_covered, errors, actions: explored.performed }
}

/// Runs our program in a folder; what it said.
pub fn colobus(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output();
    let output = output.expect("colobus can be run");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs our program, and reads its report. Its exit code does not matter: what was found may wait to be reduced when the time is up.
pub fn explored(folder: &Path, arguments: &[&str]) -> Report {
    let report = folder.join("colobus-out/last/report.json");
    let _ = fs::remove_file(&report);
    let said = colobus(folder, arguments);
    let report = fs::read_to_string(report).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {said}"));
    serde_json::from_str(&report).expect("a report")
}

fn other(script: &str, url: &str, arguments: &[&str]) -> Reached {
    let browser = find_browser(None, false).expect("a browser");
    let output = Command::new("node")
        .arg(folder().join(script))
        .arg(browser)
        .arg(url)
        .args(arguments)
        .current_dir(folder().join("packages"))
        .output()
        .expect("node can be run");
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{script}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut reached = 0;
    for (number, script) in told["scripts"].as_array().into_iter().flatten().enumerate() {
        let text = script["text"].as_str().unwrap_or_default();
        let name =
            ScriptName { url: script["url"].as_str().unwrap_or_default().into(), hash: number.to_string().into() };
        let functions = script["functions"].as_array().into_iter().flatten().map(function).collect();
        let (covered, _) = executed(&[ScriptRun { script: name.clone(), functions }]);
        reached += lines(text, covered.of(&name)).iter().filter(|line| line.covered).count();
    }
    let actions = told["actions"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    let errors =
        told["errors"].as_array().into_iter().flatten().map(|error| without_port(&error.to_string(), url)).collect();
    Reached { lines: reached, errors, actions }
}

fn function(told: &Value) -> FunctionRun {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default();
    let range = |range: &Value| RangeRun {
        start: number(&range["startOffset"]),
        end: number(&range["endOffset"]),
        count: range["count"].as_u64().unwrap_or_default(),
    };
    FunctionRun { name: String::new(), ranges: told["ranges"].as_array().into_iter().flatten().map(range).collect() }
}
