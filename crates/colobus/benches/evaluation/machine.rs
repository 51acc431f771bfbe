//! [`Machine`]: where and when something was measured.

use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

pub struct Machine {
    pub date: String,
    pub cores: usize,
    pub processor: String,
    pub memory_gb: u64,
    pub node: String,
    /// How many processes wanted to run, on average over the last minute.
    pub load_before: String,
}

impl Machine {
    pub fn now() -> Machine {
        let memory: u64 = field("/proc/meminfo", "MemTotal:").trim_end_matches(" kB").parse().unwrap_or(0);
        Machine {
            date: said("date", &["-u", "+%Y-%m-%d"]),
            cores: available_parallelism().map_or(1, usize::from),
            processor: field("/proc/cpuinfo", "model name\t:"),
            memory_gb: (memory + 524_288) / 1_048_576,
            node: said("node", &["--version"]),
            load_before: load(),
        }
    }
}

pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_string()
}

fn field(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_string()
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}
