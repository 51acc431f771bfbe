//! The laws of joining shards.

use std::fs;
use std::path::PathBuf;

use colobus_model::{
    ActionGap, DifferenceKind, Exercised, ExercisedAction, Finding, Report, RootCause, SometimesHeld, Tally, Tolerance,
};
use colobus_report::{MergeError, merge, merge_folders, write_files};
use proptest::prelude::*;

use crate::sample::{failing, finding, names, quiet_report, report, unknown, write_evidence};

/// Shard `part` of `parts` with these findings.
fn shard(part: usize, parts: usize, mut findings: Vec<Finding>) -> Report {
    let mut report = quiet_report();
    report.shard = Some((part, parts));
    report.counts.interactions = Tally { planned: 100 * part, judged: 100 * part, ..Tally::default() };
    report.counts.failures = findings.len();
    report.timing.phase2_s = part as f64;
    report.timing.interaction_ms_median = 150.0 + part as f64;
    for (id, finding) in (1..).zip(&mut findings) {
        finding.id = id;
        finding.trace = format!("{id}/trace.json");
    }
    report.root_causes = RootCause::group(&mut findings);
    report.counts.findings = findings.len();
    report.counts.root_causes = report.root_causes.len();
    report.findings = findings;
    report
}

fn text_differs(prefix: &[&str], concurrent: &[&str]) -> Finding {
    finding(1, prefix, concurrent, "A1 B1 ~", DifferenceKind::Text, "text differs")
}

#[test]
fn counts_of_phase_1_are_kept_and_those_of_phase_2_added() {
    let mut parts = vec![shard(1, 3, vec![]), shard(2, 3, vec![]), shard(3, 3, vec![])];
    parts[1].unknown = vec![unknown(&[], &["a", "b"], "restless")];
    (parts[1].counts.interactions.judged, parts[1].counts.interactions.unknown) = (199, 1);
    parts[2].notes = names(&["a note"]);
    let whole = merge(&parts).expect("one report");
    assert_eq!(whole.counts.sequences.judged, 1000);
    assert_eq!(whole.counts.potential_conflicts, 1103);
    assert_eq!(whole.counts.interactions.ran(), 600);
    assert_eq!(whole.counts.executions, 3 * 1391);
    assert_eq!(whole.counts.interactions.unknown, 1);
    assert_eq!(whole.unknown.len(), 1);
    assert_eq!(whole.notes, ["a note"]);
    assert_eq!((whole.shard, whole.stopped), (None, None));
    assert_eq!(whole.timing.phase2_s, 3.0);
    assert_eq!(whole.timing.interaction_ms_median, 152.0);
}

#[test]
fn an_action_that_only_one_shard_could_perform_was_performed() {
    let gap = |interactions| ActionGap {
        action: "save".into(),
        sequences: 4,
        interactions,
        reason: "no button".into(),
        threw: false,
    };
    let mut parts = vec![shard(1, 2, vec![]), shard(2, 2, vec![])];
    parts[0].never_applied = names(&["save", "undo"]);
    parts[1].never_applied = names(&["save"]);
    (parts[0].not_applicable, parts[1].not_applicable) = (vec![gap(2)], vec![gap(3)]);
    let whole = merge(&parts).expect("one report");
    assert_eq!(whole.never_applied, ["save"]);
    assert_eq!(whole.not_applicable, [gap(5)], "every shard runs all sequences");
    assert_eq!(whole.doubts, ["the action `save` could be performed nowhere: no button"]);
    assert!(whole.counts.interactions.adds_up() && whole.counts.sequences.adds_up());
}

#[test]
fn what_was_exercised_is_judged_when_all_shards_are_there() {
    let part = |number, reached, held| {
        let action = ExercisedAction {
            action: "save".into(),
            changed: Some(3),
            together: 2,
            sent: 2,
            reached,
            reached_first: 0,
        };
        let sometimes = vec![SometimesHeld { name: "two drafts".into(), states: 0, interactions: held }];
        let mut shard = shard(number, 2, vec![]);
        shard.exercised = Some(Exercised { actions: vec![action], crossed: reached, changed: None, sometimes });
        (shard.unexercised, shard.doubts) = (shard.unexercised(), shard.doubts_about());
        assert_eq!((shard.unexercised.len(), shard.doubts.len()), (0, 0));
        shard
    };
    let whole = merge(&[part(1, 0, 0), part(2, 1, 1)]).expect("one report");
    let exercised = whole.exercised.expect("counts");
    let action = &exercised.actions[0];
    assert_eq!((action.changed, action.together, action.reached), (Some(3), 4, 1));
    assert_eq!((exercised.crossed, exercised.sometimes[0].interactions), (1, 1));
    assert_eq!((whole.doubts.len(), whole.unexercised.len()), (0, 0));

    let idle = merge(&[part(1, 0, 0), part(2, 0, 0)]).expect("one report");
    assert_eq!(idle.unexercised, ["`save`: no other client ever received a message after it"]);
    assert_eq!(idle.doubts.len(), 2, "{:?}", idle.doubts);
}

