//! Confirmation on the plain page, simulated: what delays lead to there has to be what the search has found.

use colobus_model::{FailingOrder, Report, Searched};

use crate::simulated::{search_beside, search_with};

fn order(report: Report) -> FailingOrder {
    let [finding] = &report.findings[..] else { panic!("{:?}", report.notes) };
    let Searched::Order(order) = &finding.searched else { panic!("orders are searched") };
    (**order).clone()
}

fn beside(working: &str, failing: &str) -> FailingOrder {
    let out = tempfile::tempdir().unwrap();
    order(search_beside(out.path(), "gallery", [working.to_string(), failing.to_string()]))
}

#[test]
fn what_differs_on_the_plain_page_has_to_be_what_was_found() {
    let out = tempfile::tempdir().unwrap();
    let found = order(search_with(out.path(), "gallery", |_| {}));
    assert!(!found.confirmed && found.by_hand.contains("did not lead to it on the plain page"), "{}", found.by_hand);
    let (works, fails) = (found.gone.join("\n"), found.new.join("\n"));
    assert_ne!(works, fails);
    let same = beside(&works, &fails);
    assert!(same.confirmed && !same.by_hand.contains("forced"), "{}", same.by_hand);
    let another = beside("<p>one</p>", "<p>two</p>");
    assert!(!another.confirmed && another.by_hand.contains("led to something else on the plain page"), "{another:?}");
}
