//! A tip calculator: a bill typed as text, a percentage in a dialog, a number of people by plus and minus.

use super::*;
use Operator::*;

pub fn fixture() -> Fixture {
    let typed = Expr::parameter("typed", Kind::Text);
    let [bill, percent, people] = [number("bill"), number("percent"), number("people")];
    let tip = apply(Divide, [&apply(Multiply, [&bill, &percent]), &constant(100.0)]);
    let share = apply(Divide, [&apply(Add, [&bill, &tip]), &people]);
    let app = App {
        events: vec![
            Event {
                name: "start".into(),
                screens: vec![],
                handler: vec![
                    assign("bill", constant(0.0)),
                    assign("percent", constant(10.0)),
                    assign("people", constant(1.0)),
                    go("main"),
                ],
            },
            event(
                "type bill",
                "main",
                vec![Statement::If(
                    apply(IsNaN, [&typed]),
                    vec![Statement::Line(1)],
                    vec![assign("bill", apply(ToNumber, [&typed]))],
                )],
            ),
            event("more", "main", vec![assign("people", apply(Add, [&people, &constant(1.0)]))]),
            event(
                "fewer",
                "main",
                vec![Statement::If(
                    apply(AtMost, [&people, &constant(1.0)]),
                    vec![Statement::Line(2)],
                    vec![assign("people", apply(Subtract, [&people, &constant(1.0)]))],
                )],
            ),
            event("settings", "main", vec![go("settings")]),
            event(
                "set percent",
                "settings",
                vec![
                    assign("percent", apply(ParseInt, [&typed])),
                    when(apply(Greater, [&percent, &constant(100.0)]), vec![Statement::Line(3)]),
                ],
            ),
            event("done", "settings", vec![go("main")]),
            event(
                "show",
                "main",
                vec![
                    when(apply(Greater, [&tip, &constant(50.0)]), vec![Statement::Line(4)]),
                    when(apply(Greater, [&people, &constant(3.0)]), vec![Statement::Line(5)]),
                    when(
                        apply(
                            And,
                            [&apply(Greater, [&people, &constant(1.0)]), &apply(Greater, [&share, &constant(20.0)])],
                        ),
                        vec![Statement::Line(6)],
                    ),
                    when(apply(Less, [&people, &constant(0.0)]), vec![Statement::Line(7)]),
                ],
            ),
        ],
    };
    let truth = vec![(1, Some(1)), (2, Some(1)), (3, Some(2)), (4, Some(2)), (5, Some(4)), (6, Some(3)), (7, None)];
    Fixture { app, truth }
}
