//! Frames of the same origin, two deep: what can be done in a page can be done in them.

use std::sync::Arc;

use colobus_browser::scripts::{self, ClientSlot, PageLimits};
use std::time::Duration;

use colobus_browser::{Browser, Evaluated, FramePath, LaunchOptions, Lookup, Page, Policy, find_browser};
use colobus_model::{Application, CaretAccess, Deterministic, Reset, Settle, Tls, Viewport};
use serde_json::json;

use crate::quiet_listener::Quiet;
use crate::server::serve;

const VIEWPORT: Viewport = Viewport { width: 640, height: 480 };
const LIMITS: PageLimits = PageLimits { request_ms: 150, chain: 10, frame_ms: 200, hidden_ms: 150 };

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<!doctype html><title>outer</title><body style='margin: 0'>outer
        <iframe id=middle src=/middle style='position: absolute; left: 40px; top: 30px; width: 400px; height: 300px;
        border: 5px solid; padding: 7px'></iframe>",
    ),
    (
        "/middle",
        "<!doctype html><title>middle</title><body style='margin: 0'>middle
        <iframe class=inner src=/inner style='position: absolute; left: 20px; top: 10px; width: 300px; height: 200px;
        border: 0'></iframe>",
    ),
    (
        "/inner",
        "<!doctype html><title>inner</title><body style='margin: 0'>
        <input style='position: absolute; left: 10px; top: 10px; width: 100px; height: 20px; border: 0; padding: 0'>
        <button style='position: absolute; left: 10px; top: 50px' onclick='this.textContent = \"clicked\"'>click me
        </button>",
    ),
];

const AT_REST: Lookup = Lookup::AtRest { wait: Duration::ZERO };

fn inner() -> FramePath {
    FramePath(vec!["#middle".to_string(), "iframe.inner".to_string()])
}

async fn page(browser: &Browser, url: &str) -> Page {
    let context = browser.new_context(None).await.unwrap();
    let policy = Policy::Held { viewport: VIEWPORT };
    let page = context.open_page(policy, Arc::new(Quiet), None).await.unwrap();
    let application = Application {
        url: url.to_string(),
        launch: None,
        reset: Reset::FreshDocument,
        hosts: Vec::new(),
        ready: None,
        focus: None,
        caret: CaretAccess::Untouched,
        ignore: Vec::new(),
        css: String::new(),
        freeze_animations: true,
        state: None,
        invariants: Vec::new(),
        sometimes: Vec::new(),
        remote_carets: None,
        whole_words: false,
        viewport: VIEWPORT,
        settle: Settle { quiet_ms: Some(0), ..Settle::within(10_000) },
        tls: Tls::default(),
        deterministic: Deterministic::default(),
        checks_off: Vec::new(),
        after_load: Vec::new(),
        logins: Vec::new(),
        server: None,
    };
    let script = scripts::in_held_page(&application, ClientSlot::default(), LIMITS, (None, None));
    page.replace_script(None, &script).await.unwrap();
    page.navigate(url).await.unwrap();
    page
}

async fn launch() -> Browser {
    let path = find_browser(None, false).unwrap();
    let options = LaunchOptions { headed: false, trusted: Vec::new(), whole_network: false, proxies: None };
    Browser::launch(&path, &options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_path_reaches_what_is_inside() {
    let browser = launch().await;
    let page = page(&browser, &serve(PAGES)).await;
    let frame = page.frame(&inner()).await.unwrap();

    let title = frame.evaluate("document.title").await.unwrap();
    assert_eq!(title, Evaluated::Value(json!("inner")));

    // Element, border and padding of both frames around it count.
    let place = frame.find("input", None, AT_REST).await.unwrap().unwrap();
    assert_eq!((place.x, place.y), (40.0 + 5.0 + 7.0 + 20.0 + 10.0 + 50.0, 30.0 + 5.0 + 7.0 + 10.0 + 10.0 + 10.0));

    frame.type_into("input", "Grüße").await.unwrap().unwrap();
    let typed = frame.evaluate("document.querySelector('input').value").await.unwrap();
    assert_eq!(typed, Evaluated::Value(json!("Grüße")));

    let button = frame.find("button", None, AT_REST).await.unwrap().unwrap();
    page.click(button, 1).await.unwrap();
    assert_eq!(frame.text(&[]).await.unwrap().iter().filter(|text| *text == "clicked").count(), 1);
    assert!(frame.dom(&[]).await.unwrap().contains("clicked"));
    assert!(page.main_frame().text(&[]).await.unwrap().iter().any(|text| text.trim() == "outer"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_leads_nowhere_says_where_it_ends() {
    let browser = launch().await;
    let page = page(&browser, &serve(PAGES)).await;
    for (path, problem) in [
        (vec!["#missing"], "frame `#missing`: no element matches"),
        (vec!["#middle", "body"], "frame `body`: the element is not a frame"),
        (vec!["#middle", "[["], "frame `[[`: "),
    ] {
        let path = FramePath(path.into_iter().map(str::to_string).collect());
        let error = page.frame(&path).await.err().unwrap().to_string();
        assert!(error.starts_with(problem), "{error}");
    }
    let nowhere = page.frame(&inner()).await.unwrap().find("textarea", None, AT_REST).await.unwrap();
    assert_eq!(nowhere.unwrap_err(), "no element matches `textarea`");
}
