//! [`Table`]: what was measured, section by section, beside what is aimed at, in Markdown; on the way it says on stderr what is being
//! done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::thread::available_parallelism;

use crate::aims::Aim;
use crate::extent::Extent;

pub struct Table {
    heading: String,
    sections: Vec<Section>,
    reached: BTreeMap<Aim, f64>,
}

struct Section {
    title: String,
    rows: Vec<[String; 2]>,
}

impl Table {
    pub fn new(extent: &Extent) -> Table {
        let cores = available_parallelism().map_or(1, usize::from);
        Table {
            heading: format!("{}, {cores} cores, load average before {}", extent.name, load()),
            sections: vec![],
            reached: BTreeMap::new(),
        }
    }

    pub fn section(&mut self, title: &str) {
        eprintln!("bench: {title}");
        self.sections.push(Section { title: title.to_string(), rows: vec![] });
    }

    pub fn row(&mut self, what: impl Into<String>, measured: impl Into<String>) {
        let row = [what.into(), measured.into()];
        eprintln!("bench:   {}: {}", row[0], row[1]);
        if let Some(section) = self.sections.last_mut() {
            section.rows.push(row);
        }
    }

    /// A figure with an aim of its own.
    pub fn row_with_aim(&mut self, what: impl Into<String>, measured: impl std::fmt::Display, aim: &str) {
        let aim = if aim.is_empty() { String::new() } else { format!(" (aim: {aim})") };
        self.row(what, format!("{measured}{aim}"));
    }

    /// What a part measured for an aim.
    pub fn aim(&mut self, aim: Aim, measured: f64) {
        eprintln!("bench:   {}: {} (aim: {})", aim.name(), aim.write(measured), aim.wanted());
        self.reached.insert(aim, measured);
    }

    /// All of it, as it stands in docs/performance.md.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}, after {}.\n\n", self.heading, load());
        if !self.reached.is_empty() {
            text += "| | measured | aim | |\n|---|--:|--:|---|\n";
            for aim in Aim::ALL {
                let measured = self.reached.get(&aim).copied();
                let verdict = match measured.map(|measured| aim.is_reached(measured)) {
                    Some(true) => "reached",
                    Some(false) => "missed",
                    None => "not measured in this run",
                };
                let measured = measured.map_or(String::new(), |measured| aim.write(measured));
                let _ = writeln!(text, "| {} | {measured} | {} | {verdict} |", aim.name(), aim.wanted());
            }
        }
        for Section { title, rows } in &self.sections {
            let _ = writeln!(text, "\n**{title}**\n\n| | measured |\n|---|--:|");
            for [what, measured] in rows {
                let _ = writeln!(text, "| {what} | {measured} |");
            }
        }
        text
    }
}

/// How many processes wanted to run, on average over the last minute.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_string()
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

pub fn milliseconds(seconds: f64) -> String {
    format!("{:.0} ms", seconds * 1000.0)
}

pub fn seconds(seconds: f64) -> String {
    if seconds < 60.0 { format!("{seconds:.1} s") } else { minutes(seconds) }
}

pub fn minutes(seconds: f64) -> String {
    format!("{:.1} min", seconds / 60.0)
}

pub fn times(ratio: f64) -> String {
    format!("{ratio:.1} ×")
}
