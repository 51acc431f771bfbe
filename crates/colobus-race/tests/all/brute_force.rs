//! The search against plain enumeration, on random small pages: the same final states.

use std::collections::BTreeSet;

use colobus_race::conflicts::commute::RULES;
use colobus_race::conflicts::{Conflict, Relation};
use colobus_race::explore::{Next, Page, Search, Settings, Status, Tail, explore};
use colobus_race::fake::fixtures::write::*;
use colobus_race::fake::{SimulatedPage, all_orders, is_feasible};
use colobus_race::model::{EventName, Execution, FinalState};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What the user and the server see. Values of variables that no event reads may differ.
type Visible = (String, BTreeSet<String>, Vec<String>);

fn visible(state: &FinalState) -> Visible {
    let requests = state.requests.iter().map(|(request, times)| format!("{request:?} {times}"));
    (state.dom.clone(), state.exceptions.clone(), requests.collect())
}

/// Three places that the user sees.
fn place() -> impl Strategy<Value = Place> {
    prop::sample::select(vec![text("#a"), text("#b"), text("#c")])
}

fn constant() -> impl Strategy<Value = Expression> {
    prop::sample::select(vec!["x", "y"]).prop_map(Expression::from)
}

fn simple() -> impl Strategy<Value = Operation> {
    let copied = (place(), place()).prop_map(|(to, from)| set(to, join(vec![get(from), "+".into()])));
    prop_oneof![
        4 => (place(), constant()).prop_map(|(place, value)| set(place, value)),
        4 => copied,
        1 => (place(), 1..3_i64).prop_map(|(place, number)| Operation::Add(place, number)),
        1 => (place(), constant()).prop_map(|(place, value)| Operation::Initialise(place, value)),
        1 => place().prop_map(|place| Operation::Insert(place, "x".into())),
        1 => (place(), place()).prop_map(|(asked, to)| when(falsy(get(asked)), vec![set(to, "empty")], vec![])),
        1 => place().prop_map(|place| when(truthy(get(place)), vec![Operation::Throw("it was there".into())], vec![])),
    ]
}

fn body() -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec(simple(), 0..3)
}

/// What registers events: which, and under which condition.
#[derive(Clone, Debug)]
enum Registers {
    Nothing,
    Response(u64),
    Timer(u64),
    TimerThatCanBeCancelled(u64),
    IfEmpty(u64),
    Cancels,
}

fn registers(conditions: bool) -> impl Strategy<Value = Registers> {
    let delays = || prop::sample::select(vec![10_u64, 20, 20, 50]);
    let plain = prop_oneof![
        4 => Just(Registers::Nothing),
        3 => delays().prop_map(Registers::Response),
        2 => delays().prop_map(Registers::Timer),
    ];
    let conditional = prop_oneof![
        3 => Just(Registers::Nothing),
        2 => delays().prop_map(Registers::Response),
        2 => delays().prop_map(Registers::TimerThatCanBeCancelled),
        2 => delays().prop_map(Registers::IfEmpty),
        2 => Just(Registers::Cancels),
    ];
    if conditions { conditional.boxed() } else { plain.boxed() }
}

/// The most events of a program.
const MOST: usize = 8;

/// Up to three first events and two steps, each of which may register one more.
fn program(conditions: bool) -> impl proptest::strategy::Strategy<Value = Program> {
    let event = || (body(), registers(conditions), body());
    let firsts = prop::collection::vec((event(), 1..60_u64), 1..4);
    let steps = prop::collection::vec((event(), 1..60_u64), 0..3);
    (firsts, steps).prop_map(|(firsts, steps)| {
        let mut program = page().done();
        let mut left = MOST - firsts.len() - steps.len();
        let mut take = |registers: Registers| {
            let (taken, after) = if left == 0 { (Registers::Nothing, 0) } else { (registers, left - 1) };
            left = after;
            taken
        };
        for (index, ((body, registers, later), latency)) in firsts.into_iter().enumerate() {
            let name = format!("first{index}");
            program.start.push(image(&format!("{index}.png"), latency, &name, ""));
            add(&mut program, &name, body, &take(registers), later);
        }
        let mut at = 0;
        for (index, ((body, registers, later), pause)) in steps.into_iter().enumerate() {
            let (name, target) = (format!("step{index}"), format!("#button{index}"));
            at += pause;
            program.start.push(listen(&target, "click", &name));
            program.steps.push(SimulatedStep { at, action: "click".into(), target, types: None, in_chunk: 0 });
            add(&mut program, &name, body, &take(registers), later);
        }
        program
    })
}

