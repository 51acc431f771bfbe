//! What exported tests say, for traces made by hand. That they do what they say is tested with a browser, by the
//! command line's tests.

use std::collections::BTreeMap;

use colobus_check::Checks;
use colobus_export::{Runner, export};
use colobus_model::*;

pub fn application() -> Application {
    Application {
        url: "http://127.0.0.1:8080/?doc={doc}".to_string(),
        launch: None,
        reset: Reset::FreshDocument,
        hosts: Vec::new(),
        ready: None,
        focus: None,
        caret: CaretAccess::Untouched,
        ignore: Vec::new(),
        css: String::new(),
        freeze_animations: false,
        invariants: Vec::new(),
        sometimes: Vec::new(),
        remote_carets: None,
        whole_words: false,
        state: None,
        viewport: Viewport { width: 640, height: 400 },
        settle: Settle { quiet_ms: Some(0), timers_ms: 50, ..Settle::within(5000) },
        tls: Tls::default(),
        deterministic: Deterministic::default(),
        checks_off: Vec::new(),
        after_load: Vec::new(),
        logins: Vec::new(),
        server: None,
    }
}

fn shows(text: &str) -> Observation {
    Observation { dom: Some(format!("<body>\n  {text:?}")), ..Observation::default() }
}

/// A does these steps while B types.
fn trace(steps: Vec<Step>, schedule: &str) -> Trace {
    let concurrent = vec![Action::new("act", steps), Action::new("type b", vec![Step::Type("b".to_string())])];
    Trace {
        version: TRACE_VERSION,
        application: application(),
        interaction: Interaction::new(Vec::new(), concurrent),
        schedule: schedule.parse().unwrap(),
        messages: BTreeMap::new(),
        judged_by: vec![Aspect::Dom],
        tokens: Vec::new(),
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations: vec![shows("ab"), shows("ba")],
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: Vec::new(),
        outcome: Outcome::Completed,
    }
}

/// The lines of the test itself, without what is the same for every finding, comments and indentation.
fn story(trace: &Trace) -> Vec<String> {
    let text = export(trace, Checks::default(), Runner::Playwright).text;
    let (_, from) = text.split_once("await stage.hold();\n").unwrap();
    let (events, _) = from.split_once("\n\n").unwrap();
    events.lines().map(|line| line.split("//").next().unwrap().trim().to_string()).collect()
}

#[test]
fn every_step_has_its_line() {
    let middle = Target::Selector("#b \"x\"".to_string());
    let corner = Target::Point(Point { x: 1, y: 2 });
    let steps = vec![
        Step::Press("Control+b".parse().unwrap()),
        Step::Type("`${x}`".to_string()),
        Step::Click(middle.clone()),
        Step::DoubleClick(corner.clone()),
        Step::Click(Target::Inside(Inside { on: "#c".to_string(), x: 3, y: 4 })),
        Step::Drag { from: middle, to: corner },
        Step::Paste("p".to_string()),
        Step::Select(SelectTarget::All),
        Step::Evaluate("go()".to_string()),
        Step::WaitFor("#done".to_string()),
        Step::Resize(Viewport { width: 300, height: 200 }),
    ];
    let expected = [
        r#"await A.press("Control+b");"#,
        r#"await A.type("`${x}`");"#,
        r##"await A.click("#b \"x\"");"##,
        "await A.doubleClick({ x: 1, y: 2 });",
        r##"await A.click({ on: "#c", x: 3, y: 4 });"##,
        r##"await A.drag("#b \"x\"", { x: 1, y: 2 });"##,
        r#"await A.paste("p");"#,
        r#"await A.press("Control+a");"#,
        r#"await A.evaluate("go()");"#,
        r##"await A.waitFor("#done");"##,
        "await A.resize({ width: 300, height: 200 });",
        r#"await B.type("b");"#,
        "await stage.flow();",
    ];
    assert_eq!(story(&trace(steps, "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 B1 ~")), expected);
}

#[test]
fn every_event_has_its_line() {
    let expected = [
        r#"await A.type("a");"#,
        "await A.send();",
        "await A.send(2);",
        "await stage.flow();",
        "await stage.hold();",
        "await B.receive();",
        "await B.loseNetwork();",
        "await B.regainNetwork();",
        "await B.reload();",
        "await B.wait();",
        "await A.openTab();",
        r#"const C = await stage.join("C");"#,
        r#"await B.type("b");"#,
        "await stage.flow();",
    ];
    let typing = vec![Step::Type("a".to_string())];
    assert_eq!(story(&trace(typing, "A1 A> A>#2 ~ B< B! B+ B@ B... A& C* B1")), expected);
}

#[test]
fn fresh_words_are_written_out() {
    let step = Step::Type("{token} {token}".to_string());
    let expected = [format!("await A.type(\"{} {}\");", token_word(ClientId(0), 0), token_word(ClientId(0), 1))];
    assert_eq!(story(&trace(vec![step], "A1 B1 ~"))[..1], expected);
}

#[test]
fn what_cannot_be_held_is_said_twice() {
    let mut trace = trace(vec![Step::Type("a".to_string())], "A1 B< B1 ~");
    let event = Message { kind: MessageKind::StreamEvent, url: String::new(), preview: "data: x".to_string() };
    trace.messages.insert(1, event);
    trace.application.deterministic.clock = true;
    let exported = export(&trace, Checks::default(), Runner::PlaywrightCore);
    assert_eq!(exported.warnings.len(), 2);
    for warning in &exported.warnings {
        assert!(exported.text.contains(warning), "{warning}");
    }
    assert!(exported.text.contains("// B<  data: x: Playwright cannot hold a server-sent event"));
    assert!(!exported.text.contains("B.receive();"));
}

