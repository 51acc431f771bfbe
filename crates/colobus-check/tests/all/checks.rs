//! What the checks say of traces made by hand.

use std::collections::BTreeMap;

use colobus_check::{CHECKS, Checks, Judgement};
use colobus_compare::Picture;
use colobus_model::*;
use colobus_schedule::orders::together;
use serde_json::json;

fn application() -> Application {
    serde_json::from_value(json!({
        "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null, "focus": null,
        "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
        "viewport": {"width": 20, "height": 20},
        "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0},
    }))
    .unwrap()
}

fn action(name: &str) -> Action {
    Action::new(name, vec![Step::Type(name.into())])
}

fn trace(judged_by: &[Aspect], observations: Vec<Observation>) -> Trace {
    let interaction = Interaction::new(vec![], observations.iter().map(|_| action("a")).collect());
    Trace {
        version: TRACE_VERSION,
        application: application(),
        schedule: together(&interaction),
        messages: BTreeMap::new(),
        interaction,
        judged_by: judged_by.to_vec(),
        tokens: vec![],
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations,
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: vec![],
        outcome: Outcome::Completed,
    }
}

fn shows(dom: &str, shade: u8) -> Observation {
    let picture = Picture { width: 20, height: 20, rgba: vec![shade; 1600] };
    Observation { screenshot: Some(picture.encode().unwrap()), dom: Some(dom.into()), ..Observation::default() }
}

