//! Proofs beside what the bounded checker counts. Needs `z3`; `make setup` installs it.

use std::time::Duration;

use colobus_ot::Options;
use colobus_ot::functions::FUNCTIONS;
use colobus_ot::properties::tp::Law;
use colobus_ot_prove::functions::{prove, prove_inside};
use colobus_ot_prove::{Parameters, Proof, counterexample};
use colobus_solver::{Process, Program};

fn z3() -> Process {
    Process::start(Program::Z3, Duration::from_secs(30)).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether TP1, TP2 by effect and TP2 by form are proved.
fn proved(name: &str, parameters: Parameters) -> [bool; 3] {
    let mut solver = z3();
    Law::ALL.map(|law| match prove(name, law, parameters, &mut solver).unwrap().unwrap() {
        Proof::Proved { .. } => true,
        Proof::Broken { .. } => false,
        Proof::Unknown(reason) => panic!("linear integer arithmetic is decidable: {reason}"),
    })
}

#[test]
fn published_functions_with_fresh_parameters() {
    assert_eq!(proved("ellis", Parameters::Fresh), [false, false, false]);
    assert_eq!(proved("ressel", Parameters::Fresh), [true, false, false]);
    assert_eq!(proved("sun", Parameters::Fresh), [false, false, false]);
    assert_eq!(proved("suleiman", Parameters::Fresh), [true, true, false]);
    assert_eq!(proved("imine", Parameters::Fresh), [true, true, true]);
    assert_eq!(proved("ttf", Parameters::Fresh), [true, true, true]);
}

#[test]
#[ignore = "the solver takes half a minute: make test-long"]
fn published_functions_with_any_parameters() {
    assert_eq!(proved("ressel", Parameters::Any), [true, false, false]);
    // Sets that no execution produces break even TP1.
    assert_eq!(proved("suleiman", Parameters::Any), [false, false, false]);
    assert_eq!(proved("imine", Parameters::Any), [true, false, false]);
    assert_eq!(proved("ttf", Parameters::Any), [true, true, true]);
}

#[test]
fn verdicts_agree_with_the_bounded_checker() {
    agree_with_the_bounded_checker(&[(Parameters::Fresh, 0, 4)]);
}

#[test]
#[ignore = "the solver takes half a minute: make test-long"]
fn verdicts_agree_with_the_bounded_checker_after_one_operation() {
    agree_with_the_bounded_checker(&[(Parameters::AfterOne, 1, 3)]);
}

/// A proof where the bounded checker finds nothing, a counterexample where it finds something.
fn agree_with_the_bounded_checker(cases: &[(Parameters, usize, u8)]) {
    let mut solver = z3();
    for entry in FUNCTIONS {
        for &(parameters, context, positions) in cases {
            for law in Law::ALL {
                let bounded = entry.function.count_law(law, positions, 2, context, &Options::default()).unwrap();
                let proof = prove(entry.name, law, parameters, &mut solver).unwrap().unwrap();
                let question = format!("{} {law:?} {parameters:?}: {proof:?}", entry.name);
                match &proof {
                    Proof::Proved { .. } => assert_eq!(bounded.violations, 0, "{question}"),
                    Proof::Unknown(_) => panic!("{question}"),
                    Proof::Broken { case, model } => {
                        assert!(bounded.violations > 0, "{question}");
                        let scenario = counterexample::scenario(entry.name, law, case, model).unwrap();
                        let confirmed = counterexample::confirm(entry.function, law, &scenario);
                        assert!(confirmed.is_some(), "{question}\n{scenario:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_transformation_leads_out_of_a_text() {
    let mut solver = z3();
    for entry in FUNCTIONS {
        let proof = prove_inside(entry.name, &mut solver).unwrap().unwrap();
        assert_eq!(proof, Proof::Proved { cases: 4 }, "{}", entry.name);
    }
}
