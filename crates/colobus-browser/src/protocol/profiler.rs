//! Which code ran, counted by the browser.

use super::{Done, commands, messages};

commands! {
    Enable = "Profiler.enable" {} -> Done;
    /// With counts, each [`TakePreciseCoverage`] tells what ran since the last one.
    StartPreciseCoverage = "Profiler.startPreciseCoverage" { call_count: bool, detailed: bool } -> serde_json::Value;
    TakePreciseCoverage = "Profiler.takePreciseCoverage" {} -> PreciseCoverage;
}

messages! {
    PreciseCoverage { result: Vec<ScriptCoverage> }
    ScriptCoverage { script_id: String, functions: Vec<FunctionCoverage> }
    FunctionCoverage { function_name: String, ranges: Vec<CoverageRange> }
    CoverageRange { start_offset: usize, end_offset: usize, count: u64 }
}
