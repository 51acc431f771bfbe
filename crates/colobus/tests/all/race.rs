//! `colobus race` on a page whose function comes with a late script, on its repaired twin, and with input that it refuses.

// The tests of the driver use all of these.
#[allow(dead_code)]
#[path = "../../../colobus-driver/tests/race/fixtures.rs"]
mod fixtures;
#[allow(dead_code)]
#[path = "../../../colobus-driver/tests/race/server.rs"]
pub mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_driver::{BrowserChoice, Interrupt, RaceBrowser, RaceOptions};
use colobus_model::{Report, Searched, Viewport};
use colobus_race_run::RaceConfig;
use colobus_run::RunOptions;
use colobus_world::RacePage;
use fixtures::fixture;
use serde_json::Value;
use server::Server;

use crate::exported;
use crate::traffic::entries;

fn colobus(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

/// The exit code, what was printed, and the report of the newest run.
fn race(url: &str, folder: &Path) -> (Option<i32>, String, Report) {
    let output = colobus(&["race", url, "--bound", "1", "--repeat", "2"], folder);
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let report = fs::read_to_string(folder.join("colobus-out/last/report.json")).unwrap_or_else(|_| panic!("{said}"));
    (output.status.code(), said, serde_json::from_str(&report).unwrap())
}

#[test]
fn a_click_before_the_script_is_found_confirmed_replayed_and_exported() {
    let (folder, fixture) = (exported::folder(), fixture("undefined-function"));
    let server = fixture.page().serve();
    let (code, said, report) = race(&server.url(), folder.path());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("fully explored up to 1 reversal"), "{said}");
    let [finding] = &report.findings[..] else { panic!("one pair of positions is one finding: {said}") };
    assert_eq!((finding.reproduced, finding.attempts), (2, 2));
    let Searched::Order(order) = &finding.searched else { panic!("orders are searched") };
    assert_eq!((order.first.as_str(), order.second.as_str()), ("A<script:lib.js", "A:click 1"));
    assert_eq!((order.place.as_str(), order.first_at.as_str()), ("global start", "lib.js:1:10"));
    assert!(order.confirmed && order.by_hand.starts_with("A<script:lib.js "), "{}", order.by_hand);
    assert!(order.exceptions.1[0].contains("start is not"), "{:?}", order.exceptions);
    for file in ["race.json", "client-A.png", "client-B.png"] {
        assert!(folder.path().join("colobus-out/last/1").join(file).is_file(), "{file}");
    }
    assert_eq!(finding.traffic.as_deref(), Some("1/traffic.har"), "{:?}", report.notes);
    let answered = entries(&folder.path().join("colobus-out/last/1/traffic.har"));
    let whole = |entry: &&Value| entry["response"]["content"]["text"].as_str().is_some_and(|text| !text.is_empty());
    let script = answered.iter().find(|entry| entry["request"]["url"].as_str().unwrap().ends_with("lib.js"));
    assert!(script.filter(whole).is_some(), "{answered:#?}");
    let refused = colobus(&["replay", "1"], folder.path());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("which is not allowed yet"), "{said}");
    let replayed = colobus(&["replay", "1", "--times", "2", "--at", &server.url()], folder.path());
    assert_eq!(replayed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&replayed.stdout).ends_with("failed 2 of 2 times\n"));
    what_was_not_recorded_is_said(&server.url(), folder.path());
    let exported = colobus(&["export", "1", "--to", "playwright", "-o", "order.spec.mjs"], folder.path());
    assert_eq!(exported.status.code(), Some(0), "{}", String::from_utf8_lossy(&exported.stderr));
    let playwright = ["node_modules/@playwright/test/cli.js", "test", "--reporter=line"];
    let run =
        |server: &Server| exported::run_against(server.url().trim_end_matches('/'), folder.path(), &playwright, &[]);
    let (passed, said) = run(&server);
    assert!(!passed && said.contains("start is not a function"), "{said}");
    let (passed, said) = run(&fixture.repaired().serve());
    assert!(passed, "{said}");
}

/// `<script>fetch('http://127.0.0.1:9/elsewhere').catch(() => {})</script>`, as findings have it.
const ASKING_ELSEWHERE: &str =
    "PHNjcmlwdD5mZXRjaCgnaHR0cDovLzEyNy4wLjAuMTo5L2Vsc2V3aGVyZScpLmNhdGNoKCgpID0+IHt9KTwvc2NyaXB0Pg==";

/// Replays a finding whose recording lacks an answer, and one whose page asks for something else: each request that was not recorded is
/// named, and if the harm does not come back then, that is no answer.
fn what_was_not_recorded_is_said(url: &str, folder: &Path) {
    let finding = fs::read_to_string(folder.join("colobus-out/last/1/race.json")).unwrap();
    let replay = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut changed: Value = serde_json::from_str(&finding).unwrap();
        change(changed["recorded"]["answers"].as_array_mut().unwrap());
        fs::create_dir_all(folder.join("changed")).unwrap();
        fs::write(folder.join("changed/race.json"), changed.to_string()).unwrap();
        let output = colobus(&["replay", "changed", "--at", url], folder);
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let is_script = |answer: &Value| answer["url"].as_str().unwrap().ends_with("lib.js");
    let (code, said) = replay(&|answers| answers.retain(|answer| !is_script(answer)));
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains(&format!("not controlled: GET {url}lib.js was not recorded: its server was asked\n")),
        "{said}"
    );
    assert!(said.ends_with("failed 1 of 1 times\n"), "{said}");

    let (code, said) = replay(&|answers| answers[0]["body"] = ASKING_ELSEWHERE.into());
    assert_eq!(code, Some(2), "{said}");
    let refused = "not controlled: GET http://127.0.0.1:9/elsewhere was not recorded, and leads elsewhere: refused\n";
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("nothing can be said"), "{said}");
}

