//! A check from outside of the crate: what CONTRIBUTING.md says it takes.

use colobus_check::{CHECKS, Check, Checks, DemandedWord, Evidence, Judgement, Symptom, judge_by};
use colobus_model::{Action, CheckId, Difference, DifferenceKind, Observation, Trace, Verdict};
use serde_json::json;

/// Documents stay short.
struct Brevity;

impl Check for Brevity {
    fn id(&self) -> CheckId {
        CheckId::new("brevity")
    }

    fn demand(&self) -> &'static str {
        "no client holds a document of more than ten characters"
    }

    fn applies_where(&self) -> &'static str {
        "where there is `state`"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Other]
    }

    fn symptom(&self) -> Symptom {
        Symptom::OnlyInColobus
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, _trace: &Trace) -> Evidence {
        Evidence::default()
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.observations.iter().all(|seen| seen.state.is_some())
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let length = |seen: &Observation| seen.state.as_ref().map_or(0, |state| state.to_string().len() - 2);
        match trace.observations.iter().map(length).max() {
            Some(longest) if longest > 10 => {
                Verdict::Fail(Difference { kind: DifferenceKind::Other, summary: format!("{longest} characters") })
            }
            _ => Verdict::Pass,
        }
    }
}

fn trace(state: &str) -> Trace {
    let seen = json!({ "dom": null, "state": state, "errors": [] });
    serde_json::from_value(json!({
        "version": 1,
        "application": {
            "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null, "focus": null,
            "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
            "viewport": {"width": 20, "height": 20},
            "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0}
        },
        "interaction": { "prefix": [], "concurrent": [] },
        "schedule": "", "judged_by": [], "observations": [seen, seen], "known_errors": [], "outcome": "completed"
    }))
    .unwrap()
}

#[test]
fn a_check_from_outside_is_asked_like_all_others() {
    let checks: Vec<&dyn Check> = [CHECKS, &[&Brevity as &dyn Check]].concat();
    assert_eq!(judge_by(&checks, &trace("short")), Judgement::Pass);
    let long = trace("rather a long text");
    assert_eq!(Checks::default().judge(&long), Judgement::Pass);
    let failed = judge_by(&checks, &long);
    let expected = Difference { kind: DifferenceKind::Other, summary: "18 characters".to_string() };
    assert_eq!(failed, Judgement::Fail { check: Brevity.id(), difference: expected.clone(), also: Vec::new() });
    assert!(Checks::default().fail_alike(&failed, &failed));
    assert_eq!(failed.same_failure(&Brevity.id(), DifferenceKind::Other), Some(&expected));
    assert_eq!(failed.same_failure(&CHECKS[0].id(), DifferenceKind::Other), None);
}
