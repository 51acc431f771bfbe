//! What people read of a run, to the letter.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use colobus_model::foreign::is_deceptive;
use colobus_model::{
    AcceptedCause, Case, CheckId, Critical, Difference, DifferenceKind, FailedCheck, PersonalPlace, Phase, Plan,
    PlannedSearch, Report, RunEvent, Schedule,
};
use colobus_report::{Look, REPORTERS, Renderer, Reporter, Terminal};

use crate::hostile;
use crate::sample;
use crate::sample::{failing, hostile_report, names, quiet_report, report};

/// What was written, to be read afterwards.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("one thread").clone()).expect("text")
    }
}

/// Shows events, one second after the other.
fn rendered(look: Look, events: &[RunEvent]) -> String {
    let paper = Paper::default();
    let time = Arc::new(Mutex::new(Duration::ZERO));
    let clock = time.clone();
    let read = move || *clock.lock().expect("one thread");
    let mut terminal = Terminal::with_clock(Box::new(paper.clone()), look, Box::new(read));
    for event in events {
        terminal.event(event);
        *time.lock().expect("one thread") += Duration::from_secs(1);
    }
    paper.text()
}

fn started() -> RunEvent {
    RunEvent::Started {
        plan: Plan {
            configuration: "colobus.toml".to_string(),
            application: "Notes".to_string(),
            workers: 1,
            seed: 42,
            search: PlannedSearch::Interactions {
                actions: names(&["type a", "type b", "Enter"]),
                depth: 3,
                clients: 2,
                sequences: 1000,
                source_states: 111,
                naive: 4995,
            },
        },
        output: PathBuf::from("colobus-out/last"),
    }
}

fn finished(report: Report) -> RunEvent {
    RunEvent::Finished { report: Box::new(report), output: PathBuf::from("colobus-out/last") }
}

fn case(prefix: &[&str], concurrent: &[&str]) -> Case {
    Case::Interaction { prefix: names(prefix), concurrent: names(concurrent) }
}

fn failed(prefix: &[&str]) -> RunEvent {
    RunEvent::Failed {
        case: case(prefix, &["bold line", "delete line"]),
        check: CheckId::new("convergence"),
        summary: "the markup differs".to_string(),
    }
}

#[test]
fn a_run_in_plain_lines() {
    let progress = |done| RunEvent::Progress { phase: Phase::Search, done, total: 40 };
    let text = rendered(
        Look::PLAIN,
        &[
            started(),
            RunEvent::Ready { browser: "Chromium 142".to_string(), took: Duration::from_millis(840) },
            RunEvent::PhaseStarted { phase: Phase::Search, total: 40 },
            progress(1),
            progress(3),
            progress(20),
            failed(&["type a"]),
            failed(&["type b"]),
            RunEvent::Unknown { case: case(&[], &["list", "undo"]), reason: "the page never settled".to_string() },
            RunEvent::Unknown {
                case: case(&["Enter"], &["list", "undo"]),
                reason: "the page never settled".to_string(),
            },
            progress(40),
            RunEvent::PhaseFinished { phase: Phase::Search, took: Duration::from_secs(75) },
            RunEvent::Note("the browser was restarted".to_string()),
            RunEvent::Found(Box::new(report().findings[0].clone())),
        ],
    );
    assert_eq!(
        text,
        "\
Notes
  3 actions, depth 3, 2 clients, 1 worker, seed 42
  1,000 sequences from 111 source states; without phase 1 it would be 4,995 interactions
  results in colobus-out/last
ready after 0.8 s: Chromium 142
phase 2: 20 of 40 (50 %), 6.7 per second, 3.0 s left
failed: type a, (bold line || delete line): the markup differs
unknown: (list || undo): the page never settled
phase 2: 40 of 40 (100 %), 5.0 per second
phase 2: 40 interactions in 1 min 15 s
note: the browser was restarted
found 1: type a, Enter, (bold line || delete line)
  convergence (markup): A and B show the same text with different markup: the line is bold for A only
  reproduced 10 of 10 times: colobus replay colobus-out/last/1
"
    );
}

