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

/// What a process is in a search, or below a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Renderer,
    Browser,
    Gpu,
    Utility,
    Tool,
    Application,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Renderer, Kind::Browser, Kind::Gpu, Kind::Utility, Kind::Tool, Kind::Application];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Renderer => "renderers",
            Kind::Browser => "browser processes",
            Kind::Gpu => "GPU processes",
            Kind::Utility => "network and other helpers of the browser",
            Kind::Tool => "the tool itself, or node",
            Kind::Application => "the application",
        }
    }

    /// Of a process below `root`, by its command line. `None` if it is gone.
    fn of(pid: u32, root: u32) -> Option<Kind> {
        if pid == root {
            return Some(Kind::Tool);
        }
        let words = fs::read(format!("/proc/{pid}/cmdline")).ok().filter(|words| !words.is_empty())?;
        let words = String::from_utf8_lossy(&words).into_owned();
        // A browser writes its arguments with spaces once it runs.
        let kind = words.split(['\0', ' ']).find_map(|word| word.strip_prefix("--type="));
        Some(match kind {
            Some("renderer") => Kind::Renderer,
            Some("gpu-process") => Kind::Gpu,
            Some(_) => Kind::Utility,
            None if words.contains("serve-demo") || words.contains("server.js") => Kind::Application,
            None if words.contains("--headless") || words.contains("--remote-debugging") => Kind::Browser,
            None => Kind::Tool,
        })
    }
}

/// How many ticks of `/proc` make a second.
const TICKS: f64 = 100.0;

/// Seconds of the processor that a process and all below it have used, by kind; also those that have ended since.
#[derive(Default)]
pub struct ProcessorTime(BTreeMap<u32, (Kind, f64)>);

impl ProcessorTime {
    pub fn look(&mut self, root: u32) {
        let Family { tool, browsers } = Family::of(root);
        for pid in tool.into_iter().chain(browsers) {
            let stat = format!("/proc/{pid}/stat");
            let ticks = |index| field(Path::new(&stat), index).and_then(|ticks| ticks.parse::<f64>().ok());
            if let (Some(kind), Some(user), Some(system)) = (Kind::of(pid, root), ticks(11), ticks(12)) {
                self.0.insert(pid, (kind, (user + system) / TICKS));
            }
        }
    }

    pub fn of(&self, wanted: Kind) -> f64 {
        self.0.values().filter(|(kind, _)| *kind == wanted).map(|(_, seconds)| seconds).sum()
    }

    pub fn total(&self) -> f64 {
        self.0.values().map(|(_, seconds)| seconds).sum()
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
