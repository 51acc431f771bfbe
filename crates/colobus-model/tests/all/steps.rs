//! Every kind of step is written in a configuration as it is read, and in JSON under the same key.

use colobus_model::{Inside, Point, SelectTarget, Step, Target, TextEffect, Viewport};
use serde::Deserialize;

/// One step of every kind, and what is said of it.
fn kinds() -> Vec<(Step, &'static str, TextEffect)> {
    let on_button = Target::Selector("button[title=\"B\"]".into());
    let at = Target::Point(Point { x: 3, y: 4 });
    let inside = Target::Inside(Inside { on: ".page".into(), x: 1, y: 2 });
    vec![
        (Step::Press("Shift+Home".parse().unwrap()), "press Shift+Home", TextEffect::Selects),
        (Step::Type("a \"b\"\n\u{7f}".into()), "type \"a \\\"b\\\"\\n\\u{7f}\"", TextEffect::Inserts),
        (Step::Click(on_button), "click button[title=\"B\"]", TextEffect::Unknown),
        (Step::DoubleClick(at.clone()), "double click (3, 4)", TextEffect::Selects),
        (Step::Drag { from: inside, to: at }, "drag .page at (1, 2) to (3, 4)", TextEffect::Selects),
        (Step::Paste("x".into()), "paste \"x\"", TextEffect::Inserts),
        (Step::Select(SelectTarget::LineBefore), "select line-before", TextEffect::Selects),
        (Step::Evaluate("one()\ntwo()".into()), "evaluate one()", TextEffect::Unknown),
        (Step::WaitFor(".ready".into()), "wait for .ready", TextEffect::Nothing),
        (Step::Resize(Viewport { width: 8, height: 6 }), "resize to 8 x 6", TextEffect::Nothing),
    ]
}

#[derive(Deserialize)]
struct Configuration {
    step: Step,
}

#[test]
fn configurations_read_what_is_written() {
    for (step, ..) in kinds() {
        let text = step.to_toml();
        assert!(!text.contains('\n'), "{text}");
        let read: Configuration = toml::from_str(&format!("step = {text}")).unwrap();
        assert_eq!(read.step, step, "{text}");
        let json = serde_json::to_value(&step).unwrap();
        let key = json.as_object().and_then(|object| object.keys().next()).unwrap();
        assert!(text.starts_with(&format!("{{ {key} = ")), "{text}");
    }
}

#[test]
fn every_kind_has_a_label_and_an_effect() {
    for (step, label, effect) in kinds() {
        assert_eq!((step.to_string().as_str(), step.effect()), (label, effect));
    }
}

#[test]
fn keys_do_to_text_what_editors_make_of_them() {
    let cases = [
        ("a", TextEffect::Inserts),
        ("Control+Backspace", TextEffect::Deletes),
        ("Control+x", TextEffect::Deletes),
        ("Meta+Z", TextEffect::Undoes),
        ("Control+a", TextEffect::Selects),
        ("PageUp", TextEffect::Moves),
        ("Shift+ArrowUp", TextEffect::Selects),
        ("Control+b", TextEffect::Unknown),
        ("F5", TextEffect::Unknown),
    ];
    for (chord, effect) in cases {
        assert_eq!(Step::Press(chord.parse().unwrap()).effect(), effect, "{chord}");
    }
}
