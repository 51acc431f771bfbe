//! Exporters: the text that they write, and one that is added from outside.

mod added;
#[path = "../../../colobus-record/tests/all/hostile/mod.rs"]
mod hostile;
mod hostile_values;
mod text;
