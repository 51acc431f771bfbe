//! The whole tool on the built-in editor, in a real browser: searches with each seeded bug alone find what
//! `subjects/demo/expect.toml` says, and what is found is replayed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use colobus_demo::Bug;
use colobus_model::{Finding, Report};
use tempfile::TempDir;

use crate::expectation::{AgreedBug, Expectation, SeededBug, TourBug, differences};

/// How often a finding must come back here; `make reproduce` asks for more.
const REPEATS: usize = 3;

pub fn expectation() -> Expectation {
    Expectation::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/demo/expect.toml"))
}

fn colobus(folder: &Path, arguments: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Searches the editor; the results are below `colobus-out` in the folder.
fn search(folder: &Path, arguments: Vec<String>) -> Report {
    let fixed = ["demo", "--port=0", "--reporter=json"].map(String::from);
    let output = colobus(folder, &[fixed.to_vec(), arguments].concat());
    let report: Report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}{}", text(&output.stdout), text(&output.stderr)));
    assert_eq!(report.counts.interactions.unknown, 0, "{:?}", report.unknown);
    assert_eq!(output.status.code(), Some(i32::from(!report.findings.is_empty())));
    for file in ["report.json", "report.html", "junit.xml"] {
        assert!(folder.join("colobus-out/last").join(file).exists(), "{file}");
    }
    report
}

/// Searches the editor with one bug, with the actions alone that lead to it.
fn search_bug(folder: &Path, bug: &SeededBug, further: &[&str]) -> Report {
    // One browser: the other processor belongs to the test beside this one.
    let mut arguments =
        vec!["--workers=1".to_string(), format!("--bug={}", bug.name), format!("--depth={}", bug.depth)];
    arguments.extend(further.iter().map(ToString::to_string));
    arguments.extend(bug.flags.iter().cloned());
    arguments.extend(bug.actions().iter().map(|name| format!("--action={name}")));
    search(folder, arguments)
}

/// The bug is found with its actions alone, reduced to the shortest prefix, and comes back, also from the line that the report
/// prints.
fn check_bug(name: &str) {
    check_bug_and(name, |_, _| ());
}

/// The same, and what else holds of the folder of the finding and its report.
fn check_bug_and(name: &str, further: impl Fn(&Path, &Report)) {
    let expectation = expectation();
    let bug = expectation.bugs.iter().find(|bug| bug.name == name);
    let bug = bug.unwrap_or_else(|| panic!("expect.toml has no bug {name}"));
    let folder = TempDir::new().unwrap();
    let report = search_bug(folder.path(), bug, &[&format!("--repeat={REPEATS}")]);
    let finding = bug.among(&report).unwrap_or_else(|| panic!("not among the findings: {:#?}", report.findings));
    let found = folder.path().join("colobus-out/last").join(finding.id.to_string());
    expect_differences(bug, &found);
    assert_eq!((finding.reproduced, finding.attempts), (REPEATS, REPEATS), "{finding:#?}");
    replay(&found, &report, &finding.interaction().unwrap().line);
    further(&found, &report);
}

fn expect_differences(bug: &SeededBug, found: &Path) {
    assert_eq!(differences(&colobus_run::load(found).unwrap()), bug.differs);
}

/// A finding comes back: `what` is its folder, or its line.
fn replay(found: &Path, report: &Report, what: &str) {
    let configuration = format!("--config={}", report.configuration);
    let output = colobus(found, &["replay".into(), what.to_string(), configuration]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert_eq!(said.lines().last(), Some("reproduced"), "{said}");
}

#[test]
fn every_seeded_bug_has_an_expectation() {
    let Expectation { bugs, agreed, tour, .. } = expectation();
    let names = bugs.iter().map(|bug| &bug.name).chain(agreed.iter().map(|bug| &bug.name));
    assert_eq!(names.chain(tour.iter().map(|bug| &bug.name)).collect::<Vec<_>>(), Bug::ALL.map(Bug::name));
    assert_eq!((bugs.len(), agreed.len(), tour.len()), (11, 7, 5), "each has a test below");
    assert_eq!(Bug::combined().len(), 9, "as the readme says");
}

/// A search as `colobus demo` does it, shared by the tests that look at its findings: the report, and the folder that it ran in.
pub fn tour() -> &'static (TempDir, Report) {
    static TOUR: LazyLock<(TempDir, Report)> = LazyLock::new(|| {
        let folder = TempDir::new().unwrap();
        let report = search(folder.path(), vec!["--repeat=2".to_string(), "--no-open".to_string()]);
        (folder, report)
    });
    &TOUR
}

