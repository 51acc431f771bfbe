//! The test itself: the prefix, the concurrent part event by event, and what must be true in the end.

use colobus_model::{
    Action, Aspect, CaretAccess, ClientId, Direction, Event, Inside, MessageKind, Part, Step, Target, TokenFiller,
    Trace,
};
use serde_json::json;

use crate::{Runner, literal};

pub struct Story {
    pub text: String,
    /// Events that Playwright cannot be made to follow.
    pub warnings: Vec<String>,
}

/// How far comments stand to the right.
const MARGIN: usize = 44;

/// How much of a message a comment shows.
const MOST_SHOWN: usize = 80;

pub fn story(trace: &Trace, runner: Runner) -> Story {
    let mut lines = Vec::new();
    let mut words = TokenFiller::default();
    opening(trace, &mut words, &mut lines);
    let warnings = concurrent_part(trace, &mut words, &mut lines);
    closing(trace, runner, &mut lines);
    let title = literal::string(&trace.interaction.to_string().replace('\n', " "));
    let text = match runner {
        Runner::Playwright => {
            let body = indented(&lines, 1);
            format!("test({title}, async ({{ browser }}) => {{\n  test.setTimeout(120_000);\n{body}}});\n")
        }
        Runner::PlaywrightCore => {
            let body = indented(&lines, 2);
            let launch = "const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });";
            format!(
                "test({title}, async () => {{\n  {launch}\n  try {{\n{body}  }} finally {{\n    await browser.close();\n  }}\n}});\n"
            )
        }
    };
    Story { text, warnings }
}

fn opening(trace: &Trace, words: &mut TokenFiller, lines: &mut Vec<String>) {
    let names: Vec<String> = (0..trace.interaction.clients()).map(|client| ClientId(client).to_string()).collect();
    let waits = trace.schedule.events.iter().any(|event| matches!(event, Event::Wait { .. }));
    let options = if waits { ", { waits: true }" } else { "" };
    lines.push(format!(
        "const stage = await Stage.open(browser, {}{options});",
        literal::value(&json!(names)).replace(',', ", ")
    ));
    lines.push(format!("const {{ {} }} = stage.clients;", names.join(", ")));
    if !trace.interaction.prefix.is_empty() {
        lines.extend([String::new(), "// A prepares the document, and everybody sees it.".to_string()]);
    }
    for action in &trace.interaction.prefix {
        for (step, performed) in action.steps.iter().enumerate() {
            lines.push(commented(
                &call(ClientId(0), &words.fill(ClientId(0), performed, Part::Prefix)),
                &step_of(action, step),
            ));
        }
    }
    if trace.application.caret != CaretAccess::Untouched {
        lines.push("await stage.shareCaret();".to_string());
    }
}

fn concurrent_part(trace: &Trace, words: &mut TokenFiller, lines: &mut Vec<String>) -> Vec<String> {
    let mut warnings = Vec::new();
    lines.extend([String::new(), "// From here on every message waits for its turn.".to_string()]);
    lines.push("await stage.hold();".to_string());
    let events = &trace.schedule.events;
    for (at, event) in events.iter().enumerate() {
        let message = trace.messages.get(&at);
        let said = message.map(|message| format!(" {}", shortened(&message.preview))).unwrap_or_default();
        match *event {
            Event::Step { client, step } => {
                let action = &trace.interaction.concurrent[client.0];
                let step = step % action.steps.len();
                lines.push(commented(
                    &call(client, &words.fill(client, &action.steps[step], Part::Concurrent { step })),
                    &format!("{event}  {}", step_of(action, step)),
                ));
            }
            Event::Deliver { .. } if message.is_some_and(|message| message.kind == MessageKind::StreamEvent) => {
                lines.push(format!(
                    "// {event} {}: Playwright cannot hold a server-sent event",
                    literal::comment(&said)
                ));
                warnings.push(format!(
                    "{event} (event {}) is a server-sent event, which Playwright cannot hold: it arrives when it wants",
                    at + 1
                ));
            }
            Event::Deliver { client, direction, connection } => {
                let method = if direction == Direction::ToServer { "send" } else { "receive" };
                let number = if connection == 0 { String::new() } else { (connection + 1).to_string() };
                lines.push(commented(&format!("await {client}.{method}({number});"), &format!("{event} {said}")));
            }
            Event::Cut { client } => {
                lines.push(commented(&format!("await {client}.loseNetwork();"), &event.to_string()))
            }
            Event::Restore { client } => {
                lines.push(commented(&format!("await {client}.regainNetwork();"), &event.to_string()));
            }
            Event::Reload { client } => lines.push(commented(&format!("await {client}.reload();"), &event.to_string())),
            Event::Wait { client } => lines.push(commented(&format!("await {client}.wait();"), &event.to_string())),
            Event::Tab { client } => lines.push(commented(&format!("await {client}.openTab();"), &event.to_string())),
            Event::Join { client } => lines.push(commented(
                &format!("const {client} = await stage.join({});", literal::string(&client.to_string())),
                &event.to_string(),
            )),
            Event::Page { .. } => {
                lines.push(format!("// {}: Playwright does not hold it", literal::comment(&event.to_string())));
                warnings.push(format!(
                    "{event} (event {}) happens inside the page, which Playwright does not hold",
                    at + 1
                ));
            }
            Event::Flush => {
                lines.push(commented("await stage.flow();", "~  all messages arrive"));
                if events.get(at + 1).is_some() {
                    lines.push("await stage.hold();".to_string());
                }
            }
        }
    }
    if events.last() != Some(&Event::Flush) {
        lines.push(commented("await stage.flow();", "whatever is left arrives"));
    }
    warnings
}

