//! Every file of `test262-parser-tests`: what parses still parses once it is rewritten, and what does not parse still does
//! not.

use std::path::PathBuf;

use colobus_script::{Kind, Options, Rewritten, Unparsed, rewrite, runtime};
use serde_json::{Value, json};

use crate::support;

struct Source {
    name: String,
    is_module: bool,
    text: String,
}

fn sources(folder: &str) -> Vec<Source> {
    let folder = support::package("test262-parser-tests").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            Source { is_module: name.contains(".module."), name, text }
        })
        .collect()
}

/// How a source is rewritten.
pub type Rewrite = fn(&str, Kind<'static>) -> Result<Rewritten, Unparsed>;

fn as_is(source: &str, kind: Kind<'static>) -> Result<Rewritten, Unparsed> {
    rewrite(source, kind, &Options::default())
}

/// Rewrites all files of a folder, has Node parse them before and after, and returns how many were rewritten and what Node
/// counted.
pub fn check(folder: &str, rewrite: Rewrite) -> (usize, Value) {
    let mut rewritten = 0;
    let entries: Vec<Value> = sources(folder)
        .into_iter()
        .map(|Source { name, is_module, text }| {
            let kind = if is_module { Kind::Module } else { Kind::Script };
            let code = rewrite(&text, kind).map(|done| done.code);
            rewritten += usize::from(code.is_ok());
            json!({ "name": name, "module": is_module, "rewritten": code.unwrap_or(text.clone()), "plain": text })
        })
        .collect();
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("sources.json");
    std::fs::write(&file, Value::Array(entries).to_string()).unwrap();
    let arguments = ["--experimental-vm-modules", "parse.js", file.to_str().unwrap()];
    let output = support::node(&support::folder("node"), arguments);
    let printed = support::text(&output.stdout);
    let mut lines = printed.lines().rev();
    let counts: Value = serde_json::from_str(lines.next().unwrap_or_default())
        .unwrap_or_else(|_| panic!("{}", support::text(&output.stderr)));
    lines.take(5).for_each(|line| eprintln!("{line}"));
    assert_eq!(counts["changed"], 0, "sources of {folder} whose validity changed");
    (rewritten, counts)
}

/// The parser refuses three files that browsers accept; they run as they are.
#[test]
fn what_parses_still_parses() {
    assert_eq!(check("pass", as_is).0, 1978, "of 1981");
    assert_eq!(check("pass-explicit", as_is).0, 1980, "of 1981");
}

/// The parser accepts some of these; rewriting must not make them valid.
#[test]
fn what_does_not_parse_is_not_mended() {
    assert_eq!(check("fail", as_is).0, 75, "of 731");
    assert_eq!(check("early", as_is).0, 586, "of 668");
}

/// Most of these files end in an error; some never end, and are stopped.
#[test]
#[ignore = "takes minutes"]
fn what_runs_ends_in_the_same_way() {
    let scripts = sources("pass").into_iter().filter(|source| !source.is_module);
    let programs: Vec<Value> = scripts
        .map(|Source { text, .. }| {
            let code = rewrite(&text, Kind::Script, &Options::default()).map(|done| done.code);
            json!({ "rewritten": code.unwrap_or(text.clone()), "plain": text, "evaluated": [] })
        })
        .collect();
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("programs.json");
    std::fs::write(&file, json!({ "runtime": runtime(), "timeout": 1000, "programs": programs }).to_string()).unwrap();
    let output = support::node(&support::folder("node"), ["compare.js", file.to_str().unwrap()]);
    println!("{}", support::text(&output.stdout));
    let counts: Value = serde_json::from_str(support::text(&output.stdout).lines().last().unwrap_or_default()).unwrap();
    assert_eq!(counts["different"], 0);
}
