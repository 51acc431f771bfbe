//! Sessions of users: [`Windows`] is a browser as users have it, [`Tab`] one of its tabs. The [`Recorder`] turns what pages
//! tell into a recording, the [`Player`] performs one with trusted input.

mod browser_source;
mod notice;
mod open_tabs;
mod player;
mod presence;
mod recorder;
mod tab;
mod windows;

pub use browser_source::BrowserSource;
pub(crate) use open_tabs::OpenTabs;
pub use player::{PlayOptions, Played, Player};
pub(crate) use presence::ensure_present;
pub use recorder::Recorder;
pub(crate) use recorder::element;
pub(crate) use tab::{Tab, problem};
pub use windows::{ExploreWindows, WindowOptions, Windows};
