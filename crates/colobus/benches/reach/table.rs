//! The section of docs/reach.md: a row for each application, what each part of the method is worth, what exploring leaves, and every
//! line that was missed. Written from the kept results and the truth files alone.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::Application;
use crate::explored::{Explored, TIME};
use crate::kept::Kept;
use crate::part::Part;
use crate::search::{Answered, Searched};
use crate::truth::{Kind, Target};

/// What stands between these is ours.
const BEGIN: &str = "<!-- Written by `make bench-reach` -->\n";
const END: &str = "<!-- End of what `make bench-reach` writes -->\n";

pub fn write_into(page: &Path, section: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (before, rest) = text.split_once(BEGIN).context("docs/reach.md has no place for the table")?;
    let (_, after) = rest.split_once(END).context("docs/reach.md has no end of the table")?;
    fs::write(page, format!("{before}{BEGIN}{section}{END}{after}"))?;
    Ok(())
}

/// One application with the results that there are.
struct Row<'a> {
    application: &'a Application,
    whole: &'a Searched,
    explored: Option<&'a Explored>,
    kept: &'a Kept,
}

pub fn section(applications: &[Application], kept: &Kept) -> String {
    let rows: Vec<Row> = applications.iter().filter_map(|application| Row::of(application, kept)).collect();
    let mut text = String::from(
        "| application | states, events, summaries | crawled | targets (sequence, parameters) | reached | left by explore and monkey (sequence, parameters) | reached of these | without the search from the start | without priorities | without summaries | length | connectors | anchors pruned | a search | unsatisfiable reached | build, load |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in &rows {
        let _ = writeln!(text, "{}", row.line());
    }
    let measured = |application: &&Application| rows.iter().any(|row| row.application.name == application.name);
    let missing: Vec<&str> = applications.iter().filter(|it| !measured(it)).map(|it| it.name.as_str()).collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "\nNot measured: {}.", missing.join(", "));
    }
    let _ = writeln!(text, "\n{}", total(&rows));
    text.push_str(&left_total(&rows));
    text.push_str(&missed(&rows));
    text
}

/// All of them, and those of each kind that can be reached.
fn split<'a>(targets: impl Iterator<Item = &'a Target>) -> String {
    let kinds: Vec<Kind> = targets.map(|target| target.kind).collect();
    let of = |kind: Kind| kinds.iter().filter(|it| **it == kind).count();
    format!("{} ({}, {})", kinds.len(), of(Kind::Sequence), of(Kind::Parameters))
}