/// Every bug is one cause, found with its own pair of actions, and all other pairs pass.
#[test]
fn the_tour_shows_five_causes_and_most_interactions_pass() {
    let (_, report) = tour();
    let found: BTreeSet<(String, String)> =
        report.root_causes.iter().map(|cause| (cause.case.to_string(), cause.name.clone())).collect();
    let expected = |bug: TourBug| (format!("({})", bug.concurrent.join(" || ")), bug.cause);
    assert_eq!(found, expectation().tour.into_iter().map(expected).collect());
    assert_eq!((report.counts.interactions.judged, report.counts.failures, report.findings.len()), (15, 5, 5));
    assert!(report.findings.iter().all(|found| found.reproduced == found.attempts), "{:#?}", report.findings);
}

#[test]
fn the_correct_editor_is_clean() {
    let folder = TempDir::new().unwrap();
    let actions = ["type a", "write at the line start", "bold on the line before", "delete the line before", "Enter"];
    let mut arguments = vec!["--correct".to_string(), "--depth=2".to_string()];
    arguments.extend(actions.iter().map(|name| format!("--action={name}")));
    let report = search(folder.path(), arguments);
    assert_eq!(report.findings.len(), expectation().correct.findings, "{:#?}", report.findings);
    assert_eq!((report.counts.sequences.judged, report.counts.source_states, report.counts.naive), (25, 6, 60));
}

#[test]
fn lost_formatting_is_found() {
    check_bug("lost-formatting");
}

#[test]
fn insert_order_is_found_and_comes_back_from_its_folder() {
    check_bug_and("insert-order", |found, report| replay(found, report, &found.display().to_string()));
}

#[test]
fn lost_update_is_found() {
    check_bug("lost-update");
}

#[test]
#[ignore = "a long search: `make test-long`"]
fn stale_selection_is_found() {
    check_bug("stale-selection");
}

#[test]
fn indent_view_is_found() {
    check_bug("indent-view");
}

#[test]
fn ack_overtaken_is_found() {
    check_bug("ack-overtaken");
}

#[test]
fn between_steps_is_found() {
    check_bug("between-steps");
}

#[test]
fn reconnect_duplicate_is_found() {
    check_bug("reconnect-duplicate");
}

#[test]
fn retry_duplicate_is_found() {
    check_bug("retry-duplicate");
}

#[test]
#[ignore = "a long search: `make test-long`"]
fn tp2_peer_is_found() {
    check_bug("tp2-peer");
}

#[test]
fn the_correct_editor_is_clean_in_all_orders_near_the_natural_one_with_faults() {
    let folder = TempDir::new().unwrap();
    let arguments =
        ["--correct", "--depth=1", "--bound=1", "--schedules=20", "--faults", "--action=type a", "--action=type b"];
    let report = search(folder.path(), arguments.map(String::from).to_vec());
    assert_eq!((report.findings.len(), report.counts.interactions.ran()), (0, 1), "{:#?}", report.findings);
}

/// Five separate runs for every bug: `make reproduce`. COLOBUS_BUG names one alone, COLOBUS_RUNS another number of runs. A bug
/// is found if a finding has the signature that expect.toml gives it: actions, check, cause. Another finding does not count.
#[test]
#[ignore = "takes minutes"]
fn every_seeded_bug_is_found_in_five_runs_and_comes_back_every_time() {
    const REPEAT: &str = "--repeat=10";
    let runs: usize = std::env::var("COLOBUS_RUNS").map_or(5, |runs| runs.parse().unwrap());
    let wanted = std::env::var("COLOBUS_BUG").ok();
    let is_wanted = |name: &String| wanted.as_ref().is_none_or(|wanted| name == wanted);
    let Expectation { bugs, agreed, tour, .. } = expectation();
    println!("| bug | asked with | cause | found | came back |\n| --- | --- | --- | --- | --- |");
    let mut failed = Vec::new();
    let mut tell = |name: &str, asked: &str, cause: &str, found: &[Option<Finding>]| {
        let found: Vec<&Finding> = found.iter().flatten().collect();
        let (times, attempts) =
            found.iter().fold((0, 0), |sum, finding| (sum.0 + finding.reproduced, sum.1 + finding.attempts));
        println!("| `{name}` | {asked} | {cause} | {} of {runs} | {times} of {attempts} |", found.len());
        if (found.len(), times) != (runs, attempts) {
            failed.push(name.to_string());
        }
    };
    for bug in bugs.iter().filter(|bug| is_wanted(&bug.name)) {
        let search = |_| bug.among(&search_bug(TempDir::new().unwrap().path(), bug, &[REPEAT])).cloned();
        tell(&bug.name, &bug.flags.join(" "), &bug.cause, &(0..runs).map(search).collect::<Vec<_>>());
    }
    for bug in agreed.iter().filter(|bug| is_wanted(&bug.name)) {
        let search = |_| bug.among(&search_agreed(TempDir::new().unwrap().path(), bug, REPEAT)).cloned();
        tell(&bug.name, "words.toml", &bug.cause, &(0..runs).map(search).collect::<Vec<_>>());
    }
    let tour: Vec<TourBug> = tour.into_iter().filter(|bug| is_wanted(&bug.name)).collect();
    let search = |_| search(TempDir::new().unwrap().path(), [REPEAT, "--no-open"].map(String::from).to_vec());
    let reports: Vec<Report> = (0..if tour.is_empty() { 0 } else { runs }).map(search).collect();
    for bug in &tour {
        let found: Vec<Option<Finding>> = reports.iter().map(|report| bug.among(report).cloned()).collect();
        tell(&bug.name, "tour.toml", &bug.cause, &found);
    }
    assert_eq!(failed, [] as [String; 0]);
}

