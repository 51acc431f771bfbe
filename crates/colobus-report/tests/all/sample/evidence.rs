//! Traces and screenshots of the sample's findings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use colobus_model::{
    Action, Application, Aspect, CaretAccess, CaretKind, Deterministic, ErrorKind, Finding, Ignore, Interaction,
    Observation, Outcome, PageError, Rectangle, Report, Reset, SelectTarget, Settle, Step, TRACE_VERSION, Target, Tls,
    Trace, Viewport,
};
use serde_json::json;

const BOLD_KEPT: &[u8] = include_bytes!("../../screens/bold-kept.png");
const BOLD_LOST: &[u8] = include_bytes!("../../screens/bold-lost.png");
const ORDER_AB: &[u8] = include_bytes!("../../screens/order-ab.png");
const ORDER_BA: &[u8] = include_bytes!("../../screens/order-ba.png");
const INDENTED: &[u8] = include_bytes!("../../screens/indented.png");

/// Writes the folder of every finding of the sample report.
pub fn write_evidence(report: &Report, folder: &Path) {
    for finding in &report.findings {
        let place = folder.join(finding.id.to_string());
        fs::create_dir_all(&place).expect("a folder");
        let (observations, pictures) = seen(finding);
        for (name, picture) in ["A", "B", "C"].iter().zip(pictures) {
            fs::write(place.join(format!("client-{name}.png")), picture).expect("a screenshot");
        }
        fs::write(place.join("trace.json"), trace(finding, observations).to_json().expect("JSON")).expect("a trace");
    }
}

fn seen(finding: &Finding) -> (Vec<Observation>, Vec<&'static [u8]>) {
    let markup = |line: &str| shown(&["\"Shopping\"", line], json!({"ops": ["Shopping", "milk"]}));
    match finding.id {
        2 => {
            let ab = shown(&["\"Shopping\"", "\"ab\""], json!({"ops": [{"insert": "Shopping\nab"}]}));
            let ba = shown(&["\"Shopping\"", "\"ba\""], json!({"ops": [{"insert": "Shopping\nba"}]}));
            (vec![ab, ba.clone(), ba], vec![ORDER_AB, ORDER_BA, ORDER_BA])
        }
        4 => {
            let mut failing = markup("\"milk\"");
            failing.errors = vec![
                PageError {
                    kind: ErrorKind::Uncaught,
                    text: "TypeError: Cannot read properties of undefined (reading 'attributes')\n    at apply (editor.js:211:18)"
                        .to_string(),
                    place: Some("http://localhost:4000/editor.js:211:18".to_string()),
                    during_concurrent: true,
                },
                PageError {
                    kind: ErrorKind::Console,
                    text: "favicon missing".to_string(),
                    place: None,
                    during_concurrent: false,
                },
            ];
            (vec![markup("\"milk\""), failing], vec![INDENTED, INDENTED])
        }
        _ => (vec![markup("b\n    \"milk\""), markup("\"milk\"")], vec![BOLD_KEPT, BOLD_LOST]),
    }
}

/// A canonical DOM with these lines in a document.
fn shown(lines: &[&str], state: serde_json::Value) -> Observation {
    let mut dom = String::from("body\n main class=\"editor\" contenteditable=\"true\"\n");
    for line in lines {
        dom.push_str(&format!("  div class=\"line\"\n   {line}\n"));
    }
    dom.push_str("  div class=\"line\"\n   br\n footer\n  \"Notes\"\n");
    Observation { dom: Some(dom), state: Some(state), ..Observation::default() }
}

fn trace(finding: &Finding, observations: Vec<Observation>) -> Trace {
    Trace {
        version: TRACE_VERSION,
        application: application(),
        interaction: Interaction::new(
            finding.interaction().expect("an interaction").prefix.iter().map(|name| action(name)).collect(),
            finding.interaction().expect("an interaction").concurrent.iter().map(|name| action(name)).collect(),
        ),
        schedule: finding.interaction().expect("an interaction").schedule.clone(),
        messages: BTreeMap::new(),
        judged_by: vec![Aspect::Pixels, Aspect::Dom],
        tokens: vec![],
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations,
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: vec!["favicon missing".to_string()],
        outcome: Outcome::Completed,
    }
}

fn action(name: &str) -> Action {
    let steps = match name {
        "bold line" => vec![Step::Select(SelectTarget::LineBefore), Step::Press("Control+b".parse().unwrap())],
        "delete line" => vec![Step::Select(SelectTarget::LineBefore), Step::Press("Delete".parse().unwrap())],
        "undo" => vec![Step::Press("Control+z".parse().unwrap())],
        "indent" => vec![Step::Click(Target::Selector("button[title=\"Indent\"]".to_string()))],
        name => match name.strip_prefix("type ") {
            Some(text) => vec![Step::Type(text.to_string())],
            None => vec![name.parse().map_or_else(|_| Step::Evaluate(name.to_string()), Step::Press)],
        },
    };
    Action::new(name, steps)
}

fn application() -> Application {
    Application {
        url: "http://localhost:4000/{doc}".to_string(),
        launch: None,
        reset: Reset::FreshDocument,
        hosts: Vec::new(),
        ready: None,
        focus: Some(".editor".to_string()),
        caret: CaretAccess::BuiltIn(CaretKind::Auto),
        ignore: vec![Ignore::Rectangle(Rectangle { x: 560, y: 0, width: 80, height: 42 })],
        css: String::new(),
        freeze_animations: true,
        invariants: vec![],
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
