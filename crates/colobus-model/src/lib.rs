//! The vocabulary of Colobus as plain data: what is tested ([`Application`]), what users do ([`Action`]), in which order
//! ([`Schedule`]), what was seen ([`Observation`], [`Trace`]), what it means ([`Verdict`], [`Finding`], [`Report`]) and
//! what a run tells while it goes on ([`RunEvent`]). Nothing here does anything: every other crate speaks these words.

mod action;
mod application;
mod browser_place;
mod case;
mod check_id;
mod doubt;
mod event;
mod exercised;
mod finding;
pub mod foreign;
mod interaction;
mod keyboard;
mod learned_settling;
mod login;
mod message;
mod observation;
mod pattern;
mod port;
mod report;
mod reproduction;
mod run_event;
mod schedule;
mod search_kind;
mod snapshot;
pub mod spelling;
mod step;
mod style;
mod token;
mod token_filler;
mod trace;
mod url_parts;
mod verdict;

pub use action::Action;
pub use application::{
    Application, CaretAccess, CaretKind, Deterministic, Ignore, Invariant, Launch, Rectangle, RemoteCarets,
    RemoteCaretsScript, Reset, Settle, Sometimes, Tls, Viewport, WaitFor,
};
pub use browser_place::{BrowserPlace, Repetition};
pub use case::{Case, NotApplicable, Tally};
pub use check_id::CheckId;
pub use doubt::Tolerance;
pub use event::{Direction, Event};
pub use exercised::{Exercised, ExercisedAction, SometimesHeld};
pub use finding::{
    Critical, FailingInteraction, FailingOrder, FailingSequence, FailingSession, Finding, MadeUpAnswer, ReachedLine,
    RootCause, ScriptLine, Searched,
};
pub use interaction::{ClientId, Interaction};
pub use keyboard::{Chord, ChordError, Key, KeyName, Modifier, Modifiers, keyboard_rows};
pub use learned_settling::{Expected, Followers, LearnedSettling};
pub use login::Login;
pub use message::{Message, MessageKind};
pub use observation::{Caret, CaretPlace, Carets, ErrorKind, LateJoin, LateJoiner, Observation, PageError, Png};
pub use pattern::matches_pattern;
pub use port::PORT;
pub use report::{
    AcceptedCause, ActionGap, AnsweredLine, Counts, Exploration, LineOutcome, LinesReport, PersonalPlace, Report,
    Timing, UnknownCase,
};
pub use reproduction::{Reproduction, ReproductionError};
pub use run_event::{Phase, Plan, PlannedSearch, RunEvent};
pub use schedule::{Schedule, ScheduleError};
pub use search_kind::SearchKind;
pub use snapshot::Snapshot;
pub use step::{CLIENT, Inside, Point, SelectTarget, Step, Target, TextEffect, toml_string};
pub use style::STILL_STYLE;
pub use token::{Part, TOKEN, Token, token_word};
pub use token_filler::TokenFiller;
pub use trace::{Outcome, TRACE_VERSION, Trace, TraceError};
pub use url_parts::UrlParts;
pub use verdict::{Aspect, Difference, DifferenceKind, FailedCheck, Verdict};
