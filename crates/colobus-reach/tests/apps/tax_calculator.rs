//! The TaxCalculator of the thesis: events e1 to e10, target line 8.

use super::*;
use Operator::{Add, Less, Multiply, Subtract};

pub fn fixture() -> Fixture {
    let [income, deduction, enabled] = [number("income"), number("deduction"), flag("enabled")];
    let negative =
        |amount: &Expr| vec![when(apply(Less, [amount, &constant(0.0)]), vec![Statement::Line(8)]), go("result")];
    let mut events = vec![
        Event {
            name: "start".into(),
            screens: vec![],
            handler: vec![
                assign("income", constant(0.0)),
                assign("deduction", constant(0.0)),
                assign("enabled", constant(false)),
                go("income"),
            ],
        },
        event(
            "e2",
            "income",
            vec![Statement::If(enabled.clone(), negative(&apply(Subtract, [&income, &deduction])), negative(&income))],
        ),
        event("e3", "result", vec![go("income")]),
        event("e4", "income", vec![go("menu")]),
        event("e5", "menu", vec![go("pref")]),
        event("e6", "pref", vec![go("income")]),
        event(
            "e7",
            "pref",
            vec![Statement::If(
                enabled.clone(),
                vec![assign("enabled", constant(false))],
                vec![assign("enabled", constant(true))],
            )],
        ),
        event("e8", "pref", vec![go("deduct")]),
        event("e9", "deduct", vec![go("pref")]),
        event("e10", "deduct", vec![assign("deduction", Expr::parameter("amount", Kind::Number))]),
    ];
    for digit in 0..10 {
        let shifted = apply(Multiply, [&constant(10.0), &income]);
        let entered = apply(Add, [&shifted, &constant(f64::from(digit))]);
        events.push(event(&format!("e1.{digit}"), "income", vec![assign("income", entered)]));
    }
    Fixture { app: App { events }, truth: vec![(8, Some(8))] }
}
