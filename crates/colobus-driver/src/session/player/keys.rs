//! The keyboard, input methods and the clipboard.

use colobus_browser::{KeyEventKind, KeyStroke, scripts};
use colobus_record::{Element, Key, Modifiers, Who};
use serde_json::{Value, json};

use super::locate::{Found, Wants};
use super::{Performed, Player, Stop};

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
        let tab = match down {
            Some(_) => self.focused(who, on).await?.tab,
            // It goes up wherever the focus has gone meanwhile.
            None => self.tab(who).await?,
        };
        Ok(tab.page.key(stroke(key, held, down)).await?)
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
        Ok(tab.page.compose(stages, commit).await?)
    }

    pub(super) async fn insert(&mut self, who: Who, on: &Element, text: &str) -> Performed {
        let tab = self.focused(who, on).await?.tab;
        Ok(tab.page.insert_text(text).await?)
    }

    pub(super) async fn clipboard(&mut self, who: Who, text: &str, html: Option<&str>) -> Performed {
        let tab = self.tab(who).await?;
        let source = scripts::call("player.fillClipboard", &[json!(text), json!(html)]);
        match tab.page.value_in(None, &source).await? {
            Value::Bool(true) => Ok(()),
            _ => Err(Stop::Impossible("the browser does not let the clipboard be filled".to_string())),
        }
    }

    /// As the menu does it.
    pub(super) async fn paste(&mut self, who: Who, on: &Element) -> Performed {
        let tab = self.focused(who, on).await?.tab;
        Ok(tab.page.paste_clipboard().await?)
    }

    pub(super) async fn secret(&mut self, who: Who, on: &Element, variable: &str) -> Performed {
        let value = self.options.secrets.iter().find(|(name, _)| name == variable).map(|(_, value)| value.clone());
        let value = value.ok_or_else(|| Stop::Impossible(format!("the environment variable {variable} is not set")))?;
        let found = self.focused(who, on).await?;
        // The element may be in a frame of another origin than its page. No page can change what this says.
        let origin = found.tab.page.value_in(Some(found.context), "location.origin").await?;
        let origin: String = scripts::read("location.origin", origin)?;
        if !self.options.reach.trusts(&origin) {
            return Err(Stop::Impossible(format!(
                "{variable} is not given to {origin}: only {} gets secrets",
                self.options.reach
            )));
        }
        found.ask("selectAll", &[]).await?;
        Ok(found.tab.page.type_text(&value).await?)
    }
}

/// A recorded key, as one event.
fn stroke(key: &Key, held: Modifiers, down: Option<bool>) -> KeyStroke {
    let text = key.text().filter(|_| !held.make_commands());
    let kind = match (down, &text) {
        (None, _) => KeyEventKind::KeyUp,
        (Some(_), Some(_)) => KeyEventKind::KeyDown,
        (Some(_), None) => KeyEventKind::RawKeyDown,
    };
    KeyStroke { repeats: down == Some(true), ..KeyStroke::new(key, kind, held, text) }
}
