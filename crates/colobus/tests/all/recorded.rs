//! What is recorded becomes what is searched: a session of two users on the built-in editor, recorded while a script
//! performs it, as an action and as an order to search around.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_demo::{Bug, DemoOptions, DemoServer};
use colobus_model::Report;
use colobus_record::Recording;
use tempfile::TempDir;

use crate::performed;

const CONFIGURATION: &str = include_str!("../../../../subjects/demo/colobus.toml");
const EDITOR: &str = "//div[@id=\"editor\"]";

/// A writes, B sees it and writes beside it, A makes a heading of its own line.
fn script(url: &str) -> Recording {
    let key =
        |who: &str, key: &str, code: &str, number: u32| format!("{who} type {EDITOR} [{key},{code},{number}] +1\n");
    let lines = [
        format!("A open {url:?} +0\nB open {url:?} +0\nA click {EDITOR} 20,20 +1\n"),
        key("A", "h", "KeyH", 72) + &key("A", "i", "KeyI", 73),
        format!("B click {EDITOR} 20,20 +1\n") + &key("B", "o", "KeyO", 79),
        "A click //div[@id=\"toolbar\"]/button[4] 9,9 +1\n".to_string(),
    ];
    let text = format!("colobus-recording 1\nviewport 640x400\n{}", lines.concat());
    Recording::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// What the recorder hears while the script is performed.
fn recorded(editor: &DemoServer) -> Recording {
    let script = script(&format!("{}?doc=recorded", editor.url()));
    performed::record(&script, false)
}

fn editor(bugs: &[Bug]) -> DemoServer {
    DemoServer::start(DemoOptions { port: 0, bugs: bugs.iter().copied().collect(), ..DemoOptions::default() }).unwrap()
}

/// The editor's own configuration, for one that runs already.
fn configure(folder: &Path, editor: &DemoServer) {
    let own = |line: &&str| !["url", "start", "directory"].iter().any(|key| line.starts_with(key));
    let text: Vec<&str> = CONFIGURATION.lines().filter(own).collect();
    let url = format!("[app]\nurl = \"{}?doc={{doc}}\"", editor.url());
    fs::write(folder.join("colobus.toml"), text.join("\n").replace("[app]", &url)).unwrap();
}

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, Report) {
    let output = colobus(folder, &[&["check", "--reporter=json", "--repeat=1"], arguments].concat());
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|_| panic!("{}", text(&output.stderr))))
}

#[test]
fn a_session_becomes_an_action_and_an_order_to_search_around() {
    let (correct, buggy) = (editor(&[]), editor(&[Bug::LostUpdate]));
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let session = recorded(&buggy).to_string();
    configure(folder, &buggy);
    is_an_action(folder, &session);
    fs::write(folder.join("notes.rec"), session).unwrap();
    is_searched_around(folder, |folder| configure(folder, &correct));
}

/// What one user did is performed by a search.
fn is_an_action(folder: &Path, session: &str) {
    let of_a: Vec<&str> = session.lines().filter(|line| !line.starts_with("B ")).collect();
    fs::write(folder.join("greet.rec"), of_a.join("\n") + "\n").unwrap();
    let exported = colobus(folder, &["export", "greet.rec", "--to=action"]);
    let (action, said) = (text(&exported.stdout), text(&exported.stderr));
    let expected = "[[action]]\nname = \"greet\"\nsteps = [\n\
        \x20 { click = { on = \"#editor\", x = 20, y = 20 } }, # textbox “Document”\n\
        \x20 { type = \"hi\" },\n\
        \x20 { click = \"#toolbar > button:nth-of-type(4)\" }, # button “Heading”\n]\n";
    assert_eq!((action.as_str(), said.as_str()), (expected, ""));

    let file = folder.join("colobus.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "\n" + &action).unwrap();
    let (code, report) = check(folder, &["--depth=1", "--strategy=natural", "--action=greet", "--action=type b"]);
    let counts = &report.counts;
    assert_eq!(
        (code, counts.executions, counts.interactions.not_applicable, counts.interactions.unknown),
        (Some(0), 1, 0, 0),
        "{report:#?}"
    );
    assert_eq!(counts.potential_conflicts, 1, "it changes what the other action changes");
}

/// What two users did is wrong in an order near to theirs, and nowhere near it once the editor is repaired.
fn is_searched_around(folder: &Path, repair: impl Fn(&Path)) {
    let (code, near) = check(folder, &["--around=notes.rec", "--schedules=2"]);
    assert_eq!((code, near.counts.interactions.ran()), (Some(1), 1), "{near:#?}");
    assert!(near.counts.executions > 1, "as it was recorded nothing is wrong");
    let finding = &near.findings[0];
    assert_eq!((finding.reproduced, finding.attempts), (1, 1), "{finding:#?}");
    let again = colobus(folder, &["replay", &finding.interaction().unwrap().line, "--around=notes.rec"]);
    assert_eq!(
        text(&again.stdout).lines().last(),
        Some("reproduced"),
        "{}{}",
        text(&again.stdout),
        text(&again.stderr)
    );

    repair(folder);
    let (code, report) = check(folder, &["--around=notes.rec", "--schedules=2"]);
    assert_eq!((code, report.counts.findings, report.counts.interactions.unknown), (Some(0), 0, 0), "{report:#?}");
    assert!(report.counts.executions > near.counts.executions, "{:?}", report.counts);
}
