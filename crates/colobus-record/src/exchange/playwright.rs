//! A test for Playwright, in the words of its users: elements by role and label, fields that are filled. It can say most of a recording,
//! several users and tabs included; the rest are comments.

mod locator;
mod typing;

use colobus_model::foreign::one_line;

use super::{Exported, ShownAtEnd, Warnings};
use crate::write::quoted;
use crate::{Button, DialogKind, Element, Event, Line, Mouse, Point, Recording, Who};
use locator::Locators;
use typing::Typing;

pub fn write(recording: &Recording, title: &str, shown: &[ShownAtEnd]) -> Exported {
    let mut warnings = Warnings::default();
    let imported = if shown.is_empty() { "test" } else { "expect, test" };
    let mut text = format!("import {{ {imported} }} from \"@playwright/test\";\n\n");
    text.push_str(&format!("test({}, async ({{ browser }}) => {{\n", quoted(title)));
    let (width, height) = (recording.viewport.width, recording.viewport.height);
    for client in 0..recording.clients() {
        let user = user(client);
        text.push_str(&format!(
            "  const {user} = await browser.newContext({{ viewport: {{ width: {width}, height: {height} }} }});\n"
        ));
        text.push_str(&format!("  const {} = await {user}.newPage();\n", page(Who { client, tab: 1 })));
    }
    let locators = Locators::of(recording);
    let mut typing = Typing::default();
    let mut index = 0;
    while let Some(line) = recording.lines.get(index) {
        let run = typing.run(&recording.lines[index..]);
        let last = index + run.as_ref().map_or(1, |run| run.lines) - 1;
        let (before, next) = (announced(recording, last), recording.lines.get(last + 1));
        let typed = run.and_then(|run| Some(run.said(&locators.of_element(&page(line.who), run.on)?)));
        let place = index;
        index = if typed.is_some() { last } else { index } + 1;
        let Some(said) = typed.or_else(|| said(line, &locators)) else {
            warnings.line(place + 1, "a Playwright test cannot say this; it is a comment");
            text.push_str(&format!("  // {}\n", one_line(&line.to_string())));
            continue;
        };
        before.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        let opens = next.filter(|next| matches!(next.event, Event::Popup(_)));
        match opens {
            Some(next) => text.push_str(&format!(
                "  const [{}] = await Promise.all([{}.waitForEvent(\"page\"), {}]);\n",
                page(next.who),
                user(next.who.client),
                said.trim_end_matches(';').trim_start_matches("await ")
            )),
            None if said.is_empty() => {}
            None => text.push_str(&format!("  {said}\n")),
        }
    }
    for ShownAtEnd { who, lines } in shown {
        let body = format!("{}.locator(\"body\")", page(*who));
        let expected = |line: &String| {
            format!("  await expect({body}).toContainText({}, {{ useInnerText: true }});\n", quoted(line))
        };
        text.extend(lines.iter().map(expected));
    }
    for client in 0..recording.clients() {
        text.push_str(&format!("  await {}.close();\n", user(client)));
    }
    text.push_str("});\n");
    Exported { text, warnings: warnings.0 }
}

fn user(client: usize) -> String {
    format!("user{}", Who { client, tab: 1 })
}

fn page(who: Who) -> String {
    format!("page{}", who.to_string().replace('.', "_"))
}

/// How dialogs are answered has to be known before the line that opens them.
fn announced(recording: &Recording, index: usize) -> Vec<String> {
    let following = recording.lines[index + 1..].iter();
    let dialogs = following.take_while(|line| matches!(line.event, Event::Dialog { .. } | Event::Arrive(_)));
    dialogs
        .filter_map(|line| match &line.event {
            Event::Dialog { accept: true, text, .. } => {
                let text = text.as_deref().map(quoted).unwrap_or_default();
                Some(format!("{}.once(\"dialog\", (dialog) => dialog.accept({text}));", page(line.who)))
            }
            Event::Dialog { accept: false, .. } => {
                Some(format!("{}.once(\"dialog\", (dialog) => dialog.dismiss());", page(line.who)))
            }
            _ => None,
        })
        .collect()
}

