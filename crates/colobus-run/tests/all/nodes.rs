//! Worlds on several machines: findings say where they were seen, and are repeated on another machine.

use colobus_model::{BrowserPlace, Report};
use colobus_run::{RunConfig, check};
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{actions, config};

fn run(config: &RunConfig, nodes: &[&'static str]) -> Report {
    let mut factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    factory.nodes = nodes.to_vec();
    check(config, &factory, &mut |_| {}).unwrap()
}

/// Whether each finding came back on a node on which it was not seen.
fn apart(report: &Report) -> Vec<bool> {
    let seen = |node: &Option<BrowserPlace>| node.clone().expect("the node is told");
    let of_finding = report.findings.iter().map(|found| (seen(&found.seen_in), &found.repeated_in));
    let is_apart = of_finding.map(|(seen, again)| {
        again.iter().any(|again| again.browser.is_apart_from(&seen) && again.reproduced == again.attempts)
    });
    is_apart.collect()
}

#[test]
fn findings_are_repeated_on_another_node_and_are_the_same_as_here() {
    let here = tempfile::tempdir().unwrap();
    let expected = run(&config(here.path(), actions(), 2), &[]);
    assert!(expected.findings.iter().all(|found| found.seen_in.is_none() && found.repeated_in.is_empty()));
    for workers in [1, 2, 3] {
        let out = tempfile::tempdir().unwrap();
        let report = run(&RunConfig { workers, ..config(out.path(), actions(), 2) }, &["a", "b"]);
        assert_eq!(report.root_causes, expected.root_causes, "{workers} workers");
        assert_eq!(report.counts.restarts, 0, "a world that is replaced to have another node did not die");
        let repeated = apart(&report);
        assert!(
            !repeated.is_empty() && repeated.iter().all(|apart| *apart),
            "{workers} workers: {:#?}",
            report.findings
        );
    }
}

#[test]
fn a_grid_with_one_node_repeats_there_alone() {
    let out = tempfile::tempdir().unwrap();
    let report = run(&config(out.path(), actions(), 1), &["a"]);
    let repeated = apart(&report);
    assert!(!repeated.is_empty() && repeated.iter().all(|apart| !apart), "{:#?}", report.findings);
    let (again, attempts) = (&report.findings[0].repeated_in, report.findings[0].attempts);
    assert_eq!(
        again.iter().map(|again| (again.reproduced, again.attempts)).collect::<Vec<_>>(),
        [(attempts, attempts)]
    );
}
