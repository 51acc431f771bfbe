//! [`Player`]: performs the lines of a recording in a [`Windows`], with trusted input.

mod fields;
mod hurry;
mod keys;
mod locate;
mod mouse;
mod navigation;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use colobus_browser::DialogAnswer;
use colobus_record::{Event, Line, Modifiers, Mouse, Point, Reach, Recording, Timing, Who, unfold};
use tokio::time::{Instant, timeout};

use super::tab::Tab;
use super::windows::Windows;
use crate::settling::{Pace, settle_sessions};
use colobus_world::WorldError;

#[derive(Clone, Debug)]
pub struct PlayOptions {
    pub pace: Pace,
    /// Whether an element that is no longer where it was is an error.
    pub strict: bool,
    /// How long an element may take to appear.
    pub patience: Duration,
    /// Values of secrets, by variable.
    pub secrets: Vec<(String, String)>,
    /// Where chosen files are.
    pub files: PathBuf,
    /// Where pages may come from that are acted in, and that get secrets.
    pub reach: Reach,
}

/// How a line went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    Done,
    /// Done, but the element had to be looked for: what was given up.
    Relaxed(Vec<String>),
    /// Not possible, and why.
    Impossible(String),
}

pub struct Player<'a> {
    windows: &'a Windows,
    recording: &'a Recording,
    options: PlayOptions,
    /// Where a button is down, in each tab.
    pressed: BTreeMap<Who, Pressed>,
    /// Where one was let go last.
    clicked: BTreeMap<Who, Pressed>,
    /// When and where one went down last.
    last_press: BTreeMap<Who, LastPress>,
    /// The index of the line that is performed.
    index: usize,
    /// Whether the line that is performed comes before the page is ready.
    hurries: bool,
    given_up: Vec<String>,
    /// The tab that each client used last.
    front: BTreeMap<usize, u32>,
    dialogs: BTreeMap<Who, usize>,
}

#[derive(Clone)]
struct Pressed {
    mouse: Mouse,
    place: Point,
    /// Where the mouse has gone since.
    now: Point,
    /// The document in which it went down.
    context: i64,
    /// Whether the browser itself drags something, and the page knows.
    carries: bool,
}

struct LastPress {
    place: Point,
    at: Instant,
    /// The index of its line.
    index: usize,
}

/// Why a line cannot be performed: a problem of the recording, or the end of the browser.
enum Stop {
    Impossible(String),
    World(WorldError),
}

impl From<WorldError> for Stop {
    fn from(error: WorldError) -> Stop {
        match error {
            WorldError::Interrupted(message) => Stop::Impossible(message),
            other => Stop::World(other),
        }
    }
}

type Performed<T = ()> = Result<T, Stop>;

