//! What users send to developers: a [`Letter`] with the recorded session, their words, a picture of the last page and the
//! versions of everything, as one file. [`Areas`] black out what is private in the picture, [`seal`] encrypts the file for
//! the developers alone. Nothing here reads or writes a file or leaves the machine.

mod areas;
mod letter;
mod seal;

pub use areas::{Area, Areas, PictureError};
pub use letter::{Letter, LetterError, Versions};
pub use seal::{SealError, is_sealed, open, seal};
