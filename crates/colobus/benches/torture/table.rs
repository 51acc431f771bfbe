//! The table: a row for every part that was run.

use crate::kept::Kept;
use crate::outcome::Outcome;
use crate::part::Part;

pub fn print(kept: &Kept) {
    println!("\n| part | done | of | lost | doubled | false | hung | left behind |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for part in Part::ALL {
        let trials = kept.trials(*part);
        if trials.is_empty() {
            continue;
        }
        let sum = |count: fn(&Outcome) -> usize| trials.iter().map(|outcome| count(outcome)).sum::<usize>();
        println!(
            "| `{}`: {} | {} | {} | {} | {} | {} | {} | {} |",
            part.word(),
            part.unit(),
            kept.amount(*part),
            part.whole(),
            sum(|outcome| outcome.lost),
            sum(|outcome| outcome.doubled),
            sum(|outcome| outcome.wrong),
            sum(|outcome| outcome.hung),
            sum(|outcome| outcome.left_behind),
        );
    }
    for part in Part::ALL {
        for (number, outcome) in kept.trials(*part).iter().enumerate() {
            if !outcome.is_right() || *part == Part::Memory {
                println!("\n{} {}: {outcome}", part.word(), number + 1);
            }
        }
    }
}