/// Of equivalent orders one is enough, and a search of all orders comes to its end; two orders stand for "at the same time"
/// and come first.
#[test]
fn all_orders_are_searched_to_their_end_and_repeat_themselves() {
    let search = |further: &[&str]| {
        let folder = TempDir::new().unwrap();
        let common = ["--correct", "--depth=1", "--action=type a", "--action=type b"];
        let report = search(folder.path(), common.iter().chain(further).map(ToString::to_string).collect());
        assert_eq!((report.findings.len(), report.counts.interactions.ran()), (0, 1), "{:#?}", report.findings);
        // As root, the report says that there is no sandbox.
        let notes: Vec<String> = report.notes.into_iter().filter(|note| !note.contains("sandbox")).collect();
        (report.counts.executions, notes)
    };
    // Both orders at the application, each with and without what the other client had seen: four classes, all twice.
    assert_eq!(search(&["--strategy=dpor", "--twice"]), (2 * (2 + 4), vec![]));
    assert_eq!(search(&["--strategy=exhaustive", "--schedules=10"]), (2 + 10, vec![]));
}

/// Everybody agrees in the end, but on the way C sees B's answer without A's text.
#[test]
fn late_edit_is_seen_on_the_way() {
    let folder = TempDir::new().unwrap();
    let line = "(type a || write at the line start[2] || type b) : C1 A1 A> B< B1 B> C< C< ~";
    let replay = |configuration: &str| {
        let output = colobus(
            folder.path(),
            &["replay".into(), line.into(), format!("--config={configuration}"), "--step".into()],
        );
        (output.status.code(), text(&output.stdout))
    };
    let (code, said) = replay("demo:late-edit");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("precedence fails (text): C sees “on”, which B wrote after seeing “a” of A"), "{said}");
    assert!(said.contains("  8  C<  {\"type\":\"edit\""), "{said}");
    let (code, said) = replay("demo:correct");
    assert_eq!(code, Some(0), "{said}");
}

/// What is wrong only for a client that opens the document afterwards, or in the middle, is seen step by step, too.
#[test]
fn what_late_joiners_see_is_replayed_step_by_step() {
    let folder = TempDir::new().unwrap();
    let failing = |order: &str| {
        let line = format!("(type a || type b) : {order}");
        let output = colobus(folder.path(), &["replay", &line, "--config=demo:stale-load", "--step"].map(String::from));
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
        assert_eq!(said.lines().last(), Some("reproduced"), "{said}");
        said
    };
    let afterwards = failing("A1 B1 ~");
    assert!(afterwards.contains("reload fails"), "{afterwards}");
    let in_the_middle = failing("A1 B1 ~ C* ~");
    assert!(in_the_middle.contains("late-joiner fails") && in_the_middle.contains("  4  C*"), "{in_the_middle}");
}

/// Searches the editor with `words.toml`, started with these bugs.
fn search_words(folder: &Path, bugs: &[&str], arguments: &[String]) -> Report {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let bugs: String = bugs.iter().map(|bug| format!(" --bug {bug}")).collect();
    let start = format!("start = '{} serve-demo --end-with-parent --port {port}{bugs}'", env!("CARGO_BIN_EXE_colobus"));
    let words =
        include_str!("../../../../subjects/demo/words.toml").replace("127.0.0.1:8127", &format!("127.0.0.1:{port}"));
    let line = |line: &str| match line.split_once(' ') {
        Some(("start", _)) => start.clone(),
        Some(("directory", _)) => "directory = '.'".to_string(),
        _ => line.to_string(),
    };
    let words: Vec<String> = words.lines().map(line).collect();
    fs::write(folder.join("colobus.toml"), words.join("\n")).unwrap();
    let fixed = ["check", "--reporter=json"].map(String::from);
    let output = colobus(folder, &[&fixed[..], arguments].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}{}", text(&output.stdout), text(&output.stderr)))
}