fn add(program: &mut Program, name: &str, mut body: Vec<Operation>, registers: &Registers, later: Vec<Operation>) {
    let next = format!("{name} later");
    match registers {
        Registers::Nothing => {}
        // First, because what follows may throw.
        Registers::Response(latency) => body.insert(0, fetch(format!("/{name}").as_str(), *latency, &next)),
        Registers::Timer(delay) => body.insert(0, timer(*delay, &next)),
        Registers::TimerThatCanBeCancelled(delay) => body.push(kept_in(global("handle"), timer(*delay, &next))),
        Registers::IfEmpty(delay) => body.push(when(falsy(get(text("#a"))), vec![timer(*delay, &next)], vec![])),
        Registers::Cancels => body.push(Operation::Cancel(global("handle"))),
    }
    program.functions.insert(name.into(), function("app.js", 10, body));
    program.functions.insert(next, function("app.js", 50, later));
}

/// The final states, the orders, and the planned events that were not enabled.
fn searched(program: &Program, settings: Settings) -> (BTreeSet<Visible>, Vec<Vec<EventName>>, Vec<EventName>) {
    let mut page = SimulatedPage::new(program.clone());
    let recording = page.record();
    let mut states = BTreeSet::from([visible(&recording.outcome)]);
    let only_feasible = settings.only_feasible;
    let mut skipped = Vec::new();
    let mut orders = vec![recording.order()];
    explore(&mut page, recording, settings, |explored| {
        if let Status::New { execution, diverged, feasible, .. } = &explored.status {
            assert_eq!(*diverged, None, "a simulated page does the same every time");
            skipped.extend(execution.skipped.iter().cloned());
            if *feasible || !only_feasible {
                states.insert(visible(&execution.outcome));
            }
            orders.push(execution.order());
        }
    });
    (states, orders, skipped)
}

/// The final states of all orders; of the feasible ones, if asked for.
fn enumerated(program: &Program, only_feasible: bool) -> Option<BTreeSet<Visible>> {
    let executions = all_orders(program, 2_000).ok()?;
    let wanted = executions.iter().filter(|execution| !only_feasible || is_feasible(execution));
    Some(wanted.map(|execution| visible(&execution.outcome)).collect())
}

/// The final states that up to `bound` reversals lead to, each executed. Orders are left out only if they were executed.
fn reached(program: &Program, bound: usize) -> BTreeSet<Visible> {
    let mut page = SimulatedPage::new(program.clone());
    let mut last = vec![page.record()];
    let mut orders = BTreeSet::from([last[0].order()]);
    let mut states = BTreeSet::from([visible(&last[0].outcome)]);
    for _ in 0..bound {
        let mut next = Vec::new();
        for execution in &last {
            let (order, relation) = (execution.order(), Relation::of(execution, execution.planned().len(), &RULES));
            for Conflict { first, second, .. } in relation.conflicts() {
                let (needed, others): (Vec<usize>, Vec<usize>) =
                    (first + 1..*second).partition(|between| relation.is_before(*between, *second));
                let turned =
                    (0..*first).chain(needed).chain([*second, *first]).chain(others).chain(second + 1..order.len());
                let plan: Vec<EventName> = turned.map(|place| order[place].clone()).collect();
                let child = page.run(&plan).unwrap();
                if orders.insert(child.order()) {
                    states.insert(visible(&child.outcome));
                    next.push(child);
                }
            }
        }
        last = next;
    }
    states
}

