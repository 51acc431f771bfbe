//! A page that does not do again what was recorded: whatever the search finds or does not find is in doubt.

use crate::simulated::search_of;

fn doubts(other: &[usize]) -> Vec<String> {
    let out = tempfile::tempdir().unwrap();
    let report = search_of(out.path(), false, usize::MAX, other).unwrap();
    assert_eq!(report.stopped, None);
    report.doubts
}

#[test]
fn a_page_that_ends_elsewhere_with_rewritten_code_or_the_second_time_is_in_doubt() {
    assert_eq!(doubts(&[]), Vec::<String>::new());
    // The first execution is the recorded order with rewritten code, the second one is that once more.
    let rewritten = doubts(&[0]);
    assert!(rewritten.iter().any(|doubt| doubt.starts_with("with rewritten code the page ends")), "{rewritten:?}");
    // What is unknown is tried once more.
    let again = doubts(&[1, 2]);
    assert!(again.iter().any(|doubt| doubt.starts_with("the recorded order does not end")), "{again:?}");
}
