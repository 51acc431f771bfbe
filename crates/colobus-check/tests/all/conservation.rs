//! Which words must be there, whatever the clients agree on.

use colobus_check::{Checks, Judgement};
use colobus_model::*;
use serde_json::json;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

fn press(key: &str) -> Step {
    Step::Press(key.parse().unwrap())
}

fn typing() -> Vec<Step> {
    vec![Step::Type(TOKEN.into())]
}

fn token(client: ClientId, number: usize, part: Part, whole_alone: Option<bool>) -> Token {
    Token { word: token_word(client, number), client, part, whole_alone }
}

/// A types a word after a prefix word of its own (`bqd`, `mzf`); B performs the given steps, `dxg` being its word.
fn trace(of_b: Vec<Step>, order: &str, tokens: Vec<Token>, text: &str) -> Trace {
    let application = json!({
        "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null, "focus": null,
        "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
        "viewport": {"width": 20, "height": 20},
        "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0},
    });
    let shown = Observation { text: Some(vec![text.to_string()]), ..Observation::default() };
    let concurrent = vec![Action::new("type", typing()), Action::new("other", of_b)];
    Trace {
        version: TRACE_VERSION,
        application: serde_json::from_value(application).unwrap(),
        interaction: Interaction::new(vec![Action::new("type", typing())], concurrent),
        schedule: order.parse().unwrap(),
        messages: Default::default(),
        judged_by: vec![],
        tokens,
        snapshots: vec![],
        baseline: Vec::new(),
        observations: vec![shown.clone(), shown],
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: vec![],
        outcome: Outcome::Completed,
    }
}