fn failure(trace: &Trace) -> (&'static str, DifferenceKind, String) {
    match Checks::default().judge(trace) {
        Judgement::Fail { check, difference, .. } => {
            let kinds = Checks::default().find(&check).expect("it is on the list").kinds();
            assert!(kinds.contains(&difference.kind), "{check} does not say that it finds {}", difference.kind);
            (check.to_string().leak(), difference.kind, difference.summary)
        }
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[test]
fn a_check_that_is_off_is_not_asked() {
    let mut failing = trace(&[Aspect::Dom], vec![shows("\"ab\"", 0), shows("\"ba\"", 0)]);
    assert!(matches!(Checks::default().judge(&failing), Judgement::Fail { .. }));
    failing.application.checks_off = vec!["convergence-dom".to_string()];
    assert_eq!(Checks::default().judge(&failing), Judgement::Pass);
}

#[test]
fn equal_clients_pass() {
    let one = shows("<p>\n  \"a\"", 0);
    assert_eq!(
        Checks::default().judge(&trace(&Aspect::ALL[..2], vec![one.clone(), one.clone(), one])),
        Judgement::Pass
    );
}

#[test]
fn pixels_that_differ_are_explained_by_the_dom() {
    let pixels = &[Aspect::Pixels];
    let text = trace(pixels, vec![shows("\"abcd\"", 0), shows("\"abxd\"", 9)]);
    assert_eq!(
        failure(&text),
        (
            "convergence-pixels",
            DifferenceKind::Text,
            "A shows “abcd” where B shows “abxd” (400 pixels in 20x20 at (0, 0))".into()
        )
    );
    let markup = trace(pixels, vec![shows("<b>\n  \"a\"", 0), shows("<i>\n  \"a\"", 9)]);
    assert_eq!(failure(&markup).1, DifferenceKind::Markup);
    let view = trace(pixels, vec![shows("\"a\"", 0), shows("\"a\"", 9)]);
    assert_eq!(failure(&view).1, DifferenceKind::Pixels);
}

#[test]
fn a_summary_shows_the_differing_lines_and_not_what_stands_around() {
    let page = |line: &str| shows(&format!("<button>\n  \"Undo\"\n<p>\n  \"{line}\"\n<p>\n  \"the end\""), 0);
    let differing = trace(&[Aspect::Dom], vec![page("a"), page("ab")]);
    assert_eq!(failure(&differing).2, "A shows “a” where B shows “ab”");
    let long = trace(&[Aspect::Dom], vec![page("a long line that ends in x"), page("a long line that ends in y")]);
    assert_eq!(failure(&long).2, "A shows “…ends in x” where B shows “…ends in y”");
}

#[test]
fn failures_are_alike_if_both_are_disagreements_or_of_the_same_check() {
    let fail = |check, kind| Judgement::Fail {
        check: CheckId::new(check),
        difference: Difference { kind, summary: String::new() },
        also: Vec::new(),
    };
    let alike = |one: &Judgement, other: &Judgement| Checks::default().fail_alike(one, other);
    let text = fail("convergence-dom", DifferenceKind::Text);
    assert!(alike(&text, &fail("convergence-pixels", DifferenceKind::Pixels)));
    assert!(!alike(&text, &fail("new-errors", DifferenceKind::Error)));
    let lost = fail("conservation", DifferenceKind::Lost);
    assert!(alike(&lost, &fail("conservation", DifferenceKind::Torn)) && !alike(&lost, &text));
    assert!(!alike(&text, &Judgement::Pass) && !alike(&Judgement::Pass, &Judgement::Pass));
}

#[test]
fn every_check_is_judged_and_the_worst_comes_first() {
    let holds = |state: &str, dom: &str, shade| Observation { state: Some(json!(state)), ..shows(dom, shade) };
    let mut both = trace(&Aspect::ALL, vec![holds("bqd", "\"a\"", 0), holds("b", "\"b\"", 9)]);
    both.observations[1].errors =
        vec![PageError { kind: ErrorKind::Uncaught, text: "oh".into(), place: None, during_concurrent: true }];
    both.tokens = vec![Token {
        word: "bqd".into(),
        client: ClientId(0),
        part: Part::Concurrent { step: 0 },
        whole_alone: Some(true),
    }];
    let judgement = Checks::default().judge(&both);
    let failed: Vec<(&str, DifferenceKind)> =
        judgement.failed().map(|(check, difference)| (check.as_str(), difference.kind)).collect();
    assert_eq!(
        failed,
        [
            ("conservation", DifferenceKind::Lost),
            ("convergence-state", DifferenceKind::State),
            ("new-errors", DifferenceKind::Error),
            ("convergence-pixels", DifferenceKind::Text),
            ("convergence-dom", DifferenceKind::Text),
        ]
    );
    assert!(judgement.same_failure(&CheckId::new("new-errors"), DifferenceKind::Error).is_some());
}

#[test]
fn every_kind_of_difference_has_a_rank() {
    let ranks: Vec<usize> = DifferenceKind::WORST_FIRST.iter().map(|kind| kind.rank()).collect();
    assert_eq!(ranks, (0..15).collect::<Vec<_>>());
    for check in CHECKS {
        assert!(check.kinds().iter().all(|kind| DifferenceKind::WORST_FIRST.contains(kind)), "{}", check.id());
    }
}

#[test]
fn a_difference_that_nobody_asked_about_is_none() {
    assert_eq!(
        Checks::default().judge(&trace(&[Aspect::Dom], vec![shows("\"a\"", 0), shows("\"a\"", 9)])),
        Judgement::Pass
    );
}

#[test]
fn the_third_client_counts_as_well() {
    let three = trace(&[Aspect::Pixels], vec![shows("\"a\"", 0), shows("\"a\"", 0), shows("\"b\"", 9)]);
    assert!(failure(&three).2.starts_with("A shows “a” where C shows “b”"));
}

#[test]
fn documents_are_compared_without_regard_to_the_order_of_keys() {
    let holds = |state| Observation { state: Some(state), ..Observation::default() };
    let equal = trace(&[Aspect::State], vec![holds(json!({"a": 1, "b": 2})), holds(json!({"b": 2, "a": 1}))]);
    assert_eq!(Checks::default().judge(&equal), Judgement::Pass);
    let different = trace(&[Aspect::State], vec![holds(json!([1, 2])), holds(json!([2, 1]))]);
    assert_eq!(failure(&different).0, "convergence-state");
}

#[test]
fn what_is_missing_is_unknown_and_never_a_pass() {
    let judgement = Checks::default().judge(&trace(&[Aspect::State], vec![shows("", 0), shows("", 0)]));
    assert_eq!(judgement, Judgement::Unknown("convergence-state: the state of an observation is missing".into()));
    let mut lost = trace(&[Aspect::Pixels], vec![shows("", 0), shows("", 0)]);
    lost.observations.pop();
    assert!(matches!(Checks::default().judge(&lost), Judgement::Unknown(_)));
    lost.outcome = Outcome::NotApplicable(no_button());
    assert_eq!(Checks::default().judge(&lost), Judgement::NotApplicable(no_button()));
}

#[test]
fn only_new_errors_of_the_concurrent_part_are_findings() {
    let error = |text: &str, during_concurrent| PageError {
        kind: ErrorKind::Uncaught,
        text: text.into(),
        place: None,
        during_concurrent,
    };
    let raising = |errors: Vec<PageError>| {
        let mut trace = trace(&[], vec![Observation::default(), Observation { errors, ..Observation::default() }]);
        trace.known_errors = vec!["timeout after 17 ms".into()];
        trace
    };
    assert_eq!(
        Checks::default().judge(&raising(vec![error("bad position", false)])),
        Judgement::Pass,
        "the prefix raised it"
    );
    assert_eq!(
        Checks::default().judge(&raising(vec![error("timeout after 23 ms", true)])),
        Judgement::Pass,
        "not news"
    );
    let new = raising(vec![error("timeout after 23 ms", true), error("bad position 3\n  at x", true)]);
    assert_eq!(failure(&new), ("new-errors", DifferenceKind::Error, "B raises an error: bad position 3".into()));
}

#[test]
fn a_client_without_a_network_may_say_that_it_cannot_connect() {
    let lost = |kind| PageError {
        kind,
        text: "WebSocket connection failed: net::ERR_CONNECTION_RESET".into(),
        place: None,
        during_concurrent: true,
    };
    let judged = |kind, order: &str| {
        let errors = vec![lost(kind)];
        let mut trace = trace(&[], vec![Observation { errors, ..Observation::default() }, Observation::default()]);
        trace.schedule = order.parse().unwrap();
        Checks::default().judge(&trace)
    };
    assert_eq!(judged(ErrorKind::NoConnection, "A1 A! B1 A+ ~"), Judgement::Pass);
    assert!(
        matches!(judged(ErrorKind::NoConnection, "A1 B1 ~"), Judgement::Fail { .. }),
        "the network was not taken away"
    );
    assert!(matches!(judged(ErrorKind::Console, "A1 A! B1 A+ ~"), Judgement::Fail { .. }), "page code wrote this text");
    assert!(matches!(judged(ErrorKind::Uncaught, "A1 A! B1 A+ ~"), Judgement::Fail { .. }), "the page must catch it");
}

#[test]
fn a_refused_request_is_no_error_of_the_page_and_a_failing_server_is() {
    let judged = |status: u16| {
        let text = format!("Failed to load resource: the server responded with a status of {status}");
        let error = PageError { kind: ErrorKind::Refused(status), text, place: None, during_concurrent: true };
        let seen = Observation { errors: vec![error], ..Observation::default() };
        Checks::default().judge(&trace(&[], vec![seen, Observation::default()]))
    };
    assert_eq!(judged(409), Judgement::Pass);
    assert_eq!(judged(404), Judgement::Pass);
    assert!(matches!(judged(400), Judgement::Fail { .. }), "unless users who take turns get it, too");
    assert!(matches!(judged(403), Judgement::Fail { .. }));
    assert!(matches!(judged(500), Judgement::Fail { .. }));
    assert!(matches!(judged(503), Judgement::Fail { .. }));
}

#[test]
fn names_are_unique_and_every_check_describes_itself() {
    let names: std::collections::BTreeSet<_> = CHECKS.iter().map(|check| check.id()).collect();
    assert_eq!(names.len(), CHECKS.len());
    assert!(CHECKS.iter().all(|check| check.demand().len() > 20 && !check.kinds().is_empty()));
}

#[test]
fn a_late_joiner_must_see_what_the_others_see() {
    let says = |text: &str| Observation { text: Some(vec![text.into()]), ..Observation::default() };
    let holds = |state: &str| Observation { state: Some(json!(state)), ..says("whatever") };
    let mut trace = trace(&[], vec![Observation::default(); 2]);
    trace.late_joiner = Some(LateJoin { late_joiner: says("ab"), reference: says("ab") });
    assert_eq!(Checks::default().judge(&trace), Judgement::Pass);
    trace.late_joiner = Some(LateJoin { late_joiner: says("a"), reference: says("ab") });
    let expected = "a late joiner sees “a” where the others see “ab”".to_string();
    assert_eq!(failure(&trace), ("reload", DifferenceKind::Reload, expected));
    trace.late_joiner = Some(LateJoin { late_joiner: holds("a"), reference: holds("b") });
    assert_eq!(failure(&trace).0, "reload", "the document decides where there is one");
}

#[test]
fn invariants_hold_in_every_client() {
    let looked = |broken: &[&str]| {
        let names = broken.iter().map(|name| name.to_string()).collect();
        Observation { broken_invariants: Some(names), ..Observation::default() }
    };
    let mut trace = trace(&[], vec![looked(&[]), looked(&["even"])]);
    trace.application.invariants = vec![Invariant { name: "even".into(), js: "count % 2 === 0".into() }];
    assert_eq!(failure(&trace), ("invariant", DifferenceKind::Invariant, "“even” does not hold for B".to_string()));
    trace.observations[1] = looked(&[]);
    assert_eq!(Checks::default().judge(&trace), Judgement::Pass);
    trace.observations[1] = Observation::default();
    assert!(matches!(Checks::default().judge(&trace), Judgement::Unknown(_)));
}

#[test]
fn what_is_shown_is_what_the_document_says() {
    let holds = |state: &str, text: &str| Observation {
        state: Some(json!(state)),
        text: Some(vec![text.into()]),
        ..Observation::default()
    };
    let mut trace = trace(&[], vec![holds("bqd dxg", "bqd dxg"), holds("bqd dxg", "bqd")]);
    trace.application.state = Some("state".into());
    let part = Part::Concurrent { step: 0 };
    trace.tokens = ["bqd", "dxg"]
        .map(|word| Token { word: word.into(), client: ClientId(0), part, whole_alone: Some(true) })
        .to_vec();
    let expected = "B's document has “dxg” once and B shows it never".to_string();
    assert_eq!(failure(&trace), ("model-and-view", DifferenceKind::View, expected));
    // A page that draws its text has none to read.
    trace.observations = vec![holds("bqd dxg", ""); 2];
    assert_eq!(Checks::default().judge(&trace), Judgement::Pass);
}

#[test]
fn what_should_change_nothing_changes_nothing() {
    let has = |text: &str, shade| Observation { text: Some(vec![text.into()]), ..shows(text, shade) };
    let judged = |steps: &[&str], without: [Observation; 2], with: [Observation; 2]| {
        let mut trace = trace(&[Aspect::Pixels], with.to_vec());
        let steps = steps.iter().map(|keys| Step::Press(keys.parse().unwrap())).collect();
        trace.interaction.concurrent[0] = Action { neutral: true, ..Action::new("there and back", steps) };
        trace.baseline = without.to_vec();
        trace
    };
    let both = |text: &str, shade| [has(text, shade), has(text, shade)];
    let tab = &["Tab", "Shift+Tab"][..];
    assert_eq!(Checks::default().judge(&judged(tab, both("ab", 0), both("ab", 0))), Judgement::Pass);
    let expected = "“there and back” should change nothing, and A has “ba” instead of “ab”".to_string();
    assert_eq!(failure(&judged(tab, both("ab", 0), both("ba", 0))), ("neutral", DifferenceKind::Neutral, expected));
    let expected = "“there and back” should change nothing, and A looks different than without it".to_string();
    assert_eq!(failure(&judged(tab, both("ab", 0), both("ab", 9))), ("neutral", DifferenceKind::Neutral, expected));
    // What comes back by a redo may stand on the other side of what others typed meanwhile, but it must be there.
    let undo = &["Control+z", "Control+Shift+z"][..];
    assert_eq!(Checks::default().judge(&judged(undo, both("ab", 0), both("ba", 0))), Judgement::Pass);
    assert_eq!(failure(&judged(undo, both("ab", 0), both("a", 0))).0, "neutral");
    let mut unseen = judged(tab, both("ab", 0), both("ab", 0));
    unseen.baseline.clear();
    assert!(matches!(Checks::default().judge(&unseen), Judgement::Unknown(_)));
}

#[test]
fn carets_are_shown_where_their_owners_have_them() {
    let at = |x: f64| CaretPlace::Screen { x, top: 10.0, bottom: 26.0 };
    let looked = |own: Option<CaretPlace>, shown: &[CaretPlace]| Observation {
        carets: Some(Box::new(Carets { own, shown: shown.to_vec() })),
        ..Observation::default()
    };
    let mut trace = trace(&[], vec![looked(Some(at(30.0)), &[at(50.0)]), looked(Some(at(51.5)), &[at(30.0)])]);
    trace.application.remote_carets = Some(RemoteCarets::Selector(".caret".into()));
    assert_eq!(Checks::default().judge(&trace), Judgement::Pass);
    trace.observations[1] = looked(Some(at(58.0)), &[]);
    let expected = "A shows another user's caret at (50, 10), and it is at (58, 10)".to_string();
    assert_eq!(failure(&trace), ("caret", DifferenceKind::Caret, expected));
    trace.observations[1] = looked(None, &[]);
    assert_eq!(Checks::default().judge(&trace), Judgement::Pass, "nobody knows where it should be");
    let position = |index: usize| CaretPlace::Document(json!({ "index": index }));
    trace.observations = vec![looked(Some(position(1)), &[position(2)]), looked(Some(position(3)), &[position(1)])];
    assert!(failure(&trace).2.ends_with("at {\"index\":2}, and it is at {\"index\":3}"));
    trace.observations[1] = Observation::default();
    assert!(matches!(Checks::default().judge(&trace), Judgement::Unknown(_)));
}

fn no_button() -> NotApplicable {
    NotApplicable { action: "save".into(), step: None, reason: "no button".into(), threw: false }
}