/// Searches the editor with a bug that leaves all clients with the same wrong result.
pub fn search_agreed(folder: &Path, bug: &AgreedBug, repeat: &str) -> Report {
    // One browser: the other processor belongs to the test beside this one.
    let fixed = ["--naive", "--workers=1", repeat].map(String::from);
    let mut arguments = [&fixed[..], &[format!("--depth={}", bug.depth)]].concat();
    arguments.extend(bug.actions.iter().map(|name| format!("--action={name}")));
    search_words(folder, &[&bug.name], &arguments)
}

/// All clients agree in the end, and what they agree on is wrong: the check that knows better finds it.
fn check_agreed(name: &str) {
    let expectation = expectation();
    let bug = expectation.agreed.iter().find(|bug| bug.name == name);
    let bug = bug.unwrap_or_else(|| panic!("expect.toml has no bug {name}"));
    let report = search_agreed(TempDir::new().unwrap().path(), bug, "--repeat=2");
    assert!(bug.among(&report).is_some(), "{:#?}", report.findings);
    assert!(report.findings.iter().all(|f| f.reproduced == f.attempts), "{:#?}", report.findings);
}

#[test]
fn lost_merge_is_found_although_all_agree() {
    check_agreed("lost-merge");
}

#[test]
fn doubled_merge_is_found_although_all_agree() {
    check_agreed("doubled-merge");
}

#[test]
fn stale_load_is_found_although_all_agree() {
    check_agreed("stale-load");
}

#[test]
fn cut_line_is_found_although_all_agree() {
    check_agreed("cut-line");
}

#[test]
fn undo_others_is_found_although_all_agree() {
    check_agreed("undo-others");
}

#[test]
fn forgotten_redo_is_found_although_all_agree() {
    check_agreed("forgotten-redo");
}

#[test]
fn stale_caret_is_found_although_all_agree() {
    check_agreed("stale-caret");
}

#[test]
fn words_in_the_correct_editor_stay_whole() {
    let actions = ["write a word", "paste at the line start"];
    let neutral = ["write a word then undo", "undo and redo", "resize and back"];
    let mut arguments = ["--depth=1", "--rounds=2", "--naive", "--repeat=2"].map(String::from).to_vec();
    arguments.extend(actions.iter().chain(&neutral).map(|name| format!("--action={name}")));
    let report = search_words(TempDir::new().unwrap().path(), &[], &arguments);
    assert_eq!(report.findings, [], "nothing is wrong");
    // One pair, and both actions beside a word that is taken back; undo and redo, and a window that is resized, also alone.
    assert_eq!((report.counts.interactions.unknown, report.counts.interactions.ran()), (0, 1 + 2 + 3 + 3));
}

/// Nothing but the address: what can be done is found out and written down, and a search of it finds nothing wrong.
#[test]
fn an_address_is_enough_to_begin_with() {
    let folder = TempDir::new().unwrap();
    let server = colobus_demo::DemoServer::start(colobus_demo::DemoOptions::default()).unwrap();
    let output = colobus(
        folder.path(),
        &[
            "check".into(),
            server.url(),
            "--depth=1".into(),
            "--reporter=json".into(),
            "--action=write a word".into(),
            "--action=Enter".into(),
        ],
    );
    let report: Report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}{}", text(&output.stdout), text(&output.stderr)));
    assert_eq!((report.findings.len(), report.counts.interactions.unknown), (0, 0), "{:#?}", report.findings);
    let written = fs::read_to_string(folder.path().join("colobus.toml")).unwrap();
    for part in ["?doc={doc}\"", "focus = \"#editor\"", ".remote-caret", "#status", "bold", "{token}"] {
        assert!(written.contains(part), "{part} is missing:\n{written}");
    }
}

/// Colobus stops applications for moments. A request that is under way then is answered all the same.
#[test]
fn a_request_outlasts_a_pause_of_the_editor() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut editor = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["serve-demo", "--end-with-parent", &format!("--port={}", free.port())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(editor.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let mut stream = TcpStream::connect(free).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    // Again and again: the first pauses may come before the editor waits for the rest.
    for signal in ["-STOP", "-CONT"].repeat(20) {
        assert!(Command::new("kill").args([signal, &editor.id().to_string()]).status().unwrap().success());
    }
    write!(stream, "Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    editor.kill().unwrap();
    editor.wait().unwrap();
    assert!(read.is_ok() && answer.starts_with("HTTP/1.1 200 OK\r\n"), "{read:?}: {answer}");
}
