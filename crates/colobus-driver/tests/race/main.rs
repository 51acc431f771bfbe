//! Races of small pages in a real browser: every fixture has a truth and a repaired twin. All share one browser.

mod server;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use colobus_driver::{RaceBrowser, RaceOptions};
use colobus_model::{Step, Target, Viewport};
use colobus_race::explore::{Explored, Next, Search, Settings, Status, Tally};
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, FinalState};
use colobus_race::recorded::{RecordedPage, UserStep};
use colobus_race::verdict::{Differences, Harm, Judge, Judgement, Outcome, group};
use colobus_world::RacePage;
use server::Site;

fn click(selector: &str, at: u64) -> UserStep {
    UserStep::new(Step::Click(Target::Selector(selector.into())), at)
}

fn types(text: &str, at: u64) -> UserStep {
    UserStep::new(Step::Type(text.into()), at)
}

fn options(url: String, steps: Option<Vec<UserStep>>) -> RaceOptions {
    RaceOptions { url, viewport: Viewport { width: 800, height: 600 }, seed: 1, steps, browser: None, headed: false }
}

/// The one browser, turned to this page.
fn browser(options: RaceOptions) -> MutexGuard<'static, RaceBrowser> {
    static BROWSER: OnceLock<Mutex<RaceBrowser>> = OnceLock::new();
    let shared = BROWSER.get_or_init(|| Mutex::new(RaceBrowser::open(options.clone()).unwrap()));
    let mut browser = shared.lock().unwrap_or_else(PoisonError::into_inner);
    browser.turn_to(options);
    browser
}

fn names(order: &[EventName]) -> Vec<&str> {
    order.iter().map(EventName::as_str).collect()
}

/// What a user or a server sees.
fn visible(state: &FinalState) -> FinalState {
    FinalState { values: Default::default(), ..state.clone() }
}

struct Searched {
    recorded: RecordedPage,
    judged: Vec<(Explored, Judgement)>,
    tally: Tally,
}

impl Searched {
    /// Records a page and executes all orders within a bound.
    fn new(page: &mut dyn RacePage, bound: usize) -> Searched {
        let recorded = page.record().unwrap();
        let recording = page.run(&recorded, &recorded.execution.order()).unwrap();
        assert_eq!(names(&recording.order()), names(&recorded.execution.order()), "the rewritten page does the same");
        assert_eq!(visible(&recording.outcome), visible(&recorded.execution.outcome));
        let mut search = Search::new(recording, Settings::within(bound));
        let (mut judged, judge) = (Vec::new(), Judge::default());
        while let Next::Run(plan) = search.next_plan() {
            let result = page.run(&recorded, &plan.order).map_err(|error| error.to_string());
            for explored in search.tell(plan.key, result) {
                if let Status::Failed { reason } = &explored.status {
                    panic!("{:?} could not be executed: {reason}", names(&explored.plan.order));
                }
                judged.extend(judge.judge_explored(&explored).map(|judgement| (explored, judgement)));
            }
        }
        Searched { recorded, judged, tally: search.tally() }
    }

    /// `first / second: harms`, one line for each pair of source positions. Divergence counts: it hides what comes after.
    fn findings(&self) -> Vec<String> {
        let bad = |(explored, judgement): &&(Explored, Judgement)| match &judgement.outcome {
            Outcome::Harmful(_) => true,
            Outcome::Diverged(event) => panic!("{event} diverged in {:?}", names(&explored.plan.order)),
            _ => false,
        };
        let bad: Vec<&(Explored, Judgement)> = self.judged.iter().filter(bad).collect();
        let groups = group(bad.iter().filter_map(|(explored, _)| explored.plan.reversals.last()));
        let line = |(_, members): &(_, Vec<usize>)| {
            let (explored, judgement) = bad[members[0]];
            let reversal = explored.plan.reversals.last().unwrap();
            let Outcome::Harmful(harms) = &judgement.outcome else { unreachable!() };
            format!("{} / {}: {harms:?}", reversal.first, reversal.second)
        };
        groups.iter().map(line).collect()
    }
}

