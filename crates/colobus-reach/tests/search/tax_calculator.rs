//! The TaxCalculator of the thesis: its summaries, anchors, ways and sequences.

use std::collections::BTreeSet;

use colobus_reach::fake::{App, PlainPage};
use colobus_reach::priority::PRIORITIES;
use colobus_reach::search::anchors::{Anchor, candidates};
use colobus_reach::search::ways::ways;
use colobus_reach::search::{Found, Limits, Note, Outcome, Partial, Search, SummaryId};
use colobus_reach::summary::{Summary, compose};
use colobus_reach::symbolic::value::Value;
use colobus_reach::ui::{UiModel, file};

use crate::apps;
use crate::apps::tax_calculator::fixture;

struct Tax {
    app: App,
    model: UiModel,
    summaries: Vec<Summary>,
}

fn tax() -> Tax {
    let app = fixture().app;
    let (summaries, _) = apps::summaries(&app, &mut apps::z3());
    Tax { model: app.model(), summaries, app }
}

impl Tax {
    /// The summary of an event whose condition reads so.
    fn summary(&self, event: &str, condition: &str) -> SummaryId {
        let reads = |summary: &Summary| {
            let parts: Vec<String> = summary.condition.iter().map(ToString::to_string).collect();
            parts.join(" and ") == condition
        };
        let found = self.summaries.iter().position(|summary| &*summary.event == event && reads(summary));
        found.unwrap_or_else(|| panic!("no {event} if {condition}: {:?}", self.table()))
    }

    /// All summaries without the numbers of their paths.
    fn table(&self) -> Vec<String> {
        let line = |summary: &Summary| summary.to_string().replacen(&*summary.name, &summary.event, 1);
        self.summaries.iter().map(line).collect()
    }

    fn seed(&self, id: SummaryId) -> Partial {
        // The whole path, as for a line at its end.
        let path = Summary { idle: BTreeSet::new(), ..self.summaries[id].clone() };
        let condition = compose(&path, &[], 1);
        Partial {
            state: "income".into(),
            list: vec![id],
            condition,
            priority: 0,
            serial: 0,
            connectors: 0,
            ancestors: Vec::new(),
        }
    }

    fn search(&self, seeds: Option<&[SummaryId]>, limits: Limits) -> Found {
        let (mut solver, mut page) = (apps::z3(), PlainPage { app: &self.app });
        let search = Search {
            model: &self.model,
            summaries: &self.summaries,
            solver: &mut solver,
            page: &mut page,
            priorities: PRIORITIES,
            limits,
            is_late: &mut || false,
        };
        let target = App::line(8);
        match seeds {
            Some(seeds) => search.run_from(seeds, &target).unwrap(),
            None => search.run(&target).unwrap(),
        }
    }
}

#[test]
fn summaries_are_those_of_the_table() {
    let tax = tax();
    let mut expected: Vec<String> = [
        "start if true then deduction := 0, enabled := false, income := 0",
        "e2 if enabled, (income - deduction) < 0 then nothing",
        "e2 if enabled, !((income - deduction) < 0) then nothing",
        "e2 if !enabled, income < 0 then nothing",
        "e2 if !enabled, !(income < 0) then nothing",
        "e3 if true then nothing",
        "e4 if true then nothing",
        "e5 if true then nothing",
        "e6 if true then nothing",
        "e7 if !enabled then enabled := true",
        "e7 if enabled then enabled := false",
        "e8 if true then nothing",
        "e9 if true then nothing",
        "e10 if true then deduction := amount",
    ]
    .map(str::to_owned)
    .to_vec();
    expected.extend((0..10).map(|digit| format!("e1.{digit} if true then income := (10 * income) + {digit}")));
    let found: BTreeSet<String> = tax.table().into_iter().collect();
    assert_eq!(found, expected.into_iter().collect());
    assert_eq!(tax.summaries.len(), 24);
    let executing = tax.summaries.iter().filter(|summary| summary.log.contains_key(&App::line(8)));
    assert_eq!(executing.map(|summary| &*summary.event).collect::<Vec<_>>(), ["e2", "e2"]);
}

