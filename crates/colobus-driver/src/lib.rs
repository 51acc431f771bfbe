//! Worlds and stages on real browsers: application, browser and proxies put together. [`BrowserFactory`] makes worlds for
//! searches of interactions (`world`), [`BrowserStage`] performs recorded sessions, [`BrowserExplorer`] shows a page to explore
//! (`explorer`), [`Windows`] is a browser in which sessions are recorded ([`Recorder`]) and performed ([`Player`]).
//! [`RecordingProxy`] records programs that are no browsers.
//! [`RaceBrowser`] releases the events of one page one by one (`race`), [`ReachBrowser`] runs handlers concolically (`reach`). `settling` knows when nothing moves any more;
//! [`subject`] is the running application, [`Elsewhere`] names browsers on other machines.

mod attended;
mod browsers;
mod elsewhere;
mod explorer;
mod guarded_proxy;
mod interrupt;
mod listen;
mod network_process;
mod probe;
mod race;
mod reach;
mod recording_proxy;
mod runtime;
mod session;
mod settling;
mod single_browser;
mod stage;
pub mod subject;
mod traffic;
mod world;

pub use attended::Attended;
pub use browsers::BrowserChoice;
pub use colobus_browser::StorageState;
pub use colobus_grid::{Credentials, Hub, HubStatus, Node, UnderWay};
pub use colobus_proxy::{Answer, Answerer};
pub use elsewhere::{Elsewhere, RemoteBrowsers};
pub use explorer::{BrowserExplorer, ExplorerOptions, ServerStandIn};
pub use interrupt::Interrupt;
pub use listen::Listen;
pub use probe::{Probe, probe};
pub use race::{RaceBrowser, RaceOptions};
pub use reach::{
    AnswerRecorder, BrowserEvent, PageEvents, Places, ReachBrowser, ReachOptions, Reachable, RecordedAnswer, file_of,
};
pub use recording_proxy::RecordingProxy;
pub use session::{BrowserSource, ExploreWindows, PlayOptions, Played, Player, Recorder, WindowOptions, Windows};
pub use settling::limits::{ELEMENT_IN_REPLAYS, LATE_TIMERS};
pub use settling::{Pace, Patience};
pub use stage::{BrowserStage, StageOptions};
pub use traffic::TrafficLog;
pub use world::{
    BrowserFactory, BrowserOptions, BrowserWorld, Costs, RecordedWorlds, WorldStandIn, WorldStandIns, note_of_sandbox,
};
