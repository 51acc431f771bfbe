//! The test itself: the prefix, the concurrent part event by event, and what must be true in the end.

use colobus_check::EarlyAnswer;
use colobus_model::{
    Action, Aspect, CaretAccess, ClientId, Direction, Event, MessageKind, Part, Step, TokenFiller, Trace,
};
use serde_json::json;

use crate::assertions::Demands;
use crate::{Runner, literal, steps};

pub struct Story {
    pub text: String,
    /// Events that Playwright cannot be made to follow.
    pub warnings: Vec<String>,
}

/// How far comments stand to the right.
const MARGIN: usize = 44;

/// How much of a message a comment shows.
const MOST_SHOWN: usize = 80;

pub fn story(trace: &Trace, runner: Runner, demands: &Demands) -> Story {
    let mut lines = Vec::new();
    if demands.needs_baseline() {
        baseline(trace, &mut lines);
    }
    let mut words = TokenFiller::default();
    opening(trace, &mut words, &mut lines);
    let warnings = concurrent_part(trace, demands, &mut words, &mut lines);
    closing(trace, demands, &mut lines);
    let title = literal::string(&trace.interaction.to_string().replace('\n', " "));
    let text = runner.test(&title, &lines);
    Story { text, warnings }
}

/// What all clients have if those whose actions should change nothing do nothing; the others act one after the other.
fn baseline(trace: &Trace, lines: &mut Vec<String>) {
    let neutral = |action: &&Action| action.neutral;
    let names: Vec<&str> =
        trace.interaction.concurrent.iter().filter(neutral).map(|action| action.name.as_str()).collect();
    lines.push(format!("// The same without {}, one user after the other.", literal::comment(&names.join(" and "))));
    lines.push("const expected = await (async () => {".to_string());
    let (mut inside, mut words) = (Vec::new(), TokenFiller::default());
    opening(trace, &mut words, &mut inside);
    for _ in 0..trace.interaction.rounds {
        for (client, action) in trace.interaction.concurrent.iter().enumerate().filter(|(_, action)| !action.neutral) {
            for (step, performed) in action.steps.iter().enumerate() {
                let filled = words.fill(ClientId(client), performed, Part::Prefix);
                inside.push(commented(&call(ClientId(client), &filled), &step_of(action, step)));
            }
        }
    }
    inside.push("const seen = await documents(stage);".to_string());
    inside.push("await stage.close();".to_string());
    inside.push("return seen;".to_string());
    lines.extend(inside.iter().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") }));
    lines.extend(["})();".to_string(), String::new()]);
}

fn opening(trace: &Trace, words: &mut TokenFiller, lines: &mut Vec<String>) {
    let names: Vec<String> = (0..trace.interaction.clients()).map(|client| ClientId(client).to_string()).collect();
    let waits = trace.schedule.events.iter().any(|event| matches!(event, Event::Wait { .. }));
    let options = if waits { ", { waits: true }" } else { "" };
    lines.push(format!(
        "const stage = await Stage.open(browser, application, {}{options});",
        literal::value(&json!(names)).replace(',', ", ")
    ));
    lines.push(format!("const {{ {} }} = stage.clients;", names.join(", ")));
    if !trace.interaction.prefix.is_empty() {
        lines.extend([String::new(), "// A prepares the document, and all clients see it.".to_string()]);
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

fn concurrent_part(trace: &Trace, demands: &Demands, words: &mut TokenFiller, lines: &mut Vec<String>) -> Vec<String> {
    let mut warnings = Vec::new();
    let early = demands.early_answer();
    lines.extend([String::new(), "// From here on every message waits for its turn.".to_string()]);
    lines.push("await stage.hold();".to_string());
    lines.extend(early.iter().map(|early| format!("const before = await textOf({}.page);", early.client)));
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
            Event::Poll { .. } | Event::PollAnswer { .. } => {
                lines.push(format!("// {event}: Playwright cannot let a page poll at a chosen moment"));
                warnings.push(format!(
                    "{event} (event {}) is a poll, which Playwright cannot let happen at a chosen moment",
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
        if let Some(EarlyAnswer { client, question, answer, .. }) = early.as_ref().filter(|early| early.after == at + 1)
        {
            let texts = format!("{{ question: {}, answer: {} }}", literal::string(question), literal::string(answer));
            let asked = format!("answeredTooEarly(before, await textOf({client}.page), {texts})");
            lines.push(format!("// {client} must not see an answer without its question."));
            lines.push(demands.equal(&asked, "false"));
        }
    }
    if events.last() != Some(&Event::Flush) {
        lines.push(commented("await stage.flow();", "whatever is left arrives"));
    }
    warnings
}

fn closing(trace: &Trace, demands: &Demands, lines: &mut Vec<String>) {
    lines.push(String::new());
    let aspects = demands.aspects();
    if !aspects.is_empty() {
        lines.push("// Now all clients must show the same.".to_string());
        lines.push("const [first, ...others] = await stage.look();".to_string());
        lines.push("for (const other of others) {".to_string());
        lines.extend(aspects.iter().map(|aspect| {
            "  ".to_string()
                + &match aspect {
                    Aspect::State => demands.equal("other.state", "first.state"),
                    Aspect::Dom => demands.equal("other.dom", "first.dom"),
                    Aspect::Pixels => demands.equal("await stage.differingPixels(first, other)", "0"),
                }
        }));
        lines.push("}".to_string());
    }
    lines.extend(demands.lines());
    if trace.schedule.events.iter().any(|event| matches!(event, Event::Join { .. } | Event::Tab { .. })) {
        lines.push("// Who came later has the document of the others.".to_string());
        lines.push("const [document, ...lateJoiners] = await stage.lookAtDocuments();".to_string());
        lines.push(format!("for (const lateJoiner of lateJoiners) {}", demands.equal("lateJoiner", "document")));
    }
    if demands.no_new_errors() {
        lines.push("// And no page may have complained.".to_string());
        lines.push(demands.equal("stage.newErrors()", "[]"));
    }
    lines.push("await stage.close();".to_string());
}

fn step_of(action: &Action, step: usize) -> String {
    match action.steps.len() {
        1 => action.name.clone(),
        steps => format!("{} ({} of {steps})", action.name, step + 1),
    }
}

fn call(client: ClientId, step: &Step) -> String {
    let (method, arguments) = steps::call(step);
    format!("await {client}.{method}({});", arguments.join(", "))
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
