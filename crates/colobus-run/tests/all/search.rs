//! Whole searches in a fake world, with exact counts.

use colobus_model::{
    Action, Aspect, Critical, DifferenceKind, PersonalPlace, PlannedSearch, Report, RootCause, RunEvent, Step, Tally,
};
use colobus_run::{FaultKind, FaultKinds, Judgement, check, plan};
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app;
use crate::fake_app::{action, actions, config, press, typing};

#[test]
fn a_correct_application_is_clean_and_every_number_is_known() {
    let out = tempfile::tempdir().unwrap();
    let config = config(out.path(), actions(), 3);
    let factory = FakeFactory::default();
    let report = check(&config, &factory, &mut |_| {}).unwrap();

    let counts = &report.counts;
    assert_eq!((counts.sequences.judged, counts.source_states, counts.naive), (64, 21, 126));
    // Texts of up to two characters over a, b and newline, reachable with backspace: "", 3 of length 1, 9 of length 2,
    // of which a trailing newline cannot be seen: "\n" looks like "", "a\n" like "a", "b\n" like "b", "\n\n" like "".
    assert_eq!(counts.equivalence_classes, 9);
    assert_eq!(counts.interactions.ran(), counts.potential_conflicts);
    assert_eq!((counts.findings, counts.failures, counts.interactions.unknown, counts.restarts), (0, 0, 0, 0));
    assert_eq!(report.stopped, None);
    // One document per sequence, one per execution of an interaction: nothing runs twice.
    assert_eq!((factory.begins(1), factory.begins(2)), (64, counts.executions));
}

#[test]
fn a_bug_is_found_reduced_to_its_shortest_prefix_and_reproduced() {
    let out = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrderBelowFirstLine]);
    let report = check(&config(out.path(), actions(), 3), &factory, &mut |event| {
        if let RunEvent::Found(finding) = event {
            found.push(*finding);
        }
    })
    .unwrap();

    let first = &report.findings[0];
    assert_eq!(
        (first.interaction().unwrap().prefix.as_slice(), first.interaction().unwrap().concurrent.as_slice()),
        (&["Enter".to_string()][..], &["a".to_string(), "b".into()][..])
    );
    assert_eq!((first.check.as_str(), first.difference.kind), ("convergence-pixels", DifferenceKind::Text));
    assert_eq!((first.reproduced, first.attempts, first.root_cause), (4, 4, 1));
    // It fails with messages that pass one at a time: such an order comes back exactly.
    assert_eq!(first.interaction().unwrap().schedule.to_string(), "A1 B1 A> B> A< B< A< B<");
    let shortest = |cause: &RootCause| cause.case.prefix_length() == 1;
    assert!(report.root_causes.iter().all(shortest), "each cause has an example with the shortest prefix");
    assert_eq!(found, report.findings, "what is told is what is reported");
    assert_eq!(report.counts.root_causes, report.root_causes.len());
    for finding in &report.findings {
        let trace = out.path().join("last").join(&finding.trace);
        assert!(trace.is_file() && trace.with_file_name("client-B.png").is_file());
    }
}

#[test]
fn runs_are_the_same_whatever_the_number_of_workers() {
    let summary = |workers: usize| {
        let out = tempfile::tempdir().unwrap();
        let config = colobus_run::RunConfig { workers, ..config(out.path(), actions(), 3) };
        let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
        let report = check(&config, &factory, &mut |_| {}).unwrap();
        assert!(!report.findings.is_empty());
        (report.counts, report.findings, report.root_causes)
    };
    assert_eq!(summary(1), summary(4));
}