#[test]
fn a_finding_shows_every_check_that_failed() {
    let mut found = report().findings[0].clone();
    let difference = Difference { kind: DifferenceKind::Pixels, summary: "A and B look different".into() };
    found.also = vec![FailedCheck { check: CheckId::new("convergence-pixels"), difference }];
    let text = rendered(Look::PLAIN, &[RunEvent::Found(Box::new(found.clone()))]);
    let second = "\n  convergence-pixels (pixels): A and B look different\n  reproduced 10 of 10 times";
    assert!(text.contains(second), "{text}");
    let report = Report { findings: vec![found], ..report() };
    let xml = colobus_report::junit_xml(&report, "out".as_ref());
    assert!(xml.contains("convergence-pixels (pixels): A and B look different"), "{xml}");
    let json: Report = serde_json::from_str(&serde_json::to_string(&report).expect("JSON")).expect("a report");
    assert_eq!(json, report);
}

#[test]
fn a_silent_phase_still_shows_that_it_moves() {
    let mut events = vec![RunEvent::PhaseStarted { phase: Phase::Explore, total: 1000 }];
    events.extend((1..=65).map(|done| RunEvent::Progress { phase: Phase::Explore, done, total: 1000 }));
    let lines: Vec<String> = rendered(Look::PLAIN, &events).lines().map(str::to_string).collect();
    assert_eq!(
        lines,
        [
            "phase 1: 30 of 1,000 (3 %), 1.0 per second, 16 min 10 s left",
            "phase 1: 60 of 1,000 (6 %), 1.0 per second, 15 min 40 s left",
        ]
    );
}

#[test]
fn a_root_cause_names_the_order_or_the_fault_that_makes_the_difference() {
    let closing = |schedule: &str, critical: fn(&Schedule) -> Option<Critical>| {
        let mut report = report();
        failing(&mut report.findings[0]).critical = critical(&schedule.parse().expect("a schedule"));
        rendered(Look::PLAIN, &[finished(report)])
    };
    let fault = closing("A1 B1 A> A... ~", |schedule| Critical::fault_of(&schedule.events));
    assert!(fault.contains("\n   Fails with A.... Works without it.\n"), "{fault}");
    let reversed = closing("B< A1 ~", |schedule| {
        let [first, second, _] = schedule.events.clone().try_into().expect("three events");
        Some(Critical::Reversed { first, second, positions: (0, 1) })
    });
    assert!(reversed.contains("\n   Fails if B< comes before A1. Works in the other order.\n"), "{reversed}");
}

#[test]
fn what_an_interrupted_run_had_done_does_not_count_as_speed() {
    let progress = |done| RunEvent::Progress { phase: Phase::Search, done, total: 1000 };
    let text = rendered(Look::PLAIN, &[progress(500), progress(600)]);
    assert_eq!(text, "phase 2: 500 of 1,000 (50 %)\nphase 2: 600 of 1,000 (60 %), 100.0 per second, 4.0 s left\n");
}

#[test]
fn the_closing_table_ends_with_lines_that_reproduce() {
    assert_eq!(
        rendered(Look::PLAIN, &[finished(report())]),
        "
  sequences                1,000
    judged                 1,000
  source states              111
  equivalence classes         58
  conflicts                1,103
  interactions             1,103
    judged                 1,089
    not applicable            12
    unknown                    2
  executions               1,391
  browser restarts             1
  failures                    31
  findings                     4
  causes                       3

cause 1 of 3: markup of bold line and delete line (24 interactions)
   convergence (markup): A and B show the same text with different markup: the line is bold for A only
   type a, Enter, (bold line || delete line)             10 of 10  colobus replay colobus-out/last/1
   colobus replay 'type a, Enter, (bold line || delete line) : A1 A2 B1 B2 ~' -c colobus.toml
   type a, bold line, Enter, (bold line || delete line)  10 of 10  colobus replay colobus-out/last/3

cause 2 of 3: text of type a and type b and word left (1 interaction)
   convergence (text): A shows “ab” where B and C show “ba”
   (type a || type b || word left)  10 of 10  colobus replay colobus-out/last/2
   colobus replay '(type a || type b || word left) : A1 B1 C1 ~' -c colobus.toml

cause 3 of 3: error of indent and undo (1 interaction)
   errors (error): B throws “TypeError: Cannot read properties of undefined (reading 'attributes')”, which no sequential run did
   type a, (indent || undo)   7 of 10  colobus replay colobus-out/last/4
   colobus replay 'type a, (indent || undo) : A1 B1 ~' -c colobus.toml

3 causes in 4 findings after 5 min 44 s
report: colobus-out/last/report.html
"
    );
}

