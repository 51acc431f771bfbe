//! The table of docs/reliability.md: a row for every part, written from the kept results alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::kept::Kept;
use crate::outcome::Outcome;
use crate::part::Part;

const BEGIN: &str = "<!-- Written by `make torture` -->\n";
const END: &str = "<!-- End of what `make torture` writes -->\n";

pub fn write_into(page: &Path, kept: &Kept) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let place = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = place.with_context(|| format!("{} has no place for the table: {BEGIN}", page.display()))?;
    let table = table(kept)?;
    fs::write(page, format!("{before}{BEGIN}{table}{END}{after}"))?;
    println!("{table}");
    Ok(())
}

fn table(kept: &Kept) -> anyhow::Result<String> {
    let mut text = String::from(
        "| part | done | of | lost | doubled | false | hung | left behind | when | builds | load average |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |\n",
    );
    for part in Part::ALL {
        write!(text, "| `{}`: {} | {} | {} |", part.word(), part.unit(), kept.amount(*part), part.whole())?;
        let trials = kept.trials(*part);
        let counts: [fn(&Outcome) -> usize; 5] = [
            |outcome| outcome.lost,
            |outcome| outcome.doubled,
            |outcome| outcome.wrong,
            |outcome| outcome.hung,
            |outcome| outcome.left_behind,
        ];
        for count in counts {
            match trials.is_empty() {
                true => write!(text, " |")?,
                false => write!(text, " {} |", trials.iter().map(|outcome| count(outcome)).sum::<usize>())?,
            }
        }
        let dates: BTreeSet<&str> = kept.circumstances(*part).map(|noted| noted.date.as_str()).collect();
        let builds: BTreeSet<&str> = kept.circumstances(*part).map(|noted| noted.build.as_str()).collect();
        let loads: Vec<f64> = kept.circumstances(*part).filter_map(|noted| noted.load.parse().ok()).collect();
        let (least, most) =
            loads.iter().fold((f64::MAX, 0.0_f64), |(least, most), load| (least.min(*load), most.max(*load)));
        let load = if loads.is_empty() { String::new() } else { format!("{least:.0} to {most:.0}") };
        let [dates, builds] = [dates, builds].map(|words| words.into_iter().collect::<Vec<_>>().join(", "));
        writeln!(text, " {dates} | {builds} | {load} |")?;
    }
    for part in Part::ALL {
        for (number, outcome) in kept.trials(*part).iter().enumerate() {
            if !outcome.is_right() || *part == Part::Memory {
                writeln!(text, "\n`{}`, trial {}: {outcome}", part.word(), number + 1)?;
            }
        }
    }
    Ok(text)
}
