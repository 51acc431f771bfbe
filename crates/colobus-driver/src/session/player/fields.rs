//! Fields that are not typed into, and scrolling.

use colobus_browser::{Place, scripts};
use colobus_model::{Chord, KeyName};
use colobus_record::{Element, Point, Who};
use serde_json::json;

use super::locate::Wants;
use super::{Performed, Player, Stop};

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
        let arrow = if steps < 0 { KeyName::ArrowUp } else { KeyName::ArrowDown };
        let presses = std::iter::repeat_n(arrow, usize::try_from(steps.unsigned_abs()).unwrap_or_default());
        for key in presses.chain([KeyName::Enter]) {
            found.tab.page.press(&Chord::plain(key)).await?;
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
        Ok(found.tab.page.choose_files(&found.handle().await?, &paths).await?)
    }

    pub(super) async fn scroll(&mut self, who: Who, on: &Element, to: Point) -> Performed {
        let found = self.locate(who, on, None, Wants::There).await?;
        let to = json!([to.x, to.y]);
        let missing = found.ask("scrollBy", std::slice::from_ref(&to)).await?;
        let number = |name: &str| missing[name].as_f64().unwrap_or_default();
        let place = Place { x: found.corner.x + number("x"), y: found.corner.y + number("y") };
        found.tab.page.wheel(place, Place { x: number("dx"), y: number("dy") }).await?;
        found.tab.page.value_in(Some(found.context), &scripts::call("settle.frame", &[])).await?;
        // A wheel turns in steps of its own.
        found.ask("scrollTo", &[to]).await.map(|_| ())
    }
}