#[test]
fn what_differs_when_users_take_turns_is_listed_with_the_line_that_leaves_it_out() {
    let mut quiet = quiet_report();
    let place = |place: &str, ignore: Option<&str>| PersonalPlace {
        place: place.into(),
        ignore: ignore.map(Into::into),
        cases: 12,
    };
    quiet.personal = vec![place(".you", Some("ignore = [\".you\"]")), place("li.message", None)];
    let text = rendered(Look::PLAIN, &[finished(quiet.clone())]);
    let listed = "differs even when users take turns (no race, no finding):\n   .you  (12 interactions)  ignore = [\".you\"]\n   \
         li.message  (12 interactions)  not to be ignored: what users write stands there\n";
    assert!(text.contains(listed) && text.contains("nothing found"), "{text}");
    assert!(colobus_report::junit_xml(&quiet, "out".as_ref()).contains("take turns: .you: ignore"), "it is in the XML");
}

#[test]
fn accepted_causes_are_marked_and_those_that_are_gone_are_told() {
    let mut report = report();
    report.root_causes[1].accepted = Some("#123".to_string());
    report.gone = vec![AcceptedCause { name: "an old one".to_string(), why: "#7".to_string() }];
    let text = rendered(Look::PLAIN, &[finished(report.clone())]);
    assert!(text.contains("word left (1 interaction, accepted: #123)\n"), "{text}");
    assert!(text.contains("accepted, and did not come back: an old one (#7)"), "{text}");
    assert!(text.contains("3 causes (1 accepted) in 4 findings"), "{text}");
    let xml = colobus_report::junit_xml(&report, "out".as_ref());
    assert!(xml.contains("failures=\"2\"") && xml.contains("<skipped message=\"accepted: #123\"/>"), "{xml}");
}

#[test]
fn nothing_found_is_told_with_its_doubts() {
    let ending = |report: Report| {
        let text = rendered(Look::PLAIN, &[finished(report)]);
        let lines: Vec<String> = text.lines().rev().skip(1).take(2).map(str::to_string).collect();
        lines
    };
    assert_eq!(ending(quiet_report())[0], "nothing found in 1,091 interactions after 5 min 20 s");
    let mut doubtful = quiet_report();
    (doubtful.counts.interactions.judged, doubtful.counts.interactions.unknown) = (1084, 7);
    doubtful.stopped = Some("interrupted".to_string());
    doubtful.doubts = doubtful.doubts_about();
    assert_eq!(
        ending(doubtful),
        [
            "nothing found in 1,084 interactions after 5 min 20 s, but of 7 nothing can be said",
            "in doubt: the search ended after 1103 of 1103 interactions: interrupted",
        ]
    );
}

#[test]
fn the_live_line_is_drawn_in_place_and_taken_away() {
    let look = Look { live: true, colours: false };
    let text = rendered(
        look,
        &[
            RunEvent::Progress { phase: Phase::Search, done: 0, total: 4 },
            RunEvent::Progress { phase: Phase::Search, done: 2, total: 4 },
            failed(&[]),
            RunEvent::PhaseFinished { phase: Phase::Search, took: Duration::from_secs(2) },
        ],
    );
    let half = format!("phase 2 {}{}", "━".repeat(12), "─".repeat(12));
    let start = format!("phase 2 {}", "─".repeat(24));
    assert_eq!(
        text,
        format!(
            "\r\x1b[2K\x1b[?7l{start} 0 of 4 (0 %)\x1b[?7h\
             \r\x1b[2K\x1b[?7l{half} 2 of 4 (50 %)  2.0/s  1.0 s left\x1b[?7h\
             \r\x1b[2Kfailed: (bold line || delete line): the markup differs\n\
             \x1b[?7l{half} 2 of 4 (50 %)  1.0/s  2.0 s left  1 failed\x1b[?7h\
             \r\x1b[2Kphase 2: 2 interactions in 2.0 s\n"
        )
    );
}

