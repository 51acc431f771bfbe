//! Where a worker stops, so that a script can run before its first line.

use super::{Done, commands, messages};

commands! {
    Enable = "Debugger.enable" {} -> serde_json::Value;
    Disable = "Debugger.disable" {} -> Done;
    Resume = "Debugger.resume" {} -> Done;
    SetInstrumentationBreakpoint = "Debugger.setInstrumentationBreakpoint" {
        /// `beforeScriptExecution` stops at the first line of every script.
        instrumentation: &'static str,
    } -> serde_json::Value;
}

messages! {
    Paused {}
}
