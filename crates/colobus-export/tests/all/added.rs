//! An exporter from outside of the crate: what CONTRIBUTING.md says it takes.

use colobus_check::Checks;
use colobus_export::{EXPORTERS, Exported, Exporter, TwoOrders};
use colobus_model::Trace;
use serde_json::json;

/// A finding as a line for a list of things to do.
struct ToDo;

impl Exporter for ToDo {
    fn name(&self) -> &'static str {
        "todo"
    }

    fn describe(&self) -> &'static str {
        "a line for a list of things to do"
    }

    fn export(&self, trace: &Trace, _: Checks) -> Exported {
        Exported { text: format!("- [ ] {} : {}", trace.interaction, trace.schedule), warnings: Vec::new() }
    }

    fn export_orders(&self, _: &TwoOrders) -> Option<Exported> {
        None
    }
}

#[test]
fn an_exporter_from_outside_is_called_like_all_others() {
    let trace: Trace = serde_json::from_value(json!({
        "version": 1,
        "application": {
            "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null, "focus": null,
            "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
            "viewport": {"width": 20, "height": 20},
            "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0}
        },
        "interaction": {
            "prefix": [],
            "concurrent": [{ "name": "a", "steps": [{ "type": "a" }] }, { "name": "b", "steps": [{ "press": "Enter" }] }]
        },
        "schedule": "A1 B1 ~", "judged_by": ["dom"], "observations": [], "known_errors": [], "outcome": "completed"
    }))
    .unwrap();
    let exporters: Vec<&dyn Exporter> = [EXPORTERS, &[&ToDo as &dyn Exporter]].concat();
    let texts: Vec<(&str, String)> =
        exporters.iter().map(|exporter| (exporter.name(), exporter.export(&trace, Checks::default()).text)).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts[0].1.contains("test(\"(a || b)\""), "{}", texts[0].1);
    assert_eq!(texts[2], ("todo", "- [ ] (a || b) : A1 B1 ~".to_string()));
}
