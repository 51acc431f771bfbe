//! The table: a row for every application and way of running it, a column for every server time.

use crate::search::Outcome;
use crate::setting::{Setting, Version};

pub fn print(results: &[(&Setting, &Outcome)]) {
    let of = |version: Version| results.iter().filter(move |(setting, _)| setting.version == version);
    let count = |version: Version| of(version).filter(|(_, outcome)| outcome.right).count();
    println!(
        "\n| application | server | started by | workers | machine | wait | bug | came back | repaired | interaction |"
    );
    println!("| --- | --- | --- | ---: | --- | --- | --- | ---: | --- | ---: |");
    for (setting, bug) in of(Version::Bug) {
        let twin = Setting { version: Version::Repaired, ..(*setting).clone() };
        let repaired = results.iter().find(|(other, _)| **other == twin).map(|(_, outcome)| outcome);
        let came_back = bug.came_back.map_or("–".to_string(), |(times, of)| format!("{times} of {of}"));
        let Setting { application, server, started_by, workers, machine, wait, .. } = setting;
        println!(
            "| {application} | {} | {} | {workers} | {} | {} | {} | {came_back} | {} | {:.0} ms |",
            server.word(),
            started_by.word(),
            machine.word(),
            wait.word(),
            if bug.findings > 0 { "found" } else { "**missed**" },
            repaired.map_or("not run", |outcome| match outcome.exit_code {
                Some(0) => "clean",
                Some(1) => "**false finding**",
                _ => "**in doubt**",
            }),
            repaired.unwrap_or(bug).interaction_ms,
        );
    }
    let interactions: usize = of(Version::Repaired).map(|(_, outcome)| outcome.interactions).sum();
    println!(
        "\n{} of {} bugs found and repeated every time; {} of {} repaired applications clean, {interactions} interactions.",
        count(Version::Bug),
        of(Version::Bug).count(),
        count(Version::Repaired),
        of(Version::Repaired).count(),
    );
}
