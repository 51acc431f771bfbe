//! Filters that a user switches off, and reasons of their own, on simulated pages: what is found, and what the report says of them.

use colobus_model::{Report, Searched};
use colobus_race::verdict::OwnReason;
use colobus_race_run::RaceConfig;

use crate::simulated::search_with;

fn search(name: &str, change: impl FnOnce(&mut RaceConfig)) -> Report {
    search_with(tempfile::tempdir().unwrap().path(), name, change)
}

fn notes(report: &Report) -> String {
    report.notes.join("\n")
}

#[test]
fn late_attachment_is_a_finding_once_its_filter_is_off() {
    let usual = search("hydration", |_| {});
    assert!(usual.findings.is_empty(), "{}", notes(&usual));
    assert!(notes(&usual).contains("reported apart: "), "{}", notes(&usual));
    let strict = search("hydration", |config| config.filters_off = vec!["late-attachment".into()]);
    assert_eq!(strict.findings.len(), 1, "{}", notes(&strict));
    assert!(notes(&strict).contains("filters that are switched off: late-attachment"), "{}", notes(&strict));
}

#[test]
fn filters_give_their_reasons_in_the_report() {
    let report = search("polling timer as a lock", |_| {});
    assert!(
        notes(&report).contains("harmless: ad-hoc-synchronisation (the page waits with timers"),
        "{}",
        notes(&report)
    );
}

#[test]
fn what_the_user_knows_to_be_harmless_is_no_finding_and_its_reason_is_in_the_report() {
    let usual = search("gallery", |_| {});
    let [finding] = &usual.findings[..] else { panic!("{}", notes(&usual)) };
    let Searched::Order(order) = &finding.searched else { panic!("orders are searched") };
    let entry = |place: Option<&str>, at: Option<&str>| {
        let own = |text: Option<&str>| text.map(str::to_string);
        let reason = "pictures may be missing".to_string();
        OwnReason { reason, place: own(place), at: own(at), error: None }
    };
    // As the finding names them.
    for harmless in [entry(Some(&order.place), None), entry(None, Some(&order.first_at))] {
        let excused = search("gallery", |config| config.harmless = vec![harmless]);
        assert!(excused.findings.is_empty(), "{}", notes(&excused));
        assert!(notes(&excused).contains("harmless: race.harmless (pictures may be missing)"), "{}", notes(&excused));
    }
    let other = search("gallery", |config| config.harmless = vec![entry(Some("text of <p#clock>"), None)]);
    assert_eq!(other.findings.len(), 1);
}
