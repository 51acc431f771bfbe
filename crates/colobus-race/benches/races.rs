//! Orders, conflicts, verdicts and time of the thesis's example, the fixtures and pages of 500 and 4,000 events:
//! `cargo bench --package colobus-race`. The pages are simulated: a browser adds its own time to each order.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use colobus_race::explore::{Next, Page, Search, Settings, explore};
use colobus_race::fake::fixtures::{self, Fixture, slide_show};
use colobus_race::fake::{Program, SimulatedPage, synthetic_page};
use colobus_race::verdict::{Judge, Outcome};

fn main() {
    thesis();
    all_fixtures();
    println!("\n## Pages of many events, within one reversal\n");
    println!("| events | accesses | conflicts | orders | plan an order | simulate it | compare it | 1st analysis |");
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (events, orders) in [(500, 20), (4_000, 20)] {
        synthetic(events, orders);
    }
}

fn thesis() {
    println!("## The example of the thesis\n");
    println!("| reversals | orders |\n|---|--:|");
    for bound in [Some(1), Some(2), Some(3), None] {
        let (mut page, settings) = (simulated(&slide_show()), Settings { bound, ..Settings::unbounded() });
        let recording = page.record();
        let tally = explore(&mut page, recording, settings, |_| {});
        let name = bound.map_or("no bound".to_string(), |bound| bound.to_string());
        println!("| {name} | {} |", tally.orders);
    }
}

fn all_fixtures() {
    println!("\n## Fixtures\n");
    println!(
        "| page | events | conflicts | bound | orders | not run, equivalent | harmless | by filter | apart | heap only | harmful | time an order |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|");
    for fixture in fixtures::all() {
        row(&fixture, fixture.name, &fixture.page);
        row(&fixture, "… repaired", &fixture.repaired);
    }
}

fn row(fixture: &Fixture, name: &str, program: &Program) {
    let mut page = simulated(program);
    let recording = page.record();
    let (events, judge) = (recording.ran.len(), Judge::default());
    let (mut outcomes, mut filters) = ([0; 4], BTreeMap::new());
    let start = Instant::now();
    let tally = explore(&mut page, recording, Settings::within(fixture.bound), |explored| {
        let Some(judgement) = judge.judge_explored(&explored) else { return };
        let kind = match judgement.outcome {
            Outcome::Harmless => 0,
            Outcome::Apart => 1,
            Outcome::HeapOnly | Outcome::Diverged(_) => 2,
            Outcome::Harmful(_) => 3,
        };
        outcomes[kind] += 1;
        if kind == 0
            && let Some(label) = judgement.labels.first()
        {
            *filters.entry(label.filter.clone()).or_insert(0) += 1;
        }
    });
    let time = start.elapsed() / tally.orders as u32;
    let filters: Vec<String> = filters.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!(
        "| {name} | {events} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {time:.1?} |",
        tally.conflicts,
        fixture.bound,
        tally.orders,
        tally.equivalent,
        outcomes[0],
        filters.join(", "),
        outcomes[1],
        outcomes[2],
        outcomes[3],
    );
}

fn synthetic(events: usize, orders: usize) {
    let mut page = simulated(&synthetic_page(events, 7));
    let recording = page.record();
    let ran = recording.ran.len();
    let accesses: usize = recording.ran.iter().map(|executed| executed.accesses.len()).sum();
    let (mut search, first) = timed(|| Search::new(recording.clone(), Settings::within(1)));
    let (mut planning, mut running, mut comparing) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut executed = 0;
    while executed < orders {
        let (next, time) = timed(|| search.next_plan());
        planning += time;
        let Next::Run(plan) = next else { break };
        let (result, time) = timed(|| page.run(&plan.order).map_err(|error| error.to_string()));
        running += time;
        comparing += timed(|| search.tell(plan.key, result)).1;
        executed += 1;
    }
    let each = |time: Duration| time / executed.max(1) as u32;
    let conflicts = search.tally().conflicts;
    println!(
        "| {ran} | {accesses} | {conflicts} | {executed} | {:.1?} | {:.1?} | {:.1?} | {first:.1?} |",
        each(planning),
        each(running),
        each(comparing),
    );
}

fn simulated(program: &Program) -> SimulatedPage {
    SimulatedPage::new(program.clone())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
