//! What users did, as data. A [`Recording`] is a list of [`Line`]s, each an [`Event`] on an [`Element`] in a user's tab,
//! and reads like a text file because it is one: `docs/recording.md` has the grammar, [`Recording::parse`] the parser. [`fold`]
//! turns what a page hears (down, up) into what a person does (click, type), and back; [`relax`] says how an element is
//! looked for when it is no longer where it was, [`exchange`] how others write recordings, [`steps`] how searches perform them.

mod element;
mod event;
pub mod exchange;
mod fold;
mod input;
mod origin;
mod parse;
mod recording;
pub mod relax;
mod secret;
pub mod steps;
mod unfold;
mod write;

pub use colobus_model::{Key, Modifiers, Viewport};
pub use element::{Element, Entry, Hints, Hop, Path, PathStep};
pub use event::{DialogKind, Event, Mouse};
pub use fold::fold;
pub use input::{Button, Point};
pub use origin::{Origin, OriginError, PlaceError, Reach};
pub use parse::{ParseError, is_recording};
pub use recording::{Line, Recording, Timing, VERSION, Who};
pub use secret::{is_variable, variable_name, variables, variables_in, without_secrets, without_values};
pub use unfold::unfold;
