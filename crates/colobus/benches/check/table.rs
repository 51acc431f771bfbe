//! [`Table`]: what was measured, section by section, beside what is aimed at, in Markdown; on the way it says on stderr what is being
//! done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde::{Deserialize, Serialize};

use crate::aims::Aim;

#[derive(Default, Serialize, Deserialize)]
pub struct Table {
    sections: Vec<Section>,
    reached: BTreeMap<Aim, f64>,
}

#[derive(Serialize, Deserialize)]
struct Section {
    title: String,
    rows: Vec<[String; 2]>,
}

impl Table {
    pub fn new() -> Table {
        Table::default()
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

    pub fn markdown(&self) -> String {
        let aims = if self.reached.is_empty() { String::new() } else { verdicts([self]) };
        aims + &sections(self)
    }
}

/// Which aims were reached, also those that were not measured.
pub fn verdicts<'a>(tables: impl IntoIterator<Item = &'a Table>) -> String {
    let reached: BTreeMap<Aim, f64> = tables.into_iter().flat_map(|table| table.reached.clone()).collect();
    let mut text = "| | measured | aim | |\n|---|--:|--:|---|\n".to_string();
    for aim in Aim::ALL {
        let measured = reached.get(&aim).copied();
        let verdict = match measured.map(|measured| aim.is_reached(measured)) {
            Some(true) => "reached",
            Some(false) => "missed",
            None => "not measured",
        };
        let measured = measured.map_or(String::new(), |measured| aim.write(measured));
        let _ = writeln!(text, "| {} | {measured} | {} | {verdict} |", aim.name(), aim.wanted());
    }
    text
}

pub fn sections(table: &Table) -> String {
    let mut text = String::new();
    for Section { title, rows } in &table.sections {
        let _ = writeln!(text, "\n**{title}**\n\n| | measured |\n|---|--:|");
        for [what, measured] in rows {
            let _ = writeln!(text, "| {what} | {measured} |");
        }
    }
    text
}

/// How many processes wanted to run, on average over the last minute.
pub fn load() -> String {
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
