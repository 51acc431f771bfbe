//! Pages that are hard to rewrite, to hold or to observe: each is searched to its end, does what it does without Colobus, and gives no
//! finding; where something is not controlled, a note says so.

use colobus_model::{Step, Target};
use colobus_race::recorded::UserStep;

use crate::search;
use crate::searched::Searched;
use crate::server::{Answer, STREAM, Site};

/// A page without users that shows `kept` in the end, in every order.
fn keeps(site: Site) -> Searched {
    let searched = search(site, Vec::new(), 1);
    let dom = &searched.recorded.execution.outcome.dom;
    assert!(dom.contains("kept"), "{dom}");
    assert_eq!(searched.recorded.execution.outcome.exceptions.len(), 0, "{:?}", searched.recorded.execution.outcome);
    assert_eq!(searched.findings(), Vec::<String>::new());
    searched
}

/// The notes of the executions with rewritten code.
fn notes(site: &Site) -> Vec<String> {
    let server = site.clone().serve();
    let mut page = crate::browser(crate::options(server.url(), Some(Vec::new())));
    let recorded = colobus_world::RacePage::record(&mut *page).unwrap();
    colobus_world::RacePage::run(&mut *page, &recorded, &recorded.execution.order()).unwrap().notes
}

const SHOW: &str = "document.getElementById('shown').textContent = 'kept';";

/// What cannot be read runs as it is: text that is not UTF-8 here, syntax newer than the parser in the same way.
#[test]
fn a_script_that_cannot_be_read_runs_as_it_is() {
    let latin = [b"/* caf\xe9 */ ", SHOW.as_bytes()].concat();
    let script = Answer::new("text/javascript; charset=iso-8859-1", &latin, 20);
    let site = Site::page("<p id=shown></p><script src=old.js async></script>").answering("/old.js", script);
    let said = notes(&site);
    assert!(said.iter().any(|note| note.contains("old.js is not UTF-8")), "{said:?}");
    keeps(site);
}

