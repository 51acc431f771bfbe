//! [`TwoOrders`]: a page whose events do harm in one order and none in another, as a test that runs both and demands the same
//! end. Produced by the search for races, written by [`export`].

use colobus_model::{Step, Viewport};
use serde_json::Value;

use crate::runner::indented;
use crate::support::{WAITING, in_pages};
use crate::{Exported, Runner, head, literal, steps};

/// What such tests import, from their own folder.
pub const RACE_SUPPORT_FILE: &str = "colobus-raced-page.mjs";

const RACED_PAGE: &str = include_str!("../playwright/raced-page.js");
const IN_PAGE: [&str; 13] = [
    include_str!("../../../page/open.js"),
    "globalThis[Symbol.for(\"colobus\")].settings = settings;",
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../playwright/turns.js"),
    include_str!("../../../page/race/channels.js"),
    include_str!("../../../page/race/ports.js"),
    include_str!("../../../page/race/chance.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/locators.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/input.js"),
    include_str!("../../../page/canonical-dom.js"),
];

/// A finding about one page.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoOrders {
    /// What is turned round, in one line.
    pub title: String,
    /// What happens then and why, one line each.
    pub explanation: Vec<String>,
    pub url: String,
    pub viewport: Viewport,
    /// Decides the random numbers of the page.
    pub seed: u64,
    pub working: Vec<Turn>,
    pub failing: Vec<Turn>,
    /// What sockets and streams brought when the page was recorded, as `page/race/channels.js` takes it.
    pub messages: Vec<Value>,
    /// What must be the same after both.
    pub compared: Vec<Compared>,
    /// When both orders are over, in milliseconds of the page's clock. None: the browser's own clock runs.
    pub end: Option<u64>,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    pub event: String,
    pub happening: Happening,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// The answer to a request, which this event sent.
    Answer {
        method: String,
        address: String,
        creator: Option<String>,
    },
    Load,
    Step(Step),
    /// A timer that is due at this moment of the page's clock.
    Timer {
        at: u64,
    },
    Frame,
    Idle,
    /// What a socket or a stream brought, or what a worker or another part of the page says.
    Message,
    /// What a test cannot hold: a timer that cannot come in this order by itself.
    Unheld,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    Document,
    Errors,
    Requests,
}

/// The text of [`RACE_SUPPORT_FILE`].
pub fn race_support() -> String {
    let head = "// What tests of orders that Colobus exported have in common: they hold and release the events of one page.\n\
                // `colobus export` writes it beside them. It needs nothing but Playwright.\n\
                export { RacedPage };\n";
    [head, RACED_PAGE, WAITING, &in_pages(IN_PAGE.iter())].join("\n")
}

pub fn export(orders: &TwoOrders, runner: Runner) -> Exported {
    let warnings = warnings(orders);
    let mut comment = vec![orders.title.clone(), String::new()];
    comment.extend(orders.explanation.iter().cloned());
    comment.push(String::new());
    comment.extend(runner.how_to_run().map(str::to_string));
    comment.push("The application must be running; BASE_URL=http://host:port names another place.".to_string());
    if !warnings.is_empty() {
        comment.extend([String::new(), "Not the same as in Colobus:".to_string()]);
        comment.extend(warnings.iter().map(|warning| format!("- {warning}")));
    }
    let parts = [
        literal::comments(&comment),
        format!("{}import {{ RacedPage }} from \"./{RACE_SUPPORT_FILE}\";\n", runner.imports()),
        application(orders),
        function("works", &orders.working),
        function("fails", &orders.failing),
        test(orders, runner),
    ];
    Exported { text: parts.join("\n"), warnings }
}

fn warnings(orders: &TwoOrders) -> Vec<String> {
    let turns = orders.working.iter().chain(&orders.failing);
    let mut unheld: Vec<&str> =
        turns.filter(|turn| turn.happening == Happening::Unheld).map(|turn| turn.event.as_str()).collect();
    unheld.sort_unstable();
    unheld.dedup();
    unheld.iter().map(|event| format!("{event} comes when it comes: Playwright does not hold it here")).collect()
}

fn application(orders: &TwoOrders) -> String {
    let TwoOrders { url, viewport, seed, end, messages, working, failing, .. } = orders;
    let end = end.map(|end| format!("  endMs: {end},\n")).unwrap_or_default();
    let messages: String = messages.iter().map(|message| format!("    {},\n", literal::value(message))).collect();
    let has_messages = working.iter().chain(failing).any(|turn| turn.happening == Happening::Message);
    let messages = match (messages.is_empty(), has_messages) {
        (true, false) => messages,
        // Those that no server sends are held as well.
        (true, true) => "  messages: [],\n".to_string(),
        (false, _) => format!("  messages: [\n{messages}  ],\n"),
    };
    let Viewport { width, height } = viewport;
    format!(
        "const application = {{\n  url: {},\n  viewport: {{ width: {width}, height: {height} }},\n  seed: {seed},\n{end}{messages}}};\n",
        head::url(url)
    )
}

fn function(name: &str, turns: &[Turn]) -> String {
    let mut lines = vec!["const page = await RacedPage.open(browser, application);".to_string()];
    lines.extend(turns.iter().filter_map(line));
    lines.push("return page.end();".to_string());
    format!("async function {name}(browser) {{\n{}}}\n", indented(&lines, 1))
}

fn line(Turn { event, happening }: &Turn) -> Option<String> {
    let (method, arguments) = match happening {
        Happening::Answer { method, address, creator } => {
            let creator = creator.as_deref().map(literal::string);
            ("answer", [literal::string(&format!("{method} {address}"))].into_iter().chain(creator).collect())
        }
        Happening::Load => ("load", Vec::new()),
        Happening::Message => ("message", Vec::new()),
        // Orders are about what comes without waiting.
        Happening::Step(Step::WaitFor(_)) | Happening::Unheld => return None,
        Happening::Step(step) => steps::call(step),
        Happening::Timer { at } => ("time", vec![at.to_string()]),
        Happening::Frame => ("frame", Vec::new()),
        Happening::Idle => ("idle", Vec::new()),
    };
    let arguments: Vec<String> = [literal::string(event)].into_iter().chain(arguments).collect();
    Some(format!("await page.{method}({});", arguments.join(", ")))
}

fn test(orders: &TwoOrders, runner: Runner) -> String {
    let mut lines =
        vec!["const expected = await works(browser);".to_string(), "const seen = await fails(browser);".to_string()];
    lines.extend(orders.compared.iter().map(|compared| {
        let part = match compared {
            Compared::Document => "document",
            Compared::Errors => "errors",
            Compared::Requests => "requests",
        };
        runner.equal(&format!("seen.{part}"), &format!("expected.{part}"))
    }));
    runner.test(&literal::string(&orders.title), &lines)
}
