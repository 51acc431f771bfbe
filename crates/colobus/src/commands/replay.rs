//! `colobus replay`: runs a finding again, in the same order, and says whether it comes back and how far the recorded order
//! could be followed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use colobus_driver::BrowserChoice;
use colobus_model::{LearnedSettling, Outcome, Reproduction, TRACE_VERSION, Trace};
use colobus_run::{Again, Checks, Judgement, Replay, StopSignal};
use colobus_world::WorldFactory;

use super::replay_recording::SESSION_FILE;
use super::{demo, explore, finding, race, replay_recording};
use crate::args::ReplayArgs;
use crate::config::Configuration;
use crate::output::{print, tell};
use crate::recorded::around::around;
use crate::session::Session;
use crate::stepping::Stepping;
use crate::{FOUND_SOMETHING, place, stop, trust};

pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    // Until something is started, Ctrl-C ends the program.
    let nothing_to_end = StopSignal::default();
    if let Some(evidence) = explore::evidence(&finding::path(&args.finding, &args.out))? {
        refuse_steps(args, "a finding of `explore`")?;
        let named = place::named(&args.play.place.at, &args.config)?;
        return explore::replay(evidence, &named, args.times, &browsers(args, &nothing_to_end)?);
    }
    for path in [PathBuf::from(&args.finding), finding::path(&args.finding, &args.out).join(SESSION_FILE)] {
        if let Some(recording) = replay_recording::read(&path)? {
            refuse_steps(args, "a recording")?;
            if args.times > 1 {
                bail!("a recording is replayed once: leave --times out");
            }
            let named = place::named(&args.play.place.at, &args.config)?;
            return replay_recording::run(&recording, &path, named, args);
        }
    }
    if let Some(found) = race::read_finding(&finding::path(&args.finding, &args.out))? {
        refuse_steps(args, "a finding of `race`")?;
        let named = place::named(&args.play.place.at, &args.config)?;
        return race::replay_finding(&found, &named, args.times, browsers(args, &nothing_to_end)?);
    }
    let (trace, learned) = if is_line(&args.finding) {
        (from_line(&args.finding, &args.config, args.around.as_deref())?, LearnedSettling::default())
    } else {
        let trace = finding::load(&args.finding, &args.out)?;
        trust::ensure(&trace.application, &args.config, args.trust)?;
        (trace, learned(&finding::path(&args.finding, &args.out)))
    };
    let stop = stop::on_interrupt()?;
    let session = Session::start(&trace.application, &browsers(args, &stop)?, &stop)?;
    print(&introduction(&trace))?;
    let worlds = session.worlds();
    worlds.recall(learned);
    let stepping = Stepping::new(&worlds);
    let factory: &dyn WorldFactory = if args.step { &stepping } else { &worlds };
    let replay = colobus_run::replay(&trace, Checks::default(), factory, args.times, &stop);
    let replay = replay.map_err(|error| session.explain(error))?;
    print(&conclusion(&replay))?;
    if stop.is_set() {
        bail!("interrupted after {} of {} executions", replay.again.len(), args.times);
    }
    exit_code(&replay.again)
}

/// What the run that found it had learned about settling.
fn learned(finding: &Path) -> LearnedSettling {
    colobus_run::load_learned(finding).unwrap_or_else(|error| {
        tell(&format!("note: {error}; the replay may wait less for the application than the run that found this"));
        LearnedSettling::default()
    })
}

fn browsers(args: &ReplayArgs, stop: &StopSignal) -> anyhow::Result<BrowserChoice> {
    args.grid.choose(&args.browser, args.play.connect.as_deref(), stop)
}

/// For what is not replayed event by event.
fn refuse_steps(args: &ReplayArgs, what: &str) -> anyhow::Result<()> {
    if args.step {
        bail!("--step shows the events of a finding of `check`, and this is {what}: leave --step out");
    }
    Ok(())
}

/// A line has the brackets around what happens at the same time; a path that is there is never taken for one.
pub fn is_line(finding: &str) -> bool {
    finding.contains('(') && finding.contains(')') && !Path::new(finding).exists()
}

/// What a line says, as a trace of which nothing was observed yet.
pub fn from_line(line: &str, source: &Path, recorded: Option<&Path>) -> anyhow::Result<Trace> {
    let mut configuration = match demo::named(source) {
        Some(configuration) => configuration?,
        None => Configuration::load(source)?,
    };
    if let Some(recorded) = recorded {
        around(&mut configuration, recorded)?;
    }
    planned(line, configuration)
}

