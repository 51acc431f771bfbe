//! The commands that need no browser, run as a user runs them: what they print and how they end.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_model::{Case, CheckId, DifferenceKind, Report, RootCause, Tally};
use serde_json::Value;
use tempfile::TempDir;

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command that cannot run says; it must end with 2.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let output = colobus(folder, arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

/// A configuration with as many actions as are asked for.
fn with_actions(folder: &Path, count: usize) {
    let mut configuration = "[app]\nurl = \"http://127.0.0.1:9/?doc={doc}\"\n".to_string();
    for number in 1..=count {
        configuration
            .push_str(&format!("\n[[action]]\nname = \"type {number}\"\nsteps = [{{ type = \"{number}\" }}]\n"));
    }
    fs::write(folder.join("colobus.toml"), configuration).unwrap();
}

fn listing(folder: &Path, arguments: &[&str]) -> Value {
    let output = colobus(folder, &[&["list", "--json"], arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn init_writes_a_file_that_list_reads() {
    let folder = folder();
    let output = colobus(folder.path(), &["init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("wrote colobus.toml\n"));
    let listed = colobus(folder.path(), &["list"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    assert!(text(&listed.stdout).contains("4 actions"));
}

#[test]
fn init_takes_a_url_and_a_folder() {
    let folder = folder();
    let output = colobus(folder.path(), &["init", ".", "--url", "http://localhost:3000/pad/{doc}"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(listing(folder.path(), &["-c", "."])["url"], "http://localhost:3000/pad/{doc}");
}

#[test]
fn init_does_not_overwrite_by_accident() {
    let folder = folder();
    let path = folder.path().join("colobus.toml");
    fs::write(&path, "mine").unwrap();
    let message = refusal(folder.path(), &["init"]);
    assert_eq!(message, "error: colobus.toml is there already\n  `colobus init --force` overwrites it\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert!(colobus(folder.path(), &["init", "--force"]).status.success());
    assert!(fs::read_to_string(&path).unwrap().contains("[app]"));
}

#[test]
fn init_refuses_a_url_it_could_not_read_back() {
    let folder = folder();
    let message = refusal(folder.path(), &["init", "--url", "localhost:3000"]);
    assert!(message.contains("a URL must begin with http:// or https://"), "{message}");
    assert!(!folder.path().join("colobus.toml").exists());
}

#[test]
fn list_counts_exactly() {
    let folder = folder();
    let counts = |arguments: &[&str]| {
        let listing = listing(folder.path(), arguments);
        ["sequences", "source_states", "pairs", "naive"].map(|key| listing[key].as_u64().unwrap())
    };
    with_actions(folder.path(), 5);
    assert_eq!(counts(&["--depth", "3"]), [125, 31, 10, 310]);
    assert_eq!(counts(&[]), [25, 6, 10, 60], "the default depth is 2");
    with_actions(folder.path(), 10);
    assert_eq!(counts(&["-k", "3"]), [1_000, 111, 45, 4_995]);
    assert_eq!(counts(&["-k", "3", "--same"]), [1_000, 111, 55, 6_105]);
    assert_eq!(counts(&["-k", "3", "--clients", "3"]), [1_000, 111, 120, 13_320]);
    assert_eq!(counts(&["-k", "3", "--naive"]), [0, 111, 45, 4_995]);
}

#[test]
fn actions_can_be_chosen() {
    let folder = folder();
    with_actions(folder.path(), 10);
    let chosen = listing(folder.path(), &["--action", "type 3", "--action", "type 7"]);
    let names: Vec<&str> = chosen["actions"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!((names, chosen["naive"].as_u64()), (vec!["type 3", "type 7"], Some(3)));
    let message = refusal(folder.path(), &["check", "--action", "tpye 3"]);
    assert_eq!(message, "error: there is no action `tpye 3`\n  did you mean `type 3`?\n");
}

#[test]
fn list_reads_well() {
    let folder = folder();
    with_actions(folder.path(), 10);
    let output = colobus(folder.path(), &["list", "-k", "3", "--workers", "2"]);
    let shown = text(&output.stdout);
    for line in [
        "10 actions",
        "  type 1   type \"1\"",
        "depth 3, 2 clients, 2 workers",
        "  1,000  sequences of actions, run with one client (phase 1)",
        "    111  source states",
        "     45  pairs of different actions per state",
        "  4,995  interactions, if all of them can conflict; phase 1 shows which",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line:?} is missing in:\n{shown}");
    }
}

#[test]
fn what_is_listed_is_what_is_run() {
    let folder = folder();
    with_actions(folder.path(), 3);
    assert_eq!(listing(folder.path(), &["--workers", "4"])["workers"], 4);
    let pruned = text(&colobus(folder.path(), &["list", "--prune"]).stdout);
    assert!(pruned.contains("unless they go on from a state that is like one before"), "{pruned}");
    // All clients share one document: there is one worker, whatever is asked for.
    let file = folder.path().join("colobus.toml");
    let shared = fs::read_to_string(&file).unwrap().replace("?doc={doc}\"", "\"\nreset = \"reload\"");
    fs::write(&file, shared).unwrap();
    assert_eq!(listing(folder.path(), &["--workers", "4"])["workers"], 1);
}

#[test]
fn a_huge_search_can_be_listed() {
    let folder = folder();
    with_actions(folder.path(), 30);
    let output = colobus(folder.path(), &["list", "-k", "40", "--clients", "13"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("about years for phase 1"));
}

#[test]
fn schema_is_json() {
    let output = colobus(folder().path(), &["schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["title"], "colobus.toml");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["app"]));
}

#[test]
fn every_subject_can_be_listed() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let mut seen = 0;
    for entry in fs::read_dir(subjects).unwrap() {
        let folder = entry.unwrap().path();
        if folder.join("colobus.toml").exists() {
            listing(&folder, &[]);
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_missing_configuration_says_how_to_get_one() {
    let folder = folder();
    for command in ["check", "list"] {
        let message = refusal(folder.path(), &[command]);
        assert!(message.starts_with("error: there is no colobus.toml\n  `colobus init` writes one"), "{message}");
    }
    assert!(refusal(folder.path(), &["list", "-c", "x.toml"]).starts_with("error: there is no x.toml\n"));
    assert!(refusal(folder.path(), &["list", "-c", "."]).starts_with("error: there is no ./colobus.toml\n"));
}

#[test]
fn a_configuration_that_is_no_text_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("colobus.toml"), [0xff, 0xfe, 0x00]).unwrap();
    let message = refusal(folder.path(), &["list"]);
    assert!(
        message.starts_with(
            "error: cannot read colobus.toml: a configuration is a text file; `colobus init` writes one\n  because: "
        ),
        "{message}"
    );
}

#[test]
fn flags_and_file_must_fit_together() {
    let folder = folder();
    with_actions(folder.path(), 2);
    let message = refusal(folder.path(), &["check", "--clients", "3"]);
    assert!(message.contains("3 clients cannot perform different actions at the same time: there are only 2"));
    assert!(message.contains("--same"), "{message}");
    let message = refusal(folder.path(), &["check", "--judge", "state"]);
    assert!(message.contains("nothing says how to read the application's state"), "{message}");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let folder = folder();
    with_actions(folder.path(), 2);
    for (arguments, expected) in [
        (&["check", "--depth", "0"][..], "must be at least 1"),
        (&["check", "--depth", "two"], "must be a whole number"),
        (&["check", "--clients", "1"], "must be at least 2"),
        (&["check", "--clients", "27"], "must be at most 26"),
        (&["check", "--workers", "0"], "must be at least 1"),
        (&["check", "--shard", "3/2"], "`3/2` is not a part of a search: write 1/3, 2/3 and 3/3 for three parts"),
        (&["check", "--timeout", "5"], "`5` is not a time: write 90s, 5m or 1h30m"),
        (&["check", "--judge", "sound"], "`sound` is nothing to judge on"),
        (&["check", "--judge", "colour=dom"], "`colour` is nothing that is judged"),
        (&["check", "--reporter", "list,lsit"], "[possible values: list, json, junit, github]"),
        (&["check", "--strategy", "last"], "[possible values: nearest, random, dpor, exhaustive, natural]"),
        (&["check", "--max-findings", "0"], "must be at least 1"),
        (&["replay"], "FINDING"),
        (&["merge"], "required"),
        (&["chekc"], "unrecognized subcommand 'chekc'"),
        (&["demo", "--correct", "--bug", "lost-update"], "cannot be used with"),
    ] {
        let message = refusal(folder.path(), arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn an_unknown_seeded_bug_is_refused() {
    let folder = folder();
    for arguments in [&["serve-demo", "--bug", "lost-udpate"][..], &["demo", "--bug", "lost-udpate"]] {
        let message = refusal(folder.path(), arguments);
        assert!(message.contains("did you mean \"lost-update\"?"), "{message}");
    }
}

#[test]
fn a_finding_that_is_not_there_cannot_be_replayed() {
    let folder = folder();
    let message = refusal(folder.path(), &["replay", "3"]);
    assert!(
        message.starts_with("error: `3` is not a finding: name its folder, such as colobus-out/last/1"),
        "{message}"
    );
    assert_eq!(message.matches("No such file").count(), 1, "{message}");
    assert!(message.contains("colobus-out/last/3"), "{message}");
}

#[test]
fn a_trace_of_a_newer_colobus_is_refused_with_advice() {
    let folder = folder();
    fs::write(folder.path().join("trace.json"), r#"{ "version": 999 }"#).unwrap();
    let message = refusal(folder.path(), &["replay", "trace.json"]);
    assert!(message.contains("version 999") && message.contains("update colobus"), "{message}");
    fs::write(folder.path().join("trace.json"), "nonsense").unwrap();
    let message = refusal(folder.path(), &["replay", "trace.json"]);
    assert!(message.contains("this is not a trace"), "{message}");
}

#[test]
fn nothing_can_be_merged_from_folders_without_reports() {
    let folder = folder();
    let message = refusal(folder.path(), &["merge", "a", "b", "-o", "c"]);
    assert!(message.contains("report.json"), "{message}");
    assert!(!folder.path().join("c").exists());
}

#[test]
fn a_clean_search_with_a_missing_part_is_not_called_clean() {
    let folder = folder();
    for part in [1, 2] {
        let mut report = Report { shard: Some((part, 2)), ..Report::default() };
        // A part alone need not have judged anything; all of them together must.
        report.counts.interactions = Tally { planned: part - 1, judged: part - 1, ..Tally::default() };
        fs::create_dir(folder.path().join(part.to_string())).unwrap();
        let file = folder.path().join(part.to_string()).join("report.json");
        fs::write(file, serde_json::to_string(&report).unwrap()).unwrap();
    }
    let message = refusal(folder.path(), &["merge", "1", "-o", "half"]);
    assert!(message.contains("shard 2 of 2 is missing"), "{message}");
    assert!(folder.path().join("half/report.html").exists());
    assert!(colobus(folder.path(), &["merge", "1", "2", "-o", "whole"]).status.success());
}

#[test]
fn help_and_version_succeed() {
    let folder = folder();
    let help = colobus(folder.path(), &["--help"]);
    assert!(help.status.success());
    for command in ["check", "replay", "export", "init", "schema", "list", "demo", "serve-demo", "merge"] {
        assert!(text(&help.stdout).contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(colobus(folder.path(), &["--version"]).status.success());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn an_error_that_nobody_reads_is_still_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .arg("check")
        .current_dir(folder.path())
        .stderr(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn an_action_that_could_not_be_added_is_not_recorded() {
    let folder = folder();
    with_actions(folder.path(), 1);
    let record = |arguments: &[&str]| refusal(folder.path(), &[&["record", "http://127.0.0.1:9/"], arguments].concat());
    let known = record(&["--as-action=type 1"]);
    assert!(known.contains("colobus.toml has an action `type 1` already\n  choose another name"), "{known}");
    let several = record(&["--as-action=both", "--clients=2", "-o", "both.rec"]);
    assert!(several.contains("an action is what one user does"), "{several}");
    assert!(several.contains("`colobus check --around both.rec`"), "{several}");
    let nameless = record(&["--as-action="]);
    assert!(nameless.contains("a name is one line of text"), "{nameless}");
}

#[test]
fn a_recording_is_printed_as_an_action() {
    let folder = folder();
    let lines = "A open \"http://a/\" +0\nA type /html/body/p [a,KeyA,65] +0\nA scroll /html 0,1 +0\n";
    fs::write(folder.path().join("write.rec"), format!("colobus-recording 1\nviewport 800x600\n{lines}")).unwrap();
    let output = colobus(folder.path(), &["export", "write.rec", "--to=action", "--name=write it"]);
    let left_out = "line 3: steps scroll to what they need by themselves: A scroll /html 0,1 +0";
    let action = format!("[[action]]\nname = \"write it\"\nsteps = [\n  {{ type = \"a\" }},\n  # {left_out}\n]\n");
    assert_eq!((text(&output.stdout), text(&output.stderr)), (action, format!("warning: {left_out}\n")));
    let named = refusal(folder.path(), &["export", "write.rec", "--to=side", "--name=it"]);
    assert!(named.contains("only an action has a name"), "{named}");
}

#[test]
fn a_replay_refuses_flags_that_would_have_no_effect() {
    let folder = folder();
    let lines = "A open \"http://a/\" +0\nA type /html/body/p [a,KeyA,65] +0\n";
    fs::write(folder.path().join("write.rec"), format!("colobus-recording 1\nviewport 800x600\n{lines}")).unwrap();
    let refused = |flag: &str| refusal(folder.path(), &["replay", "write.rec", flag]);
    let step = refused("--step");
    assert!(step.contains("a finding of `check`, and this is a recording: leave --step out"), "{step}");
    let times = refused("--times=2");
    assert!(times.contains("a recording is replayed once: leave --times out"), "{times}");
}

#[test]
fn only_what_several_users_did_can_be_searched_around() {
    let folder = folder();
    with_actions(folder.path(), 2);
    let around = |lines: &str, further: &[&str]| {
        fs::write(folder.path().join("two.rec"), format!("colobus-recording 1\nviewport 800x600\n{lines}")).unwrap();
        refusal(folder.path(), &[&["check", "--around=two.rec"], further].concat())
    };
    let alone = around("A click /html 1,1 +0\nB open \"http://a/\" +0\n", &[]);
    assert!(
        alone.contains("nothing can be searched around two.rec\n  because: only A does something in it"),
        "{alone}"
    );
    let unsaid = around("A click /html 1,1 +0\nB click /html 1,1 right +0\n", &[]);
    assert!(unsaid.contains("line 2: steps use the left button of the mouse: B click /html 1,1 right +0"), "{unsaid}");
    assert!(unsaid.contains("Take these lines out of the recording"), "{unsaid}");
    let broken = around("A click\n", &[]);
    assert!(broken.contains("two.rec:3:"), "{broken}");
    let missing = refusal(folder.path(), &["check", "--around=none.rec"]);
    assert!(missing.contains("`colobus record URL --clients 2 -o none.rec`"), "{missing}");
    for flag in ["--depth=2", "--action=type 1", "--strategy=random", "--naive"] {
        let output = colobus(folder.path(), &["check", "--around=two.rec", flag]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("cannot be used with"), "{flag}: {}", text(&output.stderr));
    }
}

#[test]
fn a_cause_of_the_newest_run_is_accepted_by_its_name() {
    let folder = folder();
    assert!(refusal(folder.path(), &["accept", "1", "--why", "#1"]).contains("colobus check"));
    let cause = |id: usize, name: &str| RootCause {
        id,
        name: name.to_string(),
        case: Case::Interaction { prefix: Vec::new(), concurrent: vec!["a".into(), "b".into()] },
        check: CheckId::new("convergence-dom"),
        kind: DifferenceKind::Text,
        accepted: None,
        failures: 1,
        findings: vec![id],
    };
    let root_causes = vec![cause(1, "after a reload: an error"), cause(2, "with any user's messages first: an error")];
    let report = Report { configuration: "app/colobus.toml".into(), root_causes, ..Report::default() };
    fs::create_dir_all(folder.path().join("colobus-out/last")).unwrap();
    fs::write(folder.path().join("colobus-out/last/report.json"), serde_json::to_string(&report).unwrap()).unwrap();
    fs::create_dir(folder.path().join("app")).unwrap();
    with_actions(&folder.path().join("app"), 2);

    assert!(refusal(folder.path(), &["accept", "3", "--why", "#1"]).contains("has no cause 3"));
    for (number, why) in [("2", "#123"), ("2", "#124"), ("1", "known")] {
        let output = colobus(folder.path(), &["accept", number, "--why", why]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let written = fs::read_to_string(folder.path().join("app/colobus-accepted.toml")).unwrap();
    let causes = written.split_once("[[cause]]").unwrap().1;
    let expected = "\nname = \"after a reload: an error\"\nwhy = \"known\"\n\n[[cause]]\n\
                    name = \"with any user's messages first: an error\"\nwhy = \"#124\"\n";
    assert_eq!(causes, expected);
}
