//! What `colobus reach` needs beside the search: the lines that were meant ([`target`], [`target_file`], [`uncovered`]), the plain
//! page that decides ([`PlainPage`]), and the answers as text and files ([`answer`], [`results`]).

pub mod answer;
mod plain_page;
pub mod results;
pub mod target;
pub mod target_file;
pub mod uncovered;

pub use plain_page::PlainPage;
