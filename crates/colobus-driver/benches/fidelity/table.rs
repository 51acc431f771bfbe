//! [`Table`]: rows of texts and numbers, in Markdown.

use std::fs;

pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(headings: &[&str]) -> Table {
        Table { rows: vec![headings.iter().map(|heading| heading.to_string()).collect()] }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    pub fn print(&self) {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns).map(width).collect();
        println!();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
                0 => format!(" {cell:width$} "),
                _ => format!(" {cell:>width$} "),
            });
            println!("|{}|", cells.collect::<Vec<_>>().join("|"));
            if index == 0 {
                let rule = widths.iter().enumerate().map(|(column, width)| match column {
                    0 => "-".repeat(width + 2),
                    _ => format!("{}:", "-".repeat(width + 1)),
                });
                println!("|{}|", rule.collect::<Vec<_>>().join("|"));
            }
        }
    }
}

/// How many processes wanted to run, on average over the last minute.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_string()
}

/// `12 of 13`.
pub fn part(some: usize, all: usize) -> String {
    format!("{some} of {all}")
}
