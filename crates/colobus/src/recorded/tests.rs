use std::fs;
use std::path::Path;

use colobus_model::foreign::is_deceptive;
use colobus_model::{Action, Viewport};
use colobus_record::{Recording, Who};
use proptest::prelude::*;

use super::append::Destination;
use super::{Written, action, sample, table};
use crate::config::Configuration;
use colobus_record::steps::steps;

const SESSION: &str = "colobus-recording 1\nviewport 800x600\nA open \"http://127.0.0.1:8080/\" +0\n\
    A click /html/body/div[@id=\"bar\"]/button[2]{role=\"button\" label=\"Table\"} 3,4 +0\n\
    A type /html/body/p [\"\\\"\",Quote,222] Shift +0\n\
    A files /html/body/input \"a.txt\" +0\n\
    A scroll /html 0,9 +0\n\
    A type /html/body/p [Enter,Enter,13] Control +0\n";

const WRITTEN: &str = "[[action]]\nname = \"insert \\\"table\\\"\"\nsteps = [\n\
    \x20 { click = \"#bar > button:nth-of-type(2)\" }, # button “Table”\n\
    \x20 { type = \"\\\"\" },\n\
    \x20 # line 4: steps choose no files: A files /html/body/input \"a.txt\" +0\n\
    \x20 # line 5: steps scroll to what they need by themselves: A scroll /html 0,9 +0\n\
    \x20 { press = \"Control+Enter\" },\n]\n";

fn session() -> Recording {
    Recording::parse(SESSION).unwrap()
}

fn written() -> Written {
    Written { text: WRITTEN.to_string(), warnings: Vec::new(), recorded_in: None }
}

fn refused(lines: &str) -> String {
    let recording = Recording::parse(&format!("colobus-recording 1\nviewport 8x6\n{lines}")).unwrap();
    action(&recording, "it").unwrap_err().to_string()
}

#[test]
fn a_session_is_written_and_what_is_left_out_stands_in_it() {
    let written = action(&session(), "insert \"table\"").unwrap();
    assert_eq!(written.text, WRITTEN);
    let warnings = [
        "line 4: steps choose no files: A files /html/body/input \"a.txt\" +0",
        "line 5: steps scroll to what they need by themselves: A scroll /html 0,9 +0",
    ];
    assert_eq!((&written.warnings[..], written.recorded_in), (&warnings.map(String::from)[..], None));
}

#[test]
fn what_cannot_be_an_action_is_refused() {
    assert!(refused("A open \"http://a/\" +0\n").starts_with("nothing was done that an action could do"));
    assert!(refused("A secret /html/input COLOBUS_SECRET_PIN +0\n").contains("a secret (COLOBUS_SECRET_PIN)"));
    assert!(refused("A click /html 1,1 +0\nB click /html 1,1 +0\n").contains("colobus check --around"));
    assert!(action(&session(), " ").unwrap_err().to_string().contains("one line of text"));
}

const HEAD: &str = "# mine\r\n[app]\r\nurl = \"http://127.0.0.1:1/?doc={doc}\" # here\r\n";

#[test]
fn the_file_stays_as_it_is_and_gets_an_action_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("colobus.toml");
    let before = format!(
        "{HEAD}[search]\r\nset = \"few\"\r\n[sets]\r\nfew = [\"a\"]\r\n[[action]]\r\nname = \"a\"\r\nsteps = [{{ type = \"a\" }}]"
    );
    fs::write(&file, &before).unwrap();
    let destination = Destination::find(folder.path(), "insert \"table\"", "http://127.0.0.1:1/").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "nothing is written yet");
    let said = destination.add(&written()).unwrap();
    let set = "which searches its set `few`: add it there, or ask for it with --action";
    assert_eq!(said, format!("added `insert \"table\"` to {}, {set}", file.display()));
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(after, format!("{before}\r\n\r\n{}", WRITTEN.replace('\n', "\r\n")));
    let again = Destination::find(&file, "insert \"table\"", "http://127.0.0.1:1/").unwrap_err().to_string();
    assert!(again.contains("has an action `insert \"table\"` already\n  choose another name"), "{again}");
    assert!(destination.add(&written()).is_err(), "nor is it added twice");
    assert_eq!(fs::read_to_string(&file).unwrap(), after);
}

#[test]
fn without_a_file_one_is_made_as_by_init() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let destination = Destination::find(&file, "insert \"table\"", "http://127.0.0.1:1/?doc={doc}").unwrap();
    assert!(!file.exists());
    let recorded_in = Some(Viewport { width: 1280, height: 634 });
    let said = destination.add(&Written { recorded_in, ..written() }).unwrap();
    assert!(said.contains("made as by `colobus init`"), "{said}");
    assert!(said.contains("in a window of 1280 x 634; pages of a search have 800 x 600 (`viewport`)"), "{said}");
    let made = Configuration::load(&file).unwrap();
    assert_eq!(made.application.url, "http://127.0.0.1:1/?doc={doc}");
    assert_eq!(made.actions.last().unwrap().name, "insert \"table\"");
}

#[test]
fn a_file_that_cannot_take_it_is_told_before_anything_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("colobus.toml");
    let find = |text: &str, name: &str| {
        fs::write(&file, text).unwrap();
        Destination::find(&file, name, "http://127.0.0.1:1/").unwrap_err().to_string()
    };
    let inline = format!("action = [{{ name = \"a\", steps = [{{ type = \"a\" }}] }}]\n{HEAD}");
    assert!(find(&inline, "b").contains("does it have its actions as `action = [`?"));
    assert!(find("[app]\n", "b").contains("needs `url`"));
    let sound = format!("{HEAD}[[action]]\nname = \"a\"\nsteps = [{{ type = \"a\" }}]\n");
    assert!(find(&sound, "a\nb").contains("one line of text"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever a user did, under whatever name: the file has exactly those steps.
    #[test]
    fn what_is_written_is_read_again(mut recording in sample::recording(), name in "\\PC{1,12}") {
        prop_assume!(!name.trim().is_empty() && !name.contains(char::is_control));
        recording.lines.iter_mut().for_each(|line| line.who = Who { client: 0, tab: 1 });
        let entries = steps(&recording);
        let done: Vec<_> = entries.iter().filter_map(|entry| entry.step.clone()).collect();
        prop_assume!(!done.is_empty());
        let table = table(&recording, &name, &entries);
        prop_assert!(!table.contains(|c| is_deceptive(c) && c != '\n'), "{table:?}");
        let text = format!("{HEAD}\n{table}");
        let read = Configuration::parse(&text, "colobus.toml", Path::new("."));
        prop_assert!(read.is_ok(), "{}\n{text}", read.unwrap_err());
        prop_assert_eq!(read.unwrap().actions, vec![Action::new(name, done)]);
    }
}
