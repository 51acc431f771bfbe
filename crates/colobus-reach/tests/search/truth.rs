//! Every line of the small applications is reached or not, as their truth says.

use colobus_reach::search::{Limits, Outcome};

use crate::apps;

#[test]
fn tip_calculator() {
    apps::check("tip calculator", &apps::tip_calculator::fixture());
}

#[test]
fn dice_roller() {
    apps::check("dice roller", &apps::dice_roller::fixture());
}

#[test]
fn score_keeper() {
    apps::check("score keeper", &apps::score_keeper::fixture());
}

#[test]
fn file_manager() {
    apps::check("file manager", &apps::file_manager::fixture());
}

#[test]
fn keypad() {
    apps::check("keypad", &apps::keypad::fixture());
}

#[test]
fn what_cannot_be_reached_is_never_reached() {
    apps::check("unsatisfiable", &apps::unsatisfiable::fixture());
}

#[test]
fn what_a_wrong_summary_claims_is_never_reached() {
    let fixture = apps::unsatisfiable::fixture();
    let mut solver = apps::z3();
    let (mut summaries, _) = apps::summaries(&fixture.app, &mut solver);
    summaries.extend(apps::unsatisfiable::claimed());
    for (line, _) in &fixture.truth {
        let limits = Limits { iterations: 25, ways: 4, forward: 0 };
        let found = apps::search(&fixture.app, &summaries, *line, &mut solver, limits);
        assert!(!matches!(found.outcome, Outcome::Reached(_)), "{line}: {found:?}");
    }
}
