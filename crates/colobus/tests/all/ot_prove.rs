//! `colobus ot prove` from the outside. Needs `z3`; `make setup` installs it.

use std::process::{Command, Output};

use serde_json::Value;

fn prove(arguments: &[&str], path: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(["ot", "prove"]).args(arguments);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.output().unwrap()
}

#[test]
fn a_correct_function_is_proved_and_a_wrong_one_has_a_counterexample() {
    let ttf = prove(&["ttf", "--json"], None);
    assert_eq!(ttf.status.code(), Some(0), "{}", String::from_utf8_lossy(&ttf.stderr));
    let proofs: Value = serde_json::from_slice(&ttf.stdout).unwrap();
    let laws = proofs[0]["laws"].as_array().unwrap();
    assert_eq!(laws.len(), 9);
    assert!(laws.iter().all(|law| law["verdict"] == "proved"), "{laws:?}");

    let sun = prove(&["sun"], None);
    assert_eq!(sun.status.code(), Some(1));
    let said = String::from_utf8_lossy(&sun.stdout);
    assert!(said.contains("TP1            fresh              broken") && said.contains("The sites differ"), "{said}");
}

#[test]
fn without_a_solver_it_says_how_to_get_one() {
    let output = prove(&["ttf"], Some("/nonexistent"));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("neither `z3` nor `cvc5` is on the PATH") && said.contains("apt-get install z3"), "{said}");
}