#[test]
fn nothing_from_a_page_reaches_the_terminal_as_control() {
    let report = hostile_report();
    let events = [
        RunEvent::Note(sample::HOSTILE.to_string()),
        RunEvent::Found(Box::new(report.findings[0].clone())),
        finished(report),
    ];
    let text = rendered(Look::PLAIN, &events);
    let bad = |c: &char| (c.is_control() && *c != '\n') || *c == '\u{202e}' || *c == '\u{2028}';
    assert_eq!(text.chars().find(bad), None);
    assert!(text.contains("👩‍👩‍👧"));
}

/// Of `check`, `stumble`, `explore`, `race` and `reach`, while they run and at their end, by every reporter.
#[test]
fn nothing_from_a_page_reaches_the_terminal_as_control_whatever_is_searched() {
    for report in hostile::of_every_search(sample::HOSTILE) {
        let text = || sample::HOSTILE.to_string();
        let plan = Plan {
            configuration: text(),
            application: text(),
            workers: 1,
            seed: 0,
            search: PlannedSearch::Events { budget: 1 },
        };
        let mut events = vec![
            RunEvent::Started { plan, output: PathBuf::from("out") },
            RunEvent::Ready { browser: text(), took: Duration::ZERO },
            RunEvent::Note(text()),
            RunEvent::Found(Box::new(report.findings[0].clone())),
        ];
        for unknown in &report.unknown {
            let (case, check) = (unknown.case.clone(), CheckId::new(sample::HOSTILE));
            events.push(RunEvent::Failed { case: case.clone(), check, summary: text() });
            events.push(RunEvent::Unknown { case, reason: text() });
        }
        events.push(finished(report.clone()));
        let paper = Paper::default();
        for reporter in REPORTERS {
            let mut renderer = (reporter.renderer)(Box::new(paper.clone()), Look::PLAIN);
            events.iter().for_each(|event| renderer.event(event));
        }
        let printed = paper.text();
        let bad = printed.chars().find(|c| is_deceptive(*c) && *c != '\n');
        assert_eq!(bad, None, "{}: {printed:?}", report.search.command());
        assert!(printed.matches("👩‍👩‍👧").count() > 50, "{printed}");
    }
}

fn reporter(name: &str) -> Reporter {
    name.parse().expect("a reporter of this name")
}

#[test]
fn the_other_reporters_speak_at_the_end_only() {
    let paper = Paper::default();
    let mut renderers = ["github", "junit"].map(|name| (reporter(name).renderer)(Box::new(paper.clone()), Look::PLAIN));
    let mut report = report();
    report.stopped = Some("the time was up".to_string());
    for event in [started(), failed(&[]), finished(report)] {
        renderers.iter_mut().for_each(|renderer| renderer.event(&event));
    }
    let text = paper.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(
        lines[0],
        "::error title=Colobus%3A markup of bold line and delete line::convergence: A and B show the same text with different \
         markup: the line is bold for A only%0Atype a, Enter, (bold line || delete line)%0A\
         Reproduced 10 of 10 times: colobus replay colobus-out/last/1"
    );
    assert_eq!(lines[3], "::warning title=Colobus%3A the search is not complete::the time was up");
    assert!(lines[4].starts_with("::notice title=Colobus%3A unknown::Of 2 cases"));
    assert_eq!(lines[5], "junit: colobus-out/last/junit.xml");
}

#[test]
fn json_on_standard_output_is_the_report() {
    let paper = Paper::default();
    let mut renderer = (reporter("json").renderer)(Box::new(paper.clone()), Look::PLAIN);
    renderer.event(&started());
    assert_eq!(paper.text(), "");
    renderer.event(&finished(hostile_report()));
    let read: Report = serde_json::from_str(&paper.text()).expect("JSON");
    assert_eq!(read, hostile_report());
}
