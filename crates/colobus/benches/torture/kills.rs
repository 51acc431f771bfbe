//! [`trial`]: a search of the shared counter, which has one known flaw, during which a process is killed or paused at a moment that the
//! number of the trial decides. In the end it has to have judged everything and found the flaw, and nothing else.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::ensure;
use colobus_random::Random;

use crate::family::{self, Kind};
use crate::outcome::Outcome;
use crate::part::Part;
use crate::search::{Running, Search};

/// Three interactions, one cause.
const ARGUMENTS: &[&str] = &["--naive", "--depth=1", "--same", "--schedules=10", "--workers=2", "--repeat=2"];
const INTERACTIONS: usize = 3;
/// Longer than a page is waited for.
const PAUSE: Duration = Duration::from_secs(14);
const CAUSE: &str = "in a certain order of messages: users have different letters";

/// How long the search takes when nothing is killed; it is made sure that it finds what it should.
fn without_kills() -> anyhow::Result<Duration> {
    static TOOK: OnceLock<Duration> = OnceLock::new();
    if let Some(took) = TOOK.get() {
        return Ok(*took);
    }
    let search = Search::of_counter("stale", ARGUMENTS)?;
    let mut running = search.start(&[])?;
    let ended = running.end()?;
    let took = running.begun.elapsed();
    let outcome = judged(&search, Outcome::default());
    ensure!(ended.is_some() && outcome.is_right(), "without any kill: {outcome}\n{}", search.said());
    Ok(*TOOK.get_or_init(|| took))
}

pub fn trial(part: Part, number: usize) -> anyhow::Result<Outcome> {
    let whole = without_kills()?;
    // A search that ends before its moment comes is tried again with an earlier one.
    for attempt in 0..8 {
        let moment = whole.mul_f64(share(part, number, attempt) / f64::from(1 + attempt));
        let search = Search::of_counter("stale", ARGUMENTS)?;
        let mut running = search.start(&[])?;
        if running.until(moment)?.is_some() {
            continue;
        }
        let Some(killed) = kill_or_pause(part, number, &mut running)? else {
            // Nothing of that kind is there yet.
            let _ = running.end()?;
            continue;
        };
        let note = format!("{killed} after {:.1} of {:.1} s", moment.as_secs_f64(), whole.as_secs_f64());
        return ended(part, &search, running, note);
    }
    anyhow::bail!("no process of the wanted kind was ever there")
}

/// From 0 to 1, the same for the same trial.
fn share(part: Part, number: usize, attempt: u32) -> f64 {
    let mut random = Random::named(number as u64, format!("{} {attempt}", part.word()).as_bytes());
    (random.number() >> 11) as f64 / (1u64 << 53) as f64
}

/// Kills or pauses a process, and says which; nothing if there is none of the wanted kind.
fn kill_or_pause(part: Part, number: usize, running: &mut Running) -> anyhow::Result<Option<String>> {
    let tool = running.child.id();
    let kinds = [Kind::Browser, Kind::Renderer, Kind::Gpu, Kind::Network];
    let kind = match part {
        Part::Browser => kinds[number % kinds.len()],
        Part::Application => Kind::Application,
        Part::Paused => Kind::Renderer,
        _ => {
            let own = family::family(tool).into_iter().find(|process| process.number == tool);
            own.into_iter().for_each(family::kill);
            return Ok(own.map(|_| "the tool".to_string()));
        }
    };
    let candidates = family::of_kind(&family::family(tool), kind);
    let Some(chosen) = candidates.get(number / kinds.len() % candidates.len().max(1)) else { return Ok(None) };
    let name = format!("{kind:?}").to_lowercase();
    if part == Part::Paused {
        family::signal("-STOP", *chosen);
        running.until(running.begun.elapsed() + PAUSE)?;
        family::signal("-CONT", *chosen);
        return Ok(Some(format!("{name} paused")));
    }
    family::kill(*chosen);
    Ok(Some(name))
}

fn ended(part: Part, search: &Search, mut running: Running, note: String) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome { amount: 1, note, ..Outcome::default() };
    let status = running.end()?;
    outcome.hung += usize::from(status.is_none());
    outcome.left_behind += family::remaining(&running.seen);
    // What a paused page leaves unknown is told by the exit code, and searched again.
    let is_unsure = part == Part::Paused && !judged(search, Outcome::default()).is_right();
    outcome.wrong += usize::from(is_unsure && status.and_then(|status| status.code()) == Some(0));
    if part == Part::Tool || is_unsure {
        let mut resumed = search.start(&["--resume"])?;
        outcome.hung += usize::from(resumed.end()?.is_none());
        outcome.left_behind += family::remaining(&resumed.seen);
    }
    let outcome = judged(search, outcome);
    if !outcome.is_right() {
        eprintln!("{}", search.said());
        let report = search.report().unwrap_or_default();
        eprintln!("{:?}\n{:#?}\n{:#?}", report.counts, report.unknown, report.doubts);
    }
    Ok(outcome)
}

/// What the report and the journal say.
fn judged(search: &Search, mut outcome: Outcome) -> Outcome {
    outcome.doubled += search.doubled();
    outcome.wrong += usize::from(search.said().contains("panicked"));
    let Some(report) = search.report() else {
        outcome.lost += INTERACTIONS;
        return outcome;
    };
    outcome.lost += INTERACTIONS - report.counts.interactions.judged.min(INTERACTIONS);
    outcome.lost += usize::from(!report.root_causes.iter().any(|cause| cause.name == CAUSE));
    for other in report.root_causes.iter().filter(|cause| cause.name != CAUSE) {
        outcome.wrong += 1;
        outcome.note += &format!("; found “{}” in {}", other.name, other.case);
    }
    outcome
}