/// `None` for what Playwright cannot do; empty for what needs no line.
fn said(line: &Line, locators: &Locators<'_>) -> Option<String> {
    let page = page(line.who);
    let at = |on: &Element| locators.of_element(&page, on);
    let focused = |on: &Element, then: String| Some(format!("await {}.focus(); await {page}.{then};", at(on)?));
    Some(match &line.event {
        Event::Open(url) => format!("await {page}.goto({});", quoted(url)),
        Event::Arrive(_) => format!("await {page}.waitForLoadState();"),
        Event::Popup(_) => String::new(),
        Event::Reload => format!("await {page}.reload();"),
        Event::Back => format!("await {page}.goBack();"),
        Event::Forward => format!("await {page}.goForward();"),
        Event::Close => format!("await {page}.close();"),
        Event::Click(mouse, count) => format!("await {}.click({});", at(&mouse.on)?, pointing(mouse, *count)),
        Event::DoubleClick(mouse) => format!("await {}.dblclick({});", at(&mouse.on)?, pointing(mouse, 1)),
        Event::Drag { from, to, via } if via.len() <= 1 => format!(
            "await {}.dragTo({}, {{ sourcePosition: {}, targetPosition: {} }});",
            at(&from.on)?,
            at(&to.on)?,
            place(from.at),
            place(to.at)
        ),
        Event::Carry { from, to, .. } => format!(
            "await {}.dragTo({}, {{ sourcePosition: {}, targetPosition: {} }});",
            at(&from.on)?,
            at(&to.on)?,
            place(from.at),
            place(to.at)
        ),
        Event::Type { on, key, held } => {
            let chord = if held.is_none() { key.key.clone() } else { format!("{held}+{}", key.key) };
            format!("await {}.press({});", at(on)?, quoted(&chord))
        }
        Event::Down { on, key, .. } => focused(on, format!("keyboard.down({})", quoted(&key.key)))?,
        Event::Up { key, .. } => format!("await {page}.keyboard.up({});", quoted(&key.key)),
        Event::Insert { on, text } => focused(on, format!("keyboard.insertText({})", quoted(text)))?,
        Event::Secret { on, variable } => format!("await {}.fill(process.env.{variable} ?? \"\");", at(on)?),
        Event::Choose { on, values, .. } => {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            format!("await {}.selectOption([{}]);", at(on)?, values.join(", "))
        }
        Event::Set { on, value } => format!("await {}.fill({});", at(on)?, quoted(value)),
        Event::Files { on, names } => {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            format!("await {}.setInputFiles([{}]);", at(on)?, names.join(", "))
        }
        Event::Scroll { on, to } => {
            format!("await {}.evaluate((element) => element.scrollTo({}, {}));", at(on)?, to.x, to.y)
        }
        // Announced before.
        Event::Dialog {
            kind: DialogKind::Alert | DialogKind::Confirm | DialogKind::Prompt | DialogKind::BeforeUnload,
            ..
        } => String::new(),
        Event::Press(..)
        | Event::Release(..)
        | Event::Move(_)
        | Event::Drop(_)
        | Event::Abandon
        | Event::Drag { .. }
        | Event::Compose { .. }
        | Event::Clipboard { .. }
        | Event::Paste { .. } => return None,
    })
}

fn pointing(mouse: &Mouse, count: u32) -> String {
    let mut options = vec![format!("position: {}", place(mouse.at))];
    if mouse.button != Button::Left {
        options.push(format!("button: {}", quoted(mouse.button.name())));
    }
    if !mouse.held.is_none() {
        let held: Vec<String> = mouse.held.names().into_iter().map(quoted).collect();
        options.push(format!("modifiers: [{}]", held.join(", ")));
    }
    if count > 1 {
        options.push(format!("clickCount: {count}"));
    }
    format!("{{ {} }}", options.join(", "))
}

fn place(at: Point) -> String {
    format!("{{ x: {}, y: {} }}", at.x, at.y)
}
