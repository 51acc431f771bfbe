//! Every operator against a real engine and against the solver. Needs `node` and `z3`; `make setup` installs both.

mod captures;
mod instrumented;
mod random;

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use colobus_reach::symbolic::evaluate::Assignment;
use colobus_reach::symbolic::expr::{Expr, Variable};
use colobus_reach::symbolic::number;
use colobus_reach::symbolic::operator::Operator;
use colobus_reach::symbolic::solve::{Solution, solve};
use colobus_reach::symbolic::value::Value;
use colobus_solver::{Cache, Process, Program};
use random::Random;

/// What Node makes of each expression, in one process: `throws`, or a type and a value.
fn in_node(sources: &[String]) -> Vec<String> {
    let mut program = String::from(
        r#"
        const units = text => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).join(",");
        const show = value => typeof value === "string" ? "string " + units(value)
            : Object.is(value, -0) ? "number -0" : typeof value + " " + String(value);
        const lines = [];
        const out = compute => { try { lines.push(show(compute())) } catch { lines.push("throws") } };
        "#,
    );
    for source in sources {
        program.push_str(&format!("out(() => ({source}));\n"));
    }
    program.push_str("console.log(lines.join('\\n'));\n");
    let mut node = Command::new("node")
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("node cannot be started ({error}); `make setup` installs it"));
    let mut input = node.stdin.take().unwrap();
    input.write_all(program.as_bytes()).unwrap();
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "node refused the program");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The same for a value of ours.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => {
            let units: Vec<String> = text.0.iter().map(u16::to_string).collect();
            format!("string {}", units.join(","))
        }
        Value::Number(value) if *value == 0.0 && value.is_sign_negative() => "number -0".to_owned(),
        other => format!("{} {}", other.type_name(), other.to_text()),
    }
}

/// Compare expressions without variables; the number of those that have a primitive value.
fn compare(expressions: &[Expr]) -> usize {
    let sources: Vec<String> = expressions.iter().map(Expr::to_string).collect();
    let theirs = in_node(&sources);
    assert_eq!(theirs.len(), sources.len());
    let mut compared = 0;
    for ((expr, source), theirs) in expressions.iter().zip(&sources).zip(&theirs) {
        if let Ok(value) = expr.evaluate(&Assignment::new()) {
            assert_eq!(shown(&value), *theirs, "{source}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_operator_gives_what_node_gives() {
    let mut random = Random::new(18);
    let operators = &*random::OPERATORS;
    let expressions: Vec<Expr> = operators
        .iter()
        .flat_map(|operator| (0..150).map(|_| operator.clone()).collect::<Vec<_>>())
        .map(|operator| {
            let operands = random.operands(&operator).into_iter().map(Expr::Constant).collect();
            Expr::Apply(Arc::new((operator, operands)))
        })
        .collect();
    assert_eq!(expressions.len(), 150 * operators.len());
    let compared = compare(&expressions);
    assert!(compared > expressions.len() * 9 / 10, "{compared} of {}", expressions.len());
}

#[test]
fn nested_expressions_give_what_node_gives() {
    let mut random = Random::new(19);
    let expressions: Vec<Expr> = (0..3000).map(|_| random.expression(3)).collect();
    let compared = compare(&expressions);
    assert!(compared > 1000, "{compared}");
}

#[test]
fn numbers_are_written_and_read_as_node_does() {
    let mut random = Random::new(20);
    let numbers: Vec<f64> = (0..2000).map(|_| f64::from_bits(random.next())).collect();
    let expressions = numbers.iter().filter(|number| number.is_finite()).map(|number| {
        let text = Value::text(&number::to_text(*number));
        Expr::Apply(Arc::new((Operator::ToNumber, vec![Expr::Constant(text)])))
    });
    let expressions: Vec<Expr> = expressions.collect();
    assert_eq!(compare(&expressions), expressions.len());
}

/// A condition that holds exactly if an expression has a value.
fn has_value(expr: &Expr, value: &Value) -> Expr {
    match value {
        Value::Number(number) if number.is_nan() => {
            let is_number = Expr::unary(Operator::TypeOf, expr).binary(Operator::Same, &Expr::constant("number"));
            is_number.binary(Operator::And, &Expr::unary(Operator::IsNaN, expr))
        }
        value => expr.binary(Operator::Same, &Expr::Constant(value.clone())),
    }
}

/// With fixed operands, the solver must allow the value that the evaluator gives, and no other as far as it is exact.
#[test]
fn the_solver_means_the_same_as_the_evaluator() {
    let process = Process::start(Program::Z3, Duration::from_secs(120)).unwrap_or_else(|error| panic!("{error}"));
    let mut solver = Cache::new(process.with_effort(1_000_000));
    let mut random = Random::new(21);
    let (mut exact, mut found, mut tried) = (0, 0, 0);
    for operator in random::OPERATORS.iter().filter(|operator| !operator.is_bitwise()) {
        // Of what is found there are many, and each question takes longer.
        for _ in 0..if operator.is_found() { 1 } else { 4 } {
            let values = random.exact_operands(operator);
            let variables: Vec<Variable> = values
                .iter()
                .enumerate()
                .map(|(at, value)| Variable::state(&format!("x{at}"), [value.kind()]))
                .collect();
            let operands = variables.iter().cloned().map(Expr::Variable).collect();
            let expr = Expr::Apply(Arc::new((operator.clone(), operands)));
            let assignment: Assignment = variables.iter().cloned().zip(values.iter().cloned()).collect();
            let Ok(value) = expr.evaluate(&assignment) else { continue };
            if matches!(value, Value::Number(number) if number.is_infinite()) {
                continue;
            }
            let fixed = variables.iter().zip(&values);
            let fixed: Vec<Expr> =
                fixed.map(|(variable, value)| has_value(&Expr::Variable(variable.clone()), value)).collect();
            let allowed = has_value(&expr, &value);
            let question = format!("{expr} is {value} for {values:?}");
            tried += 1;
            match solve(&[fixed.clone(), vec![allowed.clone()]].concat(), &mut solver).unwrap() {
                Solution::Never => panic!("the solver excludes: {question}"),
                Solution::Values(_) => found += 1,
                Solution::Unknown(_) => {}
            }
            match solve(&[fixed, vec![allowed.negated()]].concat(), &mut solver).unwrap() {
                Solution::Never => exact += 1,
                Solution::Values(other) => panic!("the solver allows another value: {question}, {other:?}"),
                Solution::Unknown(_) => {}
            }
        }
    }
    assert!(exact * 100 > tried * 80 && found * 100 > tried * 90, "{exact} exact, {found} found of {tried}");
}
