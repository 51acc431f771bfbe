//! What a run tells, made readable: [`RunEvent`](colobus_model::RunEvent)s become lines on a terminal, annotations of a
//! CI service or JSON through a [`Renderer`]; the final [`Report`](colobus_model::Report) becomes `report.json`,
//! `report.html` and `junit.xml` through [`write_files`]; the reports of several shards become one through [`merge`].
//!
//! Everything that came from a page under test is hostile until it is escaped for the place where it is shown.

mod at_end;
mod error;
mod figures;
mod files;
mod github;
mod html;
mod json;
mod junit;
mod merge;
mod printable;
mod renderer;
mod reproduce;
mod root_cause;
mod terminal;

pub use error::ReportError;
pub use figures::{counted, grouped};
pub use files::{read_report, write_atomically, write_files};
pub use html::html_page;
pub use junit::junit_xml;
pub use merge::{MergeError, Merged, merge, merge_folders};
pub use renderer::{Output, REPORTERS, Renderer, Reporter, UnknownReporter, renderers};
pub use reproduce::{replay_command, replay_line};
pub use terminal::{Look, Terminal};