impl<'a> Player<'a> {
    pub fn new(windows: &'a Windows, recording: &'a Recording, options: PlayOptions) -> Player<'a> {
        // Told at once: dialogs open while the line before is still being performed.
        for line in &recording.lines {
            if let Event::Dialog { accept, text, .. } = &line.event {
                let answer = DialogAnswer { accept: *accept, text: text.clone() };
                windows.tabs.expect_dialog(line.who, answer);
            }
        }
        Player {
            windows,
            recording,
            options,
            pressed: BTreeMap::new(),
            clicked: BTreeMap::new(),
            last_press: BTreeMap::new(),
            index: 0,
            hurries: false,
            given_up: Vec::new(),
            front: BTreeMap::new(),
            dialogs: BTreeMap::new(),
        }
    }

    /// Performs the line with this index, from zero. `Err` means that nothing can be performed any more.
    pub fn play(&mut self, index: usize) -> Result<Played, WorldError> {
        let windows = self.windows;
        windows.wait_or_stop(self.play_line(index))
    }

    /// The same; nothing if the page does not let it happen within the limit. The page is of no use then.
    pub fn play_within(&mut self, index: usize, limit: Duration) -> Result<Option<Played>, WorldError> {
        let windows = self.windows;
        windows.wait_or_stop(async { timeout(limit, self.play_line(index)).await.ok().transpose() })
    }

    async fn play_line(&mut self, index: usize) -> Result<Played, WorldError> {
        let recording = self.recording;
        let Some(line) = recording.lines.get(index) else {
            return Ok(Played::Impossible("the recording has no such line".to_string()));
        };
        self.given_up.clear();
        self.hurries = line.is_hurried();
        self.index = index;
        let outcome = async {
            self.wait_before(line).await;
            let done = self.perform_line(index, line).await;
            self.let_through(index, done.is_err()).await?;
            done
        };
        Ok(match outcome.await {
            Err(Stop::World(error)) => return Err(error),
            Err(Stop::Impossible(problem)) => Played::Impossible(problem),
            Ok(()) if self.given_up.is_empty() => Played::Done,
            Ok(()) => Played::Relaxed(std::mem::take(&mut self.given_up)),
        })
    }

    async fn perform_line(&mut self, index: usize, line: &Line) -> Performed {
        self.hold_for_the_next(index).await?;
        for part in unfold(std::slice::from_ref(line)) {
            self.perform(part.who, &part.event).await?;
        }
        Ok(())
    }

    async fn wait_before(&self, line: &Line) {
        match self.options.pace {
            _ if line.is_hurried() => {}
            _ if line.timing != Timing::Loose => tokio::time::sleep(Duration::from_millis(line.after_ms)).await,
            Pace::Recorded => tokio::time::sleep(Duration::from_millis(line.after_ms.min(60_000))).await,
            Pace::Fast => {
                settle_sessions(&self.windows.tabs, self.options.patience).await;
            }
            Pace::None => {}
        }
    }

    async fn perform(&mut self, who: Who, event: &Event) -> Performed {
        match event {
            Event::Open(url) => self.open(who, url).await,
            Event::Popup(_) => self.popup(who).await,
            Event::Arrive(_) => self.arrive(who).await,
            Event::Reload => self.reload(who).await,
            Event::Back => self.go_in_history(who, -1).await,
            Event::Forward => self.go_in_history(who, 1).await,
            Event::Close => self.close(who).await,
            Event::Press(mouse, count) => self.press(who, mouse, *count).await,
            Event::Move(by) => self.move_by(who, *by).await,
            Event::Release(mouse, count) => self.release(who, mouse, *count).await,
            Event::Drop(mouse) => self.drop_on(who, mouse).await,
            Event::Abandon => self.abandon(who).await,
            Event::Down { on, key, held, again } => self.key(who, on, key, *held, Some(*again)).await,
            Event::Up { on, key, held } => self.key(who, on, key, *held, None).await,
            Event::Compose { on, stages, commit } => self.compose(who, on, stages, commit).await,
            Event::Insert { on, text } => self.insert(who, on, text).await,
            Event::Clipboard { text, html } => self.clipboard(who, text, html.as_deref()).await,
            Event::Paste { on } => self.paste(who, on).await,
            Event::Secret { on, variable } => self.secret(who, on, variable).await,
            Event::Choose { on, at, values } => self.choose(who, on, *at, values).await,
            Event::Set { on, value } => self.set(who, on, value).await,
            Event::Files { on, names } => self.choose_files(who, on, names).await,
            Event::Scroll { on, to } => self.scroll(who, on, *to).await,
            Event::Dialog { .. } => self.dialog(who).await,
            // Taken apart before.
            Event::Click(..)
            | Event::DoubleClick(_)
            | Event::Drag { .. }
            | Event::Carry { .. }
            | Event::Type { .. } => Ok(()),
        }
    }

    /// The tab, if its page is one that may be acted in.
    async fn tab(&mut self, who: Who) -> Performed<Arc<Tab>> {
        let tab = self.front_tab(who).await?;
        let url = tab.page.url();
        if !self.options.reach.includes(&url) {
            return Err(Stop::Impossible(format!(
                "the page is {url}, which is not at {}; a further `--at` with its address lets it be acted in",
                self.options.reach
            )));
        }
        Ok(tab)
    }

    /// The tab, in front of its user's others: those behind hear nothing of the mouse.
    async fn front_tab(&mut self, who: Who) -> Performed<Arc<Tab>> {
        let tab = self.windows.tabs.tab(who, self.options.patience).await?;
        if self.front.insert(who.client, who.tab).unwrap_or(1) != who.tab {
            tab.page.bring_to_front().await?;
        }
        Ok(tab)
    }

    fn left_button(on: &colobus_record::Element, at: Point) -> Mouse {
        Mouse { on: on.clone(), at, button: colobus_record::Button::Left, held: Modifiers::default() }
    }
}
