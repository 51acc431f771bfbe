//! Findings in applications whose pages, messages and names are hostile: an exported test is the same program with other
//! values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use colobus_check::Checks;
use colobus_export::{Compared, EXPORTERS, Happening, Turn, TwoOrders};
use colobus_model::foreign::is_deceptive;
use colobus_model::*;
use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast_visit::Visit;
use oxc_parser::Parser;
use oxc_span::SourceType;
use proptest::prelude::*;
use serde_json::json;

use crate::hostile::{shape, with_texts};
use crate::text::application;

/// How many texts [`trace`] has.
const TEXTS: usize = 47;

/// A failing trace with these texts wherever somebody else can put one; `reset` chooses the way of resetting.
fn trace(mut text: impl FnMut() -> String, reset: usize) -> Trace {
    let reset = match reset % 3 {
        0 => Reset::Evaluate(text()),
        1 => Reset::Command { command: vec![text(), text()], directory: PathBuf::from(text()) },
        _ => Reset::Request { method: text(), url: text(), body: text() },
    };
    let application = Application {
        url: format!("http://127.0.0.1:8080/{}", text()),
        launch: Some(Launch {
            command: vec![text(), text()],
            directory: PathBuf::from(text()),
            environment: BTreeMap::from([("NAME".to_string(), text())]),
            wait_for: WaitFor::Url(text()),
            timeout_ms: 1,
        }),
        reset,
        hosts: vec![text()],
        after_load: vec![Step::Type(text()), Step::Click(Target::Selector(text())), Step::Evaluate(text())],
        ready: Some(text()),
        focus: Some(text()),
        caret: CaretAccess::Script { read: text(), write: text() },
        ignore: vec![Ignore::Selector(text())],
        css: text(),
        freeze_animations: true,
        invariants: vec![Invariant { name: text(), js: text() }],
        state: Some(text()),
        ..application()
    };
    let steps = vec![
        Step::Type(text()),
        Step::Paste(text()),
        Step::Evaluate(text()),
        Step::WaitFor(text()),
        Step::Click(Target::Selector(text())),
        Step::DoubleClick(Target::Inside(Inside { on: text(), x: 1, y: 2 })),
        Step::Drag { from: Target::Selector(text()), to: Target::Selector(text()) },
    ];
    let shows = |dom: String| Observation { dom: Some(dom), ..Observation::default() };
    let message = |kind, preview| Message { kind, url: String::new(), preview };
    Trace {
        version: TRACE_VERSION,
        application,
        interaction: Interaction::new(
            vec![Action::new(text(), vec![Step::Type(text())])],
            vec![Action::new(text(), steps), Action::new(text(), vec![Step::Type(text())])],
        ),
        schedule: "A1 A2 A3 A4 A5 A6 A7 B1 A> B< ~".parse().unwrap(),
        messages: BTreeMap::from([
            (8, message(MessageKind::Request, text())),
            (9, message(MessageKind::StreamEvent, text())),
        ]),
        judged_by: vec![Aspect::Dom],
        tokens: Vec::new(),
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations: vec![shows(format!("a{}", text())), shows(format!("b{}", text()))],
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: vec![text()],
        outcome: Outcome::Completed,
    }
}

fn traced(texts: &[String], reset: usize) -> Trace {
    let mut next = texts.iter().cycle().cloned();
    trace(|| next.next().unwrap(), reset)
}

#[test]
fn no_text_of_a_finding_becomes_code() {
    let harmless = vec!["x".to_string(); TEXTS];
    for exporter in EXPORTERS {
        for reset in 0..3 {
            let expected = shape(&exporter.export(&traced(&harmless, reset), Checks::default()).text).unwrap();
            with_texts(TEXTS * 3, |texts| {
                for texts in texts.chunks(TEXTS) {
                    let code = exporter.export(&traced(texts, reset), Checks::default()).text;
                    prop_assert_eq!(&shape(&code).map_err(TestCaseError::fail)?, &expected, "{}", code);
                    prop_assert!(!code.contains(|c| is_deceptive(c) && c != '\n' && c != '\t'), "{:?}", code);
                }
                Ok(())
            });
        }
    }
}

/// How many texts [`two_orders`] has.
const TEXTS_OF_ORDERS: usize = 22;

