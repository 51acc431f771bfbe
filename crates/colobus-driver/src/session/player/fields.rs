//! Fields that are not typed into, and scrolling.

use std::path::{Path, PathBuf};

use colobus_browser::{Place, scripts};
use colobus_model::{Chord, KeyName};
use colobus_record::{Element, Point, Who};
use serde::Deserialize;
use serde_json::json;

use super::locate::Wants;
use super::{Performed, Player, Stop};

/// What `player.choices` answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Choices {
    /// So many entries down from the one that is chosen.
    Away {
        steps: i64,
    },
    Missing {
        problem: String,
    },
}

impl Player<'_> {
    /// Opens the list of a select element and goes to the choice in it; keys in the list are no keys in the page.
    pub(super) async fn choose(&mut self, who: Who, on: &Element, at: Point, values: &[String]) -> Performed {
        let mouse = Self::left_button(on, at);
        let found = self.locate(who, on, Some(at), Wants::Hit).await?;
        let steps = match scripts::read("player.choices", found.ask("choices", &[json!(values)]).await?)? {
            Choices::Away { steps } => steps,
            Choices::Missing { problem } => return Err(Stop::Impossible(format!("{}: {problem}", on.path()))),
        };
        self.press(who, &mouse, 1).await?;
        self.release(who, &mouse, 1).await?;
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
            let path = file_within(&self.options.files, name).map_err(Stop::Impossible)?;
            paths.push(path.display().to_string());
        }
        let found = self.locate(who, on, None, Wants::There).await?;
        Ok(found.tab.page.choose_files(&found.handle().await?, &paths).await?)
    }

    pub(super) async fn scroll(&mut self, who: Who, on: &Element, to: Point) -> Performed {
        let found = self.locate(who, on, None, Wants::There).await?;
        let to = json!([to.x, to.y]);
        let answer = found.ask("scrollBy", std::slice::from_ref(&to)).await?;
        let ScrollBy { x, y, dx, dy } = scripts::read("player.scrollBy", answer)?;
        let place = Place { x: found.corner.x + x, y: found.corner.y + y };
        found.tab.page.wheel(place, Place { x: dx, y: dy }).await?;
        found.tab.page.value_in(Some(found.context), &scripts::call("drawn", &[])).await?;
        // A wheel turns in steps of its own.
        found.ask("scrollTo", &[to]).await.map(|_| ())
    }
}

/// The file of this name in the folder or below it, wherever links lead: the author of the recording must not choose among
/// all files of the machine.
fn file_within(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let path = folder.join(name);
    let missing = |_| format!("the file {} is missing: put it beside the recording", path.display());
    let (inside, found) = (folder.canonicalize().map_err(missing)?, path.canonicalize().map_err(missing)?);
    if found.starts_with(&inside) && found.is_file() {
        return Ok(found);
    }
    Err(format!("{} is not a file in the recording's folder: put it beside the recording", path.display()))
}

/// What `player.scrollBy` answers: the middle of the element, and how far it still has to be scrolled.
#[derive(Deserialize)]
struct ScrollBy {
    x: f64,
    y: f64,
    dx: f64,
    dy: f64,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::file_within;

    #[test]
    fn only_files_of_the_folder_are_chosen() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("recordings");
        fs::create_dir_all(folder.join("below")).unwrap();
        for path in ["secret.txt", "recordings/a.txt", "recordings/below/b.txt", "recordings-2"] {
            fs::write(root.path().join(path), "").unwrap();
        }
        symlink(root.path().join("secret.txt"), folder.join("link.txt")).unwrap();
        symlink(root.path(), folder.join("up")).unwrap();
        symlink(folder.join("a.txt"), folder.join("inside.txt")).unwrap();
        for name in ["a.txt", "below/b.txt", "inside.txt"] {
            assert!(file_within(&folder, name).is_ok(), "{name}");
        }
        let secret = root.path().join("secret.txt").display().to_string();
        for name in [
            "../secret.txt",
            "link.txt",
            "up/secret.txt",
            "below/../../secret.txt",
            &secret,
            "below",
            "none",
            "../recordings-2",
        ] {
            assert!(file_within(&folder, name).is_err(), "{name}");
        }
    }
}
