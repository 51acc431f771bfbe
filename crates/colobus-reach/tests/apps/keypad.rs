//! Two keypads: one enters a number, one a code as text.

use super::*;
use Operator::*;

pub fn fixture() -> Fixture {
    let [amount, code] = [number("amount"), text("code")];
    let mut events = vec![
        Event {
            name: "start".into(),
            screens: vec![],
            handler: vec![assign("amount", constant(0.0)), assign("code", constant("")), go("pad")],
        },
        event(
            "pay",
            "pad",
            vec![
                when(apply(Same, [&amount, &constant(4711.0)]), vec![Statement::Line(1)]),
                when(apply(Greater, [&amount, &constant(5000.0)]), vec![Statement::Line(2)]),
                when(apply(Same, [&amount, &constant(1.5)]), vec![Statement::Line(3)]),
            ],
        ),
        event("lock", "pad", vec![go("locked")]),
        event("cancel", "locked", vec![assign("code", constant("")), go("pad")]),
        event(
            "unlock",
            "locked",
            vec![
                when(apply(Same, [&code, &constant("0815")]), vec![Statement::Line(4)]),
                when(apply(Same, [&code, &constant("08x")]), vec![Statement::Line(5)]),
                assign("code", constant("")),
            ],
        ),
    ];
    for digit in 0..10 {
        let shifted = apply(Multiply, [&amount, &constant(10.0)]);
        let entered = apply(Add, [&shifted, &constant(f64::from(digit))]);
        events.push(event(&format!("digit {digit}"), "pad", vec![assign("amount", entered)]));
        let longer = apply(Add, [&code, &constant(digit.to_string().as_str())]);
        events.push(event(&format!("key {digit}"), "locked", vec![assign("code", longer)]));
    }
    let truth = vec![(1, Some(5)), (2, Some(5)), (3, None), (4, Some(6)), (5, None)];
    Fixture { app: App { events }, truth }
}
