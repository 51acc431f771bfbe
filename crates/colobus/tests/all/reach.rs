//! `colobus reach` on the TaxCalculator of the thesis, and on lines that nothing reaches.

mod badly_behaved;
mod captures;
mod edited_model;
mod uncovered;

use std::path::Path;
use std::process::{Command, Output};

use colobus_model::Report;

use crate::race::server::{Answer, Server, Site};
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

const KEPT_PAGE: &str = "<!doctype html><link rel=icon href='data:,'><p>Count: <span id=count>0</span></p>
<button id=more>More</button><button id=keep>Keep</button><script src=app.js></script>";
const KEPT: &str = "const count = document.getElementById('count');
if (localStorage.getItem('kept') === '2') {
  document.title = 'two were kept';
}
document.getElementById('more').onclick = () => {
  count.textContent = Number(count.textContent) + 1;
};
document.getElementById('keep').onclick = () => {
  localStorage.setItem('kept', count.textContent);
};
document.addEventListener('keydown', (event) => {
  if (event.key === 'q' && count.textContent === '1') {
    document.title = 'a key with a count';
  }
  if (event.key === 'q' && count.textContent === 'many') {
    document.title = 'nothing writes this';
  }
});
";

/// The count is a text of the page, what is kept is in the store, and a document that is loaded again reads it.
#[test]
fn state_in_the_page_and_in_the_store_is_followed() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(KEPT_PAGE, KEPT));
    let [kept, key, never] = ["two were kept", "a key with", "nothing writes"].map(|text| line_of(KEPT, text));
    let (code, said) = reach(&server.url(), &kept, &[&key, &never, "--line-time", "10s", "--explain"], folder.path());
    assert_eq!(code, Some(1), "{said}");
    for part in [
        &format!("{kept} is reached by 4 events"),
        &format!("{key} is reached by 2 events"),
        &format!("{never} is not reached"),
        "reload the page",
        "press q in",
        "click More/1 if true then #count.textContent := String(((Number(#count.textContent)) + 1))",
        "localStorage[\"kept\"] := #count.textContent",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // What reaches a line is where exploring may begin.
    let explored = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["explore", &server.url(), "--budget", "1", "--walk", "0", "--coverage", "--out", "explored", "--seeds"])
        .arg("colobus-out/last/1")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[explored.stdout, explored.stderr].concat()).into_owned();
    assert_eq!(explored.status.code(), Some(0), "{said}");
    let lcov = std::fs::read_to_string(folder.path().join("explored/last/coverage/lcov.info")).unwrap();
    let number = kept.rsplit_once(':').unwrap().1;
    assert!(lcov.contains(&format!("DA:{number},1")), "{lcov}");
    // And an action that leads a user there.
    let action = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["export", "colobus-out/last/1/session.rec", "--to", "action", "--name", "two are kept"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let written = String::from_utf8_lossy(&action.stdout).into_owned();
    assert!(written.contains("[[action]]\nname = \"two are kept\""), "{written}");
    assert_eq!(written.matches("click").count(), 3, "{written}");
}

/// One line of what the server sends is six of what the developer wrote.
#[test]
fn a_line_of_the_original_source_is_reached() {
    let script = "let a=1;window.button.onclick=()=>{a++;if(a>2){document.title=a}};\n//# sourceMappingURL=app.js.map";
    let map = r#"{"version": 3, "sources": ["webpack://shop/./src/list.ts"], "mappings": "AAAA,QAEA,0BACI,IACA,QACI"}"#;
    let page =
        "<!doctype html><link rel=icon href='data:,'><button id=button>More</button><script src=app.js></script>";
    let folder = tempfile::tempdir().unwrap();
    let server = Site::page(page).script("/app.js", script, 0).script("/app.js.map", map, 0).serve();
    let (code, said) = reach(&server.url(), "src/list.ts:6", &[], folder.path());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("src/list.ts:6 is reached by 2 events"), "{said}");
    let (code, said) = reach(&server.url(), "src/list.ts:1", &[], folder.path());
    assert_eq!(code, Some(0), "{said}");
}

const ASKING_PAGE: &str = "<!doctype html><link rel=icon href='data:,'><label>Name <input id=name></label>
<button id=load>Load</button><button id=show>Show</button><button id=save>Save</button><script src=app.js></script>";
const ASKING: &str = "let items = [];
const name = document.getElementById('name');
document.getElementById('load').onclick = async () => {
  const wanted = name.value;
  const response = await fetch('/items');
  items = await response.json();
  if (wanted === 'both' && items.length === 2) {
    document.title = 'what was wanted outlives the answer';
  }
};
document.getElementById('show').onclick = () => {
  if (items.length > 0 && items[1].done) {
    document.title = 'the second is done';
  }
  if (items.length > 0 && items[0].done) {
    document.title = 'the first is done';
  }
};
document.getElementById('save').onclick = () => {
  const request = new XMLHttpRequest();
  request.open('POST', '/saved');
  request.onload = () => {
    if (request.status === 200 && JSON.parse(request.responseText).kept) {
      document.title = 'it is kept';
    }
  };
  request.send('a');
};
";

/// Code behind answers of a server is reached with the answers that the server gives; other answers are named, and never made up.
#[test]
fn lines_behind_answers_are_reached_if_the_server_gives_them() {
    let json = |body: &str| Answer::new("application/json", body.as_bytes(), 0);
    let items = json(r#"[{"name": "a", "done": false}, {"name": "b", "done": true}]"#);
    let site = Site::page(ASKING_PAGE).script("/app.js", ASKING, 0);
    let server = site.answering("/items", items).answering("/saved", json(r#"{"kept": true}"#)).serve();
    let folder = tempfile::tempdir().unwrap();
    for wanted in ["'what was wanted", "'the second is done", "'it is kept"] {
        let (code, said) = reach(&server.url(), &line_of(ASKING, wanted), &[], folder.path());
        assert_eq!(code, Some(0), "{wanted}: {said}");
    }
    let (code, said) = reach(&server.url(), &line_of(ASKING, "'the first is done"), &[], folder.path());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("needs an answer of GET /items in which body[0].done is true"), "{said}");
}
