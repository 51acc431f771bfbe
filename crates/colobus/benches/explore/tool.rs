//! The tools that are compared: each explores a page for some time, and tells what it reached.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use colobus_browser::find_browser;
use colobus_explore::coverage::{executed, lines};
use colobus_model::Report;
use colobus_world::{FunctionRun, RangeRun, ScriptName, ScriptRun};
use serde_json::Value;

use crate::site::{Site, capture};

/// What a tool reached.
pub struct Reached {
    pub lines: usize,
    pub bugs: usize,
    /// Actions of the others; of `explore` sequences, each of which opens the page afresh.
    pub actions: usize,
}

/// Explores the page; with a learned server if there are paths to learn from.
pub fn explore(site: &Site, page: &str, paths: &[&str], budget: &str, seed: u64) -> Reached {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let colobus = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder.path()).output();
        let output = output.expect("colobus can be run");
        assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let (url, seed) = (format!("{}/{page}", site.url), seed.to_string());
    let mut arguments = vec!["explore", &url, "--budget", budget, "--seed", &seed];
    if !paths.is_empty() {
        fs::write(folder.path().join("app.har"), capture(&site.url, paths).to_string()).expect("a file");
        colobus(&["learn", "app.har", "-o", "api"]);
        arguments.extend(["--server", "api/api.ail"]);
    }
    colobus(&arguments);
    let report = folder.path().join("colobus-out/last/report.json");
    let report = fs::read_to_string(report).expect("a report");
    let report: Report = serde_json::from_str(&report).expect("a report");
    let lines = report.exploration.map_or(0, |explored| explored.lines_covered);
    Reached { lines, bugs: report.findings.len(), actions: report.counts.interactions.ran() }
}

/// Lets gremlins loose.
pub fn gremlins(url: &str, time: Duration, seed: u64) -> Reached {
    other("gremlins.mjs", &[url, &time.as_secs_f64().to_string(), &seed.to_string()])
}

/// Lets Bombadil loose, which takes no seed.
pub fn bombadil(url: &str, time: Duration) -> Reached {
    other("bombadil.mjs", &[url, &time.as_secs_f64().to_string()])
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/explore")
}

fn other(script: &str, arguments: &[&str]) -> Reached {
    let browser = find_browser(None, false).expect("a browser");
    let output = Command::new("node")
        .arg(folder().join(script))
        .arg(browser)
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
    Reached { lines: reached, bugs: told["errors"].as_array().map_or(0, Vec::len), actions }
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
