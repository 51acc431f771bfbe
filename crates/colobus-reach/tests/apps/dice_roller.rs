//! A dice roller with a winning and a losing threshold, set in two dialogs.

use super::*;
use Operator::*;

pub fn fixture() -> Fixture {
    let typed = Expr::parameter("threshold", Kind::Number);
    let [win, lose, sides] = [number("win"), number("lose"), number("sides")];
    let app = App {
        events: vec![
            Event {
                name: "start".into(),
                screens: vec![],
                handler: vec![
                    assign("win", constant(5.0)),
                    assign("lose", constant(5.0)),
                    assign("sides", constant(6.0)),
                    go("table"),
                ],
            },
            event("options", "table", vec![go("options")]),
            event("back", "options", vec![go("table")]),
            event("win dialog", "options", vec![go("win")]),
            event("lose dialog", "options", vec![go("lose")]),
            event(
                "set win",
                "win",
                vec![when(apply(AtMost, [&typed, &sides]), vec![assign("win", typed.clone()), go("options")])],
            ),
            event("set lose", "lose", vec![assign("lose", typed.clone()), go("options")]),
            event("twenty", "table", vec![assign("sides", constant(20.0))]),
            event(
                "roll",
                "table",
                vec![
                    when(apply(Less, [&lose, &win]), vec![Statement::Line(1)]),
                    when(
                        apply(And, [&apply(Greater, [&win, &constant(10.0)]), &apply(Same, [&lose, &constant(2.0)])]),
                        vec![Statement::Line(2)],
                    ),
                    when(apply(Greater, [&win, &constant(20.0)]), vec![Statement::Line(3)]),
                ],
            ),
        ],
    };
    Fixture { app, truth: vec![(1, Some(5)), (2, Some(8)), (3, None)] }
}
