//! What `colobus reach` needs beside the search: the plain page that decides ([`PlainPage`]), the line that was meant
//! ([`target`]), and the answer as text and files ([`answer`]).

pub mod answer;
mod plain_page;
pub mod target;

pub use plain_page::PlainPage;