#[test]
fn what_one_shard_does_not_accept_is_not_accepted() {
    let part = |number: usize, unknown: f64, partial: bool| {
        let mut part = shard(number, 2, Vec::new());
        part.tolerance = Tolerance { unknown, partial };
        part
    };
    let joined = |one: Report, other: Report| merge(&[one, other]).unwrap().tolerance;
    assert_eq!(joined(part(1, 0.5, true), part(2, 0.2, false)), Tolerance { unknown: 0.2, partial: false });
    assert_eq!(joined(part(1, 0.2, true), part(2, 0.5, true)), Tolerance { unknown: 0.2, partial: true });
}

#[test]
fn equal_findings_are_joined_and_root_causes_are_found_across_shards() {
    let mut flaky = text_differs(&["x"], &["a", "b"]);
    flaky.reproduced = 4;
    let one = shard(1, 2, vec![flaky, text_differs(&[], &["c", "d"])]);
    let two = shard(2, 2, vec![text_differs(&["x"], &["a", "b"]), text_differs(&["x", "y"], &["b", "a"])]);
    let whole = merge(&[one, two]).expect("one report");
    let seen: Vec<(usize, usize, usize, usize)> =
        whole.findings.iter().map(|f| (f.id, f.root_cause, f.reproduced, f.failures)).collect();
    assert_eq!(seen, [(1, 1, 10, 1), (2, 2, 10, 2), (3, 2, 10, 1)]);
    assert_eq!(whole.root_causes[1].findings, [2, 3]);
    assert_eq!((whole.counts.findings, whole.counts.root_causes, whole.counts.failures), (3, 2, 4));
    assert_eq!(whole.findings[2].trace, "3/trace.json");
}

#[test]
fn missing_and_stopped_shards_are_named() {
    let mut stopped = shard(3, 4, vec![]);
    stopped.stopped = Some("the time was up".to_string());
    let whole = merge(&[stopped, shard(1, 4, vec![])]).expect("one report");
    assert_eq!(whole.stopped.as_deref(), Some("shard 3 of 4: the time was up; shards 2, 4 of 4 are missing"));
}

#[test]
fn reports_of_different_searches_are_refused() {
    let changed = |change: fn(&mut Report)| {
        let mut other = shard(2, 2, vec![]);
        change(&mut other);
        merge(&[shard(1, 2, vec![]), other]).map(|_| ()).map_err(|error| error.to_string())
    };
    let refusal = |what: &str, one: &str, other: &str| {
        Err(format!("these are not parts of one search: {what} is {one} in one report and {other} in another"))
    };
    assert_eq!(changed(|_| {}), Ok(()));
    assert_eq!(changed(|r| r.seed = 7), refusal("the seed", "42", "7"));
    assert_eq!(changed(|r| r.depth = 2), refusal("the depth", "3", "2"));
    assert_eq!(changed(|r| r.clients = 3), refusal("the number of clients", "2", "3"));
    assert_eq!(changed(|r| r.application = "X".into()), refusal("the application", "Notes, the demo editor", "X"));
    assert_eq!(changed(|r| r.shard = Some((2, 3))), refusal("the number of shards", "2", "3"));
    assert!(changed(|r| r.actions.clear()).is_err_and(|error| error.contains("the list of actions")));
    assert!(changed(|r| r.shard = None).is_err_and(|error| error.contains("--shard i/n")));
    assert!(changed(|r| r.shard = Some((1, 2))).is_err_and(|error| error.contains("twice")));
    assert!(matches!(merge(&[]), Err(MergeError::Nothing)));
    for (part, parts) in [(0, 2), (3, 2), (1, usize::MAX)] {
        let mut report = quiet_report();
        report.shard = Some((part, parts));
        assert!(matches!(merge(&[report]), Err(MergeError::NoSuchShard { .. })));
    }
}

