//! How fast the models are: `cargo bench -p colobus-ot`. Each figure is the best of three runs of a complete check.
//! The comparison with another model checker is a program of its own, in `benches/stateright`.

use std::hint::black_box;
use std::time::Instant;

use colobus_ot::functions::{FUNCTIONS, Ttf};
use colobus_ot::paper::{Property, TABLE_1};
use colobus_ot::properties::order_of_events::order_of_events;
use colobus_ot::{Model, Options, Outcome, Setting, check};

fn main() {
    models();
}

/// Seconds of the best of three runs, and what the last one found.
pub fn best<R>(mut run: impl FnMut() -> R) -> (f64, R) {
    let mut timed = || {
        let started = Instant::now();
        let result = black_box(run());
        (started.elapsed().as_secs_f64(), result)
    };
    let (first, _) = timed();
    let (second, _) = timed();
    let (third, result) = timed();
    (first.min(second).min(third), result)
}

/// Everything but the comparison with the other checker.
pub fn models() {
    println!("complete checks of ttf, which holds\n");
    println!("{:32}{:>10}{:>9}{:>14}{:>12}", "setting", "model", "threads", "evaluations", "seconds");
    for (sites, ops) in [(3, 3), (3, 4)] {
        let setting = Setting::spread(sites, ops).expect("a valid size");
        for (model, threads) in [(Model::Symbolic, 2), (Model::Fast, 1), (Model::Fast, 2)] {
            row(&format!("{sites}/{ops} full window"), &setting, model, threads);
        }
    }
    let four = Setting::spread(4, 4).and_then(|s| s.positions(0..=7)).expect("a valid size");
    row("4/4 positions 0-7", &four, Model::Fast, 2);
    let five = Setting::spread(3, 5).and_then(|s| s.positions(0..=3)).expect("a valid size");
    row("3/5 (2,2,1) positions 0-3", &five, Model::Fast, 2);
    let (seconds, ()) = best(paper);
    println!("\nthe paper's first table, all rows, symbolic model: {seconds:.2} s");
}

fn row(title: &str, setting: &Setting, model: Model, threads: usize) {
    let options = Options { threads, ..Options::default() };
    let run = || -> Outcome { check(&Ttf, setting, model, &options).expect("a valid size") };
    let started = Instant::now();
    let outcome = black_box(run());
    let once = started.elapsed().as_secs_f64();
    let seconds = if once > 3.0 { once } else { best(run).0.min(once) };
    let model = format!("{model:?}").to_lowercase();
    println!("{title:32}{model:>10}{threads:>9}{:>14}{seconds:>12.3}", outcome.evaluations);
}

fn paper() {
    for row in TABLE_1 {
        let setting = Setting::spread(3, row.operations).expect("a valid size");
        let entry = FUNCTIONS.iter().find(|entry| entry.name == row.function).expect("a known function");
        match row.property {
            Property::Divergence => {
                let checked = entry.function.check(&setting, Model::Symbolic, &Options::default());
                black_box(checked.expect("a valid size"));
            }
            Property::NoDeadlock => {
                black_box(order_of_events(&setting, None));
            }
        }
    }
}