/// Two chunks, a script of any timing and perhaps an image, handlers of both events of the document, and a click.
fn document() -> impl Strategy<Value = Program> {
    let timing = prop::sample::select(vec![ScriptTiming::Async, ScriptTiming::Blocking, ScriptTiming::Deferred]);
    let bodies = prop::collection::vec(body(), 7);
    (timing, bodies, any::<bool>(), 1..3_u32).prop_map(|(timing, bodies, with_image, clicked)| {
        let mut bodies = bodies.into_iter();
        let mut body = || bodies.next().unwrap_or_default();
        // First, because what follows may throw.
        let mut first = vec![
            listen("window", "DOMContentLoaded", "parsed"),
            listen("window", "load", "loaded"),
            listen("#button", "click", "clicked"),
            script(timing, "app.js", 20, "app"),
        ];
        if with_image {
            first.push(image("logo.png", 30, "shown", ""));
        }
        first.extend(body());
        let page = page().chunk(first).chunk(body()).click_in_chunk(40, "#button", clicked);
        ["parsed", "loaded", "clicked", "app", "shown"]
            .into_iter()
            .fold(page, |page, name| page.function("app.js", 1, name, body()))
            .done()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_shrink_iters: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(16), ..ProptestConfig::default() })]

    /// Without conditions every order has the same events, and nothing is left to a tail.
    #[test]
    fn the_unbounded_search_finds_every_final_state(program in program(false)) {
        for only_feasible in [false, true] {
            let Some(all) = enumerated(&program, only_feasible) else { return Ok(()) };
            let (found, ..) = searched(&program, Settings { only_feasible, ..Settings::unbounded() });
            prop_assert_eq!(&found, &all, "pruned by persistent sets, only feasible: {}", only_feasible);
            let (found, _, skipped) = searched(&program, Settings { only_feasible, ..Settings::within(100) });
            prop_assert_eq!(&found, &all, "a large bound, only feasible: {}", only_feasible);
            prop_assert_eq!(skipped, vec![], "what happens-before allows is enabled");
        }
    }

    /// The same while a document loads: chunks, scripts of every timing, DOMContentLoaded and load.
    #[test]
    fn documents_load_in_every_order_that_a_browser_allows(program in document()) {
        let Some(all) = enumerated(&program, true) else { return Ok(()) };
        let (found, _, skipped) = searched(&program, Settings::unbounded());
        prop_assert_eq!(&found, &all);
        prop_assert_eq!(skipped, vec![], "what happens-before allows is enabled");
    }

    /// Within a bound: the states of all orders that so many reversals lead to, with nothing left out as known.
    #[test]
    fn a_bound_loses_nothing(program in program(false), bound in 1..3_usize) {
        let (found, _, _) = searched(&program, Settings { only_feasible: false, ..Settings::within(bound) });
        prop_assert_eq!(found, reached(&program, bound));
    }

    /// With conditions, if new events take part.
    #[test]
    fn events_that_come_and_go_are_searched_if_the_tail_takes_part(program in program(true)) {
        for only_feasible in [false, true] {
            let Some(all) = enumerated(&program, only_feasible) else { return Ok(()) };
            let settings = Settings { tail: Tail::TakesPart, only_feasible, ..Settings::unbounded() };
            prop_assert_eq!(&searched(&program, settings.clone()).0, &all, "only feasible: {}", only_feasible);
            let settings = Settings { bound: Some(100), ..settings };
            prop_assert_eq!(&searched(&program, settings).0, &all, "a large bound, only feasible: {}", only_feasible);
        }
    }

    /// Whatever the tail does, nothing is reported that happens-before forbids.
    #[test]
    fn every_state_that_is_found_can_happen(program in program(true)) {
        let Some(all) = enumerated(&program, false) else { return Ok(()) };
        let (found, orders, _) = searched(&program, Settings::within(3));
        prop_assert!(found.is_subset(&all));
        let different: BTreeSet<&Vec<EventName>> = orders.iter().collect();
        prop_assert_eq!(different.len(), orders.len(), "no order is executed twice");
    }

    /// Orders within a bound: no search with a larger bound may miss one, and a bound is the depth at which it is found.
    #[test]
    fn a_larger_bound_finds_all_that_a_smaller_one_finds(program in program(true)) {
        let within: Vec<Vec<Vec<EventName>>> = (0..4).map(|bound| searched(&program, Settings::within(bound)).1).collect();
        for pair in within.windows(2) {
            prop_assert_eq!(&pair[1][..pair[0].len()], &pair[0][..]);
        }
    }

    /// Several plans at once, told in any order, lead to the same orders.
    #[test]
    fn the_number_of_workers_does_not_matter(program in program(true), workers in 2..5_usize, bounded: bool) {
        let settings = if bounded { Settings::within(3) } else { Settings::unbounded() };
        let one = searched(&program, settings.clone()).1;
        let mut page = SimulatedPage::new(program.clone());
        let recording = page.record();
        let mut orders = vec![recording.order()];
        let mut search = Search::new(recording, settings);
        let mut out: Vec<colobus_race::explore::Plan> = Vec::new();
        loop {
            match search.next_plan() {
                Next::Run(plan) => {
                    out.push(plan);
                    if out.len() < workers {
                        continue;
                    }
                }
                Next::Wait => prop_assert!(!out.is_empty(), "it waits for something"),
                Next::Finished => break,
            }
            // The last one first.
            let plan = out.pop().unwrap();
            let result = page.run(&plan.order).map_err(|error| error.to_string());
            for explored in search.tell(plan.key, result) {
                if let Status::New { execution, .. } = explored.status {
                    orders.push(execution.order());
                }
            }
        }
        prop_assert_eq!(orders, one);
    }

    /// What a driver hands over as a file comes back as it was.
    #[test]
    fn executions_are_written_and_read(program in program(true)) {
        let recording = SimulatedPage::new(program).record();
        let text = serde_json::to_string(&recording).unwrap();
        prop_assert_eq!(serde_json::from_str::<Execution>(&text).unwrap(), recording);
    }
}
