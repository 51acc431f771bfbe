//! A check from outside: a search asks it, reduces what it finds, and runs that again; a finding of it is replayed and exported.

use colobus_check::{CHECKS, Check, DemandedWord, Evidence, Symptom};
use colobus_export::{Runner, export};
use colobus_model::{Action, CheckId, Difference, DifferenceKind, Observation, Trace, Verdict};
use colobus_run::{Checks, RunConfig, check, load, replay};
use colobus_world::fake::FakeFactory;

use crate::fake_app::{config, press, typing};

/// Documents stay short.
struct Brevity;

static ALONE: [&dyn Check; 1] = [&Brevity];

impl Check for Brevity {
    fn id(&self) -> CheckId {
        CheckId::new("brevity")
    }

    fn demand(&self) -> &'static str {
        "no client shows more than one character"
    }

    fn applies_where(&self) -> &'static str {
        "always"
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
        Evidence { words: true, ..Evidence::default() }
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, _trace: &Trace) -> bool {
        true
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let length = |seen: &Observation| seen.text.iter().flatten().map(|passage| passage.chars().count()).sum();
        let longest: usize = trace.observations.iter().map(length).max().unwrap_or_default();
        match longest {
            0 | 1 => Verdict::Pass,
            _ => Verdict::Fail(Difference { kind: DifferenceKind::Other, summary: format!("{longest} characters") }),
        }
    }
}

#[test]
fn a_search_finds_what_a_check_from_outside_finds() {
    let out = tempfile::tempdir().unwrap();
    let actions = vec![typing("a"), typing("b"), press("Backspace")];
    let built_in = RunConfig { naive: true, ..config(out.path(), actions, 2) };
    let report = check(&built_in, &FakeFactory::default(), &mut |_| {}).unwrap();
    assert_eq!(report.findings, [], "no check of ours demands that documents are short");

    let added = RunConfig { checks: Checks::new(&ALONE), ..built_in };
    let report = check(&added, &FakeFactory::default(), &mut |_| {}).unwrap();
    let first = &report.findings[0];
    assert_eq!((first.check.clone(), first.difference.kind), (Brevity.id(), DifferenceKind::Other));
    assert_eq!(first.difference.summary, "2 characters");
    assert_eq!((first.reproduced, first.attempts), (4, 4));
    let interaction = first.interaction().unwrap();
    assert_eq!((interaction.prefix.len(), interaction.concurrent.as_slice()), (0, &["a".to_string(), "b".into()][..]));
    assert!(!CHECKS.iter().any(|check| check.id() == Brevity.id()), "it is on no list of ours");

    let trace = load(&out.path().join("last").join(&first.trace)).unwrap();
    let replayed = replay(&trace, added.checks, &FakeFactory::default(), 2, &added.options.stop).unwrap();
    assert_eq!(replayed.reproduced(), 2, "{:?}", replayed.recorded);
    let failed: Vec<&CheckId> =
        replayed.again.iter().flat_map(|again| again.judgement.failed()).map(|(id, _)| id).collect();
    assert_eq!(failed, [&Brevity.id(), &Brevity.id()]);

    let exported = export(&trace, added.checks, Runner::Playwright);
    assert!(exported.text.contains("brevity fails: 2 characters"), "{}", exported.text);
    assert_eq!(exported.warnings, ["the check brevity is not part of this test"]);
}
