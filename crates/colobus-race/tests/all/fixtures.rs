//! Every fixture's truth, and the silence of its repaired twin.

use std::collections::BTreeSet;

use colobus_race::explore::{Explored, Settings, Status, explore};
use colobus_race::fake::fixtures::{self, Fixture};
use colobus_race::fake::{Program, SimulatedPage, SimulatedStep, all_orders_of, is_feasible};
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, FinalState};
use colobus_race::verdict::{Comparison, Effect, Filter, Harm, Judge, Judgement, Outcome, group, shrink};

fn judged(program: &Program, bound: usize) -> Vec<(Explored, Judgement)> {
    let mut page = SimulatedPage::new(program.clone()).with_longest_tail(50);
    let recording = page.record();
    let judge = Judge::default();
    let mut judged = Vec::new();
    explore(&mut page, recording, Settings::within(bound), |explored| {
        if let Some(judgement) = judge.judge_explored(&explored) {
            judged.push((explored, judgement));
        }
    });
    judged
}

/// The first finding of each cause.
fn findings(program: &Program, bound: usize) -> Vec<(Explored, Judgement)> {
    let mut judged = judged(program, bound);
    judged.retain(|(_, judgement)| judgement.outcome != Outcome::Harmless);
    let reversals: Vec<_> =
        judged.iter().map(|(explored, _)| explored.plan.reversals.last().unwrap().clone()).collect();
    let firsts: Vec<usize> = group(&reversals).into_iter().map(|(_, members)| members[0]).collect();
    firsts.into_iter().map(|index| judged[index].clone()).collect()
}

fn line((explored, judgement): &(Explored, Judgement)) -> String {
    let reversal = explored.plan.reversals.last().unwrap();
    format!("{:?} at {}: {} / {}", judgement.outcome, explored.plan.depth(), reversal.first, reversal.second)
}

fn truth(fixture: &Fixture) -> Vec<String> {
    let line =
        |truth: &fixtures::Truth| format!("{:?} at {}: {} / {}", truth.outcome, truth.depth, truth.first, truth.second);
    fixture.truth.iter().map(line).collect()
}

