//! [`Family`]: the processes of a running search, as the kernel sees them. Only on Linux there is something to see.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A process and all that descend from it; those that are not the tool itself are browsers.
pub struct Family {
    tool: Vec<u32>,
    browsers: Vec<u32>,
}

impl Family {
    pub fn of(root: u32) -> Family {
        let parents = parents();
        let descends = |mut pid: u32| {
            while pid != root {
                match parents.get(&pid) {
                    Some(parent) => pid = *parent,
                    None => return false,
                }
            }
            true
        };
        let program = fs::read_link(format!("/proc/{root}/exe")).ok();
        let is_tool = |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).ok() == program;
        let (tool, browsers) = parents.keys().copied().filter(|pid| descends(*pid)).partition(is_tool);
        Family { tool, browsers }
    }

    /// Whether any thread of any browser runs or wants to.
    pub fn has_busy_browser(&self) -> bool {
        self.browsers.iter().any(|pid| threads(*pid).iter().any(|thread| state(thread) == Some('R')))
    }

    pub fn has_browsers(&self) -> bool {
        !self.browsers.is_empty()
    }

    /// Bytes of the tool with the application it serves, and of the browsers; shared memory is counted in parts.
    pub fn memory(&self) -> (u64, u64) {
        let sum = |pids: &[u32]| pids.iter().map(|pid| proportional_set_size(*pid)).sum();
        (sum(&self.tool), sum(&self.browsers))
    }
}

fn parents() -> BTreeMap<u32, u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid: u32| Some((pid, field(Path::new(&format!("/proc/{pid}/stat")), 1)?.parse().ok()?))).collect()
}

fn threads(pid: u32) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("stat")).collect()
}

fn state(stat: &Path) -> Option<char> {
    field(stat, 0)?.chars().next()
}

/// A field of a `stat` file, counted from the state on: the name before it may hold spaces and brackets.
fn field(stat: &Path, index: usize) -> Option<String> {
    let text = fs::read_to_string(stat).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    fields.split(' ').nth(index).map(str::to_string)
}

fn proportional_set_size(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0);
    kilobytes * 1024
}
