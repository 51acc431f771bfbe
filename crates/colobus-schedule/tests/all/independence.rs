//! The independence relation of real events, pair by pair.

use colobus_model::{Event, Schedule};
use colobus_schedule::{NormalForm, Schedulable};

fn events(line: &str) -> Vec<Event> {
    line.parse::<Schedule>().expect("a schedule").events
}

#[test]
fn these_pairs_conflict_and_no_others() {
    let all = events("A1 A2 A> A>#2 A< A<#2 A! A+ A@ B1 B> B< B! ~");
    let table = "
        A1    ##..#####....#
        A2    ##..#####....#
        A>    ..##..###.#.##
        A>#2  ..##..###.#.##
        A<    ##..#####....#
        A<#2  ##..#####....#
        A!    #########.#.##
        A+    #########.#.##
        A@    #########.#.##
        B1    .........#.###
        B>    ..##..###.#.##
        B<    .........#.###
        B!    ..##..########
        ~     ##############
    ";
    let relation: String = all
        .iter()
        .map(|one| {
            let row: String = all.iter().map(|other| if one.conflicts(other) { '#' } else { '.' }).collect();
            format!("\n        {:<6}{row}", one.to_string())
        })
        .collect();
    assert_eq!(relation + "\n    ", table);
}

#[test]
fn the_relation_is_symmetric_and_reflexive() {
    let all = events("A1 A2 A> A>#2 A< A! A+ A@ B1 B> B< B! ~");
    for one in &all {
        assert!(one.conflicts(one));
        assert!(all.iter().all(|other| one.conflicts(other) == other.conflicts(one)));
    }
}

#[test]
fn the_normal_form_puts_events_as_early_as_their_conflicts_allow() {
    let form = NormalForm::of(&events("B1 A1 B> A> A< B<"));
    assert_eq!(form, NormalForm::of(&events("A1 B1 B> A> B< A<")));
    let layers: Vec<Vec<String>> = form.layers().iter().map(|l| l.iter().map(Event::to_string).collect()).collect();
    // Nothing here says that a message needs the step before it: only executions do.
    assert_eq!(layers, [vec!["A1", "B1", "B>"], vec!["A>", "A<", "B<"]]);
    assert_ne!(form, NormalForm::of(&events("A1 B1 A> B> A< B<")));
}
