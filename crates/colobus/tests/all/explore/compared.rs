//! `colobus explore` beside gremlins.js with the same time: lines that ran, and bugs that showed. Run by `make bench`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use colobus_browser::find_browser;
use colobus_explore::coverage::{executed, lines};
use colobus_world::{FunctionRun, RangeRun, ScriptName, ScriptRun};
use serde_json::Value;

use super::site::{Site, Twin};
use super::{APPLICATIONS, FOLDERS, explore};

/// What a tool reached.
struct Reached {
    lines: usize,
    bugs: usize,
}

/// Lets gremlins loose for some time.
fn gremlins(url: &str, time: Duration, seed: u64) -> Reached {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/explore/gremlins.mjs");
    let browser = find_browser(None, false).unwrap();
    let output = Command::new("node")
        .arg(script)
        .arg(browser)
        .args([url, &time.as_secs_f64().to_string(), &seed.to_string()])
        .current_dir(packages)
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut reached = 0;
    for (number, script) in told["scripts"].as_array().unwrap().iter().enumerate() {
        let name = ScriptName { url: script["url"].as_str().unwrap().into(), hash: number.to_string().into() };
        let functions = script["functions"].as_array().unwrap().iter().map(function).collect();
        let (covered, _) = executed(&[ScriptRun { script: name.clone(), functions }]);
        let found = lines(script["text"].as_str().unwrap(), covered.of(&name));
        reached += found.iter().filter(|line| line.covered).count();
    }
    Reached { lines: reached, bugs: told["errors"].as_array().unwrap().len() }
}

fn function(told: &Value) -> FunctionRun {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let range = |range: &Value| RangeRun {
        start: number(&range["startOffset"]),
        end: number(&range["endOffset"]),
        count: range["count"].as_u64().unwrap(),
    };
    let ranges = told["ranges"].as_array().unwrap().iter().map(range).collect();
    FunctionRun { name: String::new(), ranges }
}

#[test]
#[ignore = "a comparison that takes minutes; whether the other tool really acts is not checked yet"]
fn exploring_beside_gremlins() {
    println!(
        "| page | server | sequences | time | lines: explore | lines: gremlins.js | of | bugs: explore | bugs: gremlins.js |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (page, paths, budget) in [
        ("shop.html", &[][..], "40"),
        ("resume.html", &[][..], "40"),
        ("resume.html", APPLICATIONS, "40"),
        ("files.html", &[][..], "40"),
        ("files.html", FOLDERS, "12"),
    ] {
        for seed in 0..3 {
            let begun = Instant::now();
            let explored = explore(Twin::Bug, page, paths, &["--budget", budget, "--seed", &seed.to_string()]);
            let time = begun.elapsed();
            let figures = explored.report.exploration.clone().unwrap();
            let site = Site::start(Twin::Bug);
            let other = gremlins(&format!("{}/{page}", site.url), time, seed);
            println!(
                "| {page} | {} | {} | {:.0} s | {} | {} | {} | {} | {} |",
                if paths.is_empty() { "real" } else { "learned" },
                explored.report.counts.interactions.ran(),
                time.as_secs_f64(),
                figures.lines_covered,
                other.lines,
                figures.lines,
                explored.report.findings.len(),
                other.bugs
            );
        }
    }
}
