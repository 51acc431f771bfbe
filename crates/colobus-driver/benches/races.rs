//! The fixtures of `tests/race` and their repaired twins, searched in a real browser: orders, what filters explain, what is
//! reported and how long an order takes. `make bench-race`; a name as an argument selects fixtures. Tables for
//! docs/evaluation.md, after tables 8.1 and 8.2 of the thesis.

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

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use colobus_driver::{BrowserChoice, Interrupt, RaceBrowser, RaceOptions};
use colobus_model::Viewport;
use colobus_race::happens_before::Delays;
use colobus_race::verdict::Outcome;
use colobus_world::RacePage;
use fixtures::{Fixture, fixture};
use searched::Searched;
use server::{Server, Site};

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &String| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let fixtures: Vec<Fixture> = fixtures::names().into_iter().filter(is_wanted).map(|name| fixture(&name)).collect();
    let Some(first) = fixtures.first() else { return println!("no fixture has such a name") };
    let mut browser = RaceBrowser::open(options(&first.page().serve(), first), &Interrupt::default()).unwrap();
    let mut total = Total::default();
    println!(
        "| page | events | conflicts | reversals | orders | equivalent | impossible | same state | ad-hoc | apart | heap only | harmful | causes | as its truth | an order |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|");
    for fixture in &fixtures {
        let found = row(&mut browser, fixture, &fixture.name, fixture.page(), &mut total);
        total.causes += found.len();
        total.true_causes += found.iter().filter(|cause| fixture.truth.finds.contains(cause)).count();
        total.expected += fixture.truth.finds.len();
        let of_twin = row(&mut browser, fixture, "… repaired", fixture.repaired(), &mut total);
        total.causes += of_twin.len();
    }
    total.print();
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

/// Searches a page and prints its row; the causes that were reported.
fn row(browser: &mut RaceBrowser, fixture: &Fixture, name: &str, site: Site, total: &mut Total) -> Vec<String> {
    let server = site.serve();
    browser.turn_to(options(&server, fixture));
    let searched = Searched::new(browser, fixture.truth.bound);
    let begun = Instant::now();
    let _ = browser.run_delayed(&searched.recorded, &Delays::default(), &[]);
    total.plain += begun.elapsed();
    total.pages += 1;
    let (found, apart) = (searched.findings(), searched.apart());
    let count = |is: fn(&Outcome) -> bool| searched.judged.iter().filter(|(_, it)| is(&it.outcome)).count();
    let mut filters: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, judgement) in searched.judged.iter().filter(|(_, it)| it.outcome == Outcome::Harmless) {
        let label = judgement.labels.first().map_or("none", |label| label.filter.as_str());
        *filters.entry(label).or_insert(0) += 1;
    }
    let by = |filter: &str| filters.get(filter).copied().unwrap_or_default();
    let counts = [
        by("same-state"),
        by("ad-hoc-synchronisation"),
        count(|it| *it == Outcome::Apart),
        count(|it| *it == Outcome::HeapOnly),
        count(|it| matches!(it, Outcome::Harmful(_))),
    ];
    let is_twin = name != fixture.name;
    let as_truth = match is_twin {
        true => found.is_empty() && apart.is_empty(),
        false => found == fixture.truth.finds && apart == fixture.truth.apart,
    };
    let tally = searched.tally;
    // The recorded order is one of them, and was executed before the search.
    let executed = tally.orders.saturating_sub(1);
    let each = searched.took.checked_div(u32::try_from(executed).unwrap_or(u32::MAX)).unwrap_or_default();
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        searched.recorded.execution.ran.len(),
        tally.conflicts,
        fixture.truth.bound,
        tally.orders,
        tally.equivalent,
        tally.infeasible,
        counts[0],
        counts[1],
        counts[2],
        counts[3],
        counts[4],
        found.len(),
        if as_truth { "yes" } else { "NO" },
        if executed == 0 { "–".to_string() } else { format!("{} ms", each.as_millis()) },
    );
    total.add(&counts, executed, searched.took, as_truth);
    found
}

/// The sums of all rows.
#[derive(Default)]
struct Total {
    pages: usize,
    counts: [usize; 5],
    executed: usize,
    took: Duration,
    plain: Duration,
    as_truth: usize,
    causes: usize,
    true_causes: usize,
    expected: usize,
}

impl Total {
    fn add(&mut self, counts: &[usize; 5], executed: usize, took: Duration, as_truth: bool) {
        self.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        self.executed += executed;
        self.took += took;
        self.as_truth += usize::from(as_truth);
    }

    fn print(&self) {
        let compared: usize = self.counts.iter().sum();
        let share = |count: usize| 100.0 * count as f64 / compared.max(1) as f64;
        let [same, ad_hoc, apart, heap, harmful] = self.counts;
        println!("\n| of {compared} orders that were compared | orders | share |\n|---|--:|--:|");
        let rows = [
            ("harmless: same state", same),
            ("harmless: ad-hoc synchronisation", ad_hoc),
            ("reported apart: late attachment", apart),
            ("values of variables only", heap),
            ("harmful", harmful),
        ];
        for (name, count) in rows {
            println!("| {name} | {count} | {:.0} % |", share(count));
        }
        let each = self.took.as_millis() / self.executed.max(1) as u128;
        println!(
            "\nCauses reported: {}, of them bugs: {}, bugs in the pages: {}.",
            self.causes, self.true_causes, self.expected
        );
        println!("Rows as their truth says: {} of {}.", self.as_truth, self.pages);
        println!(
            "{} orders were executed in {} ms each; a page as it is, on its own clock, takes {} ms.",
            self.executed,
            each,
            self.plain.as_millis() / self.pages.max(1) as u128
        );
    }
}