fn closing(trace: &Trace, runner: Runner, lines: &mut Vec<String>) {
    let equal = |actual: &str, expected: &str| match runner {
        Runner::Playwright => format!("expect({actual}).toEqual({expected});"),
        Runner::PlaywrightCore => format!("assert.deepEqual({actual}, {expected});"),
    };
    lines.extend([String::new(), "// Now everybody must show the same, and no page may have complained.".to_string()]);
    lines.push("const [first, ...others] = await stage.look();".to_string());
    lines.push("for (const other of others) {".to_string());
    // What reads best comes first.
    for aspect in [Aspect::State, Aspect::Dom, Aspect::Pixels] {
        if trace.judged_by.contains(&aspect) {
            lines.push(
                "  ".to_string()
                    + &match aspect {
                        Aspect::State => equal("other.state", "first.state"),
                        Aspect::Dom => equal("other.dom", "first.dom"),
                        Aspect::Pixels => equal("await stage.differingPixels(first, other)", "0"),
                    },
            );
        }
    }
    lines.push("}".to_string());
    if trace.schedule.events.iter().any(|event| matches!(event, Event::Join { .. } | Event::Tab { .. })) {
        lines.push("const [document, ...lateJoiners] = await stage.lookAtDocuments();".to_string());
        lines.push(format!("for (const lateJoiner of lateJoiners) {}", equal("lateJoiner", "document")));
    }
    lines.push(equal("stage.newErrors()", "[]"));
    lines.push("await stage.close();".to_string());
}

fn step_of(action: &Action, step: usize) -> String {
    match action.steps.len() {
        1 => action.name.clone(),
        steps => format!("{} ({} of {steps})", action.name, step + 1),
    }
}

fn call(client: ClientId, step: &Step) -> String {
    let with = |method: &str, argument: &str| format!("await {client}.{method}({});", literal::string(argument));
    match step {
        Step::Press(chord) => with("press", &chord.to_string()),
        Step::Type(text) => with("type", text),
        Step::Paste(text) => with("paste", text),
        Step::Evaluate(source) => with("evaluate", source),
        Step::WaitFor(selector) => with("waitFor", selector),
        Step::Resize(size) => format!("await {client}.resize({{ width: {}, height: {} }});", size.width, size.height),
        Step::Click(at) => format!("await {client}.click({});", target(at)),
        Step::DoubleClick(at) => format!("await {client}.doubleClick({});", target(at)),
        Step::Drag { from, to } => format!("await {client}.drag({}, {});", target(from), target(to)),
        Step::Select(what) => with("press", &what.chord().to_string()),
    }
}

fn target(target: &Target) -> String {
    match target {
        Target::Selector(selector) => literal::string(selector),
        Target::Inside(Inside { on, x, y }) => format!("{{ on: {}, x: {x}, y: {y} }}", literal::string(on)),
        Target::Point(point) => format!("{{ x: {}, y: {} }}", point.x, point.y),
    }
}

fn shortened(preview: &str) -> String {
    let mut characters = preview.chars();
    let mut short: String = characters.by_ref().take(MOST_SHOWN).collect();
    if characters.next().is_some() && !short.ends_with('…') {
        short.push('…');
    }
    short
}

/// Code with a comment beside it; code of several lines has it above.
fn commented(code: &str, comment: &str) -> String {
    let comment = literal::comment(comment);
    let comment = comment.trim_end();
    if code.contains('\n') {
        return format!("// {comment}\n{code}");
    }
    format!("{code:MARGIN$} // {comment}")
}

/// Only first lines are indented: what follows in one entry is part of somebody's text.
fn indented(lines: &[String], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    lines.iter().map(|line| if line.is_empty() { "\n".to_string() } else { format!("{indent}{line}\n") }).collect()
}
