//! Races of small pages in a real browser: every fixture has a truth and a repaired twin. All share one browser.

mod agreement;
mod brute_force;
mod choices;
mod faults;
mod fixtures;
// The bench and the tests of the command line use the rest.
#[allow(dead_code)]
mod searched;
#[allow(dead_code)]
mod server;
mod socket;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use colobus_driver::{BrowserChoice, Interrupt, RaceBrowser, RaceOptions};
use colobus_model::{Step, Target, Viewport};
use colobus_race::explore::Status;
use colobus_race::happens_before::Delays;
use colobus_race::model::EventName;
use colobus_race::recorded::UserStep;
use colobus_race::verdict::{Differences, Harm, Outcome};
use colobus_world::RacePage;
use fixtures::fixture;
use searched::{Searched, names};
use server::{Answer, Site};

fn options(url: String, steps: Option<Vec<UserStep>>) -> RaceOptions {
    RaceOptions {
        url,
        viewport: Viewport { width: 800, height: 600 },
        seed: 1,
        steps,
        live: false,
        invariants: Vec::new(),
        libraries: Vec::new(),
        browsers: BrowserChoice::default(),
    }
}

/// The one browser, turned to this page.
fn browser(options: RaceOptions) -> MutexGuard<'static, RaceBrowser> {
    static BROWSER: OnceLock<Mutex<RaceBrowser>> = OnceLock::new();
    let shared = BROWSER.get_or_init(|| Mutex::new(RaceBrowser::open(options.clone(), &Interrupt::default()).unwrap()));
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

#[test]
fn a_worker_answers_before_the_rate_has_come() {
    holds("worker-total");
}

#[test]
fn one_part_of_a_page_tells_another_too_early() {
    holds("port-filter");
}

/// Messages to windows and channels are events of their own; a listener that is added too late does not hear them.
#[test]
fn messages_to_windows_and_channels_are_events() {
    let html = "<p id=heard></p><script>
const heard = [];
const hear = ({ data }) => (document.getElementById('heard').textContent = heard.push(data) && heard.join());
addEventListener('message', hear);
new BroadcastChannel('news').onmessage = hear;
new BroadcastChannel('news').postMessage('news');
postMessage('note', '*');
</script>";
    let searched = search(Site::page(html), Vec::new(), 1);
    let order = searched.recorded.execution.order();
    let mut messages: Vec<&str> = names(&order).into_iter().filter(|name| name.contains("A<")).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["A<broadcast:news 1", "A<html:1", "A<window:page 1"]);
    assert_eq!(searched.findings().len(), 1, "which comes first decides what is shown: {:?}", searched.findings());
}

/// What scripts of a frame touch is logged with what the page around it touches.
#[test]
fn a_frame_races_with_the_page_around_it() {
    let page = |frame: &str| {
        let html = "<p id=who></p><p id=other></p><iframe src=frame.html></iframe><script>
fetch('/name').then((answer) => answer.text()).then((text) => (document.getElementById('who').textContent = text));
</script>";
        let frame = Answer::new("text/html; charset=utf-8", frame.as_bytes(), 200);
        let site = Site::page(html).answering("/frame.html", frame);
        search(site.answering("/name", Answer::new("text/plain", b"page", 20)), Vec::new(), 1)
    };
    let writes =
        |element: &str| format!("<script>parent.document.getElementById('{element}').textContent = 'frame';</script>");
    let together = page(&writes("who"));
    assert_eq!(together.findings(), ["A<fetch:/name of html:1 / A<frame:frame.html: [Page]"]);
    let apart = page(&writes("other"));
    assert_eq!((apart.tally.conflicts, apart.findings().len()), (0, 0));
}

/// The browser makes up another boundary between the parts of a form each time.
#[test]
fn a_form_that_is_sent_again_is_the_same_request() {
    let html = "<script>const form = new FormData();
form.append('file', new File(['text'], 'notes.txt'));
fetch('/upload', { method: 'POST', body: form });</script>";
    let server = Site::page(html).answering("/upload", Answer::new("text/plain", b"thanks", 0)).serve();
    let mut browser = browser(options(server.url(), Some(Vec::new())));
    let recorded = browser.record().unwrap();
    let again = browser.run(&recorded, &recorded.execution.order()).unwrap();
    assert_eq!(again.notes, [""; 0], "its answer is the recorded one");
    let differences = Differences::between(&recorded.execution.outcome, &again.outcome);
    assert_eq!(differences.harms().len(), 0, "{differences:?}");
}