#[test]
fn the_repaired_page_is_clean() {
    let (folder, server) = (tempfile::tempdir().unwrap(), fixture("undefined-function").repaired().serve());
    let (code, said, report) = race(&server.url(), folder.path());
    assert_eq!(code, Some(0), "{said}");
    assert!(report.findings.is_empty() && report.counts.potential_conflicts > 0, "{said}");
}

/// What a configuration and flags say reaches the search, and the report repeats it.
#[test]
fn what_the_user_knows_and_chooses_is_in_the_report() {
    let (folder, server) = (tempfile::tempdir().unwrap(), fixture("undefined-function").page().serve());
    let configuration = format!(
        "[app]\nurl = \"{}\"\nreset = \"reload\"\n[race]\nfilters_off = [\"unload\"]\nlibraries = [\"*/lib.js\", \"*/jquery.js\"]\n\
         [[race.harmless]]\nreason = \"users are not that fast\"\nplace = \"global start\"\n\
         [[race.harmless]]\nreason = \"it keeps its own state\"\nplace = \"library lib*\"\n\
         [[invariant]]\nname = \"it is idle\"\njs = \"status === 'busy'\"\n\
         [[action]]\nname = \"a\"\nsteps = [{{ press = \"a\" }}]\n",
        server.url()
    );
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    let output = colobus(&["race", "-c", ".", "--bound", "1", "--live"], folder.path());
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
    let report: Report = serde_json::from_str(&report).unwrap();
    let said = format!("{said}\n{}", report.notes.join("\n"));
    for expected in [
        "1 harmless: race.harmless (users are not that fast; it keeps its own state)",
        "filters that are switched off: unload",
        "lib.js is a library: ",
        "no script of this page matches the library */jquery.js",
        "--live: every execution gets the answers that its servers give then",
        "the invariant \"it is idle\" does not hold in the recorded order already",
        "fully explored up to 1 reversal, as far as the page is controlled",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn what_cannot_be_run_says_why() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "no recording").unwrap();
    let recording = "colobus-recording 1\nviewport 8x6\nA open \"http://127.0.0.1:1/theirs\" +0\n";
    fs::write(folder.path().join("their.rec"), recording).unwrap();
    for (arguments, why) in [
        (vec!["race", "ftp://example.org/"], "is not an address of a page"),
        (vec!["race", "http://127.0.0.1:1/", "--recording", "notes.txt"], "is not a recording"),
        (vec!["race", "http://127.0.0.1:1/"], "could not be loaded"),
        (vec!["race", "--recording", "their.rec"], "`colobus race http://127.0.0.1:1/theirs --recording FILE`"),
    ] {
        let output = colobus(&arguments, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

/// What the truth of a fixture names is found, comes back every time, and is a test that fails on the page and passes on its
/// repaired twin.
#[test]
#[ignore = "takes minutes; make test-long"]
fn every_harmful_fixture_is_exported() {
    let folder = exported::folder();
    let wrong: Vec<String> =
        fixtures::names().iter().filter_map(|name| wrong_with(name, folder.path()).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn wrong_with(name: &str, folder: &Path) -> Result<(), String> {
    let fixture = fixture(name);
    let server = fixture.page().serve();
    let viewport = Viewport { width: 800, height: 600 };
    let options = RaceOptions {
        url: server.url(),
        viewport,
        seed: 1,
        steps: Some(fixture.steps()),
        live: false,
        invariants: Vec::new(),
        libraries: Vec::new(),
        browsers: BrowserChoice::default(),
    };
    let out = folder.join(format!("out-{name}"));
    let config = RaceConfig {
        url: server.url(),
        origin: server.url(),
        viewport,
        steps: options.steps.clone(),
        seed: 1,
        bound: Some(fixture.truth.bound),
        schedules: None,
        live: false,
        invariants: Vec::new(),
        filters_off: Vec::new(),
        harmless: Vec::new(),
        libraries: Vec::new(),
        options: RunOptions { repeat: 10, ..RunOptions::new(&out) },
    };
    let open = || Ok(Box::new(RaceBrowser::open(options.clone(), &Interrupt::default())?) as Box<dyn RacePage>);
    let report = colobus_race_run::race(&config, &open, &mut |_| {}).map_err(|error| format!("{name}: {error}"))?;
    let (found, expected) = (report.findings.len(), fixture.truth.finds.len());
    if found != expected {
        return Err(format!("{name}: {found} findings instead of {expected}"));
    }
    for finding in &report.findings {
        if finding.reproduced != 10 {
            return Err(format!("{name}: came back {} of 10 times", finding.reproduced));
        }
        let evidence = colobus_race_run::load(&out.join("last").join(finding.id.to_string()))?;
        let file = format!("{name}-{}.mjs", finding.id);
        let found = out.join("last").join(finding.id.to_string());
        let exported = colobus(&["export", &found.display().to_string(), "--to=playwright-core", "-o", &file], folder);
        if exported.status.code() != Some(0) {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&exported.stderr)));
        }
        println!("{name}: {} {}", if evidence.confirmed { "confirmed with" } else { "" }, evidence.by_hand);
        let run = |server: &Server| {
            exported::run_against(server.url().trim_end_matches('/'), folder, &["--test", &file], &[])
        };
        let (passed, said) = run(&server);
        if passed || !said.contains("AssertionError") {
            return Err(format!("{name}: its export does not fail on the page: {said}"));
        }
        let (passed, said) = run(&fixture.repaired().serve());
        if !passed {
            return Err(format!("{name}: its export fails on the repaired page: {said}"));
        }
    }
    Ok(())
}