impl<'a> Row<'a> {
    /// Nothing if it was not searched.
    fn of(application: &'a Application, kept: &'a Kept) -> Option<Row<'a>> {
        let name = &application.name;
        Some(Row { application, whole: kept.searched(name, Part::Whole)?, explored: kept.explored(name), kept })
    }

    /// The lines that a person can reach.
    fn possible(&self) -> impl Iterator<Item = &Target> {
        self.application.truth.can_be_reached()
    }

    fn reached(&self, searched: &Searched) -> usize {
        self.possible().filter(|target| searched.reaches(target)).count()
    }

    /// Those that exploring left, if it is known.
    fn left(&self) -> Option<Vec<&Target>> {
        let explored = self.explored.filter(|explored| explored.is_complete())?;
        Some(self.possible().filter(|target| explored.left(target)).collect())
    }

    fn line(&self) -> String {
        let Row { application, whole, kept, .. } = self;
        let (name, truth) = (&application.name, &application.truth);
        let missing = || "not run".to_string();
        let without = Part::LESS
            .map(|part| kept.searched(name, part).map_or_else(missing, |searched| self.reached(searched).to_string()));
        let left = self.left();
        let of_left = left.as_ref().map(|left| left.iter().filter(|target| whole.reaches(target)).count());
        let reached: Vec<&Answered> = self.possible().filter_map(|target| whole.answer(target)).collect();
        let reached: Vec<&Answered> = reached.into_iter().filter(|answer| answer.reached).collect();
        let sum = |of: fn(&Answered) -> usize| whole.answers.iter().map(of).sum::<usize>();
        let mean = |total: usize| total as f64 / reached.len().max(1) as f64;
        let seconds: f64 = whole.answers.iter().map(|answer| answer.seconds).sum();
        let impossible = truth.targets.iter().filter(|target| !target.kind.can_be_reached());
        let wrong = impossible.filter(|target| whole.reaches(target)).count();
        let (size, crawled) = match &whole.crawled {
            Some(size) => (
                format!("{}, {}, {}", size.states, size.events, size.summaries),
                format!("{:.0} s, {} runs", size.seconds, size.runs),
            ),
            None => ("not crawled".to_string(), "not crawled".to_string()),
        };
        let built = kept.circumstances(name, Part::Whole);
        let cells = [
            name.clone(),
            size,
            crawled,
            split(self.possible()),
            reached.len().to_string(),
            left.map_or_else(missing, |left| split(left.into_iter())),
            of_left.map_or_else(missing, |count| count.to_string()),
            without.join(" | "),
            format!(
                "{:.1} (to {})",
                mean(reached.iter().map(|it| it.length).sum()),
                reached.iter().map(|it| it.length).max().unwrap_or(0)
            ),
            format!("{:.1}", mean(reached.iter().map(|it| it.connectors).sum())),
            format!("{} %", 100 * sum(|it| it.pruned) / sum(|it| it.anchors).max(1)),
            format!("{:.1} s", seconds / whole.answers.len().max(1) as f64),
            format!("{wrong} of {}", truth.count(Kind::Unsatisfiable)),
            built.map_or_else(String::new, |it| format!("{}, {}", it.build, it.load)),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

fn total(rows: &[Row]) -> String {
    let possible: usize = rows.iter().map(|row| row.possible().count()).sum();
    let whole: usize = rows.iter().map(|row| row.reached(row.whole)).sum();
    // Beside the same applications with the whole method.
    let less = |part: Part| {
        let both: Vec<(usize, usize)> = rows
            .iter()
            .filter_map(|row| {
                let searched = row.kept.searched(&row.application.name, part)?;
                Some((row.reached(searched), row.reached(row.whole)))
            })
            .collect();
        let (without, with): (usize, usize) = both.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        (!both.is_empty()).then(|| format!(", {without} {part} (of {with} with it)"))
    };
    let others: String = Part::LESS.into_iter().filter_map(less).collect();
    format!(
        "{whole} of {possible} lines that a person can reach were reached ({:.0} %){others}.\n",
        share(whole, possible)
    )
}

/// The number of the paper: of the lines that exploring and a monkey leave, how many are reached.
fn left_total(rows: &[Row]) -> String {
    let known: Vec<(&Row, Vec<&Target>)> = rows.iter().filter_map(|row| Some((row, row.left()?))).collect();
    if known.is_empty() {
        return String::new();
    }
    let all: usize = known.iter().map(|(row, _)| row.possible().count()).sum();
    let reached: usize = known.iter().map(|(row, _)| row.reached(row.whole)).sum();
    let left: usize = known.iter().map(|(_, left)| left.len()).sum();
    let of_left: usize =
        known.iter().map(|(row, left)| left.iter().filter(|target| row.whole.reaches(target)).count()).sum();
    let mut text = format!(
        "`colobus explore` and a monkey (`--priority random`), at most {TIME} each, left {} of these {all} lines.",
        split(known.iter().flat_map(|(_, left)| left.iter().copied()))
    );
    if left > 0 {
        let _ = write!(text, " {of_left} of them were reached ({:.0} %).", share(of_left, left));
    }
    if left > 0 && share(of_left, left) < share(reached, all) {
        let _ = write!(
            text,
            " That is less than of all lines ({:.0} %): what exploring leaves is harder.",
            share(reached, all)
        );
    }
    let events = |priority: usize| {
        let explored = known.iter().filter_map(|(row, _)| row.explored?.0.get(priority));
        explored.map(|it| it.events).collect::<Vec<usize>>()
    };
    for (number, name) in [(0, "explore"), (1, "the monkey")] {
        let performed = events(number);
        let (least, most) = (performed.iter().min().unwrap_or(&0), performed.iter().max().unwrap_or(&0));
        let _ = write!(text, " Events that {name} performed in an application: {least} to {most}.");
    }
    text + "\n\n"
}

fn missed(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let name = &row.application.name;
        for target in &row.application.truth.targets {
            let (line, kind) = (&target.line, target.kind.word());
            let Some(answer) = row.whole.answer(target) else {
                let _ = writeln!(text, "- {name}, {line} ({kind}): no answer: {}", row.whole.failure);
                continue;
            };
            if answer.known_way == Some(false) {
                let _ = writeln!(text, "- {name}, {line}: the way in truth.toml does not reach it");
            }
            if target.kind.can_be_reached() && !answer.reached {
                let told = [&answer.outcome, &answer.reason].into_iter().filter(|part| !part.is_empty());
                let told = told.map(String::as_str).collect::<Vec<_>>().join(": ");
                let _ = writeln!(text, "- {name}, {line} ({kind}): {told}");
            }
        }
    }
    if text.is_empty() { text } else { format!("Not reached, or without an answer:\n\n{text}") }
}
