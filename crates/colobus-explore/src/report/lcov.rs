//! Coverage in the format of lcov, which editors and continuous integration read.

use std::collections::BTreeMap;
use std::fmt::Write;

use colobus_world::Script;

use crate::Coverage;
use crate::coverage::lines;

/// One record for each file, its lines counted from one.
pub fn lcov(covered: &Coverage, files: &BTreeMap<String, Vec<Script>>) -> String {
    let mut out = String::new();
    for (url, scripts) in files {
        let mut found: BTreeMap<usize, bool> = BTreeMap::new();
        for script in scripts {
            for line in lines(&script.source, covered.of(&script.name)) {
                *found.entry(script.line as usize + line.line + 1).or_default() |= line.covered;
            }
        }
        let url = url.replace(['\n', '\r'], " ");
        let _ = writeln!(out, "TN:\nSF:{url}");
        found.iter().for_each(|(line, ran)| {
            let _ = writeln!(out, "DA:{line},{}", u8::from(*ran));
        });
        let ran = found.values().filter(|ran| **ran).count();
        let _ = writeln!(out, "LF:{}\nLH:{ran}\nend_of_record", found.len());
    }
    out
}
