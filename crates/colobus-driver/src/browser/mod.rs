//! Real worlds, in Chromium. [`BrowserFactory`] makes them; below it, from the outside in: `world` (one document and its
//! clients), `order` (single messages as events), `settle` (the barrier that knows when nothing moves; `report` and `digest`
//! are its view of one page), `client` (one user's session: `load`, `input`,
//! `pointer`, `caret`, `observe` are what it can do, `record` what the browser tells of it), `chromium` (the process),
//! `windows` is a browser as users have it, for sessions that are recorded (`recorder`), replayed (`player`) and performed
//! again and again (`show`).
//! `protocol` and `transport` (the DevTools protocol, which nothing outside of this module speaks).

mod caret;
mod chromium;
mod client;
mod digest;
mod factory;
mod fingerprint;
mod guests;
mod input;
mod joining;
mod keyboard;
mod launch;
mod load;
mod notes;
mod observe;
mod order;
mod player;
mod pointer;
mod protocol;
mod record;
mod recorder;
mod report;
mod reset;
mod scripts;
mod settle;
mod show;
mod storage;
mod transport;
mod windows;
mod workers;
mod world;

pub use factory::{BrowserFactory, BrowserOptions};
pub use player::{PlayOptions, Played, Player};
pub use recorder::Recorder;
pub use show::{BrowserStage, StageOptions};
pub use windows::{Pace, WindowOptions, Windows};
pub use world::BrowserWorld;