#[test]
fn anchors_before_and_after_the_solver() {
    let tax = tax();
    let seed = tax.seed(tax.summary("e2", "enabled and (income - deduction) < 0"));
    let name = |id: SummaryId| match &*tax.summaries[id].event {
        "e7" if tax.summaries[id].condition[0].to_string() == "enabled" => "W12".to_owned(),
        "e7" => "W11".to_owned(),
        event => event.to_owned(),
    };
    let digits = (0..10).map(|digit| format!("e1.{digit}"));
    let found: Vec<Anchor> = candidates(&seed, &tax.model, &tax.summaries);
    let before: BTreeSet<String> = found.iter().map(|anchor| name(anchor.summary)).collect();
    let others = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    assert_eq!(before, digits.clone().chain(others(&["start", "W11", "W12", "e10"])).collect());
    assert_eq!(found.len(), 14);

    let first = tax.search(Some(&seed.list), Limits { iterations: 1, ways: 16, forward: 0 });
    assert_eq!((first.statistics.anchors, first.statistics.pruned), (14, 2));
    let pruned: BTreeSet<String> = first
        .notes
        .iter()
        .filter_map(|note| match note {
            Note::Pruned { anchor, .. } => tax.summaries.iter().position(|summary| summary.name == *anchor).map(&name),
            _ => None,
        })
        .collect();
    assert_eq!(pruned, others(&["start", "W12"]).into_iter().collect());
}

#[test]
fn ways_from_the_toggle_to_the_target() {
    let tax = tax();
    let seed = tax.seed(tax.summary("e2", "enabled and (income - deduction) < 0"));
    let found = ways("pref", &seed, &tax.model, &tax.summaries, 16);
    let events = |way: &Vec<SummaryId>| way.iter().map(|id| tax.summaries[*id].event.to_string()).collect::<Vec<_>>();
    assert_eq!(found.found.iter().map(events).collect::<Vec<_>>(), [vec!["e6"], vec!["e8", "e9", "e6"]]);
    assert!(!found.cut_off);
}

#[test]
fn one_of_the_two_shortest_sequences_with_a_deduction_above_the_income() {
    let tax = tax();
    let found = tax.search(None, Limits::default());
    let Outcome::Reached(steps) = &found.outcome else { panic!("{found:?}") };
    let events: Vec<&str> = steps.iter().map(|step| &*step.event).collect();
    let shortest =
        [["e4", "e5", "e7", "e8", "e10", "e9", "e6", "e2"], ["e4", "e5", "e8", "e10", "e9", "e7", "e6", "e2"]];
    assert!(shortest.iter().any(|sequence| *sequence == events[..]), "{events:?}");
    let amount = steps.iter().find_map(|step| step.parameters.get("amount"));
    assert!(matches!(amount, Some(Value::Number(amount)) if *amount > 0.0), "{amount:?}");
    assert_eq!(found.statistics.replays, 1);
}

/// Without deductions the income would have to be negative, which no digit makes it.
#[test]
fn a_search_from_the_other_path_ends_at_the_limit() {
    let tax = tax();
    let seed = tax.summary("e2", "!enabled and income < 0");
    let found = tax.search(Some(&[seed]), Limits { iterations: 12, ways: 4, forward: 0 });
    assert_eq!(found.outcome, Outcome::Limit);
    assert_eq!(found.statistics.replays, 0);
}

#[test]
fn the_model_survives_its_file() {
    let tax = tax();
    assert_eq!(file::read(&file::write(&tax.model)).unwrap(), tax.model);
    assert_eq!(tax.model.states(), ["deduct", "income", "menu", "pref", "result"].into());
    assert_eq!(tax.model.transitions.len(), 20);
    assert_eq!(tax.model.duplicates(), []);
}

#[test]
fn summaries_survive_json() {
    let tax = tax();
    let written = serde_json::to_string(&tax.summaries).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Summary>>(&written).unwrap(), tax.summaries);
}
