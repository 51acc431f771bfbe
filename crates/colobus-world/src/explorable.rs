//! The seam between a search that explores a front end and the browser that shows it: [`ExplorablePage`]. A [`PageRun`] says
//! what to do, a [`Visit`] is what the page offered, executed and got wrong. Implemented by `colobus-driver` and by fakes.

use std::collections::BTreeSet;
use std::sync::Arc;

use colobus_model::{BrowserPlace, Png};
use colobus_record::{Element, Line};
use serde::{Deserialize, Serialize};

use crate::{PageProblem, Recorded, WorldError};

/// A page that can be opened afresh as often as needed.
pub trait ExplorablePage: Send {
    /// Opens the page afresh and performs the steps; ends early at a step that is not possible.
    fn run(&mut self, run: &PageRun) -> Result<Visit, WorldError>;

    /// Performs further steps in the page as the last run left it. The visit tells of these steps alone: what they executed and got
    /// wrong, and what can be done after them.
    fn go_on(&mut self, steps: &[PageStep]) -> Result<Visit, WorldError>;

    /// Opens the page afresh as [`run`](ExplorablePage::run) does, while traffic is recorded.
    fn run_recorded(&mut self, run: &PageRun) -> Result<Recorded<Visit>, WorldError>;

    /// What shows the page, for reports.
    fn browser(&self) -> BrowserPlace;
}

/// One way through a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageRun {
    pub steps: Vec<PageStep>,
    /// How many of the steps only lead to the place of interest: what they execute is told apart from the rest.
    pub prefix: usize,
    pub answers: AnswerPlan,
}

/// What a user does at once: one thing that people have a word for.
#[derive(Clone, Debug, PartialEq)]
pub struct PageStep {
    pub label: String,
    pub lines: Vec<Line>,
    /// Which answers the server's stand-in makes up while it is performed; zero for answers as observed.
    pub seed: u64,
}

/// What a stand-in for the server answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnswerPlan {
    /// The seed while the page is opened.
    pub opening: u64,
    /// Requests that get an answer as observed, whatever the seed: the request, and its number among equal ones.
    #[serde(default)]
    pub usual: BTreeSet<(String, usize)>,
    /// Requests that get exactly this answer.
    #[serde(default)]
    pub fixed: Vec<GivenAnswer>,
}

/// An answer in the server's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnswer {
    /// Method and path, as a line.
    pub request: String,
    /// Its number among equal requests of the run, from zero.
    pub number: usize,
    /// The operation of the description, as it is written there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub operation: String,
    pub status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    pub body: String,
    /// Whether it was made of what the server was observed to answer.
    pub as_observed: bool,
}

/// What happened in a [`PageRun`].
#[derive(Clone, Debug, Default)]
pub struct Visit {
    /// How many steps were performed.
    pub performed: usize,
    /// Why the next step could not be, if there is one.
    pub stopped: Option<String>,
    /// Whether the page came to rest whenever it was waited for.
    pub rested: bool,
    pub problems: Vec<SeenProblem>,
    /// Texts of answers that the page did not treat as texts.
    pub marks: Vec<SeenMark>,
    /// The document that is open in the end, if it is HTML of the application.
    pub document: Option<SentDocument>,
    /// What a user can do in the end. Nothing if the page left the application.
    pub offers: Vec<Offer>,
    /// What the opening and the prefix executed, and what the rest did.
    pub before: Vec<ScriptRun>,
    pub after: Vec<ScriptRun>,
    /// All scripts of which something ran.
    pub scripts: Vec<Script>,
    pub answers: Vec<GivenAnswer>,
    /// Whether the last step, or the opening if there is none, got answers in the server's place.
    pub answered_last: bool,
    /// Names of properties that the last step read and wrote, if that was observed.
    pub accesses: Option<(BTreeSet<String>, BTreeSet<String>)>,
    pub screenshot: Option<Png>,
}

/// What went wrong, and where in which script if that is known: `app.js:12:5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenProblem {
    pub problem: PageProblem,
    pub place: Option<String>,
}

/// A document as the server sent it, before scripts changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentDocument {
    pub url: String,
    pub text: String,
}

/// A marked text of an answer in the server's place that did not stay a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenMark {
    /// The number of its field.
    pub number: u64,
    pub became: MarkKind,
    /// The element that it became a part of; empty if that is not known.
    pub place: String,
}

/// What became of a marked text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// An element.
    Markup,
    /// Code that ran, or runs when the user follows a link.
    Script,
}

/// A script, by where it comes from and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScriptName {
    pub url: Arc<str>,
    pub hash: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub name: ScriptName,
    pub source: Arc<str>,
    /// Where it begins in the file, from zero: scripts may stand in documents.
    pub line: u32,
    pub is_module: bool,
}

/// What was executed of a script. Positions count UTF-16 units from its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptRun {
    pub script: ScriptName,
    pub functions: Vec<FunctionRun>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRun {
    /// Empty for the top level and for functions without a name.
    pub name: String,
    /// The whole function first; inner ranges that were executed otherwise come after it.
    pub ranges: Vec<RangeRun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeRun {
    pub start: usize,
    pub end: usize,
    pub count: u64,
}

/// Something that a user can do in a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    pub kind: OfferKind,
    pub element: Element,
    /// Width and height of the element.
    pub size: (f64, f64),
    /// What people would call it.
    pub name: String,
    /// What a field contains.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// What a field takes: `text`, `number`, `email`, …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub input: String,
    /// Values to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The number of the form that it belongs to; fields outside of forms are one together.
    #[serde(default)]
    pub form: usize,
    /// Whether clicking it may send its form.
    #[serde(default)]
    pub submits: bool,
    /// Whether the page hears when the field is left.
    #[serde(default)]
    pub hears_change: bool,
    /// Where it can be dragged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<DragTarget>,
}

/// The element that another is dragged to, with its width and height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DragTarget {
    pub element: Element,
    pub size: (f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    Click,
    DoubleClick,
    /// With the right button.
    Menu,
    /// A key, on an element that hears keys.
    Press,
    /// Text into a field.
    Fill,
    /// An entry of a list.
    Choose,
    /// A value that has a picker of its own: dates, colours, ranges.
    Set,
    /// To another place with the button down.
    Drag,
    /// The same where the browser itself takes the element along.
    Carry,
}

impl OfferKind {
    pub const ALL: [OfferKind; 9] = [
        OfferKind::Click,
        OfferKind::DoubleClick,
        OfferKind::Menu,
        OfferKind::Press,
        OfferKind::Fill,
        OfferKind::Choose,
        OfferKind::Set,
        OfferKind::Drag,
        OfferKind::Carry,
    ];

    pub fn name(self) -> &'static str {
        match self {
            OfferKind::Click => "click",
            OfferKind::DoubleClick => "double_click",
            OfferKind::Menu => "menu",
            OfferKind::Press => "press",
            OfferKind::Fill => "fill",
            OfferKind::Choose => "choose",
            OfferKind::Set => "set",
            OfferKind::Drag => "drag",
            OfferKind::Carry => "carry",
        }
    }
}
