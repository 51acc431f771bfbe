//! From a recording to findings, without a browser: what a session is made of, what is tried, and what is made of it.

mod theatre;

use std::cell::Cell;

use colobus_stumble::{Options, Outcome, Script, StumbleError, Task, mistakes, similarity, stumble};
use colobus_world::Stage;
use proptest::prelude::*;
use theatre::{Shop, recording};

fn snapshots() -> Vec<Option<colobus_world::PageSnapshot>> {
    Shop::default().perform(&recording()).unwrap().snapshots
}

fn searched(shop: &mut Shop) -> Outcome {
    let options = Options { dawdle_ms: 3000, attempts: 2, stopped: &|| false };
    stumble(&recording(), shop, &options, &mut |_| {}).unwrap()
}

fn findings(outcome: &Outcome) -> Vec<String> {
    let found = outcome.findings.iter();
    found
        .map(|found| format!("{} | {} | {}", found.mistake, found.problems[0], found.script.recording.lines.len()))
        .collect()
}

#[test]
fn a_session_is_pages_and_elements_and_lines() {
    let tree = Task::infer(&recording(), &snapshots());
    let expected = "session -> page 1, page 2\n\
        page 1 -> open http://shop/form, click “Prices”, “Name”, click “Next”\n\
        “Name” -> click “Name”, type a in “Name”, type b in “Name”, type c in “Name”\n\
        page 2 -> arrive at http://shop/confirm, click “Buy”\n";
    assert_eq!(tree.to_string(), expected);
    assert_eq!(tree.all().len(), 13);
}

#[test]
fn every_mistake_is_made_once() {
    let (recording, snapshots) = (recording(), snapshots());
    let tree = Task::infer(&recording, &snapshots);
    let said: Vec<String> = mistakes(&recording, &tree, &snapshots, 3000).iter().map(ToString::to_string).collect();
    let expected = [
        "forget: click “Prices”",
        "twice: click “Prices”",
        "forget: “Name”",
        "twice: “Name”",
        "forget: click “Next”",
        "twice: click “Next”",
        "too early: “Name”",
        "too early: click “Next”",
        "before the page has its data: click “Prices”",
        "before the page has its data: “Name”",
        "before the page has its data: click “Next”",
        "before the page has its code: click “Prices”",
        "3 s later: click “Prices”",
        "forget: click “Name”",
        "twice: click “Name”",
        "forget: type b in “Name”",
        "twice: type b in “Name”",
        "type b in “Name”, but hit n",
        "too early: type a in “Name”",
        "too early: type c in “Name”",
        "twice: click “Buy”",
        "before the page has its data: click “Buy”",
        "before the page has its code: click “Buy”",
        "3 s later: click “Buy”",
        "back and forth after: arrive at http://shop/confirm",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_sound_shop_survives_all_of_them() {
    let mut shop = Shop::default();
    let outcome = searched(&mut shop);
    assert_eq!(findings(&outcome), Vec::<String>::new());
    assert_eq!((outcome.mistakes, outcome.tried, outcome.pruned), (25, 25, 0));
    let dead: Vec<String> = outcome.dead_ends.iter().map(|end| format!("{}: {}", end.mistake, end.why)).collect();
    assert_eq!(
        dead,
        [
            "forget: click “Next”: click “Buy”: it is not in the page",
            "too early: click “Next”: click “Name”: it is not in the page",
        ]
    );
    assert_eq!(outcome.performances, 27);
}

#[test]
fn each_bug_is_one_finding_with_the_shortest_script() {
    let mut shop =
        Shop { uninitialised: true, double_submit: true, forgets_on_back: true, noisy: true, ..Shop::default() };
    let expected = [
        "before the page has its data: click “Prices” | TypeError: prices is undefined | 2",
        "twice: click “Buy” | http://shop/orders/",
        "back and forth after: arrive at http://shop/confirm | the field “Name” loses what was typed | 7",
    ];
    let outcome = searched(&mut shop);
    let found = findings(&outcome);
    assert_eq!(found.len(), 3, "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    assert!(outcome.findings.iter().all(|found| found.reproduced == 2));
    let report = colobus_stumble::report(&outcome, "order.rec", shop.browser(), 1.0);
    assert_eq!(report.root_causes.len(), 3);
    let marked: Vec<&str> =
        report.findings[2].script.iter().filter(|line| line.mistaken).map(|line| line.text.as_str()).collect();
    assert_eq!(marked, ["go back", "go forward"]);
}

#[test]
fn what_was_found_before_an_end_is_not_lost() {
    let bugs = || Shop { uninitialised: true, double_submit: true, ..Shop::default() };
    // The first bug shows with the ninth mistake, the other one with the twenty-first.
    let asked = Cell::new(0);
    let interrupt = || asked.replace(asked.get() + 1) == 10;
    let options = Options { dawdle_ms: 3000, attempts: 2, stopped: &interrupt };
    let outcome = stumble(&recording(), &mut bugs(), &options, &mut |_| {}).unwrap();
    assert_eq!((outcome.findings.len(), outcome.tried), (1, 10));
    assert_eq!(outcome.stopped.as_deref(), Some("interrupted after 10 of 25 mistakes"));

    let mut shop = Shop { closes_after: Some(outcome.performances), ..bugs() };
    let outcome = searched(&mut shop);
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(outcome.stopped.as_deref(), Some("the shop has closed"));
    let report = colobus_stumble::report(&outcome, "order.rec", shop.browser(), 1.0);
    assert_eq!((report.findings.len(), report.stopped), (1, outcome.stopped));
}

#[test]
fn a_session_that_does_not_work_says_where() {
    let mut broken = recording();
    broken.lines.remove(6);
    let options = Options { dawdle_ms: 1, attempts: 1, stopped: &|| false };
    let error = stumble(&broken, &mut Shop::default(), &options, &mut |_| {});
    assert!(matches!(error, Err(StumbleError::Unplayable { line: 8, .. })));
}

proptest! {
    #[test]
    fn similarity_is_a_measure(one in shape(), other in shape()) {
        let alike = similarity(&one, &other);
        prop_assert!((0.0..=1.0).contains(&alike));
        prop_assert_eq!(alike, similarity(&other, &one));
        prop_assert_eq!(similarity(&one, &one), 1.0);
    }

    /// Whatever goes wrong, nothing is done that nobody wanted, and origins say where lines come from.
    #[test]
    fn a_script_remembers_where_its_lines_come_from(choice in 0usize..25) {
        let (recording, snapshots) = (recording(), snapshots());
        let tree = Task::infer(&recording, &snapshots);
        let mistake = &mistakes(&recording, &tree, &snapshots, 3000)[choice];
        let Script { recording: made, origins, mistaken } = mistake.made_in(&recording);
        prop_assert_eq!(made.lines.len(), origins.len());
        prop_assert_eq!(made.lines.len(), mistaken.len());
        for ((line, origin), mistaken) in made.lines.iter().zip(origins).zip(mistaken) {
            let same = origin.is_some_and(|origin| recording.lines[origin] == *line);
            prop_assert!(same || mistaken, "{}", line);
        }
    }
}

fn shape() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[ab]>[ab]", 0..12)
}
