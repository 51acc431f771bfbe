//! Exporters: the text that they write, and one that is added from outside.

mod added;
mod text;
