//! Pages on which the search once lost a state, found by `brute_force.rs`.

use std::collections::BTreeSet;

use colobus_race::explore::{Settings, Status, Tail, explore};
use colobus_race::fake::fixtures::write::*;
use colobus_race::fake::{SimulatedPage, all_orders, is_feasible};
use colobus_race::model::Execution;

fn same_states(program: &Program, tail: Tail) {
    let visible = |execution: &Execution| (execution.outcome.dom.clone(), execution.outcome.exceptions.clone());
    for (only_feasible, bound) in [(false, None), (false, Some(100)), (true, None), (true, Some(100))] {
        let all = all_orders(program, 5_000).unwrap();
        let all: BTreeSet<_> = all.iter().filter(|e| !only_feasible || is_feasible(e)).map(visible).collect();
        let mut page = SimulatedPage::new(program.clone());
        let recording = page.record();
        let mut found = BTreeSet::from([visible(&recording)]);
        let settings = Settings { bound, only_feasible, tail, ..Settings::unbounded() };
        explore(&mut page, recording, settings, |explored| {
            if let Status::New { execution, feasible, .. } = &explored.status {
                // Pages whose events come and go are searched with the tail.
                let nothing_goes = tail == Tail::RunsLast;
                assert!(!nothing_goes || execution.skipped.is_empty(), "what happens-before allows is enabled");
                if *feasible || !only_feasible {
                    found.insert(visible(execution));
                }
            }
        });
        assert_eq!(found, all, "only feasible: {only_feasible}, bound: {bound:?}");
    }
}

/// The second initialiser finds a value and keeps it, which looks as if both had made the same.
#[test]
fn initialisers_with_different_values() {
    let init = |value: &str| vec![Operation::Initialise(text("#a"), value.into())];
    let program = page()
        .starts(vec![image("0.png", 1, "first", ""), image("1.png", 2, "second", "")])
        .function("app.js", 10, "first", init("x"))
        .function("app.js", 20, "second", init("y"))
        .done();
    same_states(&program, Tail::RunsLast);
}

/// An order is equivalent to the beginning of an executed one that has one more event: its reversals count all the same.
#[test]
fn an_equivalent_beginning_of_a_longer_order() {
    let writes = || set(text("#b"), join(vec![get(text("#a")), "+".into()]));
    let throws = when(truthy(get(text("#b"))), vec![Operation::Throw("it was there".into())], vec![]);
    let program = page()
        .starts(vec![
            image("0.png", 1, "first", ""),
            image("1.png", 12, "second", ""),
            listen("#one", "click", "one"),
            listen("#two", "click", "two"),
        ])
        .function("app.js", 10, "first", vec![fetch("/first", 10, "first later")])
        .function("app.js", 20, "first later", vec![writes()])
        .function("app.js", 30, "second", vec![throws, set(text("#c"), "y"), timer(10, "second later")])
        .function("app.js", 40, "second later", vec![])
        .function("app.js", 50, "one", vec![fetch("/one", 10, "one later")])
        .function("app.js", 60, "one later", vec![Operation::Insert(text("#c"), "x".into())])
        .function("app.js", 70, "two", vec![writes()])
        .click(12, "#one")
        .click(13, "#two")
        .done();
    same_states(&program, Tail::TakesPart);
}

/// Moving timers to where they must be turned two clicks round, whose order followed only by way of the reversed pair.
#[test]
fn clicks_keep_their_order_when_timers_are_moved() {
    let appends = |to: Place| set(to, join(vec![get(text("#a")), "+".into()]));
    let fills = when(falsy(get(text("#a"))), vec![set(text("#a"), "empty")], vec![]);
    let program = page()
        .starts(vec![
            image("0.png", 1, "first", ""),
            image("1.png", 1, "second", ""),
            listen("#one", "click", "one"),
            listen("#two", "click", "two"),
        ])
        .function("app.js", 10, "first", vec![timer(50, "first later"), set(text("#b"), "x")])
        .function("app.js", 20, "first later", vec![appends(text("#c"))])
        .function("app.js", 30, "second", vec![timer(10, "second later"), appends(text("#b"))])
        .function("app.js", 40, "second later", vec![set(text("#a"), "y")])
        .function("app.js", 50, "one", vec![fetch("/one", 50, "one later"), set(text("#a"), "x")])
        .function("app.js", 60, "one later", vec![])
        .function("app.js", 70, "two", vec![fills])
        .click(1, "#one")
        .click(2, "#two")
        .done();
    same_states(&program, Tail::RunsLast);
}
