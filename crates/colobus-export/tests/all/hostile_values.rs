//! Findings in applications whose pages, messages and names are hostile: an exported test is the same program with other
//! values.

use std::collections::BTreeMap;
use std::path::PathBuf;

use colobus_check::Checks;
use colobus_export::EXPORTERS;
use colobus_model::foreign::is_deceptive;
use colobus_model::*;
use proptest::prelude::*;

use crate::hostile::{shape, with_texts};
use crate::text::application;

/// How many texts [`trace`] has.
const TEXTS: usize = 44;

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