/// Code that comes as text is rewritten too: it conflicts with what touches the same, and with nothing else.
#[test]
fn code_from_text_touches_what_it_touches() {
    let page = |evaluate: &str, second: &str| {
        let html = "<p id=a></p><p id=b></p><div id=c></div><script>
const text = (address) => fetch(address).then((answer) => answer.text());
text('/one').then((code) => new Function(code)());
text('/two').then((code) => EVALUATE(code));
text('/three').then((handler) => (document.getElementById('c').innerHTML = `<b onclick=\"${handler}\">three</b>`));
</script>";
        let code = |element: &str, text: &str| format!("document.getElementById('{element}').textContent = '{text}';");
        let plain = |text: &str, after| Answer::new("text/plain", text.as_bytes(), after);
        let html = html.replace("EVALUATE", evaluate);
        let site = Site::page(&html).answering("/one", plain(&code("a", "one"), 20));
        let site = site.answering("/two", plain(&code(second, "two"), 200));
        search(site.answering("/three", plain("go()", 400)), Vec::new(), 1)
    };
    for evaluate in ["(0, eval)", "eval"] {
        let apart = page(evaluate, "b");
        assert_eq!((apart.tally.conflicts, apart.findings().len()), (0, 0), "{evaluate}");
        assert!(apart.recorded.execution.outcome.dom.contains(r#"onclick="go()""#));
        let together = page(evaluate, "a");
        assert_eq!(together.findings(), ["A<fetch:/one of html:1 / A<fetch:/two of html:1: [Page]"], "{evaluate}");
    }
}

/// Positions in a bundle are those of the source that its map names, in code as it is and rewritten.
#[test]
fn events_of_a_bundle_are_named_by_its_source() {
    let bundle =
        "const a=1;setTimeout(()=>{document.getElementById('a').textContent=a},50);\n//# sourceMappingURL=app.js.map";
    let map = r#"{"version": 3, "sources": ["webpack://app/src/list.ts"], "mappings": "AAAA,UAEI"}"#;
    let site = Site::page("<p id=a></p><script src=app.js async></script>").script("/app.js", bundle, 20);
    let site = site.answering("/app.js.map", Answer::new("application/json", map.as_bytes(), 0));
    let searched = search(site, Vec::new(), 1);
    let order = searched.recorded.execution.order();
    assert_eq!(names(&order).last(), Some(&"A:timer of script:app.js @list.ts:3"), "{order:?}");
    assert!(searched.recorded.execution.outcome.requests.is_empty(), "the page did not ask for the map");
}

/// A page that waits for a synchronous request does nothing else meanwhile: its answer comes at once.
#[test]
fn a_script_may_ask_synchronously() {
    let script = "const asked = new XMLHttpRequest(); asked.open('GET', '/now', false); asked.send();
document.getElementById('now').textContent = asked.responseText;";
    let site = Site::page("<p id=now></p><script src=now.js async></script>").script("/now.js", script, 20);
    let searched = search(site.answering("/now", Answer::new("text/plain", b"noon", 0)), Vec::new(), 1);
    assert!(searched.recorded.execution.outcome.dom.contains("noon"));
    assert_eq!(searched.findings(), Vec::<String>::new());
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
            .any(|(_, judgement)| { judgement.labels.iter().any(|label| label.filter == "ad-hoc-synchronisation") })
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

/// A step that waits comes after the event that it waits for, whichever order is asked for.
#[test]
fn a_step_waits_for_its_element_and_finds_it_by_what_users_see() {
    let html = "<body><p id=log></p><script>setTimeout(() => {
        const button = document.createElement('button');
        button.textContent = 'Go';
        button.onclick = () => document.getElementById('log').textContent = 'gone';
        document.body.append(button);
    }, 300)</script>";
    let go = "role=button[name=\"Go\"]".to_string();
    let steps = vec![
        UserStep::new(Step::WaitFor(go.clone()), 0),
        UserStep::new(Step::Click(Target::Selector(go)), 0),
        UserStep::new(Step::Evaluate("throw new Error('late')".to_string()), 0),
    ];
    let server = Site::page(html).serve();
    let mut page = browser(options(server.url(), Some(steps)));
    let recorded = page.record().unwrap();
    let order = recorded.execution.order();
    let names = names(&order);
    let place = |part: &str| names.iter().position(|name| name.contains(part)).unwrap_or_else(|| panic!("{names:?}"));
    assert!(place("timer") < place("wait") && place("wait") < place("click"), "{names:?}");
    assert!(recorded.execution.outcome.dom.contains("gone"), "{}", recorded.execution.outcome.dom);
    assert_eq!(recorded.execution.outcome.exceptions.len(), 1, "{:?}", recorded.execution.outcome.exceptions);

    let (waits, rest): (Vec<EventName>, Vec<EventName>) =
        order.iter().cloned().partition(|name| name.as_str().contains("wait"));
    let too_early = page.run(&recorded, &[waits, rest].concat()).unwrap();
    assert_eq!(too_early.skipped.len(), 1, "{:?}", too_early.skipped);

    let plain = page.run_delayed(&recorded, &Delays::default(), &[]).unwrap();
    assert_eq!((plain.dom, plain.exceptions.len()), (recorded.execution.outcome.dom.clone(), 1));
}
