//! [`File`]: `colobus.toml` as it is written. Its types are the JSON Schema as well, so every doc comment here is what an
//! editor shows to a user, and what error messages quote. Only [`super::resolve`] sees these types.

use std::collections::BTreeMap;

use colobus_model::{Aspect, Ignore, Invariant, RemoteCarets, Sometimes, Step, Tls, Viewport};
use colobus_run::{FaultKind, FaultKinds, LateJoinerChoice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::neutral::NeutralSteps;

/// Nothing is waited for longer than a day.
const DAY_MS: u64 = 86_400_000;

/// A web application, what its users do, and how it is searched for what they can break together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "colobus.toml")]
pub struct File {
    /// The application: how to reach it and what its page is like.
    pub app: App,
    /// When a page counts as settled.
    #[serde(default)]
    pub settle: Settle,
    /// What in the pages is the same every time, instead of left to chance.
    #[serde(default)]
    pub deterministic: Deterministic,
    /// What screenshots, DOM or state are used for.
    #[serde(default)]
    pub judge: Judge,
    /// How far the search goes. Flags of `colobus check` override it.
    #[serde(default)]
    pub search: Search,
    /// Names for sets of actions: lists of names of actions, and of other sets.
    #[serde(default)]
    pub sets: BTreeMap<String, Vec<String>>,
    /// What is checked besides.
    #[serde(default)]
    pub checks: Checks,
    /// What is always true: a name and JavaScript each.
    #[serde(default)]
    pub invariant: Vec<Invariant>,
    /// What a search has to reach: a name and JavaScript each that is true at least once.
    #[serde(default)]
    pub sometimes: Vec<Sometimes>,
    /// What `colobus race` takes for harmless, and which scripts it takes for libraries.
    #[serde(default)]
    pub race: Race,
    /// Who the clients are, in their order: how each of them logs in. Left out if no client has to.
    #[serde(default)]
    pub client: Vec<Client>,
    /// What users do: a name and steps each.
    #[serde(default)]
    pub action: Vec<Action>,
}

/// How a client logs in: by steps, or with what an earlier login left. A client with neither is a guest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// The page on which its steps begin. The page of `[app]` if it is left out.
    pub url: Option<String>,
    /// What it does to log in, once in a run. `{COLOBUS_SECRET_NAME}` in what is typed stands for an environment variable.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// A file with cookies and local storage as Playwright's `storageState` writes it, relative to this file.
    pub storage_state: Option<String>,
}

/// Something that a user does. Its steps are not atomic: messages of other users may arrive between them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What reports and `colobus list` call it. Unique within a configuration.
    pub name: String,
    /// What the user does, in order. At least one.
    pub steps: Vec<Step>,
    /// Whether it may take away text that is not selected and not beside the caret: then no check demands that what others
    /// type meanwhile is still there.
    #[serde(default)]
    pub deletes: bool,
    /// Whether it should change nothing: it is tried alone and beside every other action.
    #[serde(default)]
    pub neutral: bool,
    /// The name of the action that takes it back, such as an undo. Both together are tried beside every other action.
    pub inverse: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct App {
    /// What reports call the application. The URL if it is left out.
    pub title: Option<String>,
    /// The page every client opens. `{doc}` becomes a fresh name for every run, `{port}` a free port.
    pub url: String,
    /// The command that starts the application, as words or as a list of words. Leave it out if it runs already.
    pub start: Option<CommandWords>,
    /// Where commands run, relative to this file.
    #[serde(default = "here")]
    pub directory: String,
    /// Environment variables of the started application.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What tells that the started application is there: a URL that answers or a port that is open. The URL's port if
    /// it is left out.
    pub wait_for: Option<WaitFor>,
    /// How long the started application may take, in milliseconds.
    #[serde(default = "start_timeout_ms")]
    #[schemars(range(max = DAY_MS))]
    pub start_timeout_ms: u64,
    /// Further hosts that pages may talk to: `api.example.org` or `*.example.org` (ports 80 and 443),
    /// `127.0.0.1:9000` (one port), `localhost:*` (all ports). Host and port of the URL, and ports on which the
    /// application that `start` starts listens, need not be listed.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// What every client does after it has loaded the page and before that is `ready`: closes a banner, types a name (`{client}` is A, B, …),
    /// opens the part to be searched. Each step waits for its element.
    #[serde(default)]
    pub after_load: Vec<Step>,
    /// JavaScript that is true, or a promise that resolves, once the page can be used.
    pub ready: Option<String>,
    /// CSS selector of the element that gets the focus before a user acts.
    pub focus: Option<String>,
    /// How the caret is read and put somewhere: the name of a kind of editor, or JavaScript of your own.
    #[serde(default)]
    pub caret: Caret,
    /// What is no part of the document: CSS selectors, and rectangles of the viewport.
    #[serde(default)]
    pub ignore: Vec<Ignore>,
    /// CSS that is added to every page.
    #[serde(default)]
    pub css: String,
    /// Whether animations, transitions and blinking are switched off. An application that waits for `transitionend` needs
    /// `false`.
    #[serde(default = "yes")]
    pub freeze_animations: bool,
    /// JavaScript that returns the application's own document as JSON.
    pub state: Option<String>,
    /// The size of every page, in CSS pixels.
    #[serde(default = "viewport")]
    pub viewport: Viewport,
    /// How a run gets an empty document, if the URL has no `{doc}`.
    pub reset: Option<Reset>,
    /// What is done with https and wss: `open` sees and holds their messages, with certificates that only the browsers of
    /// this run trust; `tunnel` lets them pass unseen, for an application that insists on its own certificate.
    #[serde(default)]
    pub tls: Tls,
    /// The description of a server that `colobus learn` wrote, relative to this file: requests that it knows are answered in the
    /// server's place.
    pub server: Option<String>,
}

