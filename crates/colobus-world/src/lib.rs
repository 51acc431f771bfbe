//! The seams between searches and what executes them. A [`World`] is one document and the clients on it; a [`Stage`] performs
//! recorded sessions; a [`RacePage`] executes the events of one page in any order; an [`ExplorablePage`] is a front end to
//! explore. `colobus-driver` implements all of them with real browsers, [`fake`] implements `World` in memory.

mod exit;
mod explorable;
pub mod fake;
mod problem;
mod race_page;
mod recorded;
mod stage;
mod survey;
mod world;

pub use colobus_race::conflicts::Touched;
pub use exit::{exits, is_exit};
pub use explorable::{
    AnswerPlan, DragTarget, ExplorablePage, FunctionRun, GivenAnswer, MarkKind, Offer, OfferKind, PageRun, PageStep,
    RangeRun, Script, ScriptName, ScriptRun, SeenMark, SeenProblem, SentDocument, Visit,
};
pub use problem::{PageProblem, ProblemKind};
pub use race_page::RacePage;
pub use recorded::Recorded;
pub use stage::{Field, PageSnapshot, SessionRun, Stage};
pub use survey::{Button, Draggable, Editable, Landmark, Survey};
pub use world::{ObserveOptions, Settled, StepOutcome, Traffic, World, WorldError, WorldFactory, late_joiner_name};
