//! The oracles. A [`Check`] is a pure function of a [`Trace`]; all of them are listed in [`CHECKS`], and [`Checks`] asks
//! those that apply. The run loop produces traces and asks it what to collect for them; reduction, export and
//! reports ask the check itself ([`Checks::find`]) instead of comparing its name. What the searches of one page look for is a
//! [`PageCheck`].

mod caret;
mod check;
mod checks;
mod conservation;
mod convergence;
mod errors;
mod invariant;
mod judgement;
mod late_joiner;
mod neutral;
mod page;
mod precedence;
mod reload;
mod text_content;
mod undo;
mod view;

pub use check::{Check, DemandedWord, Evidence, Symptom};
pub use checks::Checks;
pub use errors::refusals_alone;
pub use judgement::{Judgement, judge_by};
pub use neutral::may_reorder;
pub use page::{FailureIdentity, PAGE_CHECKS, PageCheck, PageFailure, invalid_html};
pub use precedence::{EarlyAnswer, early_answer};
pub use text_content::TextContent;

/// All checks. A new one is a file and a line here.
pub static CHECKS: &[&dyn Check] = &[
    &convergence::PIXELS,
    &convergence::DOM,
    &convergence::STATE,
    &conservation::Conservation,
    &precedence::Precedence,
    &undo::Undo,
    &neutral::Neutral,
    &view::ModelAndView,
    &reload::Reload,
    &caret::RemoteCaret,
    &late_joiner::LateJoiner,
    &invariant::Invariants,
    &errors::NewErrors,
];
