//! The examples of the thesis, exactly: orders, depths, parents and conflicts.

use colobus_race::explore::{Explored, Page, PageError, Search, Settings, Status, Tail, explore};
use colobus_race::fake::{Program, SimulatedPage, fixtures};
use colobus_race::model::{EventName, Execution};

/// Short names for the events of the slide show, as in the thesis.
fn short(name: &EventName) -> String {
    let name = name.as_str();
    match name {
        "A<img:image2.png" => "L2".into(),
        "A<img:image3.png" => "L3".into(),
        "A:click 1" => "C1".into(),
        "A:click 2" => "C2".into(),
        "A<script:statistics.js" => "S".into(),
        "A<fetch:/ping of script:statistics.js" => "P".into(),
        _ if name.starts_with("A:timer of click 2 @app.js:") && !name.contains("again") => "T".into(),
        _ => name.into(),
    }
}

fn line(order: &[EventName]) -> String {
    order.iter().map(short).collect::<Vec<_>>().join(" ")
}

fn executed(explored: &Explored) -> Option<&Execution> {
    match &explored.status {
        Status::New { execution, .. } => Some(execution),
        _ => None,
    }
}

/// Depth, order without tail, parent, pair turned round.
fn table(program: Program, settings: Settings) -> Vec<(usize, String, String, String)> {
    let mut page = SimulatedPage::new(program).with_longest_tail(20);
    let recording = page.record();
    let mut rows = vec![(0, line(&recording.order()), String::new(), String::new())];
    explore(&mut page, recording, settings, |explored| {
        let Some(execution) = executed(&explored) else { return };
        let reversal = explored.plan.reversals.last().unwrap();
        let pair = format!("{},{}", short(&reversal.first), short(&reversal.second));
        rows.push((explored.plan.depth(), line(&execution.order()), line(&explored.parent_order), pair));
    });
    rows
}

fn count(settings: Settings) -> usize {
    table(fixtures::slide_show(), settings).len()
}

#[test]
fn the_recording_has_three_relevant_conflicts() {
    let recording = SimulatedPage::new(fixtures::slide_show()).record();
    assert_eq!(line(&recording.order()), "L2 C1 C2 L3 T");
    let search = Search::new(recording, Settings::within(1));
    assert_eq!(search.tally().conflicts, 3);
}

#[test]
fn the_orders_within_two_reversals_are_those_of_figure_8_2() {
    let row = |depth, order: &str, parent: &str, pair: &str| (depth, order.into(), parent.into(), pair.into());
    let recorded = "L2 C1 C2 L3 T";
    assert_eq!(
        table(fixtures::slide_show(), Settings::within(2)),
        [
            row(0, recorded, "", ""),
            row(1, "L2 C1 C2 T L3", recorded, "L3,T"),
            row(1, "L2 C1 L3 C2", recorded, "C2,L3"),
            row(1, "C1 L2 C2 L3", recorded, "L2,C1"),
            row(2, "C1 L2 L3 C2", "C1 L2 C2 L3", "C2,L3"),
            row(2, "L2 L3 C1 C2", "L2 C1 L3 C2", "C1,L3"),
            row(2, "C1 C2 L2 L3", "C1 L2 C2 L3", "L2,C2"),
        ]
    );
}

#[test]
fn four_seven_ten_and_thirteen_orders() {
    let counts = [Some(1), Some(2), Some(3), None].map(|bound| count(Settings { bound, ..Settings::unbounded() }));
    assert_eq!(counts, [4, 7, 10, 13]);
    assert_eq!(count(Settings::within(20)), 13, "a large bound is not a bound");
}

#[test]
fn a_tail_that_takes_part_gives_more_orders() {
    let counts = [1, 2, 3].map(|bound| count(Settings { tail: Tail::TakesPart, ..Settings::within(bound) }));
    assert_eq!(counts, [4, 9, 18]);
}