/// A finding of a race with these texts wherever a page, its server or the author of the file can put one.
fn two_orders(texts: &[String]) -> TwoOrders {
    let mut next = texts.iter().cycle().cloned();
    let mut text = || next.next().unwrap();
    let steps = [
        Step::Type(text()),
        Step::Paste(text()),
        Step::Evaluate(text()),
        Step::Click(Target::Selector(text())),
        Step::Drag { from: Target::Selector(text()), to: Target::Selector(text()) },
    ];
    let mut working: Vec<Turn> =
        steps.into_iter().map(|step| Turn { event: text(), happening: Happening::Step(step) }).collect();
    let answer = Happening::Answer { method: text(), address: text(), creator: Some(text()) };
    let mut failing = vec![Turn { event: text(), happening: answer }];
    failing.extend(
        [Happening::Load, Happening::Timer { at: 7 }, Happening::Message]
            .map(|happening| Turn { event: text(), happening }),
    );
    // Named in a comment, because it is not held.
    working.push(Turn { event: text(), happening: Happening::Unheld });
    TwoOrders {
        title: text(),
        explanation: vec![text()],
        url: format!("http://127.0.0.1:8080/{}", text()),
        viewport: Viewport { width: 8, height: 6 },
        seed: 1,
        working,
        failing,
        messages: vec![json!({ "data": text() })],
        compared: vec![Compared::Document, Compared::Errors],
        end: Some(9),
    }
}

#[test]
fn no_text_of_a_race_becomes_code() {
    let harmless = vec!["x".to_string(); TEXTS_OF_ORDERS];
    for exporter in EXPORTERS {
        let code = |texts: &[String]| exporter.export_orders(&two_orders(texts)).unwrap().text;
        let expected = shape(&code(&harmless)).unwrap();
        with_texts(TEXTS_OF_ORDERS, |texts| {
            let code = code(&texts);
            prop_assert_eq!(&shape(&code).map_err(TestCaseError::fail)?, &expected, "{}", code);
            prop_assert!(!code.contains(|c| is_deceptive(c) && c != '\n' && c != '\t'), "{:?}", code);
            Ok(())
        });
    }
}

/// A trace of users who log in with these texts.
fn with_logins(texts: &[String]) -> Trace {
    let mut next = texts.iter().cycle().cloned();
    let mut text = || next.next().unwrap();
    let steps = vec![
        Step::Type(text()),
        Step::Paste(text()),
        Step::Evaluate(text()),
        Step::WaitFor(text()),
        Step::Click(Target::Selector(text())),
        Step::DoubleClick(Target::Inside(Inside { on: text(), x: 1, y: 2 })),
        Step::Drag { from: Target::Selector(text()), to: Target::Selector(text()) },
    ];
    let logins = vec![Login::Steps { url: text(), steps }, Login::StorageState(PathBuf::from(text())), Login::Guest];
    let harmless = traced(&["x".to_string()], 0);
    Trace { application: Application { logins, ..harmless.application.clone() }, ..harmless }
}

/// Every name that a program uses: of variables, functions and members.
fn names(source: &str) -> Result<BTreeSet<String>, String> {
    struct Names(BTreeSet<String>);
    impl<'a> Visit<'a> for Names {
        fn enter_node(&mut self, kind: AstKind<'a>) {
            match kind {
                AstKind::IdentifierReference(name) => _ = self.0.insert(name.name.to_string()),
                AstKind::IdentifierName(name) => _ = self.0.insert(name.name.to_string()),
                AstKind::BindingIdentifier(name) => _ = self.0.insert(name.name.to_string()),
                _ => {}
            }
        }
    }
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::mjs()).parse();
    if let Some(problem) = parsed.diagnostics.first() {
        return Err(format!("{problem}: {source}"));
    }
    let mut names = Names(BTreeSet::new());
    names.visit_program(&parsed.program);
    Ok(names.0)
}

/// What a locator says decides how Playwright says it, so that the program is not the same; but it uses no other name.
#[test]
fn no_text_of_a_login_becomes_code() {
    let locators = ["x", "role=x[name=\"y\"]", "label=x", "placeholder=x", "text=\"x\"", "testid=x"];
    for exporter in EXPORTERS {
        let code = |texts: &[String]| exporter.export(&with_logins(texts), Checks::default()).text;
        let known: BTreeSet<String> =
            locators.iter().flat_map(|locator| names(&code(&[locator.to_string()])).unwrap()).collect();
        assert!(known.contains("getByRole") && known.contains("storageState"), "{known:?}");
        with_texts(9, |mut texts| {
            // Every other text is one that means an element, as far as it goes.
            for (text, locator) in texts.iter_mut().zip(locators.iter().cycle()).step_by(2) {
                *text = locator.replace('x', text);
            }
            let code = code(&texts);
            let other: Vec<String> = names(&code).map_err(TestCaseError::fail)?.difference(&known).cloned().collect();
            prop_assert_eq!(other, Vec::<String>::new(), "{}", code);
            prop_assert!(!code.contains(|c| is_deceptive(c) && c != '\n' && c != '\t'), "{:?}", code);
            Ok(())
        });
    }
}
