//! The fixtures of `tests/race` and their repaired twins, searched in other ways than `colobus race` does: by a sampler in the manner of
//! WAVE (section 8.5.2 of the thesis of R4), by a slow network alone, and by Bombadil. Each row says how much of what was run was
//! flagged: on the page that has the bug, and on its twin, which has none. `make bench-race`; a name as an argument selects fixtures.

// The tests use all of these.
#[allow(dead_code)]
#[path = "../tests/race/fixtures.rs"]
mod fixtures;
#[allow(dead_code)]
#[path = "../tests/race/searched.rs"]
mod searched;
#[allow(dead_code)]
#[path = "../tests/race/server.rs"]
mod server;

use std::env;
use std::path::Path;
use std::process::Command;

use colobus_driver::{BrowserChoice, Interrupt, RaceBrowser, RaceOptions};
use colobus_model::Viewport;
use colobus_race::digest;
use colobus_race::happens_before::{Delay, Delays, HappensBefore};
use colobus_race::model::{EventKind, EventName, Execution};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::Differences;
use colobus_world::RacePage;
use fixtures::{Fixture, fixture};
use server::{Server, Site};

/// A network that is slower by so many milliseconds, for all answers alike.
const SLOWER_MS: [i64; 4] = [100, 400, 1_000, 3_000];
/// Every answer later by another time, drawn so often.
const DRAWS: u64 = 4;
/// The latest answer of a draw, in milliseconds.
const LATEST_MS: u64 = 3_000;
const BOMBADIL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/packages/node_modules/.bin/bombadil");
const BOMBADIL_TIME: &str = "20s";

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &String| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let fixtures: Vec<Fixture> = fixtures::names().into_iter().filter(is_wanted).map(|name| fixture(&name)).collect();
    let Some(first) = fixtures.first() else { return println!("no fixture has such a name") };
    let mut browser = RaceBrowser::open(options(&first.page().serve(), first), &Interrupt::default()).unwrap();
    println!("| page | sampler | slower network | answers drawn | Bombadil, {BOMBADIL_TIME} |\n|---|--:|--:|--:|---|");
    let mut sums = Sums::default();
    for fixture in &fixtures {
        sums.row(&fixture.name, run(&mut browser, fixture, fixture.page()), !fixture.truth.finds.is_empty());
        sums.row("… repaired", run(&mut browser, fixture, fixture.repaired()), false);
    }
    sums.print();
}

fn options(server: &Server, fixture: &Fixture) -> RaceOptions {
    let viewport = Viewport { width: 800, height: 600 };
    RaceOptions {
        url: server.url(),
        viewport,
        seed: 1,
        steps: Some(fixture.steps()),
        live: false,
        invariants: Vec::new(),
        libraries: Vec::new(),
        browsers: BrowserChoice::default(),
    }
}

/// How many executions were flagged, of how many.
#[derive(Clone, Copy)]
struct Flagged(usize, usize);

struct Row {
    sampler: Flagged,
    slower: Flagged,
    drawn: Flagged,
    /// What Bombadil said, if it is installed.
    bombadil: Option<bool>,
}

fn run(browser: &mut RaceBrowser, fixture: &Fixture, site: Site) -> Row {
    let server = site.serve();
    browser.turn_to(options(&server, fixture));
    let recorded = browser.record().unwrap();
    let usual = browser.run_delayed(&recorded, &Delays::default(), &[]).unwrap();
    let mut flagged = |all: Vec<Delays>| {
        let differs = |delays: &&Delays| {
            let slowed = browser.run_delayed(&recorded, delays, &[]).unwrap();
            !Differences::between(&usual, &slowed).harms().is_empty()
        };
        Flagged(all.iter().filter(differs).count(), all.len())
    };
    let slower = flagged(SLOWER_MS.iter().map(|by| later(&recorded, |_| *by)).collect());
    let draw = |round: u64| {
        later(&recorded, |answer| {
            i64::try_from(digest::mix(digest::push(round, answer)) % LATEST_MS).unwrap_or_default()
        })
    };
    let drawn = flagged((1..=DRAWS).map(draw).collect());
    Row { sampler: sampled(browser, &recorded), slower, drawn, bombadil: bombadil(&server) }
}

/// Every recorded answer but the document so many milliseconds later; answers are counted.
fn later(recorded: &RecordedPage, by: impl Fn(u64) -> i64) -> Delays {
    let answers = recorded.execution.ran.iter().filter(|ran| matches!(ran.event.kind, EventKind::Response { .. }));
    Delays((0..).zip(answers).map(|(answer, ran)| Delay { event: ran.event.name.clone(), by: by(answer) }).collect())
}