fn search(site: Site, steps: Vec<UserStep>, bound: usize) -> Searched {
    let server = site.serve();
    Searched::new(&mut *browser(options(server.url(), Some(steps))), bound)
}

fn slide_show(html: &str) -> Site {
    Site::page(html).image("/image1.png", 0).image("/image2.png", 50).image("/image3.png", 1000)
}

const SLIDE_SHOW: &str = include_str!("pages/slide-show.html");

fn two_clicks() -> Vec<UserStep> {
    vec![click("button", 700), click("button", 800)]
}

/// The thesis's own example: the recorded order, its three conflicts, and 7 orders within two reversals. Waiting is
/// harmless.
#[test]
fn the_slide_show_has_the_orders_of_the_thesis() {
    let searched = search(slide_show(SLIDE_SHOW), two_clicks(), 2);
    assert_eq!(
        names(&searched.recorded.execution.order())[2..],
        ["A:load", "A<img:image2.png", "A:click 1", "A:click 2", "A<img:image3.png", "A:timer of click 2 @page:15"]
    );
    assert_eq!((searched.tally.conflicts, searched.tally.orders), (3, 7));
    assert_eq!(searched.findings(), Vec::<String>::new());
    assert!(
        searched
            .judged
            .iter()
            .any(|(_, judgement)| { judgement.labels.iter().any(|label| label.filter == "ad-hoc synchronisation") })
    );
}

/// Twenty executions: part of `make test-long`.
#[test]
#[ignore = "takes half a minute; make test-long"]
fn images_that_overtake_each_other_are_shown_in_the_wrong_order() {
    let searched = search(slide_show(SLIDE_SHOW), two_clicks(), 3);
    let findings = searched.findings();
    assert!(findings.iter().any(|line| line == "A<img:image2.png / A<img:image3.png: [Page]"), "{findings:?}");
    let repaired = search(slide_show(include_str!("pages/slide-show-repaired.html")), two_clicks(), 3);
    assert_eq!(repaired.findings(), Vec::<String>::new());
}

fn form(script: &str) -> Searched {
    let site = Site::page(include_str!("pages/form.html")).script("/form.js", script, 50);
    search(site, vec![click("#name", 2000), types("Ada", 2100)], 1)
}

#[test]
fn what_is_typed_before_a_late_script_is_lost() {
    let searched = form("document.getElementById('name').value = '';");
    assert_eq!(searched.findings(), ["A<script:form.js / A:type 2: [Page]"]);
    let repaired = form("if (document.getElementById('name').value === '') document.title = 'empty';");
    assert_eq!(repaired.findings(), Vec::<String>::new());
}

#[test]
fn a_function_is_called_before_its_script_has_come() {
    let page = |html: &str, end: &str| {
        let source = format!("function start() {{ document.getElementById('status').textContent = 'started'; }}{end}");
        search(Site::page(html).script("/lib.js", &source, 50), vec![click("#start", 2000)], 1)
    };
    let searched = page(include_str!("pages/undefined-function.html"), "");
    assert_eq!(searched.findings(), ["A<script:lib.js / A:click 1: [Page, Exceptions]"]);
    assert_eq!(
        page(include_str!("pages/undefined-function-repaired.html"), "\nbegin();").findings(),
        Vec::<String>::new()
    );
}

fn searches(is_current: &str) -> Searched {
    let site = Site::page(&include_str!("pages/searches.html").replace("IS_CURRENT", is_current));
    let site = site.data("/search?q=a", "results of a", 50).data("/search?q=ab", "results of ab", 50);
    search(site, vec![click("#query", 2000), types("a", 2100), types("b", 5000)], 2)
}

#[test]
fn old_results_overtake_new_ones() {
    let searched = searches("true");
    let pair = "A<fetch:/search?q=a of type 2 / A<fetch:/search?q=ab of type 3: [Page]";
    assert_eq!(searched.findings(), [pair]);
    assert_eq!(searches("asked === query.value").findings(), Vec::<String>::new());
}