/// A line and the configuration with its actions as a trace that was never run.
pub fn planned(line: &str, configuration: Configuration) -> anyhow::Result<Trace> {
    let line: Reproduction = line.parse()?;
    Ok(Trace {
        version: TRACE_VERSION,
        interaction: line.interaction(&configuration.actions)?,
        application: configuration.application,
        schedule: line.schedule,
        messages: BTreeMap::new(),
        judged_by: configuration.judge.convergence,
        tokens: Vec::new(),
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations: Vec::new(),
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: Vec::new(),
        outcome: Outcome::Completed,
    })
}

fn introduction(trace: &Trace) -> String {
    format!("{}\norder: {}\n", trace.interaction, trace.schedule)
}

fn conclusion(replay: &Replay) -> String {
    let recorded = replay.recorded.as_ref().map(|recorded| format!("recorded: {}\n", describe(recorded)));
    let mut text = recorded.unwrap_or_default();
    for (index, again) in replay.again.iter().enumerate() {
        text.push_str(&format!("run {}: {}{}\n", index + 1, describe(&again.judgement), how_far(again)));
    }
    let (reproduced, times) = (replay.reproduced(), replay.again.len());
    text.push_str(&match (reproduced, times) {
        (0, _) => "not reproduced\n".to_string(),
        (1, 1) => "reproduced\n".to_string(),
        _ => format!("reproduced {reproduced} of {times} times\n"),
    });
    text
}

/// Nothing if the order was followed to the letter.
fn how_far(again: &Again) -> String {
    let Some(followed) = again.followed.as_ref().filter(|followed| !followed.exactly()) else { return String::new() };
    let mut text = format!("\n  followed {} of {} events", followed.performed, followed.planned);
    if let Some((position, event)) = followed.skipped.first() {
        let others = match followed.skipped.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        text.push_str(&format!("; not possible in its turn: {event} (event {}){others}", position + 1));
    }
    if !followed.added.is_empty() {
        let added: Vec<String> = followed.added.iter().map(ToString::to_string).collect();
        text.push_str(&format!("; happened beyond the order: {}", added.join(" ")));
    }
    text
}

fn describe(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Pass => "nothing is wrong".to_string(),
        failed @ Judgement::Fail { .. } => {
            let told = failed
                .failed()
                .map(|(check, difference)| format!("{check} fails ({}): {}", difference.kind, difference.summary));
            told.collect::<Vec<_>>().join("\n  ")
        }
        Judgement::Unknown(reason) => format!("nothing can be said: {reason}"),
        Judgement::NotApplicable(reason) => format!("an action does not apply: {reason}"),
    }
}

/// 1 if it failed again; otherwise 0 only if it was judged every time: an action that no longer applies shows nothing.
fn exit_code(executions: &[Again]) -> anyhow::Result<ExitCode> {
    let failed = |again: &Again| matches!(again.judgement, Judgement::Fail { .. });
    let passed = |again: &Again| matches!(again.judgement, Judgement::Pass);
    if executions.iter().any(failed) {
        Ok(ExitCode::from(FOUND_SOMETHING))
    } else if !executions.is_empty() && executions.iter().all(passed) {
        Ok(ExitCode::SUCCESS)
    } else {
        bail!("nothing can be said of the finding: see the reasons above");
    }
}

#[cfg(test)]
mod tests {
    use colobus_model::{CheckId, Difference, DifferenceKind, NotApplicable};

    use super::*;

    fn code(judgements: &[Judgement]) -> Option<ExitCode> {
        let again = |judgement: &Judgement| Again { judgement: judgement.clone(), followed: None, trace: None };
        exit_code(&judgements.iter().map(again).collect::<Vec<_>>()).ok()
    }

    #[test]
    fn only_what_was_judged_every_time_is_gone() {
        let fail = Judgement::Fail {
            check: CheckId::new("convergence-dom"),
            difference: Difference { kind: DifferenceKind::Text, summary: "differs".into() },
            also: Vec::new(),
        };
        let reason = NotApplicable { action: "save".into(), step: None, reason: "no button".into(), threw: false };
        let (absent, unknown) = (Judgement::NotApplicable(reason), Judgement::Unknown("the page left".into()));
        let (success, found) = (Some(ExitCode::SUCCESS), Some(ExitCode::from(FOUND_SOMETHING)));
        assert_eq!(code(&[Judgement::Pass, Judgement::Pass]), success);
        assert_eq!(code(&[unknown.clone(), fail, absent.clone()]), found);
        for doubtful in [&[absent][..], &[Judgement::Pass, unknown], &[]] {
            assert_eq!(code(doubtful), None, "{doubtful:?}");
        }
    }
}
