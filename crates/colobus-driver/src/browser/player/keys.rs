//! The keyboard, input methods and the clipboard.

use colobus_record::{Element, Key, Modifiers, Who};
use serde_json::{Value, json};

use super::locate::{Found, Wants};
use super::{Performed, Player, Stop};
use crate::browser::keyboard::{Stroke, events, strokes};

impl Player<'_> {
    /// A key goes down (again, if it was held) or up.
    pub(super) async fn key(
        &mut self,
        who: Who,
        on: &Element,
        key: &Key,
        held: Modifiers,
        down: Option<bool>,
    ) -> Performed {
        let found = match down {
            Some(_) => self.focused(who, on).await?.tab,
            // It goes up wherever the focus has gone meanwhile.
            None => self.tab(who).await?,
        };
        found.call("Input.dispatchKeyEvent", key_event(key, held, down)).await?;
        Ok(())
    }

    /// The element, with the focus.
    async fn focused(&mut self, who: Who, on: &Element) -> Performed<Found> {
        let found = self.locate(who, on, None, Wants::Visible).await?;
        if found.ask("focus", &[]).await? == Value::Bool(true) {
            self.given_up.push("focus".to_string());
        }
        Ok(found)
    }

    pub(super) async fn compose(&mut self, who: Who, on: &Element, stages: &[String], commit: &str) -> Performed {
        let tab = self.focused(who, on).await?.tab;
        for stage in stages {
            let end = stage.encode_utf16().count();
            let composition = json!({ "text": stage, "selectionStart": end, "selectionEnd": end });
            tab.call("Input.imeSetComposition", composition).await?;
        }
        if commit.is_empty() {
            tab.call("Input.imeSetComposition", json!({ "text": "", "selectionStart": 0, "selectionEnd": 0 })).await?;
        } else {
            tab.call("Input.insertText", json!({ "text": commit })).await?;
        }
        Ok(())
    }

    pub(super) async fn insert(&mut self, who: Who, on: &Element, text: &str) -> Performed {
        let tab = self.focused(who, on).await?.tab;
        tab.call("Input.insertText", json!({ "text": text })).await?;
        Ok(())
    }

    pub(super) async fn clipboard(&mut self, who: Who, text: &str, html: Option<&str>) -> Performed {
        let tab = self.tab(who).await?;
        let source = crate::browser::scripts::call("player.fillClipboard", &[json!(text), json!(html)]);
        match tab.evaluate(&source).await? {
            Value::Bool(true) => Ok(()),
            _ => Err(Stop::Impossible("the browser does not let the clipboard be filled".to_string())),
        }
    }

    /// As the menu does it: through the editing command of the browser, without a key that the page could hear of.
    pub(super) async fn paste(&mut self, who: Who, on: &Element) -> Performed {
        let tab = self.focused(who, on).await?.tab;
        let event = json!({ "type": "rawKeyDown", "commands": ["paste"] });
        tab.call("Input.dispatchKeyEvent", event).await?;
        Ok(())
    }

    pub(super) async fn secret(&mut self, who: Who, on: &Element, variable: &str) -> Performed {
        let value = self.options.secrets.iter().find(|(name, _)| name == variable).map(|(_, value)| value.clone());
        let value = value.ok_or_else(|| Stop::Impossible(format!("the environment variable {variable} is not set")))?;
        let found = self.focused(who, on).await?;
        found.ask("selectAll", &[]).await?;
        for stroke in strokes(&value) {
            match stroke {
                Stroke::Key(chord) => {
                    for event in events(&chord) {
                        found.tab.call("Input.dispatchKeyEvent", event).await?;
                    }
                }
                Stroke::Insert(text) => {
                    found.tab.call("Input.insertText", json!({ "text": text })).await?;
                }
            }
        }
        Ok(())
    }
}

pub(super) fn key_event(key: &Key, held: Modifiers, down: Option<bool>) -> Value {
    let text = key.text().filter(|_| !held.make_commands());
    let kind = match (down, &text) {
        (None, _) => "keyUp",
        (Some(_), Some(_)) => "keyDown",
        (Some(_), None) => "rawKeyDown",
    };
    let mut event = json!({
        "type": kind, "key": key.key, "code": key.code, "windowsVirtualKeyCode": key.virtual_code,
        "modifiers": held.bits(), "location": key.location(), "autoRepeat": down == Some(true),
    });
    if let (Some(text), "keyDown") = (text, kind) {
        event["text"] = json!(text);
        event["unmodifiedText"] = json!(text);
    }
    event
}
