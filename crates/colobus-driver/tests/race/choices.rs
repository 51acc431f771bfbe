//! What a user chooses: scripts that are not looked into, servers that are asked again, and invariants.

use colobus_driver::RaceOptions;
use colobus_model::Invariant;
use colobus_race::conflicts::ConflictReason;
use colobus_race::happens_before::{Delay, Delays};
use colobus_world::RacePage;

use crate::fixtures::fixture;
use crate::searched::{Searched, names};
use crate::server::{Answer, Site};
use crate::{browser, options};

/// Two answers that each take the next number of a library.
const NUMBERS: &str = "<!DOCTYPE html><body><p id=one></p><p id=two></p><script src=lib.js></script><script>
for (const id of ['one', 'two']) fetch('/' + id).then(() => (document.getElementById(id).textContent = lib.next()));
</script>";
const LIBRARY: &str =
    "(function (root) { var last = 0; root.lib = { next: function () { return ++last; } }; })(window);";

/// The places through which the orders of NUMBERS that do harm conflict, with these libraries.
fn places(libraries: &[&str]) -> Vec<String> {
    let answer = |after| Answer::new("text/plain", b"", after);
    let site = Site::page(NUMBERS).script("/lib.js", LIBRARY, 0);
    let server = site.answering("/one", answer(50)).answering("/two", answer(150)).serve();
    let libraries = libraries.iter().map(ToString::to_string).collect();
    let options = RaceOptions { libraries, ..options(server.url(), Some(Vec::new())) };
    let searched = Searched::new(&mut *browser(options), 1);
    assert_eq!(searched.findings(), ["A<fetch:/one of script:lib.js / A<fetch:/two of script:lib.js: [Page]"]);
    let place = |cause: &ConflictReason| match cause {
        ConflictReason::Place(shared) => shared.place.to_string(),
        other => format!("{other:?}"),
    };
    searched.judged.iter().filter_map(|(explored, _)| Some(place(&explored.plan.reversals.last()?.cause))).collect()
}

#[test]
fn a_library_is_one_place() {
    assert!(places(&[]).iter().all(|place| place.starts_with("variable last of ")), "{:?}", places(&[]));
    assert_eq!(places(&["*/lib.js"]), ["library lib.js"]);
}

#[test]
fn a_library_that_comes_late_is_missed_as_before() {
    let late = fixture("undefined-function");
    let server = late.page().serve();
    let libraries = vec!["*/lib.js".to_string()];
    let options = RaceOptions { libraries, ..options(server.url(), Some(late.steps())) };
    assert_eq!(Searched::new(&mut *browser(options), late.truth.bound).findings(), late.truth.finds);
}

#[test]
fn live_executions_ask_the_servers_again() {
    let slide_show = fixture("slide-show");
    let server = slide_show.page().serve();
    let asked = || server.asked.lock().unwrap().iter().filter(|request| request.ends_with("/image2.png")).count();
    let mut page = browser(RaceOptions { live: true, ..options(server.url(), Some(slide_show.steps())) });
    let recorded = page.record().unwrap();
    assert_eq!(asked(), 1);
    let order = recorded.execution.order();
    for times in 2..4 {
        let again = page.run(&recorded, &order).unwrap();
        assert_eq!(asked(), times);
        assert_eq!(names(&again.order()), names(&order), "answers come when they are released");
        assert_eq!(again.outcome.dom, recorded.execution.outcome.dom);
        assert_eq!(again.notes, Vec::<String>::new(), "what was recorded is known");
    }
}

/// The page shows the same number in both orders, in the middle of which it lost count.
#[test]
fn an_invariant_that_an_order_breaks_is_found_and_confirmed() {
    let html = "<!DOCTYPE html><body><p>done</p><script>var sum = 0;
fetch('/one').then(() => (sum = sum + 1)); fetch('/two').then(() => (sum = sum * 3));</script>";
    let answer = |after| Answer::new("text/plain", b"", after);
    let server = Site::page(html).answering("/one", answer(50)).answering("/two", answer(150)).serve();
    let invariants = vec![Invariant { name: "the sum is right".into(), js: "sum === 3".into() }];
    let mut page = browser(RaceOptions { invariants, ..options(server.url(), Some(Vec::new())) });
    let searched = Searched::new(&mut *page, 1);
    let (one, two) = ("A<fetch:/one of html:1", "A<fetch:/two of html:1");
    assert_eq!(searched.findings(), [format!("{one} / {two}: [Assertion]")]);
    let later = Delays(vec![Delay { event: one.into(), by: 900 }]);
    let state = page.run_delayed(&searched.recorded, &later, &[]).unwrap();
    assert!(state.broken_invariants.contains("the sum is right"), "the plain page breaks it, too");
}