/// A command: `"npm start"` or `["npm", "start"]`. No shell is involved.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CommandWords {
    Line(String),
    List(Vec<String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WaitFor {
    Port(u16),
    Url(String),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Caret {
    Named(CaretName),
    Script(CaretScript),
}

/// A kind of editor; `auto` looks at the focused element, `none` leaves carets alone.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaretName {
    Auto,
    Input,
    Textarea,
    ContentEditable,
    CodeMirror5,
    CodeMirror6,
    Quill,
    ProseMirror,
    None,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaretScript {
    /// JavaScript expression whose JSON value is the caret.
    pub read: String,
    /// JavaScript function that puts the caret where such a value says.
    pub write: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Reset {
    Reload(Reload),
    Command(ResetCommand),
    Request(ResetRequest),
    Evaluate(ResetEvaluate),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reload {
    /// Loading the page again is enough: the application keeps nothing.
    Reload,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetCommand {
    /// A command that empties the document; pages are loaded again afterwards.
    pub command: CommandWords,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// A request that empties the document, such as `"POST http://127.0.0.1:8080/reset"`; pages are loaded again
    /// afterwards.
    pub request: String,
    /// The body of the request.
    #[serde(default)]
    pub body: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetEvaluate {
    /// JavaScript that empties the document in place; nothing is loaded again.
    pub evaluate: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settle {
    /// How long nothing may move, in milliseconds; 0 for a server that answers everything at once. Without it, that is learned
    /// from what the application does.
    #[schemars(range(max = DAY_MS))]
    pub quiet_ms: Option<u64>,
    /// Timers of a page that are due within so many milliseconds are waited for.
    #[schemars(range(max = DAY_MS))]
    pub timers_ms: u64,
    /// Wait exactly so many milliseconds instead of observing.
    #[schemars(range(max = DAY_MS))]
    pub fixed_ms: Option<u64>,
    /// Wait until no request has been without an answer for so many milliseconds instead of observing, as `networkidle` of
    /// Playwright does.
    #[schemars(range(max = DAY_MS))]
    pub network_idle_ms: Option<u64>,
    /// A page that still moves after so many milliseconds is given up: the verdict is unknown.
    #[schemars(range(max = DAY_MS))]
    pub limit_ms: u64,
    /// Paths of requests that stay open and are not waited for (long polls), such as `/poll*`; `*` stands for anything.
    pub background: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Deterministic {
    /// Whether Math.random, crypto.getRandomValues and crypto.randomUUID decide ties alike every time: the first numbers that
    /// a page draws begin with digits of the client, all other digits are new in every execution.
    pub random: bool,
    /// Whether Date, performance.now and timers follow a clock of the page's own: it starts at the same moment every time,
    /// and timers that are waited for cost no time. An application that compares its clock with its server's needs
    /// `false`.
    pub clock: bool,
    /// Another seed decides ties in another way.
    pub seed: u64,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Judge {
    /// What tells which part of the document an action changes.
    pub effect: Aspect,
    /// What tells that two states are the same.
    pub equivalence: Aspect,
    /// What all clients must agree on in the end. Pixels if it is left out, and the state if `[app]` says how to read it.
    pub convergence: Option<Vec<Aspect>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// The longest sequence of actions, the concurrent one included: with 2, pairs are tried in the empty document and
    /// after every single action.
    #[schemars(range(min = 1))]
    pub depth: usize,
    /// How many clients act at the same time.
    #[schemars(range(min = 2, max = 26))]
    pub clients: usize,
    /// Whether clients may perform the same action at the same time.
    pub same: bool,
    /// The set of actions that is used if no flag names another. All actions if it is left out.
    pub set: Option<String>,
    /// How often the concurrent actions are performed, one round after the other: with 2, all clients see what the others
    /// did, and then all do it again.
    #[schemars(range(min = 1, max = 9))]
    pub rounds: usize,
    /// Whether phase 1 leaves out what comes after a state that is like one before it in pixels, DOM, state and caret.
    pub prune: bool,
    /// In how many further orders of its messages every interaction is run, nearest reversals first.
    #[schemars(range(min = 1))]
    pub schedules: Option<usize>,
    /// Whether faults come into these orders, too, or which: `["offline", "reload", "wait", "tab", "join"]` are all there are.
    pub faults: Faults,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Faults {
    All(bool),
    Kinds(Vec<Fault>),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    Offline,
    Reload,
    Wait,
    Tab,
    Join,
}

impl Faults {
    pub fn kinds(&self) -> FaultKinds {
        let kind = |fault: &Fault| match fault {
            Fault::Offline => FaultKind::Offline,
            Fault::Reload => FaultKind::Reload,
            Fault::Wait => FaultKind::Wait,
            Fault::Tab => FaultKind::Tab,
            Fault::Join => FaultKind::Join,
        };
        match self {
            Faults::All(true) => FaultKinds::all(),
            Faults::All(false) => FaultKinds::default(),
            Faults::Kinds(faults) => faults.iter().map(kind).collect(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Checks {
    /// Whether a client that opens the document afterwards must see the same as the others. Only where the URL has `{doc}`. Where
    /// it never differs, a sample of the interactions is enough; `"always"` looks after every one.
    pub reload: LateJoiner,
    /// Steps that should change nothing, tried alone and beside every action: `undo-redo`, `indent-outdent`, `blur-focus`
    /// and `resize`.
    pub neutral: Vec<NeutralSteps>,
    /// Where the carets of others are shown, if they must be where their owners have them: a CSS selector, or JavaScript
    /// for positions in the document.
    pub caret: Option<RemoteCarets>,
    /// Names of checks that are not asked, such as `undo` or `new-errors`.
    pub off: Vec<String>,
    /// Whether the letters of a word that a user types must stay together. Editors that order single letters put what two
    /// users type at one place beside, and sometimes into each other.
    pub whole_words: bool,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Race {
    /// Names of filters that are switched off, such as `late-attachment`: what they match is a finding.
    pub filters_off: Vec<String>,
    /// Scripts that are not looked into, by their addresses, such as `*/jquery*.js`; `*` stands for anything. Each counts as one place.
    pub libraries: Vec<String>,
    /// What you know to be harmless, each with a reason that the report repeats.
    pub harmless: Vec<Harmless>,
}

/// Something harmless: a reason and what it is about. `*` stands for anything.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Harmless {
    /// Why it does no harm. The report repeats it.
    pub reason: String,
    /// What both events touch, as a finding calls it, such as `text of <p#clock>`.
    pub place: Option<String>,
    /// Where one of the events touches it, as a finding calls it, such as `clock.js:*`.
    pub at: Option<String>,
    /// The text of an uncaught exception, such as `AbortError: *`.
    pub error: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LateJoiner {
    Wanted(bool),
    Named(LateJoinerName),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LateJoinerName {
    Always,
}

impl From<LateJoiner> for LateJoinerChoice {
    fn from(wanted: LateJoiner) -> LateJoinerChoice {
        match wanted {
            LateJoiner::Wanted(false) => LateJoinerChoice::Never,
            LateJoiner::Wanted(true) => LateJoinerChoice::Sampled,
            LateJoiner::Named(LateJoinerName::Always) => LateJoinerChoice::Always,
        }
    }
}

impl Default for Caret {
    fn default() -> Caret {
        Caret::Named(CaretName::Auto)
    }
}

impl Default for Settle {
    fn default() -> Settle {
        Settle {
            quiet_ms: None,
            timers_ms: 100,
            fixed_ms: None,
            network_idle_ms: None,
            limit_ms: 10_000,
            background: Vec::new(),
        }
    }
}

impl Default for Deterministic {
    fn default() -> Deterministic {
        let colobus_model::Deterministic { random, clock, seed } = colobus_model::Deterministic::default();
        Deterministic { random, clock, seed }
    }
}

impl Default for Judge {
    fn default() -> Judge {
        Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: None }
    }
}

impl Default for Search {
    fn default() -> Search {
        Search {
            depth: 2,
            clients: 2,
            same: false,
            rounds: 1,
            set: None,
            prune: false,
            schedules: None,
            faults: Faults::All(false),
        }
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            reload: LateJoiner::Wanted(true),
            neutral: Vec::new(),
            caret: None,
            off: Vec::new(),
            whole_words: false,
        }
    }
}

fn here() -> String {
    ".".to_string()
}

fn yes() -> bool {
    true
}

fn start_timeout_ms() -> u64 {
    60_000
}

fn viewport() -> Viewport {
    Viewport { width: 800, height: 600 }
}
