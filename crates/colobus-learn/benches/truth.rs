//! Operations of servers whose truth is known, learned from 70 of 100 exchanges and compared on the others: with the robust algorithm,
//! with that of the thesis, with mitmproxy2swagger and with har-to-openapi. `make bench-learn` installs the other tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use colobus_learn::language::Router;
use colobus_learn::score::{Score, Truth, score};
use colobus_learn::{Exchange, Learned, Random, Request, har, plain, robust};
use serde_json::{Value, json};

const SERVERS: [&str; 4] = ["jupyter", "json-server", "library", "desk"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn main() {
    println!("| server | requests | operations | tool | learned | match | 1 -> N | N -> 1 | missing |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for server in SERVERS {
        let read = |kind: &str| fs::read(folder().join(format!("tests/truth/{server}.{kind}"))).expect("the capture");
        let truth = Truth::parse(&String::from_utf8_lossy(&read("truth"))).expect("the truth");
        let mut capture: Value = serde_json::from_slice(&read("har")).expect("a HAR file");
        let entries: Vec<Value> = capture["log"]["entries"].as_array().expect("entries").clone();
        let (part, rest) = split(entries);
        let (learned_from, asked) = (exchanges(&part), exchanges(&rest));
        let requests: Vec<Request> = asked.iter().map(Request::of).collect();
        capture["log"]["entries"] = json!(part);
        let file = std::env::temp_dir().join(format!("colobus-truth-{}-{server}.har", std::process::id()));
        fs::write(&file, capture.to_string()).expect("a temporary file");
        let row = |tool: &str, learned: usize, score: Score| {
            let Score { operations, matched, merged, missing, split } = score;
            println!(
                "| {server} | {} | {operations} | {tool} | {learned} | {matched} | {split} | {merged} | {missing} |",
                requests.len()
            );
        };
        let ours = robust::learn(&learned_from);
        row("colobus learn", ours.description.operations.len(), score_of(&ours, &truth, &requests));
        match plain::learn(&learned_from) {
            Ok(plain) => {
                row("colobus learn --plain", plain.description.operations.len(), score_of(&plain, &truth, &requests));
            }
            Err(why) => println!("| {server} | | | colobus learn --plain | {why} | | | | |"),
        }
        for (tool, command) in others(&file) {
            match operations(command) {
                Ok(found) => {
                    row(tool, found.len(), score(&truth, &|request| found.operation_of(request), &requests));
                }
                Err(why) => println!("| {server} | | | {tool} | {why} | | | | |"),
            }
        }
        let _ = fs::remove_file(&file);
    }
}

/// 70 of 100, and the others: the same every time.
fn split(mut entries: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    let mut random = Random::new(0);
    for last in (1..entries.len()).rev() {
        entries.swap(last, random.below(last + 1));
    }
    let rest = entries.split_off(entries.len() * 7 / 10);
    (entries, rest)
}

fn exchanges(entries: &[Value]) -> Vec<Exchange> {
    har::read(json!({ "log": { "entries": entries } }).to_string().as_bytes()).expect("a HAR file").exchanges
}

fn score_of(learned: &Learned, truth: &Truth, requests: &[Request]) -> Score {
    let router = Router::new(&learned.description);
    let takes =
        |request: &Request| router.select(&learned.description, &learned.schemas, request).map(|found| found.number);
    score(truth, &takes, requests)
}

/// How the other tools learn from a file.
fn others(file: &Path) -> [(&'static str, Command); 2] {
    let python = std::env::var_os("COLOBUS_PYTHON").map_or_else(|| folder().join("../../target/python"), PathBuf::from);
    let mut swagger = Command::new(python.join("bin/python"));
    swagger.arg(folder().join("benches/others/mitmproxy2swagger.py")).arg(file);
    let mut openapi = Command::new("node");
    openapi.arg(folder().join("benches/others/har-to-openapi.mjs")).arg(file);
    openapi.current_dir(folder().join("benches/packages"));
    [("mitmproxy2swagger", swagger), ("har-to-openapi", openapi)]
}

/// The operations that a tool prints.
fn operations(mut command: Command) -> Result<Truth, String> {
    let output = command.output().map_err(|error| format!("cannot be run: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("failed: {}", complaint.lines().last().unwrap_or_default()));
    }
    Truth::parse(&String::from_utf8_lossy(&output.stdout)).map_err(|error| error.to_string())
}
