//! [`report`]: what was found, as every search of Colobus reports it.

use colobus_model::{
    CheckId, Counts, Difference, DifferenceKind, Finding, Report, RootCause, Schedule, ScriptLine, Timing,
};

use crate::words::words;
use crate::{Found, Oracle, Outcome};

/// `name` is the recording, `folder/<id>/session.rec` where the script of each finding is.
pub fn report(outcome: &Outcome, name: &str, browser: String, seconds: f64) -> Report {
    let mut findings: Vec<Finding> =
        outcome.findings.iter().enumerate().map(|(index, found)| finding(found, index + 1)).collect();
    let root_causes = RootCause::group(&mut findings);
    #[allow(clippy::cast_precision_loss)]
    let each_ms = 1000.0 * seconds / outcome.performances.max(1) as f64;
    Report {
        version: 1,
        application: name.to_string(),
        browser,
        clients: 1,
        recording: Some(name.to_string()),
        around: None,
        actions: outcome.tree.to_string().lines().map(str::to_string).collect(),
        counts: Counts {
            interactions: outcome.tried,
            executions: outcome.performances,
            failures: findings.iter().map(|finding| finding.failures).sum(),
            findings: findings.len(),
            root_causes: root_causes.len(),
            not_applicable: outcome.dead_ends.len(),
            ..Counts::default()
        },
        timing: Timing { phase2_s: seconds, interaction_ms_median: each_ms, ..Timing::default() },
        findings,
        root_causes,
        notes: outcome.dead_ends.iter().map(|end| format!("{}: no further than {}", end.mistake, end.why)).collect(),
        stopped: outcome.stopped.clone(),
        ..Report::default()
    }
}

fn finding(found: &Found, id: usize) -> Finding {
    let worst = &found.problems[0];
    let also: Vec<String> = found.problems[1..].iter().map(|problem| problem.to_string()).collect();
    let summary = if also.is_empty() { worst.to_string() } else { format!("{worst}; also {}", also.join("; ")) };
    let lines = found.script.recording.lines.iter().zip(&found.script.mistaken);
    Finding {
        id,
        prefix: Vec::new(),
        concurrent: vec![found.mistake.to_string()],
        schedule: Schedule::default(),
        line: String::new(),
        passing: None,
        critical: None,
        check: CheckId::new(worst.oracle.name()),
        difference: Difference { kind: kind(worst.oracle), summary },
        reproduced: found.reproduced,
        attempts: found.attempts,
        root_cause: 0,
        trace: format!("{id}/session.rec"),
        failures: found.failures,
        script: lines.map(|(line, mistaken)| ScriptLine { text: words(&line.event), mistaken: *mistaken }).collect(),
    }
}

fn kind(oracle: Oracle) -> DifferenceKind {
    match oracle {
        Oracle::LostInput => DifferenceKind::Lost,
        Oracle::Invariant => DifferenceKind::Invariant,
        _ => DifferenceKind::Error,
    }
}