#[test]
fn an_object_that_is_created_on_demand_is_harmless() {
    let site = Site::page(include_str!("pages/lazy.html")).data("/one", "1", 50).data("/two", "2", 150);
    let searched = search(site, Vec::new(), 2);
    assert_eq!(searched.findings(), Vec::<String>::new());
    assert_eq!(searched.tally.conflicts, 0, "creating it commutes");
}

fn shop(before: &str) -> Searched {
    let site = Site::page(&include_str!("pages/order.html").replace("BEFORE", before)).data("/order", "", 50);
    search(site, vec![click("#buy", 1000), click("#buy", 4000)], 1)
}

#[test]
fn a_second_click_before_the_answer_orders_twice() {
    let searched = shop("");
    assert_eq!(searched.findings(), ["A<fetch:POST /order of click 1 / A:click 2: [Requests]"]);
    assert_eq!(shop("buy.disabled = true;").findings(), Vec::<String>::new());
}

#[test]
fn the_recorded_order_ends_the_same_way_every_time() {
    let server = slide_show(SLIDE_SHOW).serve();
    let mut page = browser(options(server.url(), Some(two_clicks())));
    let recorded = page.record().unwrap();
    let asked = server.asked.lock().unwrap().len();
    let order = recorded.execution.order();
    let first = page.run(&recorded, &order).unwrap();
    for _ in 0..4 {
        let again = page.run(&recorded, &order).unwrap();
        assert_eq!(names(&again.order()), names(&order));
        assert_eq!(again.outcome, first.outcome);
        for (one, other) in first.ran.iter().zip(&again.ran) {
            assert_eq!(one.accesses, other.accesses, "{}", one.event.name);
        }
    }
    assert_eq!(server.asked.lock().unwrap().len(), asked, "answers come from the recording");
}

/// Browsers open six connections to a host: a held answer must not keep the seventh request from leaving.
#[test]
fn twelve_images_are_answered_last_first() {
    let images: String = (1..=12).map(|n| format!("<img src='{n}.gif' onload='order.push({n})'>")).collect();
    let html = format!(
        "<body>{images}<p id=order></p><script>var order = []; onload = () => document.getElementById('order').textContent = order</script>"
    );
    let site = (1..=12).fold(Site::page(&html), |site, n| site.image(&format!("/{n}.gif"), 0));
    let server = site.serve();
    let mut page = browser(options(server.url(), Some(Vec::new())));
    let recorded = page.record().unwrap();
    let mut order = recorded.execution.order();
    let images: Vec<EventName> = (1..=12).rev().map(|n| format!("A<img:{n}.gif").into()).collect();
    order.retain(|name| !images.contains(name));
    order.splice(1..1, images);
    let reversed = page.run(&recorded, &order).unwrap();
    assert_eq!(names(&reversed.order()), names(&order));
    let expected: Vec<String> = (1..=12).rev().map(|n: u32| n.to_string()).collect();
    assert!(reversed.outcome.dom.contains(&expected.join(",")), "{}", reversed.outcome.dom);
}

/// Delays alone, on the page as it is, lead to the same.
#[test]
fn a_finding_is_confirmed_on_the_plain_page() {
    let site = Site::page(&include_str!("pages/searches.html").replace("IS_CURRENT", "true"));
    let server = site.data("/search?q=a", "results of a", 50).data("/search?q=ab", "results of ab", 50).serve();
    let steps = vec![click("#query", 1000), types("a", 1100), types("b", 2000)];
    let mut page = browser(options(server.url(), Some(steps)));
    let searched = Searched::new(&mut *page, 1);
    let (explored, _) = searched.judged.iter().find(|(_, it)| matches!(it.outcome, Outcome::Harmful(_))).unwrap();
    let Status::New { execution, depend, .. } = &explored.status else { panic!("it was executed") };
    let delays = Delays::towards(execution, depend, &searched.recorded.execution, 400).unwrap();
    let usual = page.run_delayed(&searched.recorded, &Delays::default(), &[]).unwrap();
    let delayed = page.run_delayed(&searched.recorded, &delays, &[]).unwrap();
    assert_eq!(Differences::between(&usual, &delayed).harms(), [Harm::Page], "{delays}");
    assert_eq!(usual.dom, searched.recorded.execution.outcome.dom);
}
