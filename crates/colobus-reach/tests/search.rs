//! Searches in small applications. Needs `z3`; `make setup` installs it.

mod apps;

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
fn tax_calculator() {
    apps::check("tax calculator", &apps::tax_calculator::fixture());
}

#[test]
fn what_cannot_be_reached_is_never_reached() {
    apps::check("unsatisfiable", &apps::unsatisfiable::fixture());
}
