//! What a search does with pages that fail, change their minds or leave, and with run loops that stop and resume.

use colobus_race::explore::{Next, Page, PageError, Search, Settings, Status, explore};
use colobus_race::fake::fixtures::write::*;
use colobus_race::fake::fixtures::{self, slide_show};
use colobus_race::fake::{SimulatedPage, synthetic_page};
use colobus_race::model::{EventName, Execution};
use colobus_race::verdict::{Comparison, Effect, Filter, Harm, Judge, Outcome};

/// A page that fails every time an order begins with this event.
struct Failing(SimulatedPage, &'static str);

impl Page for Failing {
    fn run(&mut self, order: &[EventName]) -> Result<Execution, PageError> {
        if order[0].as_str() == self.1 {
            return Err(PageError { reason: "the browser crashed".into() });
        }
        self.0.run(order)
    }
}

#[test]
fn an_order_that_cannot_be_executed_is_counted_and_the_search_goes_on() {
    let mut page = SimulatedPage::new(slide_show());
    let recording = page.record();
    let mut reasons = Vec::new();
    let tally = explore(&mut Failing(page, "A:click 1"), recording, Settings::within(1), |explored| {
        if let Status::Failed { reason } = explored.status {
            reasons.push(reason);
        }
    });
    assert_eq!((tally.orders, tally.failed), (3, 1));
    assert!(reasons[0].contains("the browser crashed"), "{reasons:?}");
}

/// A page that does something else in each execution from the first event on.
struct Changing(SimulatedPage, u64);

impl Page for Changing {
    fn run(&mut self, order: &[EventName]) -> Result<Execution, PageError> {
        let mut execution = self.0.run(order)?;
        self.1 += 1;
        execution.ran[0].accesses[0].value = Some(self.1);
        execution.outcome.dom = format!("visit {}", self.1);
        Ok(execution)
    }
}

#[test]
fn a_difference_before_the_reversal_is_a_note_and_no_finding() {
    let mut page = SimulatedPage::new(slide_show());
    let recording = page.record();
    let mut outcomes = Vec::new();
    explore(&mut Changing(page, 0), recording, Settings::within(1), |explored| {
        outcomes.push((explored.plan.shared, Judge::default().judge_explored(&explored).unwrap().outcome));
    });
    let diverged =
        |outcome: &Outcome| matches!(outcome, Outcome::Diverged(event) if event.as_str() == "A<img:image2.png");
    assert!(outcomes.iter().all(|(shared, outcome)| diverged(outcome) == (*shared > 0)), "{outcomes:?}");
    assert_eq!(outcomes.len(), 3);
}

#[test]
fn a_search_resumes_from_the_results_of_its_journal() {
    let mut page = SimulatedPage::new(slide_show());
    let recording = page.record();
    let mut search = Search::new(recording.clone(), Settings::within(3));
    let mut journal = Vec::new();
    for _ in 0..4 {
        let Next::Run(plan) = search.next_plan() else { panic!("there are nine orders") };
        let execution = page.run(&plan.order).unwrap();
        search.tell(plan.key, Ok(execution.clone()));
        journal.push((plan, execution));
    }
    let mut resumed = Search::new(recording, Settings::within(3));
    for (plan, execution) in journal {
        assert_eq!(resumed.next_plan(), Next::Run(plan.clone()));
        resumed.tell(plan.key, Ok(execution));
    }
    assert_eq!(resumed.tally(), search.tally());
    assert_eq!(resumed.next_plan(), search.next_plan());
    assert_eq!(search.explored_within(), Some(1), "the orders at two reversals are not all executed");
}

#[test]
fn a_search_says_when_everything_was_executed() {
    let mut page = SimulatedPage::new(slide_show());
    let mut search = Search::new(page.record(), Settings::unbounded());
    while let Next::Run(plan) = search.next_plan() {
        search.tell(plan.key, Ok(page.run(&plan.order).unwrap()));
    }
    assert_eq!((search.explored_within(), search.next_plan()), (None, Next::Finished));
}

#[test]
fn a_result_that_was_not_asked_for_is_ignored() {
    let mut page = SimulatedPage::new(slide_show());
    let mut search = Search::new(page.record(), Settings::within(1));
    assert!(search.tell(7, Ok(Execution::default())).is_empty());
    assert!(matches!(search.next_plan(), Next::Run(_)));
}

/// A click leaves the page before an answer has come: the answer is tried before the click.
#[test]
fn what_a_navigation_cuts_off_is_tried_before_it() {
    let program = page()
        .starts(vec![listen("#next", "click", "leave"), fetch("/draft", 200, "restored")])
        .function("app.js", 1, "leave", vec![Operation::Navigate("/next".into())])
        .function("app.js", 5, "restored", vec![set(text("#draft"), local("response"))])
        .click(100, "#next")
        .answers(&[("/draft", "Dear all")])
        .done();
    let mut page = SimulatedPage::new(program);
    let recording = page.record();
    assert_eq!(recording.order(), ["A:click 1".into()]);
    let mut orders = Vec::new();
    explore(&mut page, recording, Settings::unbounded(), |explored| orders.push(explored.plan.order));
    assert_eq!(orders, [["A<fetch:/draft".into(), EventName::from("A:click 1")]]);
}

/// An assertion of the user's own: the gallery has two pictures.
struct TwoPictures;

impl Filter for TwoPictures {
    fn name(&self) -> &'static str {
        "two pictures"
    }

    fn reason(&self) -> &'static str {
        "an assertion of the test"
    }

    fn effect(&self) -> Effect {
        Effect::Harmful
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        let pictures = comparison.child.outcome.dom.matches(',').count() + 1;
        (pictures != 2).then(|| format!("the gallery has {pictures} pictures"))
    }
}

#[test]
fn an_assertion_of_the_user_counts_beside_the_differences() {
    let gallery = fixtures::all().into_iter().find(|fixture| fixture.name == "gallery").unwrap();
    let mut page = SimulatedPage::new(gallery.page);
    let recording = page.record();
    let judge = Judge::default().with(Box::new(TwoPictures));
    let mut outcomes = Vec::new();
    explore(&mut page, recording, Settings::within(1), |explored| outcomes.extend(judge.judge_explored(&explored)));
    assert_eq!(outcomes[0].outcome, Outcome::Harmful(vec![Harm::Page, Harm::Assertion]));
    assert_eq!(outcomes[0].labels[0].explanation, "the gallery has 1 pictures");
}

#[test]
fn a_large_page_has_the_same_conflicts_every_time() {
    let recording = SimulatedPage::new(synthetic_page(500, 7)).record();
    assert_eq!(recording.ran.len(), 500);
    assert_eq!(Search::new(recording, Settings::within(1)).tally().conflicts, 3);
}
