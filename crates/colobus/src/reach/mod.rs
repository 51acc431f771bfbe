//! What `colobus reach` needs beside the search: the lines that were meant ([`target`], [`wanted`], [`uncovered`]), the plain
//! page that decides ([`PlainPage`]), and the answers as text and files ([`answer`], [`results`]).

pub mod answer;
mod plain_page;
pub mod results;
pub mod target;
pub mod uncovered;
pub mod wanted;

pub use plain_page::PlainPage;