/// Positions that a map makes up name events, and do not stop anything; one that is no map is said.
#[test]
fn source_maps_that_lie_are_no_harm() {
    let code = format!("setTimeout(() => {{ {SHOW} }}, 20);\n//# sourceMappingURL=app.js.map");
    let page = |map: &str| {
        let site = Site::page("<p id=shown></p><script src=app.js async></script>").script("/app.js", &code, 20);
        site.answering("/app.js.map", Answer::new("application/json", map.as_bytes(), 0))
    };
    let far_away = r#"{"version": 3, "sources": ["never.ts"], "mappings": "AAAA,UAEgggggB,UAEgggggB"}"#;
    keeps(page(far_away));
    keeps(page(r#"{"version": 3, "sources": [], "mappings": "AACA"}"#));
    keeps(page("<html>not found</html>"));
}

#[test]
fn a_page_that_reads_its_own_functions_sees_what_it_wrote() {
    let html = format!(
        "<p id=shown></p><script>
function go(a) {{ return a.b; }}
if (String(go) === 'function go(a) {{ return a.b; }}' && !/__c/.test(Function.prototype.toString.call(go))) {{ {SHOW} }}
</script>"
    );
    keeps(Site::page(&html));
}

#[test]
fn a_page_that_freezes_globals_goes_on() {
    let html = format!(
        "<p id=shown></p><script>
for (const name of ['Object', 'Array', 'Function', 'Promise', 'Map']) Object.freeze(globalThis[name].prototype);
for (const name of ['fetch', 'setTimeout', 'WebSocket']) Object.defineProperty(globalThis, name, {{ writable: false, configurable: false }});
Object.freeze(EventTarget.prototype);
setTimeout(() => {{ {SHOW} }}, 10);
fetch('/data').then((answer) => answer.text());
</script>"
    );
    keeps(Site::page(&html).answering("/data", Answer::new("text/plain", b"data", 20)));
}

/// A policy and a digest would keep the browser from running what is rewritten.
#[test]
fn policies_and_digests_do_not_keep_code_from_running() {
    let code = "document.getElementById(\"shown\").textContent = \"kept\";";
    let html = "<meta http-equiv=content-security-policy content=\"script-src 'self'; connect-src 'none'\">
<p id=shown></p><script src=app.js async integrity='sha256-i/KwQ9eEFi0gMbFKfDS0EjK9+pLRR1OCdp/P2k3Jlp8='></script>";
    keeps(Site::page(html).script("/app.js", code, 20));
}

#[test]
fn a_service_worker_is_passed_by() {
    let html = "<p id=shown></p><script>
navigator.serviceWorker?.register('/worker.js').catch(() => {});
fetch('/data').then((answer) => answer.text()).then((text) => (document.getElementById('shown').textContent = text));
</script>";
    let worker = "self.addEventListener('fetch', (event) => event.respondWith(new Response('by the worker')));";
    let site = Site::page(html).script("/worker.js", worker, 0);
    keeps(site.answering("/data", Answer::new("text/plain", b"kept", 20)));
}

/// A body that is read part by part belongs to the event that brings it.
#[test]
fn an_answer_may_be_read_as_a_stream() {
    let html = "<p id=shown></p><script>
const read = async () => {
  const answer = await fetch('/data');
  const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read()) document.getElementById('shown').textContent += part.value;
};
read();
</script>";
    let body = "kept ".repeat(20_000);
    keeps(Site::page(html).answering("/data", Answer::new("text/plain", body.as_bytes(), 20)));
}

/// Observers of places and sizes tell what they saw when the page is drawn, after everything else has come to rest.
#[test]
fn what_observers_set_off_is_recorded() {
    let html = "<p id=shown>not yet</p><script>
const shown = document.getElementById('shown');
const show = (text) => (shown.textContent = text);
const observer = new IntersectionObserver(() => {
  observer.disconnect();
  fetch('/data').then((answer) => answer.text()).then(show);
});
observer.observe(shown);
</script>";
    let searched = keeps(Site::page(html).answering("/data", Answer::new("text/plain", b"kept", 20)));
    let order = searched.recorded.execution.order();
    assert!(order.iter().any(|name| name.as_str().contains("fetch:/data")), "{order:?}");
}

#[test]
fn frames_of_other_origins_are_left_to_themselves() {
    let other = Site::page("<script>setTimeout(() => (document.title = 'late'), 10);</script>").serve();
    let html = format!("<p id=shown></p><iframe src='{}'></iframe><script>{SHOW}</script>", other.url());
    keeps(Site::page(&html));
    let elsewhere = other.url().replace("127.0.0.1", "localhost");
    keeps(Site::page(&format!("<p id=shown></p><iframe src='{elsewhere}'></iframe><script>{SHOW}</script>")));
}

/// Timers, frames and streams without an end: the recording ends by itself, and so does the search.
#[test]
fn what_never_ends_is_ended() {
    let html = format!(
        "<button id=go>go</button><p id=shown></p><script>
let turns = 0;
const again = () => {{ turns++; setTimeout(again, 500); }};
again();
setInterval(() => turns++, 700);
new EventSource('/never');
document.getElementById('go').onclick = () => {{ {SHOW} }};
</script>"
    );
    let site = Site::page(&html).answering("/never", Answer::new(STREAM, b"", 0));
    let click = UserStep::new(Step::Click(Target::Selector("#go".into())), 300);
    let searched = search(site, vec![click], 1);
    assert!(!searched.recorded.is_settled, "something was left to come");
    assert!(searched.recorded.execution.outcome.dom.contains("kept"));
    assert_eq!(searched.findings(), Vec::<String>::new());
}

#[test]
#[ignore = "takes a minute; make test-long"]
fn a_script_of_ten_megabytes_is_rewritten() {
    let line =
        "function unused() { const list = []; for (let n = 0; n < 9; n++) list.push(n * 2); return list.length; }\n";
    let code = format!("{}{SHOW}", line.repeat((10 << 20) / line.len() + 1));
    assert!(code.len() > 10 << 20);
    keeps(Site::page("<p id=shown></p><script src=app.js async></script>").script("/app.js", &code, 20));
}
