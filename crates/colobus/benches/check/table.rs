//! [`Table`]: what was measured beside what is aimed at, in Markdown; on the way it says on stderr what is being done.

use std::fs;
use std::thread::available_parallelism;

use crate::extent::Extent;

pub struct Table {
    heading: String,
    rows: Vec<[String; 3]>,
}

impl Table {
    pub fn new(extent: &Extent) -> Table {
        let cores = available_parallelism().map_or(1, usize::from);
        Table {
            heading: format!("depth {}, {cores} cores, load average before {}", extent.depth, load()),
            rows: vec![],
        }
    }

    pub fn section(&mut self, title: &str) {
        eprintln!("bench: {title}");
        self.rows.push([format!("**{title}**"), String::new(), String::new()]);
    }

    pub fn row(&mut self, what: impl Into<String>, measured: impl Into<String>) {
        self.row_with_aim(what, measured, "");
    }

    pub fn row_with_aim(&mut self, what: impl Into<String>, measured: impl Into<String>, aim: &str) {
        let row = [what.into(), measured.into(), aim.to_string()];
        eprintln!("bench:   {}: {}", row[0], row[1]);
        self.rows.push(row);
    }

    pub fn print(&self) {
        let headings = ["", "measured", "aim"].map(str::to_string);
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&headings]).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        let line = |row: &[String; 3]| {
            let [what, measured, aim] = row;
            println!("| {what:w0$} | {measured:>w1$} | {aim:>w2$} |", w0 = widths[0], w1 = widths[1], w2 = widths[2]);
        };
        println!("\n{}, after {}\n", self.heading, load());
        line(&headings);
        println!(
            "|{:-<w0$}|{:->w1$}:|{:->w2$}:|",
            "",
            "",
            "",
            w0 = widths[0] + 2,
            w1 = widths[1] + 1,
            w2 = widths[2] + 1
        );
        self.rows.iter().for_each(line);
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
    if seconds < 60.0 { format!("{seconds:.1} s") } else { format!("{:.1} min", seconds / 60.0) }
}

pub fn times(ratio: f64) -> String {
    format!("{ratio:.1} ×")
}