#[test]
fn a_passing_trace_and_hostile_names_are_no_trouble() {
    let mut trace = trace(vec![Step::Type("a".to_string())], "A1 B1 ~");
    trace.observations = vec![shows("ab"), shows("ab")];
    trace.interaction.concurrent[0].name = "a\nprocess.exit(0); //".to_string();
    let exported = export(&trace, Checks::default(), Runner::Playwright);
    assert_eq!(exported.warnings.len(), 1, "{:?}", exported.warnings);
    assert!(!exported.text.contains("\nprocess.exit"), "{}", exported.text);
}

/// What the test asserts in the end, without what is the same for every finding.
fn asserted(trace: &Trace) -> String {
    let exported = export(trace, Checks::default(), Runner::PlaywrightCore);
    assert_eq!(exported.warnings, [] as [String; 0]);
    let (_, end) = exported.text.split_once("await stage.flow();").unwrap();
    end.split_once("await stage.close();").unwrap().0.to_string()
}

/// A trace in which everybody shows the same text.
fn agreed(texts: [&str; 2], tokens: Vec<Token>) -> Trace {
    let seen = |text: &str| Observation { text: Some(vec![text.to_string()]), ..shows("the same") };
    Trace { observations: texts.map(seen).to_vec(), tokens, ..trace(vec![Step::Type("{token}".into())], "A1 B1 ~") }
}

fn word() -> Token {
    let part = Part::Concurrent { step: 0 };
    Token { word: token_word(ClientId(0), 0), client: ClientId(0), part, whole_alone: Some(true) }
}

#[test]
fn a_lost_word_is_asserted_and_nothing_else_is() {
    let said = asserted(&agreed(["b", "b"], vec![word()]));
    assert!(said.contains("assert.deepEqual(counts, { \"bqd\": 1 });"), "{said}");
    assert!(!said.contains("other.dom") && !said.contains("differingPixels"), "{said}");
}

#[test]
fn a_late_joiner_an_invariant_and_a_caret_are_asserted() {
    let mut reload = agreed(["b", "b"], Vec::new());
    let [one, other] = ["b", ""].map(|text| Observation { text: Some(vec![text.into()]), ..Observation::default() });
    reload.late_joiner = Some(LateJoin { late_joiner: other, reference: one });
    assert!(asserted(&reload).contains("assert.deepEqual(lateJoiners, theirs);"));

    let mut invariant = agreed(["b", "b"], Vec::new());
    invariant.application.invariants = vec![Invariant { name: "even".into(), js: "n % 2 === 0".into() }];
    invariant.observations[0].broken_invariants = Some(vec!["even".into()]);
    invariant.observations[1].broken_invariants = Some(Vec::new());
    assert!(asserted(&invariant).contains("assert.deepEqual(await brokenInvariants(stage), []);"));
    assert!(export(&invariant, Checks::default(), Runner::Playwright).text.contains("n % 2 === 0"));

    let mut caret = agreed(["b", "b"], Vec::new());
    caret.application.remote_carets = Some(RemoteCarets::Selector(".caret".into()));
    let at = |x| CaretPlace::Screen { x, top: 0.0, bottom: 9.0 };
    let carets = [Carets { own: Some(at(1.0)), shown: vec![at(90.0)] }, Carets { own: Some(at(9.0)), shown: vec![] }];
    for (seen, carets) in caret.observations.iter_mut().zip(carets) {
        seen.carets = Some(Box::new(carets));
    }
    assert!(asserted(&caret).contains("assert.deepEqual(await misplacedCarets(stage), []);"));
    assert!(export(&caret, Checks::default(), Runner::Playwright).text.contains("remoteCarets: \".caret\""));
}

#[test]
fn what_should_change_nothing_is_compared_with_a_run_without_it() {
    let mut neutral = agreed(["b", "b"], Vec::new());
    neutral.interaction.concurrent[0] =
        Action { neutral: true, ..Action::new("there and back", vec![Step::Press("Tab".parse().unwrap())]) };
    let without = Observation { text: Some(vec!["ab".into()]), ..shows("the same") };
    neutral.baseline = vec![without.clone(), without];
    let text = export(&neutral, Checks::default(), Runner::PlaywrightCore).text;
    let (before, after) = text.split_once("const expected = await (async () => {").unwrap();
    assert!(before.ends_with("// The same without there and back, one user after the other.\n    "), "{before}");
    let (baseline, _) = after.split_once("})();").unwrap();
    assert!(baseline.contains("await B.type(\"b\");") && !baseline.contains("Tab"), "{baseline}");
    assert!(asserted(&neutral).contains("assert.deepEqual(await documents(stage), expected);"));
}

#[test]
fn pixels_are_asserted_only_if_nothing_else_differs() {
    let mut both = trace(vec![Step::Type("a".to_string())], "A1 B1 ~");
    both.judged_by = vec![Aspect::Dom, Aspect::State];
    let said = export(&both, Checks::default(), Runner::PlaywrightCore).text;
    assert!(said.contains("other.dom, first.dom") && !said.contains("differingPixels(first, other), 0"), "{said}");
}

#[test]
fn what_is_ignored_is_hidden_in_a_test_as_in_a_search() {
    let mut ignoring = trace(vec![Step::Type("a".to_string())], "A1 B1 ~");
    ignoring.application.ignore = vec![Ignore::Selector(".clock".to_string())];
    ignoring.application.css = "p { color: red }".to_string();
    let test = export(&ignoring, Checks::default(), Runner::Playwright).text;
    let style = format!("css: {},\n", serde_json::json!(ignoring.application.own_style()));
    assert!(test.contains(&style), "{style} is not in\n{test}");
    assert!(ignoring.application.style().ends_with(&ignoring.application.own_style()));
}
