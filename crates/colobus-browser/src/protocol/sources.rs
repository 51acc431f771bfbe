//! Scripts that a page has, and their sources: the part of the debugger that stops nothing.

use super::{Done, commands, messages};

commands! {
    /// Nothing stops, not even at `debugger`.
    SetSkipAllPauses = "Debugger.setSkipAllPauses" { skip: bool } -> Done;
    GetScriptSource<'a> = "Debugger.getScriptSource" { script_id: &'a str } -> ScriptSource;
}

messages! {
    ScriptSource { script_source: String }
    ScriptParsed {
        script_id: String,
        url: String,
        /// Where it begins in its file, from zero.
        start_line: u32,
        /// Of its source.
        hash: String,
        is_module: Option<bool>,
    }
}
