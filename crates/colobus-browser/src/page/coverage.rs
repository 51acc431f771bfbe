//! What runs in a page: the scripts that it has, and which parts of them were executed.

use std::collections::BTreeMap;

use colobus_world::{FunctionRun, RangeRun, Script, ScriptName, ScriptRun, WorldError};

use super::Page;
use super::page_events::PageEvents;
use crate::protocol::{debugger, profiler, sources};

/// Scripts by the browser's numbers for them.
#[derive(Default)]
pub(super) struct ParsedScripts(BTreeMap<String, sources::ScriptParsed>);

impl ParsedScripts {
    fn name(&self, id: &str) -> Option<ScriptName> {
        let parsed = self.0.get(id)?;
        Some(ScriptName { url: parsed.url.as_str().into(), hash: parsed.hash.as_str().into() })
    }

    /// The latest of this name: a document that is loaded again has its scripts once more, and the first ones are gone.
    fn find(&self, name: &ScriptName) -> Option<sources::ScriptParsed> {
        let called = self.0.values().filter(|parsed| parsed.url == *name.url && parsed.hash == *name.hash);
        called.max_by_key(|parsed| parsed.script_id.parse::<u64>().unwrap_or_default()).cloned()
    }
}

impl PageEvents {
    pub(super) fn script_parsed(&self, parsed: &sources::ScriptParsed) {
        // Scripts without an address are our own, or made by other scripts.
        if parsed.url.starts_with("http") {
            self.state().scripts.0.insert(parsed.script_id.clone(), parsed.clone());
        }
    }
}

impl Page {
    /// From now on it is counted what runs.
    pub async fn begin_coverage(&self) -> Result<(), WorldError> {
        self.call(debugger::Enable {}).await?;
        self.call(sources::SetSkipAllPauses { skip: true }).await?;
        self.call(profiler::Enable {}).await?;
        self.call(profiler::StartPreciseCoverage { call_count: true, detailed: true }).await.map(|_| ())
    }

    /// What ran since the last call.
    pub async fn take_coverage(&self) -> Result<Vec<ScriptRun>, WorldError> {
        let taken = self.call(profiler::TakePreciseCoverage {}).await?.result;
        let state = self.events.state();
        let run = |script: profiler::ScriptCoverage| {
            let functions = script.functions.into_iter().map(function).collect();
            Some(ScriptRun { script: state.scripts.name(&script.script_id)?, functions })
        };
        Ok(taken.into_iter().filter_map(run).collect())
    }

    /// A script that the page has, with its source; nothing if it is gone.
    pub async fn script(&self, name: &ScriptName) -> Result<Option<Script>, WorldError> {
        let parsed = self.events.state().scripts.find(name);
        let Some(parsed) = parsed else { return Ok(None) };
        let source = self.call(sources::GetScriptSource { script_id: &parsed.script_id }).await?.script_source;
        let is_module = parsed.is_module == Some(true);
        Ok(Some(Script { name: name.clone(), source: source.into(), line: parsed.start_line, is_module }))
    }
}

fn function(told: profiler::FunctionCoverage) -> FunctionRun {
    let range = |range: profiler::CoverageRange| RangeRun {
        start: range.start_offset,
        end: range.end_offset,
        count: range.count,
    };
    FunctionRun { name: told.function_name, ranges: told.ranges.into_iter().map(range).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_scripts_with_one_name_the_later_one_is_there() {
        let mut scripts = ParsedScripts::default();
        for id in ["9", "13"] {
            let parsed = serde_json::json!({
                "scriptId": id, "url": "http://h/app.js", "startLine": 0, "hash": "1", "isModule": false,
            });
            scripts.0.insert(id.to_string(), serde_json::from_value(parsed).unwrap());
        }
        let name = ScriptName { url: "http://h/app.js".into(), hash: "1".into() };
        assert_eq!(scripts.find(&name).unwrap().script_id, "13");
    }
}
