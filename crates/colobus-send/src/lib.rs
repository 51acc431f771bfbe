//! What users send to developers: a [`BugReport`] with the recorded session, their words, a picture of the last page and the
//! versions of everything, as one file. [`Areas`] black out what is private in the picture, [`encrypt`] encrypts the file for
//! the developers alone. Nothing here reads or writes a file or leaves the machine.

mod areas;
mod bug_report;
mod encrypt;

pub use areas::{Area, Areas, PictureError};
pub use bug_report::{BugReport, BugReportError, Versions};
pub use encrypt::{EncryptError, encrypt, is_encrypted, open};
