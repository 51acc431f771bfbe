//! `colobus reach` on the TaxCalculator of the thesis, and on lines that nothing reaches.

use std::path::Path;
use std::process::{Command, Output};

use colobus_model::Report;

use crate::race::server::{Server, Site};
use crate::traffic::entries;

const PAGE: &str = include_str!("../../../../subjects/reach/tax-calculator/index.html");
const SCRIPT: &str = include_str!("../../../../subjects/reach/tax-calculator/app.js");

fn serve(page: &str, script: &str) -> Server {
    Site::page(page).script("/app.js", script, 0).serve()
}

fn run(url: &str, line: &str, more: &[&str], folder: &Path) -> Output {
    let arguments = [&["reach", url, line], more].concat();
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

/// The exit code and what was printed.
fn reach(url: &str, line: &str, more: &[&str], folder: &Path) -> (Option<i32>, String) {
    let output = run(url, line, more, folder);
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn line_of(script: &str, text: &str) -> String {
    let number = script.lines().position(|line| line.contains(text)).unwrap() + 1;
    format!("app.js:{number}")
}

/// Both sequences of eight events are right.
#[test]
fn the_deduction_above_the_income_is_reached() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(PAGE, SCRIPT));
    let target = line_of(SCRIPT, "The deduction is above the income");
    let (code, said) = reach(&server.url(), &target, &["--explain"], folder.path());
    assert_eq!(code, Some(0), "{said}");
    for summary in [
        "start if true then deduction := 0, enabled := false, income := 0",
        "if enabled, (income - deduction) < 0 then nothing",
        "if enabled, !((income - deduction) < 0) then nothing",
        "if !enabled, income < 0 then nothing",
        "if !enabled, !(income < 0) then nothing",
        "if !enabled then enabled := true",
        "if enabled then enabled := false",
        "enter Deduction/1 if true then deduction := Number(value)",
        "click 7/1 if true then income := (10 * income) + 7",
    ] {
        assert!(said.contains(summary), "{summary}: {said}");
    }
    assert!(said.contains("5 states, 19 events, 24 summaries"), "{said}");
    assert!(said.contains("is reached by 8 events"), "{said}");
    let steps: Vec<&str> = said.lines().skip_while(|line| !line.starts_with(&*target)).skip(1).take(8).collect();
    let names = ["Menu", "Settings", "Edit", "enter", "Close", "Deductions", "Done", "Calculate"];
    let thesis = ["Menu", "Settings", "Deductions", "Edit", "enter", "Close", "Done", "Calculate"];
    let fits = |names: &[&str]| steps.iter().zip(names).all(|(step, name)| step.contains(name));
    assert!(fits(&names) || fits(&thesis), "{steps:?}");
    let run = folder.path().join("colobus-out/last");
    for file in ["1/session.rec", "1/session.spec.mjs", "model.svg", "journal.jsonl", "report.html", "report.json"] {
        assert!(run.join(file).is_file(), "{file}");
    }
    let requests = entries(&run.join("1/traffic.har"));
    let asked: Vec<&str> = requests.iter().map(|entry| entry["request"]["url"].as_str().unwrap()).collect();
    assert_eq!(asked, ["", "app.js"].map(|path| format!("{}{path}", server.url())));
    let junit = std::fs::read_to_string(run.join("junit.xml")).unwrap();
    assert!(junit.contains(&format!("name=\"{target}\"")) && junit.contains("failures=\"0\""), "{junit}");
}

const UNREACHABLE: &str = "let count = 0;
document.getElementById('more').onclick = () => {
  count = count + 1;
  if (count > 5 && count < 3) {
    document.title = 'never';
  }
  if (typeof count === 'string') {
    document.title = 'no text';
  }
};
";

#[test]
fn a_line_behind_a_contradiction_is_never_reached() {
    let page = "<!doctype html><link rel=icon href='data:,'><button id=more>More</button><script src=app.js></script>";
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(page, UNREACHABLE));
    let target = line_of(UNREACHABLE, "never");
    let output = run(&server.url(), &target, &["--iterations", "5", "--reporter=json", "--explain"], folder.path());
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(serde_json::from_str::<Report>(&said).is_ok(), "nothing but the report is on standard output: {said}");
    assert!(said.contains("is not reached") && said.contains("no summary executes the line"), "{said}");
    let (code, said) = reach(&server.url(), "other.js:1", &[], folder.path());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("has no file `other.js`"), "{said}");
}

/// Its opening never ends.
#[test]
fn a_page_that_loads_itself_again_and_again_ends_with_the_time() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve("<script src=app.js></script>", "location.reload();"));
    let (code, said) = reach(&server.url(), "app.js:1", &["--timeout", "2s"], folder.path());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the time given by --timeout is over, before the page was known"), "{said}");
}

/// Nothing searched is not everything reached.
#[test]
fn a_page_without_branches_has_no_line_to_search_for() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve("<script src=app.js></script>", "document.title = 1;"));
    let (code, said) = reach(&server.url(), "--uncovered", &["--budget", "1"], folder.path());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no line was searched for: exploring left no branch"), "{said}");
}
