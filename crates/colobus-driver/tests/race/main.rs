//! Races of small pages in a real browser: every fixture has a truth and a repaired twin. All share one browser.

mod fixtures;
// The bench and the tests of the command line use the rest.
#[allow(dead_code)]
mod searched;
#[allow(dead_code)]
mod server;
mod socket;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use colobus_driver::{RaceBrowser, RaceOptions};
use colobus_model::{Step, Target, Viewport};
use colobus_race::explore::Status;
use colobus_race::happens_before::Delays;
use colobus_race::model::EventName;
use colobus_race::recorded::UserStep;
use colobus_race::verdict::{Differences, Harm, Outcome};
use colobus_world::RacePage;
use fixtures::fixture;
use searched::{Searched, names};
use server::Site;

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

fn search(site: Site, steps: Vec<UserStep>, bound: usize) -> Searched {
    let server = site.serve();
    Searched::new(&mut *browser(options(server.url(), Some(steps))), bound)
}

/// Searches a fixture and its twin. What is found and does not agree with the truth.
fn wrong_with(name: &str) -> Option<String> {
    let fixture = fixture(name);
    let found = |site: Site| {
        let searched = search(site, fixture.steps(), fixture.truth.bound);
        (searched.findings(), searched.apart())
    };
    let (of_page, of_twin) = (found(fixture.page()), found(fixture.repaired()));
    let is_right =
        of_page == (fixture.truth.finds.clone(), fixture.truth.apart.clone()) && of_twin == Default::default();
    (!is_right).then(|| format!("{name} ({}): {of_page:?}, repaired {of_twin:?}", fixture.truth.what))
}

fn holds(name: &str) {
    assert_eq!(wrong_with(name), None);
}

#[test]
fn what_is_typed_before_a_late_script_is_lost() {
    holds("late-form");
}

#[test]
fn a_function_is_called_before_its_script_has_come() {
    holds("undefined-function");
}

#[test]
fn old_results_overtake_new_ones() {
    holds("searches");
}

#[test]
fn a_second_click_before_the_answer_orders_twice() {
    holds("double-submit");
}

#[test]
fn a_click_before_hydration_is_lost() {
    holds("hydration");
}

#[test]
fn an_object_that_is_created_on_demand_is_harmless() {
    holds("lazy-object");
    let fixture = fixture("lazy-object");
    let searched = search(fixture.page(), fixture.steps(), fixture.truth.bound);
    assert_eq!(searched.tally.conflicts, 0, "creating it commutes");
}

#[test]
fn a_stream_overtakes_the_first_answer() {
    holds("price-stream");
}

/// A click before the socket is open cannot send, and answers of the server come one by one.
#[test]
fn messages_of_sockets_are_events() {
    let address = socket::serve();
    let page = |sends: &str| {
        let html = format!(
            "<button id=send>Send</button><p id=status>offline</p><p id=sent></p><script>
const socket = new WebSocket('ws://{address}/chat');
const waiting = [];
socket.onopen = () => waiting.splice(0).forEach((text) => socket.send(text));
socket.onmessage = ({{ data }}) => (document.getElementById('status').textContent = data);
document.getElementById('send').onclick = () => {{ {sends} }};
</script>"
        );
        search(Site::page(&html), vec![UserStep::new(Step::Click(Target::Selector("#send".into())), 1000)], 1)
    };
    let broken = page("socket.send('hello');");
    let (open, answer) = (format!("A<socket:{address}/chat 1"), format!("A<socket:{address}/chat 2"));
    let order = broken.recorded.execution.order();
    let came = &broken.recorded.messages;
    assert_eq!(names(&order)[2..], [open.as_str(), "A:click 1", answer.as_str()], "{came:?}");
    assert_eq!(broken.findings(), [format!("{open} / A:click 1: [Page, Exceptions, Requests]")]);
    assert!(broken.recorded.execution.outcome.dom.contains("answer to hello"));
    let repaired = page("if (socket.readyState === 1) socket.send('hello'); else waiting.push('hello');");
    assert_eq!(repaired.findings(), Vec::<String>::new());
    assert!(repaired.tally.orders > 1, "the click was tried before the opening");
}

#[test]
#[ignore = "takes two minutes; make test-long"]
fn every_truth_holds() {
    let wrong: Vec<String> = fixtures::names().iter().filter_map(|name| wrong_with(name)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The thesis's own example: the recorded order, its three conflicts, and 7 orders within two reversals. Waiting is
/// harmless.
#[test]
fn the_slide_show_has_the_orders_of_the_thesis() {
    let fixture = fixture("slide-show");
    let searched = search(fixture.page(), fixture.steps(), 2);
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

#[test]
fn the_recorded_order_ends_the_same_way_every_time() {
    let slide_show = fixture("slide-show");
    let server = slide_show.page().serve();
    let mut page = browser(options(server.url(), Some(slide_show.steps())));
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
    let searches = fixture("searches");
    let server = searches.page().serve();
    let mut page = browser(options(server.url(), Some(searches.steps())));
    let searched = Searched::new(&mut *page, 1);
    let (explored, _) = searched.judged.iter().find(|(_, it)| matches!(it.outcome, Outcome::Harmful(_))).unwrap();
    let Status::New { execution, depend, .. } = &explored.status else { panic!("it was executed") };
    let delays = Delays::towards(execution, depend, &searched.recorded.execution, 400).unwrap();
    let usual = page.run_delayed(&searched.recorded, &Delays::default(), &[]).unwrap();
    let delayed = page.run_delayed(&searched.recorded, &delays, &[]).unwrap();
    assert_eq!(Differences::between(&usual, &delayed).harms(), [Harm::Page], "{delays}");
    assert_eq!(usual.dom, searched.recorded.execution.outcome.dom);
}