/// Figure 4.3: the plans that the recording of the extended example leads to, and the one found after the second.
#[test]
fn events_that_the_second_of_a_pair_does_not_need_stay_behind() {
    let mut page = SimulatedPage::new(fixtures::slide_show_with_statistics());
    let recording = page.record();
    assert_eq!(line(&recording.order()), "L2 C1 C2 S P L3 T");
    let mut plans = Vec::new();
    explore(&mut page, recording, Settings::within(2), |explored| {
        plans.push((explored.plan.depth(), explored.plan.shared, line(&explored.plan.order)));
    });
    let plan = |depth, shared, order: &str| (depth, shared, order.to_string());
    assert_eq!(
        plans,
        [
            plan(1, 5, "L2 C1 C2 S P T L3"),
            plan(1, 2, "L2 C1 L3 C2 S P T"),
            plan(1, 0, "C1 L2 C2 S P L3 T"),
            plan(2, 2, "C1 L2 L3 C2 S P"),
            plan(2, 1, "L2 L3 C1 C2 S P"),
            plan(2, 1, "C1 C2 L2 S P L3"),
        ]
    );
}

#[test]
fn timers_that_are_numbered_give_more_orders() {
    // A timer that is named by a running number is taken for another one as soon as two are turned round, which is why
    // they are named by who set them.
    let counts = [1, 2, 3].map(|bound| {
        let mut page = Numbered(SimulatedPage::new(fixtures::slide_show()).with_longest_tail(20));
        let recording = page.record();
        explore(&mut page, recording, Settings::within(bound), |_| {}).orders
    });
    assert_eq!(counts, [4, 8, 14]);
}

/// The slide show with timers named by a running number.
struct Numbered(SimulatedPage);

impl Numbered {
    fn record(&mut self) -> Execution {
        let order = self.0.record().order();
        let mut numbered = self.0.run(&order).unwrap();
        rename(&mut numbered);
        numbered.as_recording()
    }
}

impl Page for Numbered {
    /// Each event is taken in turn by its number in the execution so far, which only repeated runs can tell.
    fn run(&mut self, order: &[EventName]) -> Result<Execution, PageError> {
        let mut taken: Vec<EventName> = Vec::new();
        for name in order {
            let so_far = self.0.run(&taken)?;
            let numbers = numbers(&so_far, taken.len());
            let real = numbers.iter().find(|(_, number)| number == name).map(|(real, _)| real.clone());
            taken.push(real.unwrap_or_else(|| name.clone()));
            if self.0.run(&taken)?.planned().len() < taken.len() {
                taken.pop();
            }
        }
        let mut execution = self.0.run(&taken)?;
        rename(&mut execution);
        Ok(execution)
    }
}

fn rename(execution: &mut Execution) {
    let numbers = numbers(execution, execution.ran.len());
    let rename = |name: &mut EventName| {
        if let Some((_, number)) = numbers.iter().find(|(real, _)| real == name) {
            *name = number.clone();
        }
    };
    for executed in &mut execution.ran {
        rename(&mut executed.event.name);
        executed.event.creator.iter_mut().for_each(rename);
    }
}

/// The timers that the first events of an execution set, with their running numbers.
fn numbers(execution: &Execution, ran: usize) -> Vec<(EventName, EventName)> {
    let first: Vec<&EventName> = execution.ran[..ran].iter().map(|executed| &executed.event.name).collect();
    let set_by = |event: &&colobus_race::model::PageEvent| {
        event.creator.as_ref().and_then(|creator| first.iter().position(|name| *name == creator))
    };
    let mut timers: Vec<(usize, EventName)> = execution
        .events()
        .filter(|event| event.is_timer())
        .filter_map(|event| Some((set_by(&event)?, event.name.clone())))
        .collect();
    timers.sort();
    let number =
        |(number, (_, name)): (usize, (usize, EventName))| (name, EventName::from(format!("A:timer {number}")));
    timers.into_iter().enumerate().map(number).collect()
}
