//! Fields that are not typed into, and scrolling.

use colobus_model::KeyName;
use colobus_record::{Element, Modifiers, Point, Who};
use serde_json::json;

use super::locate::Wants;
use super::{Performed, Player, Stop};
use crate::browser::scripts;

impl Player<'_> {
    /// Opens the list of a select element and goes to the choice in it; keys in the list are no keys in the page.
    pub(super) async fn choose(&mut self, who: Who, on: &Element, at: Point, values: &[String]) -> Performed {
        let mouse = Self::left_button(on, at);
        let found = self.locate(who, on, Some(at), Wants::Hit).await?;
        let choices = found.ask("choices", &[json!(values)]).await?;
        if let Some(problem) = choices["problem"].as_str() {
            return Err(Stop::Impossible(format!("{}: {problem}", on.path())));
        }
        self.press(who, &mouse, 1).await?;
        self.release(who, &mouse, 1).await?;
        let steps = choices["steps"].as_i64().unwrap_or_default();
        let arrow = if steps < 0 { KeyName::ArrowUp.key() } else { KeyName::ArrowDown.key() };
        let enter = KeyName::Enter.key();
        let presses = std::iter::repeat_n(&arrow, usize::try_from(steps.unsigned_abs()).unwrap_or_default());
        for key in presses.chain([&enter]) {
            found
                .tab
                .call("Input.dispatchKeyEvent", super::keys::key_event(key, Modifiers::default(), Some(false)))
                .await?;
            found.tab.call("Input.dispatchKeyEvent", super::keys::key_event(key, Modifiers::default(), None)).await?;
        }
        Ok(())
    }

    pub(super) async fn set(&mut self, who: Who, on: &Element, value: &str) -> Performed {
        let found = self.locate(who, on, None, Wants::There).await?;
        found.ask("setValue", &[json!(value)]).await.map(|_| ())
    }

    /// Files are looked for beside the recording.
    pub(super) async fn choose_files(&mut self, who: Who, on: &Element, names: &[String]) -> Performed {
        let mut paths = Vec::new();
        for name in names {
            let path = self.options.files.join(name);
            let path = path.canonicalize().map_err(|_| {
                Stop::Impossible(format!("the file {} is missing: put it beside the recording", path.display()))
            })?;
            paths.push(path.display().to_string());
        }
        let found = self.locate(who, on, None, Wants::There).await?;
        let files = json!({ "files": paths, "objectId": found.handle().await? });
        found.tab.call("DOM.setFileInputFiles", files).await?;
        Ok(())
    }

    pub(super) async fn scroll(&mut self, who: Who, on: &Element, to: Point) -> Performed {
        let found = self.locate(who, on, None, Wants::There).await?;
        let to = json!([to.x, to.y]);
        let missing = found.ask("scrollBy", std::slice::from_ref(&to)).await?;
        let number = |name: &str| missing[name].as_f64().unwrap_or_default();
        let wheel = json!({
            "type": "mouseWheel", "x": found.corner.x + number("x"), "y": found.corner.y + number("y"),
            "deltaX": number("dx"), "deltaY": number("dy"),
        });
        found.tab.call("Input.dispatchMouseEvent", wheel).await?;
        found.tab.evaluate_in(Some(found.context), &scripts::call("settle.frame", &[])).await?;
        // A wheel turns in steps of its own.
        found.ask("scrollTo", &[to]).await.map(|_| ())
    }
}
