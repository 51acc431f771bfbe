//! What `colobus reach` needs beside the search: what has to be known before it ([`Preparing`]: crawling, the lines that were meant in
//! [`target`], [`target_file`] and [`uncovered`]), the plain page that decides ([`PlainBrowser`]), what servers answer
//! ([`recorder`]), and the answers as files
//! ([`results`]).

mod executed_lines;
mod plain_page;
mod preparing;
mod recorder;
pub mod results;
mod target;
pub mod target_file;
mod uncovered;

pub use plain_page::{KnownEvents, PlainBrowser, performed};
pub use preparing::Preparing;
pub use recorder::recorder;