#[test]
fn the_folders_of_findings_move_with_their_numbers() {
    let base = tempfile::tempdir().expect("a folder");
    let sample = report();
    let shards: Vec<PathBuf> = [1, 2]
        .into_iter()
        .map(|part| {
            let mine = |finding: &&Finding| finding.id % 2 == part % 2;
            let report = shard(part, 2, sample.findings.iter().filter(mine).cloned().collect());
            let folder = base.path().join(format!("shard-{part}"));
            write_evidence(&report, &folder);
            for finding in &report.findings {
                let name = format!("{}/origin", finding.id);
                fs::write(folder.join(name), finding.difference.summary.as_bytes()).expect("a file");
            }
            write_files(&report, &folder).expect("files");
            folder
        })
        .collect();
    let out = base.path().join("whole");
    let whole = merge_folders(&shards, &out, |_| {}).expect("one report").report;
    assert_eq!(whole.findings.len(), 4);
    for finding in &whole.findings {
        let origin = fs::read_to_string(out.join(format!("{}/origin", finding.id))).expect("a file");
        assert_eq!(origin, finding.difference.summary);
        assert!(out.join(&finding.trace).is_file());
    }
    assert!(out.join("report.html").is_file());
    let error = merge_folders(&shards, &shards[0], |_| {}).expect_err("a shard is not a place for the result");
    assert!(matches!(error, MergeError::IntoItself(_)), "{error}");
}

#[test]
fn what_is_accepted_stays_accepted_and_is_marked_before_anything_is_written() {
    let accepted = |part: usize, why: Option<&str>| {
        let mut report = shard(part, 2, vec![text_differs(&[], &["a", "b"])]);
        report.root_causes[0].accepted = why.map(str::to_string);
        report
    };
    let shards = [accepted(1, Some("#7")), accepted(2, None)];
    let whole = merge(&shards).expect("one report");
    assert_eq!(whole.root_causes[0].accepted.as_deref(), Some("#7"));
    assert!(!whole.has_confirmed_finding());

    let base = tempfile::tempdir().expect("a folder");
    let folders: Vec<PathBuf> = (1..=2).map(|part| base.path().join(part.to_string())).collect();
    for (report, folder) in shards.iter().zip(&folders) {
        write_files(report, folder).expect("files");
    }
    let out = base.path().join("whole");
    let whole = merge_folders(&folders, &out, |report| report.root_causes[0].accepted = None).expect("one report");
    assert!(whole.report.has_confirmed_finding());
    let written = fs::read_to_string(out.join("report.json")).expect("a report");
    assert!(!written.contains("#7"), "{written}");
}

prop_compose! {
    fn any_finding()(
        prefix in prop::collection::vec("[ab]", 0..3),
        concurrent in prop::collection::vec("[abc]", 2),
        kind in prop::sample::select(vec![DifferenceKind::Text, DifferenceKind::Markup]),
        reproduced in 0..=10_usize,
        summary in "[xy]",
    ) -> Finding {
        let mut finding = finding(1, &[], &[], "A1 B1 ~", kind, &summary);
        failing(&mut finding).prefix = prefix;
        failing(&mut finding).concurrent = concurrent;
        finding.reproduced = reproduced;
        finding
    }
}

prop_compose! {
    fn any_shards()(lists in prop::collection::vec(prop::collection::vec(any_finding(), 0..5), 1..5)) -> Vec<Report> {
        let parts = lists.len();
        (1..).zip(lists).map(|(part, findings)| shard(part, parts, findings)).collect()
    }
}

proptest! {
    #[test]
    fn the_order_of_shards_does_not_matter(shards in any_shards(), seed in any::<prop::sample::Index>()) {
        let mut turned = shards.clone();
        turned.rotate_left(seed.index(shards.len()));
        turned.reverse();
        prop_assert_eq!(merge(&shards).expect("merges"), merge(&turned).expect("merges"));
    }

    #[test]
    fn a_shard_given_twice_counts_once(shards in any_shards(), which in any::<prop::sample::Index>()) {
        let mut doubled = shards.clone();
        doubled.push(shards[which.index(shards.len())].clone());
        prop_assert_eq!(merge(&shards).expect("merges"), merge(&doubled).expect("merges"));
    }

    #[test]
    fn a_joined_report_stays_as_it_is(shards in any_shards()) {
        let whole = merge(&shards).expect("merges");
        prop_assert_eq!(merge(std::slice::from_ref(&whole)).expect("merges"), whole);
    }

    #[test]
    fn no_failure_is_lost_and_every_finding_has_its_root_cause(shards in any_shards()) {
        let whole = merge(&shards).expect("merges");
        let before: usize = shards.iter().flat_map(|shard| &shard.findings).map(|f| f.failures).sum();
        prop_assert_eq!(whole.findings.iter().map(|f| f.failures).sum::<usize>(), before);
        for finding in &whole.findings {
            let cause = &whole.root_causes[finding.root_cause - 1];
            prop_assert_eq!(cause.id, finding.root_cause);
            prop_assert!(cause.findings.contains(&finding.id));
        }
        let listed: usize = whole.root_causes.iter().map(|cause| cause.findings.len()).sum();
        prop_assert_eq!(listed, whole.findings.len());
    }
}