/// What is said when everybody agrees on `text`.
fn says(of_b: Vec<Step>, order: &str, whole_alone: Option<bool>, text: &str) -> Option<DifferenceKind> {
    let by_a = token(A, 1, Part::Concurrent { step: 0 }, whole_alone);
    let mut tokens = vec![token(A, 0, Part::Prefix, whole_alone), by_a];
    let typed = of_b.iter().position(|step| step.tokens() > 0);
    tokens.extend(typed.map(|step| token(B, 0, Part::Concurrent { step }, whole_alone)));
    match Checks::default().judge(&trace(of_b, order, tokens, text)) {
        Judgement::Pass => None,
        Judgement::Fail { check, difference, .. } => {
            assert_eq!(check.as_str(), "conservation");
            Some(difference.kind)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_typed_beside_each_other_stays() {
    use DifferenceKind::{Doubled, Interleaved, Lost, Torn};
    let known = Some(true);
    for (text, kind) in [
        ("bqdmzfdxg", None),
        ("bqddxg", Some(Lost)),
        ("bqdmzfdxgdxg", Some(Doubled)),
        ("bqddmxzgf", None),
        ("bqmzfddxg", None),
    ] {
        assert_eq!(says(typing(), "A1 B1 ~", known, text), kind, "{text}");
    }
    // Whether words stay in one piece is a matter of taste: only where it is asked for.
    for (text, kind) in [("bqddmxzgf", Interleaved), ("bqmzfddxg", Torn)] {
        let tokens = vec![
            token(A, 0, Part::Prefix, known),
            token(A, 1, Part::Concurrent { step: 0 }, known),
            token(B, 0, Part::Concurrent { step: 0 }, known),
        ];
        let mut strict = trace(typing(), "A1 B1 ~", tokens, text);
        strict.application.whole_words = true;
        let Judgement::Fail { difference, .. } = Checks::default().judge(&strict) else { panic!("{text}") };
        assert_eq!(difference.kind, kind);
    }
}

/// Both book the same seat; B is refused with 409.
#[test]
fn a_word_that_was_refused_is_lost_only_if_nobody_was_told() {
    let judged_aside = |status: u16, told: &[&str], aside: [&str; 2]| {
        let tokens = vec![
            token(A, 1, Part::Concurrent { step: 0 }, Some(true)),
            token(B, 0, Part::Concurrent { step: 0 }, Some(true)),
        ];
        let mut trace = trace(typing(), "A1 B1 ~", tokens, "seat 1: mzf");
        trace.observations[1].errors = vec![PageError {
            kind: ErrorKind::Refused(status),
            text: format!("status of {status}"),
            place: None,
            during_concurrent: true,
        }];
        trace.observations[1].text.as_mut().unwrap().extend(told.iter().map(|text| text.to_string()));
        for (seen, aside) in trace.observations.iter_mut().zip(aside) {
            seen.aside = vec![aside.to_string()];
        }
        match Checks::default().judge(&trace) {
            Judgement::Fail { difference, .. } => Some(difference.kind),
            _ => None,
        }
    };
    let judged = |status: u16, told: &[&str]| judged_aside(status, told, ["", ""]);
    assert_eq!(judged(409, &["Sorry, this seat is taken."]), None);
    assert_eq!(judged(409, &[]), Some(DifferenceKind::Lost), "nobody was told");
    assert_eq!(judged(409, &["seat 1: mzf"]), Some(DifferenceKind::Lost), "everybody reads that");
    assert_eq!(judged(500, &["Sorry."]), Some(DifferenceKind::Lost), "a server that fails refuses nothing");
    // In a place that is not compared, because it is each user's own.
    assert_eq!(judged_aside(409, &[], ["Seat 1 is yours, mzf.", "Seat 1 is taken."]), None);
    assert_eq!(judged_aside(409, &[], ["Log out", "Log out"]), Some(DifferenceKind::Lost), "everybody reads that");
}

#[test]
fn what_one_client_destroys_alone_is_no_news() {
    assert_eq!(says(typing(), "A1 B1 ~", Some(false), ""), None);
    assert_eq!(says(vec![press("ArrowLeft"), press("Enter")], "A1 B1 B2 ~", None, "bq"), Some(DifferenceKind::Lost));
    assert_eq!(says(vec![press("ArrowLeft"), press("Enter")], "A1 B1 B2 ~", None, "mzf"), None, "the prefix may break");
}

#[test]
fn who_deletes_at_the_caret_takes_nothing_that_it_cannot_see() {
    let backspace = || vec![press("Backspace")];
    assert_eq!(says(backspace(), "A1 B1 ~", None, "bq"), Some(DifferenceKind::Lost), "B did not see what A typed");
    assert_eq!(says(backspace(), "A1 ~ B1 ~", None, "bqdmz"), None, "B saw it");
    assert_eq!(says(backspace(), "A1 A> B< B1 ~", None, "bqdmz"), None);
    assert_eq!(says(backspace(), "A1 A> A< B1 ~", None, "bq"), Some(DifferenceKind::Lost));
}

#[test]
fn who_deletes_a_range_may_take_what_is_typed_into_it() {
    let line = || vec![Step::Select(SelectTarget::LineBefore), press("Backspace")];
    assert_eq!(says(line(), "A1 B1 B2 ~", None, ""), None);
    let formatted = || vec![Step::Select(SelectTarget::LineBefore), press("Control+b"), press("ArrowRight")];
    assert_eq!(says(formatted(), "A1 B1 B2 B3 ~", Some(true), "bqd"), Some(DifferenceKind::Lost));
}

#[test]
fn what_was_not_observed_is_unknown() {
    let tokens = vec![token(A, 0, Part::Prefix, Some(true))];
    let mut blind = trace(typing(), "A1 B1 ~", tokens, "");
    blind.observations = vec![Observation::default(); 2];
    assert!(matches!(Checks::default().judge(&blind), Judgement::Unknown(_)));
}

#[test]
fn undo_takes_back_nothing_of_the_others() {
    let undone = || vec![Step::Type(TOKEN.into()), press("Control+z")];
    let says = |text: &str| {
        let by_a = token(A, 1, Part::Concurrent { step: 0 }, Some(true));
        let by_b = token(B, 0, Part::Concurrent { step: 0 }, Some(false));
        let trace = trace(undone(), "B1 A1 ~ B2 ~", vec![token(A, 0, Part::Prefix, Some(true)), by_a, by_b], text);
        match Checks::default().judge(&trace) {
            Judgement::Fail { check, difference, .. } => Some((check.to_string(), difference.kind)),
            _ => None,
        }
    };
    assert_eq!(says("bqdmzf"), None);
    assert_eq!(says("bqddxg"), Some(("undo".to_string(), DifferenceKind::Lost)), "B's undo took A's word");
}

#[test]
fn in_a_further_round_everybody_has_seen_the_first() {
    let rounds = |of_b: Vec<Step>, text: &str| {
        let by_a = [0, 1].map(|step| token(A, 1 + step, Part::Concurrent { step }, Some(true)));
        let mut trace = trace(of_b, "A1 B1 ~ A2 B2 ~", by_a.to_vec(), text);
        trace.interaction.rounds = 2;
        matches!(Checks::default().judge(&trace), Judgement::Fail { .. })
    };
    assert!(!rounds(vec![press("Backspace")], "pqc"), "B may delete what it saw");
    assert!(rounds(vec![press("Backspace")], "mzf"), "but not what it did not see");
    assert!(rounds(vec![press("Enter")], "pqc"));
}

#[test]
fn what_may_be_gone_is_not_there_twice() {
    let splitting = || vec![press("ArrowLeft"), press("Enter")];
    let order = "A1 ~ B1 B2 ~";
    assert_eq!(says(splitting(), order, None, "bqd"), None, "B may have broken it");
    assert_eq!(says(splitting(), order, None, "bqdmzfmzf"), Some(DifferenceKind::Doubled));
    let copying = [splitting(), vec![Step::Click(Target::Selector("#copy".into()))]].concat();
    assert_eq!(says(copying.clone(), "A1 ~ B1 B2 B3 ~", None, "bqdmzfmzf"), None, "nobody knows what the button does");
    assert_eq!(
        says(copying, "A1 ~ B1 B2 B3 ~", Some(true), "bqdmzfmzf"),
        Some(DifferenceKind::Doubled),
        "alone it does not"
    );
}
