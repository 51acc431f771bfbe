//! [`Coverage`]: which code of which scripts ran. Computed from what the browser counts ([`executed`]), joined over all
//! sequences, read by priorities and reports.

mod intervals;
mod lines;

use std::collections::BTreeMap;

use colobus_world::{RangeRun, ScriptName, ScriptRun};
use serde::{Deserialize, Serialize};

pub use intervals::Intervals;
pub use lines::{LineCoverage, lines};

/// Executed code, by script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(ScriptName, Intervals)>", into = "Vec<(ScriptName, Intervals)>")]
pub struct Coverage {
    scripts: BTreeMap<ScriptName, Intervals>,
}

impl From<Vec<(ScriptName, Intervals)>> for Coverage {
    fn from(scripts: Vec<(ScriptName, Intervals)>) -> Coverage {
        Coverage { scripts: scripts.into_iter().collect() }
    }
}

impl From<Coverage> for Vec<(ScriptName, Intervals)> {
    fn from(coverage: Coverage) -> Vec<(ScriptName, Intervals)> {
        coverage.scripts.into_iter().collect()
    }
}

impl Coverage {
    pub fn of(&self, script: &ScriptName) -> Option<&Intervals> {
        self.scripts.get(script)
    }

    pub fn scripts(&self) -> impl Iterator<Item = (&ScriptName, &Intervals)> {
        self.scripts.iter()
    }

    pub fn add(&mut self, script: &ScriptName, intervals: &Intervals) {
        if !intervals.is_empty() {
            self.scripts.entry(script.clone()).or_default().add_all(intervals);
        }
    }

    pub fn add_all(&mut self, other: &Coverage) {
        other.scripts.iter().for_each(|(script, intervals)| self.add(script, intervals));
    }

    /// What it has beyond another.
    pub fn without(&self, other: &Coverage) -> Coverage {
        let mut rest = Coverage::default();
        for (script, intervals) in &self.scripts {
            let left = other.of(script).map_or_else(|| intervals.clone(), |known| intervals.without(known));
            rest.add(script, &left);
        }
        rest
    }

    /// How much code it has, in characters.
    pub fn size(&self) -> usize {
        self.scripts.values().map(Intervals::size).sum()
    }

    /// The share of `code` that it has; all of it if there is no code.
    pub fn share_of(&self, code: &Coverage) -> f64 {
        let size = code.size();
        if size == 0 {
            return 1.0;
        }
        1.0 - code.without(self).size() as f64 / size as f64
    }
}

/// What was executed, and the whole of the functions that were entered for it. The top level of a script is no function.
pub fn executed(runs: &[ScriptRun]) -> (Coverage, Coverage) {
    let (mut covered, mut entered) = (Coverage::default(), Coverage::default());
    for ScriptRun { script, functions } in runs {
        let mut ranges: Vec<RangeRun> = functions.iter().flat_map(|function| function.ranges.iter().copied()).collect();
        // Ranges are nested: an outer one comes before those that it contains.
        ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        covered.add(script, &innermost(&ranges));
        let mut whole = Intervals::default();
        for range in functions.iter().filter_map(|function| function.ranges.first()) {
            if range.count > 0 && range.start > 0 {
                whole.add(range.start, range.end);
            }
        }
        entered.add(script, &whole);
    }
    (covered, entered)
}

/// Where the innermost range around a place was executed.
fn innermost(ranges: &[RangeRun]) -> Intervals {
    let mut covered = Intervals::default();
    let mut open: Vec<RangeRun> = Vec::new();
    let mut place = 0;
    let paint = |covered: &mut Intervals, open: &[RangeRun], from: usize, to: usize| {
        if to > from && open.last().is_some_and(|range| range.count > 0) {
            covered.add(from, to);
        }
    };
    for range in ranges {
        while let Some(last) = open.last().filter(|last| last.end <= range.start) {
            let end = last.end;
            paint(&mut covered, &open, place, end);
            place = place.max(end);
            open.pop();
        }
        paint(&mut covered, &open, place, range.start);
        place = place.max(range.start);
        open.push(*range);
    }
    while let Some(last) = open.last() {
        let end = last.end;
        paint(&mut covered, &open, place, end);
        place = place.max(end);
        open.pop();
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_world::FunctionRun;

    fn function(ranges: &[(usize, usize, u64)]) -> FunctionRun {
        let ranges = ranges.iter().map(|&(start, end, count)| RangeRun { start, end, count }).collect();
        FunctionRun { name: String::new(), ranges }
    }

    #[test]
    fn the_innermost_range_decides() {
        let script = ScriptName { url: "a.js".into(), hash: "1".into() };
        let functions = vec![
            function(&[(0, 100, 1)]),
            function(&[(10, 50, 1), (20, 30, 0)]),
            function(&[(22, 25, 3)]),
            function(&[(60, 90, 0)]),
        ];
        let (covered, entered) = executed(&[ScriptRun { script: script.clone(), functions }]);
        assert_eq!(covered.of(&script).unwrap().pairs(), [(0, 20), (22, 25), (30, 60), (90, 100)]);
        assert_eq!(entered.of(&script).unwrap().pairs(), [(10, 50)]);
        assert_eq!(covered.size(), 63);
        assert!((covered.share_of(&entered) - 33.0 / 40.0).abs() < 1e-9);
        assert!((covered.share_of(&Coverage::default()) - 1.0).abs() < 1e-9);
    }
}