#[test]
fn every_truth_is_found_and_nothing_else() {
    let wrong: Vec<String> = fixtures::all()
        .iter()
        .filter_map(|fixture| {
            let found: Vec<String> = findings(&fixture.page, fixture.bound).iter().map(line).collect();
            (found != truth(fixture)).then(|| format!("{}: {found:#?}", fixture.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn repaired_twins_are_clean() {
    let wrong: Vec<String> = fixtures::all()
        .iter()
        .filter_map(|fixture| {
            // A repaired page may remember in a variable that it had to wait.
            let mut found = findings(&fixture.repaired, fixture.bound);
            found.retain(|(_, judgement)| judgement.outcome != Outcome::HeapOnly);
            let found: Vec<String> = found.iter().map(line).collect();
            (!found.is_empty()).then(|| format!("{}: {found:#?}", fixture.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn fixture(name: &str) -> Fixture {
    fixtures::all().into_iter().find(|fixture| fixture.name == name).unwrap()
}

/// What the thesis says of its own example, and what its table of orders says.
#[test]
fn the_slide_show_waits_and_that_is_harmless() {
    let judged = judged(&fixture("slide show").page, 2);
    let first_label = |(explored, judgement): &(Explored, Judgement)| {
        let reversal = explored.plan.reversals.last().unwrap();
        let label = judgement.labels.first().map(|label| label.filter.clone()).unwrap_or_default();
        format!("{} / {}: {:?}, {label}", reversal.first, reversal.second, judgement.outcome)
    };
    let timer = "A:timer of click 2 @app.js:15";
    assert_eq!(
        judged.iter().map(first_label).collect::<Vec<_>>(),
        [
            format!("A<img:image3.png / {timer}: Harmless, ad-hoc-synchronisation"),
            "A:click 2 / A<img:image3.png: Harmless, ad-hoc-synchronisation".to_string(),
            "A<img:image2.png / A:click 1: Harmless, ad-hoc-synchronisation".to_string(),
            "A:click 2 / A<img:image3.png: Harmless, same-state".to_string(),
            "A:click 1 / A<img:image3.png: Harmless, same-state".to_string(),
            "A<img:image2.png / A:click 2: Harmless, ad-hoc-synchronisation".to_string(),
        ]
    );
    let skipped = &judged[1];
    assert_eq!(skipped.1.labels[0].explanation, format!("never set: {timer}"));
}

#[test]
fn wordpress_is_harmful_at_three_reversals_only() {
    let judged = judged(&fixture("WordPress").page, 10);
    let depths: Vec<(usize, bool)> = judged
        .iter()
        .map(|(explored, judgement)| (explored.plan.depth(), matches!(judgement.outcome, Outcome::Harmful(_))))
        .collect();
    assert_eq!(depths, [(1, false), (1, false), (2, false), (3, true)]);
}

#[test]
fn events_that_commute_are_not_turned_round() {
    assert_eq!(judged(&fixture("lazy initialisation").page, 3).len(), 0);
    let labels = judged(&fixture("polling timer as a lock").page, 3);
    assert!(
        !labels.is_empty()
            && labels.iter().all(|(_, judgement)| judgement.labels[0].filter == "ad-hoc-synchronisation")
    );
}

/// All orders that happens-before allows, executed by brute force, end in the same states as the unbounded search.
#[test]
fn brute_force_ends_in_the_same_states() {
    for fixture in fixtures::all() {
        for program in [&fixture.page, &fixture.repaired] {
            let mut page = SimulatedPage::new(program.clone()).with_longest_tail(50);
            let recording = page.record();
            assert!(recording.ran.len() <= 8, "{} has {} events", fixture.name, recording.ran.len());
            let visible = |state: &FinalState| (state.dom.clone(), state.exceptions.clone(), state.requests.clone());
            let all = all_orders_of(program, &recording.order(), 5_000).unwrap();
            let all: BTreeSet<_> = all.iter().filter(|e| is_feasible(e)).map(|e| visible(&e.outcome)).collect();
            let mut found = BTreeSet::from([visible(&recording.outcome)]);
            explore(&mut page, recording, Settings::unbounded(), |explored| {
                if let Status::New { execution, .. } = &explored.status {
                    found.insert(visible(&execution.outcome));
                }
            });
            assert_eq!(found, all, "{}", fixture.name);
        }
    }
}

/// Every harmful order comes about by delays alone, and the delays are printed.
#[test]
fn delays_that_lead_to_each_harmful_order() {
    let mut printed = Vec::new();
    for fixture in fixtures::all() {
        let recording = SimulatedPage::new(fixture.page.clone()).with_longest_tail(50).record();
        for (explored, judgement) in findings(&fixture.page, fixture.bound) {
            let Status::New { execution, depend, feasible, .. } = &explored.status else { continue };
            if matches!(judgement.outcome, Outcome::Harmful(_) | Outcome::Apart) {
                assert!(feasible, "{}", fixture.name);
                let delays = Delays::towards(execution, depend, &recording, 100).map(|delays| delays.to_string());
                printed.push(format!("{}: {}", fixture.name, delays.unwrap_or_else(|error| error.to_string())));
            }
        }
    }
    assert_eq!(
        printed,
        [
            "slide show: A<img:image2.png 350 ms later",
            "form with a late script: A<script:form.js 200 ms later",
            "undefined function: A<script:lib.js 150 ms later",
            "onload after the load: A<fetch:/config of html:1 195 ms later",
            "hydration: A<script:app.js 169 ms later",
            "WordPress: A<script:editor.js 290 ms later",
            "overtaking searches: A<fetch:/search?q=a of input 1 200 ms later",
            "route change: A<fetch:/data/inbox of click 1 200 ms later",
            "gallery: A<fetch:/album?part=1 150 ms later",
            "optimistic update: A<fetch:POST /like of click 1 250 ms later",
            "autosave against delete: A<fetch:POST /save of timer of input 1 @draft.js:2 230 ms later",
            "double submit: A<fetch:POST /order of click 1 250 ms later",
        ]
    );
}

#[test]
fn a_filter_can_be_switched_off_and_added() {
    let hydration = fixture("hydration");
    let (explored, _) = &judged(&hydration.page, 1)[0];
    let strict = Judge::default().without("late-attachment");
    assert_eq!(strict.judge_explored(explored).unwrap().outcome, Outcome::Harmful(vec![Harm::Page]));
    struct Never;
    impl Filter for Never {
        fn name(&self) -> &'static str {
            "never"
        }
        fn reason(&self) -> &'static str {
            "nothing matters"
        }
        fn effect(&self) -> Effect {
            Effect::Harmless
        }
        fn explain(&self, _: &Comparison) -> Option<String> {
            Some("nothing matters".into())
        }
    }
    let lenient = strict.with(Box::new(Never));
    assert_eq!(lenient.judge_explored(explored).unwrap().outcome, Outcome::Harmless);
}

/// Overtaking searches behind two clicks that have nothing to do with them: the clicks go, the reversal stays.
#[test]
fn a_finding_is_shrunk_to_the_fewest_reversals_and_steps() {
    let mut program = fixture("overtaking searches").page;
    let bystander = |at| SimulatedStep { at, action: "click".into(), target: "#menu".into(), types: None, in_chunk: 0 };
    program.steps.insert(0, bystander(20));
    program.steps.push(bystander(400));
    let (explored, judgement) = findings(&program, 2).remove(0);
    assert_eq!(judgement.outcome, Outcome::Harmful(vec![Harm::Page]));
    let mut page = SimulatedPage::new(program);
    let recording = page.record();
    let shrunk = shrink(&mut page, &Judge::default(), &recording, &explored).unwrap().unwrap();
    let left_out: Vec<String> = shrunk.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(left_out, ["A:click 4", "A:click 1"]);
    assert_eq!(shrunk.reversals.len(), 1);
    let failing: Vec<&str> = shrunk.orders.failing.iter().map(EventName::as_str).collect();
    assert_eq!(
        failing,
        ["A:input 2", "A:input 3", "A<fetch:/search?q=ab of input 3", "A<fetch:/search?q=a of input 2"]
    );
}

/// A bug that is found after an order in which another pair was turned round, which has nothing to do with it.
#[test]
fn reversals_that_are_not_needed_are_undone() {
    let mut program = fixture("undefined function").page;
    let gallery = fixture("gallery").page;
    program.start.extend(gallery.start);
    program.functions.extend(gallery.functions);
    program.answers.extend(gallery.answers);
    let all = judged(&program, 2);
    let at_two = |(explored, judgement): &&(Explored, Judgement)| {
        explored.plan.depth() == 2 && matches!(judgement.outcome, Outcome::Harmful(_))
    };
    let (explored, _) = all.iter().find(at_two).unwrap();
    let mut page = SimulatedPage::new(program);
    let recording = page.record();
    let shrunk = shrink(&mut page, &Judge::default(), &recording, explored).unwrap().unwrap();
    assert_eq!(shrunk.reversals[..], explored.plan.reversals[1..]);
    let again = shrunk.reversals[0].apply(&shrunk.orders.working);
    assert_eq!(again.as_ref(), Some(&shrunk.orders.failing), "the two orders differ in the reversal alone");
}
