//! A score keeper: plus and minus on a level, a game that is won at ten, a name that must not be empty.

use super::*;
use Operator::*;

pub fn fixture() -> Fixture {
    let [level, gear, name] = [number("level"), number("gear"), text("name")];
    let typed = Expr::parameter("typed", Kind::Text);
    let step = |variable: &Expr, operator: Operator| apply(operator, [variable, &constant(1.0)]);
    let app = App {
        events: vec![
            Event {
                name: "start".into(),
                screens: vec![],
                handler: vec![
                    assign("level", constant(1.0)),
                    assign("gear", constant(0.0)),
                    assign("name", constant("")),
                    go("score"),
                ],
            },
            event(
                "level up",
                "score",
                vec![Statement::If(
                    apply(Less, [&level, &constant(10.0)]),
                    vec![assign("level", step(&level, Add))],
                    vec![Statement::Line(1)],
                )],
            ),
            event(
                "level down",
                "score",
                vec![Statement::If(
                    apply(Greater, [&level, &constant(1.0)]),
                    vec![assign("level", step(&level, Subtract))],
                    vec![Statement::Line(2)],
                )],
            ),
            event("gear up", "score", vec![assign("gear", step(&gear, Add))]),
            event("gear down", "score", vec![assign("gear", step(&gear, Subtract))]),
            event("rename", "score", vec![assign("name", apply(Trim, [&typed]))]),
            event(
                "fight",
                "score",
                vec![
                    when(apply(Greater, [&apply(Add, [&level, &gear]), &constant(5.0)]), vec![Statement::Line(3)]),
                    when(apply(Less, [&apply(Add, [&level, &gear]), &constant(0.0)]), vec![Statement::Line(4)]),
                    when(apply(Same, [&name, &constant("Ann")]), vec![Statement::Line(5)]),
                    when(apply(Same, [&name, &constant(" ")]), vec![Statement::Line(6)]),
                ],
            ),
        ],
    };
    let truth = vec![(1, Some(10)), (2, Some(1)), (3, Some(6)), (4, Some(3)), (5, Some(2)), (6, None)];
    Fixture { app, truth }
}