#[test]
fn naive_runs_everything_and_finds_what_two_phases_find_and_what_cannot_be_seen_alone() {
    let out = tempfile::tempdir().unwrap();
    let bugs = &[FakeBug::InsertOrder];
    let two_phases = check(&config(out.path(), actions(), 2), &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
    let naive = colobus_run::RunConfig { naive: true, ..config(out.path(), actions(), 2) };
    let PlannedSearch::Interactions { sequences, naive: planned, .. } = plan(&naive).search else { panic!() };
    assert_eq!((sequences, planned), (0, 30));
    let naive = check(&naive, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
    assert_eq!((naive.counts.interactions.ran(), naive.counts.naive), (30, 30));
    assert!(two_phases.counts.interactions.ran() < 30);
    let causes = |report: &colobus_model::Report| -> Vec<String> {
        report.root_causes.iter().map(|cause| cause.case.to_string()).collect()
    };
    assert_eq!(causes(&two_phases), ["(a || b)"]);
    // A new line at the end of the text changes no pixel, so that phase 1 sees no conflict with it.
    assert_eq!(causes(&naive), ["(b || Enter)", "(a || b)"]);
    let found: Vec<String> = naive.findings.iter().map(|finding| finding.case().to_string()).collect();
    assert_eq!(found, ["(b || Enter)", "(a || Enter)", "(a || b)"]);
}

/// The names of the causes, and how often the findings of each came back.
fn causes(bugs: &[FakeBug], change: impl Fn(&mut colobus_run::RunConfig)) -> Vec<(String, Vec<(usize, usize)>)> {
    let out = tempfile::tempdir().unwrap();
    let mut config = config(out.path(), vec![typing("a"), typing("b"), typing("c")], 2);
    change(&mut config);
    let report = check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
    let found = |id: &usize| report.findings.iter().find(|finding| finding.id == *id).unwrap();
    let times = |id: &usize| (found(id).reproduced, found(id).attempts);
    report.root_causes.iter().map(|cause| (cause.name.clone(), cause.findings.iter().map(times).collect())).collect()
}

#[test]
fn one_bug_is_one_cause_whatever_the_actions_and_only_one_of_its_findings_is_reduced() {
    let found = [vec![(4, 4)], vec![(3, 3); 2]].concat();
    let order = "with any user's messages first: the same letters in another order".to_string();
    assert_eq!(causes(&[FakeBug::InsertOrder], |_| {}), [(order.clone(), found.clone())]);
    let meet = "only if messages meet in the application".to_string();
    assert_eq!(causes(&[FakeBug::LosesWhatMeets], |_| {}), [(meet, found.clone())]);
    // A race is taken out of what fails without one.
    assert_eq!(causes(&[FakeBug::InsertOrder, FakeBug::LosesWhatMeets], |_| {}), [(order, found)]);
}

#[test]
fn a_cause_says_what_it_takes() {
    let name = |bug: FakeBug, change: fn(&mut colobus_run::RunConfig)| {
        let names: Vec<String> = causes(&[bug], change).into_iter().map(|(name, _)| name).collect();
        names.join(", ")
    };
    let late = "even when users take turns: a client that joins later has another document";
    assert_eq!(name(FakeBug::CutsForLateJoiners, |_| {}), late);
    let certain = name(FakeBug::InsertOrderBetweenAcknowledgements, |config| {
        (config.actions, config.depth, config.orders.limit) = (vec![typing("ab"), typing("c")], 1, 64);
    });
    assert_eq!(certain, "in a certain order of messages: the same letters in another order");
    let retried = name(FakeBug::AppliesRetriesAgain, |config| {
        (config.actions, config.depth) = (vec![typing("a"), typing("b")], 1);
        (config.orders.limit, config.orders.faults) = (80, FaultKinds::all());
    });
    assert_eq!(retried, "after a long wait: users have different letters");
    let stale = name(FakeBug::ShowsStalePolls, |config| {
        (config.actions, config.depth) = (vec![typing("a"), typing("b")], 1);
    });
    assert_eq!(stale, "if the answer to a poll comes late: users have different letters");
}

/// As on a busy machine: messages that flow overtake each other once and never again, or every time.
#[test]
fn a_failure_that_flowing_messages_show_by_chance_is_called_by_the_order_that_it_takes() {
    for chance in [FakeBug::OvertakesOnce, FakeBug::Overtakes] {
        let bugs = [FakeBug::InsertOrderBetweenAcknowledgements, chance];
        let found = causes(&bugs, |config| (config.actions, config.depth) = (vec![typing("ab"), typing("c")], 1));
        let order = "in a certain order of messages: the same letters in another order".to_string();
        assert_eq!(found, [(order, vec![(4, 4)])], "{chance:?}");
    }
}

#[test]
fn what_differs_when_users_take_turns_is_no_race() {
    let searched = |bugs: &[FakeBug]| {
        let out = tempfile::tempdir().unwrap();
        let mut config = config(out.path(), vec![typing("a"), typing("b"), typing("c")], 1);
        config.judge.convergence = vec![Aspect::Dom];
        config.application.focus = Some("p".into());
        check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap()
    };
    let names = |report: &Report| report.root_causes.iter().map(|cause| cause.name.clone()).collect::<Vec<_>>();
    let greets = searched(&[FakeBug::GreetsItsUser]);
    let you = PersonalPlace { place: "aside.you".into(), ignore: Some("ignore = [\"aside.you\"]".into()), cases: 3 };
    assert_eq!((names(&greets), &greets.personal, greets.counts.failures), (vec![], &vec![you], 0));
    assert_eq!(greets.counts.interactions, Tally { planned: 3, judged: 3, ..Tally::default() });
    // It hides nothing: neither what fails in every order, nor a race.
    let also = |bug| names(&searched(&[FakeBug::GreetsItsUser, bug]));
    let order = "with any user's messages first: the same letters in another order";
    assert_eq!(also(FakeBug::InsertOrder), [order]);
    assert_eq!(also(FakeBug::LosesWhatMeets).len(), 1);
    // What belongs to everybody stays a finding.
    let cut = searched(&[FakeBug::CutsForOthers]);
    assert_eq!(
        (names(&cut), cut.personal),
        (vec!["even when users take turns: users have different letters".into()], vec![])
    );
}

/// As a chat does that says "You: hello" to one user and "Ann: hello" to the other.
#[test]
fn messages_that_are_labelled_by_design_still_have_an_order() {
    let searched = |bugs: &[FakeBug]| {
        let out = tempfile::tempdir().unwrap();
        let mut config = config(out.path(), vec![typing("a"), typing("b")], 1);
        config.judge.convergence = vec![Aspect::Dom];
        let report = check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
        let names: Vec<String> = report.root_causes.iter().map(|cause| cause.name.clone()).collect();
        (names, report.personal, report.counts.failures)
    };
    // Ignoring it would hide every message.
    let messages = PersonalPlace { place: "p.message".into(), ignore: None, cases: 1 };
    assert_eq!(searched(&[FakeBug::LabelsMessages]), (vec![], vec![messages], 0));
    let (names, _, failures) = searched(&[FakeBug::LabelsMessages, FakeBug::InsertOrder]);
    assert_eq!((names.len(), failures), (1, 1), "{names:?}");
    assert_eq!(names, ["with any user's messages first: users have different letters"]);
}

/// Every page says whose it is, in a place that nothing ignores, as the carets of others do.
#[test]
fn what_differs_by_design_hides_no_text_that_all_users_lose() {
    let names = |bugs: &[FakeBug]| {
        let out = tempfile::tempdir().unwrap();
        let mut config = config(out.path(), vec![typing("{token}"), typing("{token} ")], 1);
        config.judge.convergence = vec![Aspect::Dom];
        config.application.focus = Some("p".into());
        let report = check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
        report.root_causes.into_iter().map(|cause| cause.name).collect::<Vec<_>>()
    };
    let lost = "with any user's messages first: text lost for all users, with writing alone";
    assert_eq!(names(&[FakeBug::DropsUnseenInserts]), [lost]);
    assert_eq!(names(&[FakeBug::DropsUnseenInserts, FakeBug::GreetsItsUser]), [lost]);
    assert_eq!(names(&[FakeBug::DropsUnseenInserts, FakeBug::GreetsWithoutClass]), [lost]);
    // What cannot be named cannot be ignored either: it stays to be seen where nothing worse is.
    let beside = "even when users take turns: the document is the same, something beside it differs";
    assert_eq!(names(&[FakeBug::GreetsWithoutClass]), [beside]);
}

#[test]
fn three_clients_act_at_once() {
    let out = tempfile::tempdir().unwrap();
    let config = colobus_run::RunConfig { clients: 3, ..config(out.path(), actions(), 1) };
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let report = check(&config, &factory, &mut |_| {}).unwrap();
    assert_eq!(report.counts.naive, 4);
    assert!(report.findings.iter().all(|finding| finding.interaction().unwrap().concurrent.len() == 3));
    assert_eq!(factory.begins(2), 0);
}

#[test]
fn the_same_action_twice_is_tried_only_when_asked_for() {
    let out = tempfile::tempdir().unwrap();
    let only = vec![typing("a")];
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let plain = check(&config(out.path(), only.clone(), 1), &factory, &mut |_| {}).unwrap();
    assert_eq!(plain.counts.interactions.ran(), 0);
    let same = colobus_run::RunConfig { same: true, ..config(out.path(), only, 1) };
    assert_eq!(check(&same, &factory, &mut |_| {}).unwrap().counts.interactions.ran(), 1);
}

#[test]
fn new_errors_are_findings_and_old_ones_are_not() {
    let out = tempfile::tempdir().unwrap();
    let actions = vec![typing("a"), press("Backspace"), fake_app::evaluate("complain", "throw out of luck 7")];
    let factory = FakeFactory::with_bugs(&[FakeBug::ErrorOnRemoteDelete]);
    let mut config = config(out.path(), actions, 2);
    // Typing and deleting change different pixels, but the same line.
    config.judge.effect = Aspect::Dom;
    let report = check(&config, &factory, &mut |_| {}).unwrap();
    let checks: Vec<_> =
        report.findings.iter().map(|f| (f.check.as_str(), f.interaction().unwrap().concurrent.join(" || "))).collect();
    assert_eq!(checks, [("new-errors", "a || Backspace".to_string())]);
}

#[test]
fn a_refusal_is_an_error_only_if_users_who_take_turns_are_not_refused() {
    let searched = |bug| {
        let out = tempfile::tempdir().unwrap();
        let config = config(out.path(), vec![typing("a"), typing("b")], 1);
        let report = check(&config, &FakeFactory::with_bugs(&[bug]), &mut |_| {}).unwrap();
        let found: Vec<String> = report.findings.iter().map(|finding| finding.difference.summary.clone()).collect();
        (found, report.counts.interactions.judged)
    };
    assert_eq!(searched(FakeBug::RefusesEverySecond), (vec![], 1));
    assert_eq!(searched(FakeBug::RefusesUnseenInserts), (vec!["B raises an error: a status of 400".to_string()], 1));
}

#[test]
fn documents_can_be_judged_instead_of_pixels() {
    let out = tempfile::tempdir().unwrap();
    let mut config = config(out.path(), actions(), 1);
    config.judge.effect = Aspect::State;
    config.judge.equivalence = Aspect::State;
    config.judge.convergence = vec![Aspect::State];
    let report = check(&config, &FakeFactory::with_bugs(&[FakeBug::InsertOrder]), &mut |_| {}).unwrap();
    assert!(report.findings.iter().all(|finding| finding.check.as_str() == "convergence-state"));
    assert!(!report.findings.is_empty());
}

#[test]
fn a_bug_that_only_an_order_of_messages_shows_needs_orders_and_shrinks_to_its_reversal() {
    let bugs = &[FakeBug::InsertOrderBetweenAcknowledgements];
    let actions = || vec![typing("ab"), typing("c")];
    let out = tempfile::tempdir().unwrap();
    let plain = check(&config(out.path(), actions(), 1), &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
    assert_eq!(plain.counts.findings, 0, "when all messages go at once, A's go in one piece");

    let mut config = config(out.path(), actions(), 1);
    config.orders.limit = 64;
    let report = check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|f| (f.interaction().unwrap().schedule.to_string(), f.reproduced, f.attempts))
        .collect();
    // B's text reaches the application between the two of A's: one reversal of the natural order.
    assert_eq!(found, [("A1 B1 A> B> A> A< B< A< B< A< B<".to_string(), 4, 4)]);

    let correct = check(&config, &FakeFactory::default(), &mut |_| {}).unwrap();
    assert_eq!((correct.counts.findings, correct.counts.interactions.unknown), (0, 0));
    assert!(correct.counts.executions > 2 * correct.counts.interactions.ran());
}

#[test]
fn words_that_everybody_misses_alike_are_found_and_replayed() {
    let out = tempfile::tempdir().unwrap();
    let actions = || vec![fake_app::action("write", typing("{token}").steps), typing("a"), press("Backspace")];
    let mut config = config(out.path(), actions(), 2);
    config.judge.effect = Aspect::Dom;
    let report = check(&config, &FakeFactory::with_bugs(&[FakeBug::DropsUnseenInserts]), &mut |_| {}).unwrap();
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|f| (f.check.as_str(), f.difference.kind, f.interaction().unwrap().concurrent.join(" || ")))
        .collect();
    assert_eq!(found, [("conservation", DifferenceKind::Lost, "write || a".to_string())]);
    let finding = &report.findings[0];
    assert_eq!((finding.reproduced, finding.attempts), (4, 4));
    let trace = colobus_run::load(&out.path().join("last").join(&finding.trace)).unwrap();
    assert_eq!(
        trace.tokens.iter().map(|token| (token.word.as_str(), token.whole_alone)).collect::<Vec<_>>(),
        [("bqd", Some(true))]
    );

    let correct = check(&config, &FakeFactory::default(), &mut |_| {}).unwrap();
    assert_eq!((correct.counts.findings, correct.counts.interactions.unknown), (0, 0));
}

/// Without phase 1 a word that one user alone makes twice was called doubled.
#[test]
fn what_one_user_alone_does_to_a_word_is_no_finding_without_phase_1_either() {
    let found = |naive: bool, bugs: &[FakeBug]| {
        let out = tempfile::tempdir().unwrap();
        let write = fake_app::action("write", typing("{token}").steps);
        let actions = vec![write, fake_app::evaluate("repeat", "repeat"), typing("a")];
        let mut config = colobus_run::RunConfig { naive, ..config(out.path(), actions, 2) };
        config.judge.effect = Aspect::Dom;
        let report = check(&config, &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap();
        assert_eq!(report.counts.interactions.unknown, 0);
        let findings = report.findings.into_iter();
        findings.map(|finding| (finding.difference.kind, finding.case().to_string())).collect::<Vec<_>>()
    };
    for naive in [false, true] {
        assert_eq!(found(naive, &[]), [], "naive: {naive}");
        let lost = (DifferenceKind::Lost, "(write || a)".to_string());
        assert!(found(naive, &[FakeBug::DropsUnseenInserts]).contains(&lost), "naive: {naive}");
    }
}

#[test]
fn a_late_joiner_looks_once_per_interaction() {
    let out = tempfile::tempdir().unwrap();
    let config = config(out.path(), actions(), 1);
    let factory = FakeFactory::with_bugs(&[FakeBug::CutsForLateJoiners]);
    let report = check(&config, &factory, &mut |_| {}).unwrap();
    let found: Vec<_> = report.findings.iter().map(|f| (f.check.as_str(), f.reproduced, f.attempts)).collect();
    assert_eq!(found, [("reload", 4, 4)]);
    let without = colobus_run::RunConfig { late_joiner: colobus_run::LateJoinerChoice::Never, ..config };
    assert_eq!(check(&without, &factory, &mut |_| {}).unwrap().counts.findings, 0);
}

#[test]
fn where_a_late_joiner_makes_no_difference_a_sample_is_enough() {
    let out = tempfile::tempdir().unwrap();
    let config = colobus_run::RunConfig { naive: true, ..config(out.path(), actions(), 2) };
    let late_joins = |report: &colobus_model::Report| {
        report.notes.iter().find(|note| note.starts_with("a further client")).map(|note| {
            let numbers = note.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<usize>>();
            (numbers[0], numbers[1])
        })
    };
    let correct = check(&config, &FakeFactory::default(), &mut |_| {}).unwrap();
    let (joined, all) = late_joins(&correct).unwrap();
    assert_eq!((joined, all), (6 + 24 / 4, 30), "every combination of actions, and one of four of the others");
    let always = colobus_run::RunConfig { late_joiner: colobus_run::LateJoinerChoice::Always, ..config.clone() };
    assert_eq!(late_joins(&check(&always, &FakeFactory::default(), &mut |_| {}).unwrap()), None);

    let broken = FakeFactory::with_bugs(&[FakeBug::CutsForLateJoiners]);
    let sampled = check(&config, &broken, &mut |_| {}).unwrap();
    assert_eq!(late_joins(&sampled), None, "it makes a difference: nothing is left out");
    let always = check(&always, &broken, &mut |_| {}).unwrap();
    assert_eq!((sampled.counts.failures, sampled.counts.findings), (always.counts.failures, always.counts.findings));
    assert_eq!(sampled.counts.interactions, correct.counts.interactions);
}

#[test]
fn rounds_are_left_out_of_findings_that_do_not_need_them() {
    let out = tempfile::tempdir().unwrap();
    let config = colobus_run::RunConfig { rounds: 2, ..config(out.path(), actions(), 1) };
    let report = check(&config, &FakeFactory::with_bugs(&[FakeBug::InsertOrder]), &mut |_| {}).unwrap();
    let orders: Vec<String> =
        report.findings.iter().map(|finding| finding.interaction().unwrap().schedule.to_string()).collect();
    assert_eq!(orders, ["A1 B1 A> B> A< B< A< B<"]);
    let correct = check(&config, &FakeFactory::default(), &mut |_| {}).unwrap();
    assert_eq!((correct.counts.findings, correct.counts.interactions.unknown), (0, 0));
}

#[test]
fn what_leads_back_is_tried_alone_and_beside_every_action() {
    let out = tempfile::tempdir().unwrap();
    let neutral = |steps: Vec<Step>| Action { neutral: true, ..action("there and back", steps) };
    let searched = |steps: Vec<Step>| {
        let config = colobus_run::RunConfig { returning: vec![neutral(steps)], ..config(out.path(), actions(), 1) };
        check(&config, &FakeFactory::default(), &mut |_| {}).unwrap()
    };
    let (there, back) = (Step::Type("x".into()), Step::Press("Backspace".parse().unwrap()));
    let without = check(&config(out.path(), actions(), 1), &FakeFactory::default(), &mut |_| {}).unwrap();
    let returned = searched(vec![there.clone(), back]);
    assert_eq!((returned.counts.findings, returned.counts.interactions.unknown), (0, 0), "{:#?}", returned.findings);
    assert_eq!(returned.counts.interactions.ran(), without.counts.interactions.ran() + 1 + 4);
    assert_eq!(returned.counts.naive, without.counts.naive, "the search itself is as large as before");
    // One that does not lead back is told once, without anybody beside it.
    let lost = searched(vec![there]);
    let found: Vec<_> =
        lost.findings.iter().map(|f| (f.check.as_str(), f.interaction().unwrap().line.as_str(), f.failures)).collect();
    assert_eq!(found, [("neutral", "(there and back) : A1 A> A<", 5)]);
    assert_eq!(lost.findings[0].reproduced, 4);
}

/// A line with somebody who comes late is followed to the letter, and what they see is judged.
#[test]
fn a_late_joiner_is_replayed_and_judged_by_its_document() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    check(&config(out.path(), vec![typing("a"), typing("b")], 1), &factory, &mut |_| {}).unwrap();
    let mut trace = colobus_run::load(&out.path().join("last/1")).unwrap();
    let mut outcome = |line: &str, bugs: &[FakeBug]| {
        trace.schedule = line.parse().unwrap();
        let again =
            colobus_run::replay(&trace, Default::default(), &FakeFactory::with_bugs(bugs), 1, &Default::default());
        let again = again.unwrap().again;
        let followed = again[0].followed.clone().unwrap();
        assert!(followed.exactly(), "{line}: {followed:?}");
        match &again[0].judgement {
            Judgement::Fail { check, difference, .. } => format!("{check}: {}", difference.summary),
            other => format!("{other:?}"),
        }
    };
    let late = "A1 B1 A> C* B> A< B< C< A< B<";
    assert_eq!(outcome(late, &[]), "Pass");
    let missing = "late-joiner: C, who came later, gets another document than the others have";
    assert_eq!(outcome(late, &[FakeBug::LateJoinersMissTheLastEdit]), missing);
    assert_eq!(outcome("C* A1 B1 A> A< B< C< B> A< B< C<", &[FakeBug::LateJoinersMissTheLastEdit]), "Pass");
}

/// Each bug that only a fault shows: what a search with faults makes of it.
#[test]
fn late_joiners_second_tabs_and_retries_are_placed_by_the_search_and_named_as_the_cause() {
    let search = |bugs: &[FakeBug], faults: FaultKinds| {
        let out = tempfile::tempdir().unwrap();
        let mut config = config(out.path(), vec![typing("a"), typing("b")], 1);
        (config.orders.limit, config.orders.faults) = (80, faults);
        let factory = FakeFactory::with_bugs(bugs);
        let report = check(&config, &factory, &mut |_| {}).unwrap();
        assert_eq!(report.counts.interactions.unknown, 0, "{:?}", report.unknown);
        for finding in &report.findings {
            let line: colobus_model::Reproduction = finding.interaction().unwrap().line.parse().unwrap();
            let again = colobus_run::load(&out.path().join("last").join(&finding.trace)).unwrap();
            assert_eq!(line.interaction(&config.actions).unwrap(), again.interaction);
            assert_eq!(line.schedule, again.schedule);
        }
        let said = |f: &colobus_model::Finding| {
            assert_eq!((f.reproduced, f.attempts), (4, 4));
            (
                f.check.to_string(),
                f.interaction().unwrap().schedule.to_string(),
                f.interaction().unwrap().critical.clone().unwrap(),
                f.interaction().unwrap().passing.clone().unwrap().to_string(),
            )
        };
        report.findings.iter().map(said).collect::<Vec<_>>()
    };
    let fault = |fault: &str, position| Critical::Fault { fault: fault.parse().unwrap(), position };
    let natural = "A1 B1 A> B> A< B< A< B<";
    for bugs in [[FakeBug::AppliesRetriesAgain], [FakeBug::LateJoinersMissTheLastEdit]] {
        assert_eq!(search(&bugs, FaultKinds::default()), [], "without faults {bugs:?} does not show");
    }
    let others = [FaultKind::Offline, FaultKind::Reload, FaultKind::Tab, FaultKind::Join].into_iter().collect();
    assert_eq!(search(&[FakeBug::AppliesRetriesAgain], others), [], "nobody waits for long");
    assert_eq!(search(&[], FaultKinds::all()), [], "nothing is wrong with the application");
    let retried = search(&[FakeBug::AppliesRetriesAgain], FaultKinds::all());
    assert_eq!(
        retried,
        [(
            "convergence-pixels".into(),
            "A1 B1 A> A... B> A< B< A< B< A> A< B<".into(),
            fault("A...", 3),
            natural.into()
        )]
    );
    let late_joiners = search(&[FakeBug::LateJoinersMissTheLastEdit], FaultKinds::all());
    assert_eq!(
        late_joiners,
        [("late-joiner".into(), "A1 B1 A> A& B> A< B< A< B< A<#2".into(), fault("A&", 3), natural.into())]
    );
}

#[test]
fn what_comes_after_equal_states_can_be_left_out() {
    let searched = |prune: bool| {
        let out = tempfile::tempdir().unwrap();
        let config = colobus_run::RunConfig { prune, ..config(out.path(), actions(), 3) };
        let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrderBelowFirstLine]);
        let report = check(&config, &factory, &mut |_| {}).unwrap();
        let again = check(&config, &factory, &mut |_| {}).unwrap();
        assert_eq!(again.findings, report.findings, "what is on disk is used again");
        let found: Vec<String> =
            report.findings.iter().map(|finding| finding.interaction().unwrap().line.clone()).collect();
        (factory.begins(1), report.counts.source_states, report.counts.equivalence_classes, found)
    };
    let (whole, pruned) = (searched(false), searched(true));
    assert_eq!((whole.0, whole.1), (64, 21));
    // Of 4 + 16 states, Backspace leads back from some: 3 + 9 new ones, and 4 sequences from each of these and the first.
    assert_eq!((pruned.0, pruned.1), (4 + 12 + 36, 1 + 4 + 12));
    assert_eq!((pruned.2, pruned.3), (whole.2, whole.3), "as many different states, and the same findings");
}

#[test]
fn a_search_that_is_too_large_to_plan_is_refused_with_its_size() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::default();
    let error = check(&config(out.path(), actions(), 99), &factory, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("4 actions up to depth 99 are more than"), "{error}");
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "nothing was begun");
}
