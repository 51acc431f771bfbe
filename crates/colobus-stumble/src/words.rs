//! [`words`]: a line of a recording as people would say it. Values of fields are left out where they may be private.

use colobus_record::{Element, Event};

pub fn words(event: &Event) -> String {
    let on = |element: &Element| name(element);
    match event {
        Event::Open(url) => format!("open {url}"),
        Event::Arrive(url) => format!("arrive at {url}"),
        Event::Popup(url) => format!("{url} pops up"),
        Event::Reload => "reload".to_string(),
        Event::Back => "go back".to_string(),
        Event::Forward => "go forward".to_string(),
        Event::Close => "close".to_string(),
        Event::Press(mouse, _) => format!("press on {}", on(&mouse.on)),
        Event::Release(mouse, _) => format!("release on {}", on(&mouse.on)),
        Event::Move(_) => "move".to_string(),
        Event::Drop(mouse) => format!("drop on {}", on(&mouse.on)),
        Event::Abandon => "let go".to_string(),
        Event::Click(mouse, _) => format!("click {}", on(&mouse.on)),
        Event::DoubleClick(mouse) => format!("double click {}", on(&mouse.on)),
        Event::Drag { from, to, .. } => format!("drag {} to {}", on(&from.on), on(&to.on)),
        Event::Carry { from, to, .. } => format!("carry {} to {}", on(&from.on), on(&to.on)),
        Event::Down { on: element, key, .. } => format!("hold {} in {}", key.key, on(element)),
        Event::Up { on: element, key, .. } => format!("let {} go in {}", key.key, on(element)),
        Event::Type { on: element, key, held } if held.is_none() => format!("type {} in {}", key.key, on(element)),
        Event::Type { on: element, key, held } => format!("type {held}+{} in {}", key.key, on(element)),
        Event::Compose { on: element, .. } => format!("compose in {}", on(element)),
        Event::Insert { on: element, .. } => format!("insert into {}", on(element)),
        Event::Clipboard { .. } => "copy".to_string(),
        Event::Paste { on: element } => format!("paste into {}", on(element)),
        Event::Secret { on: element, .. } => format!("type a secret in {}", on(element)),
        Event::Choose { on: element, .. } => format!("choose in {}", on(element)),
        Event::Set { on: element, .. } => format!("set {}", on(element)),
        Event::Files { on: element, .. } => format!("choose files in {}", on(element)),
        Event::Scroll { on: element, .. } => format!("scroll {}", on(element)),
        Event::Dialog { kind, accept, .. } => {
            format!("{} the {}", if *accept { "accept" } else { "dismiss" }, kind.name())
        }
    }
}

/// What people would call an element.
pub fn name(element: &Element) -> String {
    let hints = &element.hints;
    let target = element.target();
    let said = hints.label.as_deref().or(hints.text.as_deref());
    match said.or(target.attribute("name")).or(target.attribute("id")) {
        Some(said) => format!("\u{201c}{said}\u{201d}"),
        None => target.tag.clone(),
    }
}
