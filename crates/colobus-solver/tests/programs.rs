//! What z3 answers, and that what it answers is what the evaluator says. Needs `z3`; `make setup` installs it.

use std::time::Duration;

use colobus_solver::build::{all, int, ite, real, text};
use colobus_solver::{Answer, Op, Process, Program, Rational, Regex, Solver, SolverError, Sort, Term, Text, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn z3() -> Process {
    Process::start(Program::Z3, Duration::from_secs(20)).unwrap_or_else(|error| panic!("{error}"))
}

fn model(answer: Answer) -> String {
    match answer {
        Answer::Sat(model) => model.to_string(),
        other => panic!("expected values: {other:?}"),
    }
}

#[test]
fn one_process_answers_query_after_query() {
    let mut solver = z3();
    let (x, s) = (Term::variable("x", Sort::Int), Term::variable("s", Sort::Text));
    assert_eq!(model(solver.check(&[x.plus(2).equal(&int(5))]).unwrap()), "x = 3");
    assert_eq!(solver.check(&[x.less(&int(0)), int(0).less(&x)]).unwrap(), Answer::Unsat);
    let hex = Regex::literal(&"\u{e9}\"\\".into());
    assert_eq!(model(solver.check(&[s.matches(&hex)]).unwrap()), "s = \"\\u{e9}\"\"\\u{5c}\"");
    let half = Term::variable("h", Sort::Real);
    assert_eq!(model(solver.check(&[half.add(&half).equal(&real(1.into()))]).unwrap()), "h = 1/2");
}

#[test]
fn an_irrational_value_is_not_believed() {
    let root = Term::variable("r", Sort::Real);
    let answer = z3().check(&[root.multiply(&root).equal(&real(2.into()))]).unwrap();
    assert!(matches!(&answer, Answer::Unknown(reason) if reason.contains("exact form")), "{answer:?}");
}

/// Fermat's equation for cubes keeps z3 busy for ever.
fn endless() -> Vec<Term> {
    let [a, b, c] = ["a", "b", "c"].map(|name| Term::variable(name, Sort::Int));
    let cube = |term: &Term| term.multiply(term).multiply(term);
    vec![int(0).less(&a), int(0).less(&b), int(0).less(&c), cube(&a).add(&cube(&b)).equal(&cube(&c))]
}

#[test]
fn a_query_that_takes_too_long_is_unknown_and_the_next_one_is_answered() {
    let mut solver = Process::start(Program::Z3, Duration::from_millis(200)).unwrap_or_else(|error| panic!("{error}"));
    let answer = solver.check(&endless()).unwrap();
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    let x = Term::variable("x", Sort::Int);
    assert_eq!(model(solver.check(&[x.equal(&int(7))]).unwrap()), "x = 7");
}

#[test]
fn without_a_solver_the_error_says_how_to_get_one() {
    let message = SolverError::Missing.to_string();
    assert!(message.contains("apt-get install z3") && message.contains("make setup"), "{message}");
}

fn random() -> TestRunner {
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

fn texts() -> impl Strategy<Value = Text> {
    prop::collection::vec(prop::sample::select(vec![0x30u16, 0x31, 0x61, 0x62, 0xe9, 0xd83d]), 0..5).prop_map(Text)
}

/// For constants, every operator gives in z3 what it gives here.
#[test]
fn operators_mean_the_same_in_z3_and_here() {
    let mut solver = z3();
    let inputs = (texts(), texts(), -3i64..6, -3i64..6);
    let agree = |(a, b, i, j): (Text, Text, i64, i64)| {
        let [ta, tb] = ["a", "b"].map(|name| Term::variable(name, Sort::Text));
        let [ti, tj] = ["i", "j"].map(|name| Term::variable(name, Sort::Int));
        let fixed = |reals: bool| {
            let numbers = [ti.equal(&int(i)), tj.equal(&int(j))];
            let texts = [ta.equal(&text(a.clone())), tb.equal(&text(b.clone()))];
            if reals { numbers.to_vec() } else { [numbers, texts].concat() }
        };
        let half = ti.to_real().multiply(&real(Rational::new(1, 2).unwrap()));
        let digits = Regex::Range(0x30, 0x31).plus().or(Regex::literal(&"ab".into()));
        let terms = [
            ta.length(),
            ta.concat(&tb),
            ta.substring(&ti, &tj),
            ta.index_of(&tb, &ti),
            ta.contains(&tb),
            ta.begins_with(&tb),
            ta.ends_with(&tb),
            ta.text_less(&tb),
            ta.digits_to_int(),
            ti.int_to_digits(),
            ta.matches(&digits),
            ti.add(&tj),
            ti.multiply(&tj),
            ti.less(&tj),
            ti.at_most(&tj),
            half.floor(),
            half.is_integral(),
            ite(&ti.less(&tj), &ta, &tb),
            half.divide(&real(3.into())),
        ];
        let values = [
            ("a".to_owned(), Value::Text(a.clone())),
            ("b".to_owned(), Value::Text(b.clone())),
            ("i".to_owned(), Value::Int(i.into())),
            ("j".to_owned(), Value::Int(j.into())),
        ];
        let here = values.into_iter().collect();
        let different = terms.iter().map(|term| {
            let value = colobus_solver::evaluate(term, &here).unwrap();
            term.equal(&Term::constant(value))
        });
        let query = [fixed(false), vec![all(different).not()]].concat();
        prop_assert_eq!(solver.check(&query).unwrap(), Answer::Unsat, "{:?}", here);
        Ok(())
    };
    let agree = std::cell::RefCell::new(agree);
    random().run(&inputs, |input| (agree.borrow_mut())(input)).unwrap();
    assert_eq!(Op::DigitsToInt.smt(), "str.to_int");
}
