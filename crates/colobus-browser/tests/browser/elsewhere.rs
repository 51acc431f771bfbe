//! A browser that somebody else started, driven through its WebSocket.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use colobus_browser::scripts::{self, FreePageOptions, PageLimits};
use colobus_browser::{
    AttachedToTarget, Browser, FreePolicy, Page, Policy, ProtocolError, TargetInfo, TargetListener, Targets,
    find_browser,
};
use serde_json::json;
use tokio::sync::mpsc;

use crate::quiet_listener::Quiet;
use crate::server::serve;

const PAGES: &[(&str, &str)] = &[("/", "<!doctype html><title>far away</title><input>")];

/// A browser of its own with an open port; ends with the test.
struct Elsewhere {
    child: Child,
    url: String,
    _profile: tempfile::TempDir,
}

impl Elsewhere {
    fn start() -> Elsewhere {
        let profile = tempfile::tempdir().unwrap();
        // Ends with this test even if that is killed: then the shell reads the end of its input.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", r#""$0" "$@" </dev/null & read -r _; kill -s KILL -- "-$$""#]);
        command.arg(find_browser(None, false).unwrap());
        command.args(["--headless", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        let mut child = command
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said = lines
            .map_while(Result::ok)
            .find_map(|line| line.split_once("DevTools listening on ").map(|(_, url)| url.trim().to_string()));
        Elsewhere { child, url: said.expect("the browser says where it listens"), _profile: profile }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // What is found on PATH may be a script that waits for the browser: killing it alone would leave the browser behind.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Takes hold of every page of one context, under the free policy.
struct Free {
    context: Arc<str>,
    pages: Mutex<mpsc::UnboundedSender<Page>>,
}

impl TargetListener for Free {
    fn attached(&self, targets: &Targets, attached: &AttachedToTarget) {
        if attached.target_info.browser_context_id.as_deref() != Some(&*self.context) {
            return targets.let_go(attached);
        }
        let script = scripts::in_free_page(&FreePageOptions {
            redact: &[],
            hides: false,
            record: false,
            play: true,
            explore: false,
            timers: std::time::Duration::from_millis(100),
            limits: PageLimits { request_ms: 150, chain: 10, frame_ms: 200, hidden_ms: 150 },
        });
        let policy = Policy::Free(FreePolicy { viewport: None, headed: false, play: true, script });
        let page = targets.welcome(attached, "the page", policy, Arc::new(Quiet));
        // The test may have ended.
        let _ = self.pages.lock().unwrap().send(page);
    }

    fn detached(&self, _: &Targets, _: &str) {}

    fn created(&self, _: &Targets, _: &TargetInfo) {}

    fn malformed(&self, problem: &ProtocolError) {
        panic!("{problem}");
    }

    fn ended(&self) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_browser_opens_free_pages_and_refuses_held_ones() {
    let elsewhere = Elsewhere::start();
    let browser = Browser::connect(&elsewhere.url, None).await.unwrap();
    assert!(browser.version.contains("Chrome"), "{}", browser.version);

    let (sender, mut pages) = mpsc::unbounded_channel();
    let context = browser.new_context(None).await.unwrap();
    let free = Arc::new(Free { context: context.id.clone(), pages: Mutex::new(sender) });
    browser.listen(free, &[colobus_browser::TargetKind::Page], false).await.unwrap();
    context.create_page(false).await.unwrap();
    let url = serve(PAGES);
    let page = pages.recv().await.unwrap();
    page.catch_up().await.unwrap();
    page.navigate(&url).await.unwrap();
    // More than one frame of the WebSocket, in both directions.
    let long = "x".repeat(300_000);
    page.value_in(None, "document.querySelector('input').focus()").await.unwrap();
    page.type_text("hello").await.unwrap();
    let source = format!("[document.title, document.querySelector('input').value, '{long}']");
    let seen = page.value_in(None, &source);
    assert_eq!(seen.await.unwrap(), json!(["far away", "hello", long]));

    let held = browser.new_context(Some("127.0.0.1:9".parse().unwrap())).await.err().unwrap().to_string();
    assert!(held.contains("cannot reach the proxies"), "{held}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_no_browser_is_told() {
    for (url, problem) in [
        ("127.0.0.1:9222", "is not the address of a browser"),
        ("ws://", "is not the address of a browser"),
        ("wss://127.0.0.1:1/devtools", "no browser could be reached"),
        ("ws://127.0.0.1:1/devtools/browser/x", "no browser could be reached"),
        (&serve(PAGES).replace("http", "ws"), "no browser could be reached"),
    ] {
        let error = Browser::connect(url, None).await.err().unwrap().to_string();
        assert!(error.contains(problem), "{url}: {error}");
    }
}
