//! Crawling finds the model and the summaries of an application that is known.

use std::collections::BTreeSet;

use colobus_reach::concolic::Bounds;
use colobus_reach::crawl::{CrawlLimits, Crawled, crawl};
use colobus_reach::fake::{App, InstrumentedApp};

use crate::apps;

fn crawled(app: &App, limits: CrawlLimits) -> Crawled {
    crawl(&mut InstrumentedApp { app }, limits, &mut apps::z3(), &mut || false).unwrap()
}

#[test]
fn the_tax_calculator_is_found_as_it_is() {
    let app = apps::tax_calculator::fixture().app;
    let found = crawled(&app, CrawlLimits::default());
    assert_eq!((found.model.states().len(), found.model.transitions.len()), (5, app.model().transitions.len()));
    assert!(found.model.incomplete.is_empty() && found.reasons.is_empty(), "{:?}", found.reasons);
    let (known, _) = apps::summaries(&app, &mut apps::z3());
    let texts = |summaries: &[_]| summaries.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
    let without_number = |text: String| text.replacen("start/1", "start", 1);
    assert_eq!(texts(&found.summaries), texts(&known).into_iter().map(without_number).collect());
}

/// The second screen is shown only if a text is right: its state is known because the solver found the text.
#[test]
fn a_state_behind_a_condition_is_found() {
    let app = apps::file_manager::fixture().app;
    let found = crawled(&app, CrawlLimits::default());
    assert_eq!(found.model.states().len(), app.model().states().len());
}

#[test]
fn what_is_left_out_is_said() {
    let app = apps::tax_calculator::fixture().app;
    let few = CrawlLimits { states: 2, events: 11, handler: Bounds::default(), ..CrawlLimits::default() };
    let found = crawled(&app, few);
    assert!(!found.model.incomplete.is_empty());
    assert!(found.reasons.iter().any(|reason| reason.contains("not all events of s1 were run")), "{:?}", found.reasons);
}

#[test]
fn work_ends_it() {
    let app = apps::tax_calculator::fixture().app;
    let found = crawled(&app, CrawlLimits { runs: 5, ..CrawlLimits::default() });
    assert_eq!(found.runs, 5);
    assert!(!found.model.incomplete.is_empty());
    assert!(found.reasons.iter().any(|reason| reason.contains("5 runs are enough")), "{:?}", found.reasons);
}

#[test]
fn time_ends_it() {
    let app = apps::tax_calculator::fixture().app;
    let found =
        crawl(&mut InstrumentedApp { app: &app }, CrawlLimits::default(), &mut apps::z3(), &mut || true).unwrap();
    assert_eq!((found.runs, found.summaries.len()), (0, 1));
    assert!(found.reasons[0].contains("time is up"), "{:?}", found.reasons);
}
