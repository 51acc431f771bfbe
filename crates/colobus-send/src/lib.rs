//! What users send to developers: a [`BugReport`] with the recorded session, their words, a picture of the last page and the
//! versions of everything, as one file. [`Areas`] black out what is private in the picture. Made and taken apart by the command line,
//! which also encrypts the file. Nothing here reads or writes a file or leaves the machine.

mod areas;
mod bug_report;

pub use areas::{Area, Areas, PictureError};
pub use bug_report::{BugReport, BugReportError, Versions};
