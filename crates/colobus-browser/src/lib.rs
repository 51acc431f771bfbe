//! One browser and its pages. A [`Browser`] is a Chromium that was launched here or is running elsewhere; a [`Page`] is one
//! of its tabs, under a [`Policy`]: held (its messages wait at a gate, its clock may be owned), free (a browser as users
//! have it) or raced (its events are released one by one). Worlds, the recorder and the player of `colobus-driver` are built on these two.
//!
//! Below them: `protocol` (the DevTools protocol as types), [`transport`] (pipe and WebSocket), [`scripts`] (the
//! JavaScript below `page/` at the root of the repository), `keyboard`.

mod browser;
mod keyboard;
mod launch;
mod page;
mod policy;
mod protocol;
pub mod scripts;
mod storage_state;
pub mod transport;

pub use browser::{Browser, BrowserContext, ProxyWay, TargetListener, Targets};
pub use keyboard::{Stroke, strokes};
pub use launch::{LaunchError, LaunchOptions, Process, find_browser, runs_without_sandbox};
pub use page::{
    AimedStep, DialogAnswer, DialogOpening, DirectAnswer, Evaluated, Frame, FramePath, KeyStroke, LOAD_LIMIT, LogEntry,
    LogKind, LookOptions, Lookup, MouseAction, Notice, Opening, OpeningOptions, Page, PageListener, Place, ProxyLogin,
    SharedWorkers, Shown, StoppedRequest, StoppedResponse, WebWorkers,
};
pub use policy::{FreePolicy, Policy};
pub use protocol::input::{DragEventKind, KeyEventKind, MouseEventKind};
pub use protocol::network::ResourceType;
pub use protocol::page::NavigationType;
pub use protocol::target::{AttachedToTarget, TargetInfo, TargetKind};
pub use protocol::{ProtocolError, well_formed};
pub use storage_state::{StorageState, StoredCookie, StoredItem, StoredOrigin};