/// As many copies of the recorded order as it has events, with random pairs swapped where happens-before allows it. Flagged are other
/// documents, exceptions, and orders that cannot be followed: what WAVE flags.
fn sampled(browser: &mut RaceBrowser, recorded: &RecordedPage) -> Flagged {
    let recording = browser.run(recorded, &recorded.execution.order()).unwrap();
    let count = recording.ran.len();
    let copies: Vec<Vec<EventName>> = (0..count).filter_map(|copy| swapped(&recording, copy as u64)).collect();
    let is_flagged = |order: &&Vec<EventName>| {
        let Ok(execution) = browser.run(recorded, order) else { return true };
        let differences = Differences::between(&recording.outcome, &execution.outcome);
        !differences.harms().is_empty() || !execution.skipped.is_empty()
    };
    Flagged(copies.iter().filter(is_flagged).count(), copies.len())
}

/// A copy with some pairs swapped; `None` if happens-before allows no swap that was drawn.
fn swapped(recording: &Execution, copy: u64) -> Option<Vec<EventName>> {
    let before = HappensBefore::of(recording);
    let count = recording.ran.len();
    let mut order: Vec<usize> = (0..count).collect();
    let is_allowed = |order: &[usize]| {
        let place = |event: usize| order.iter().position(|other| *other == event);
        order.iter().all(|event| before.predecessors(*event).iter().all(|(first, _)| place(*first) <= place(*event)))
    };
    for swap in 0..count as u64 {
        let draw = |which: u64| (digest::mix(digest::push(digest::push(copy, swap), which)) % count as u64) as usize;
        let mut tried = order.clone();
        tried.swap(draw(0), draw(1));
        if is_allowed(&tried) {
            order = tried;
        }
    }
    let is_other = order.iter().enumerate().any(|(place, event)| place != *event);
    is_other.then(|| order.iter().map(|event| recording.ran[*event].event.name.clone()).collect())
}

/// Whether Bombadil, with its own properties, says that something is wrong with the page.
fn bombadil(server: &Server) -> Option<bool> {
    if !Path::new(BOMBADIL).exists() {
        return None;
    }
    let folder = env::temp_dir().join(format!("colobus-bombadil-{}", server.address.port()));
    let ended = Command::new(BOMBADIL)
        .args(["browser", "test", &server.url(), "--headless", "--no-sandbox", "--exit-on-violation"])
        .args(["--time-limit", BOMBADIL_TIME, "--output-path-overwrite", "--output-path"])
        .arg(&folder)
        .output();
    // What it wrote is looked at only when it is run by hand.
    let _ = std::fs::remove_dir_all(&folder);
    Some(!ended.ok()?.status.success())
}

/// How many of the pages with a bug each way flagged at least once, and how many of those without.
#[derive(Default)]
struct Sums {
    with_bug: usize,
    without: usize,
    found: [usize; 4],
    false_alarms: [usize; 4],
}

impl Sums {
    fn row(&mut self, name: &str, row: Row, has_bug: bool) {
        let part = |Flagged(flagged, of): Flagged| format!("{flagged} of {of}");
        let bombadil = row.bombadil.map_or("not installed", |flagged| if flagged { "flagged" } else { "–" });
        println!("| {name} | {} | {} | {} | {bombadil} |", part(row.sampler), part(row.slower), part(row.drawn));
        let (count, sums) = match has_bug {
            true => (&mut self.with_bug, &mut self.found),
            false => (&mut self.without, &mut self.false_alarms),
        };
        *count += 1;
        let flagged = [row.sampler.0 > 0, row.slower.0 > 0, row.drawn.0 > 0, row.bombadil == Some(true)];
        sums.iter_mut().zip(flagged).for_each(|(sum, flagged)| *sum += usize::from(flagged));
    }

    fn print(&self) {
        let Sums { with_bug, without, found, false_alarms } = self;
        println!("\n| | sampler | slower network | answers drawn | Bombadil |\n|---|--:|--:|--:|--:|");
        println!(
            "| of {with_bug} pages with a harmful race, flagged | {} | {} | {} | {} |",
            found[0], found[1], found[2], found[3]
        );
        let [sampler, slower, drawn, bombadil] = false_alarms;
        println!("| of {without} pages without one, flagged | {sampler} | {slower} | {drawn} | {bombadil} |");
    }
}
