//! A file manager: paths as text, a clipboard that may be null, extensions by splitting and by patterns.

use super::*;
use Operator::*;
use colobus_reach::symbolic::expr::Variable;
use colobus_reach::symbolic::pattern::Pattern;

pub fn fixture() -> Fixture {
    let [folder, selected] = [text("folder"), text("selected")];
    let clipboard = Expr::Variable(Variable::state("clipboard", [Kind::Null, Kind::Text]));
    let typed = Expr::parameter("typed", Kind::Text);
    let pattern = |source: &str| Test(Pattern::new(source, "").unwrap());
    let app = App {
        events: vec![
            Event {
                name: "start".into(),
                screens: vec![],
                handler: vec![
                    assign("folder", constant("/home")),
                    assign("selected", constant("")),
                    assign("clipboard", Expr::Constant(Value::Null)),
                    go("list"),
                ],
            },
            event(
                "open",
                "list",
                vec![when(apply(StartsWith, [&typed, &constant("/")]), vec![assign("folder", typed.clone())])],
            ),
            event(
                "select",
                "list",
                vec![Statement::If(
                    apply(pattern("^[a-z]+\\.[a-z]{2,3}$"), [&typed]),
                    vec![assign("selected", typed.clone()), go("file")],
                    vec![Statement::Line(1)],
                )],
            ),
            event("close", "file", vec![go("list")]),
            event(
                "copy",
                "file",
                vec![assign("clipboard", apply(Template, [&folder, &constant("/"), &selected])), go("list")],
            ),
            event(
                "paste",
                "list",
                vec![Statement::If(
                    apply(Equal, [&clipboard, &Expr::Constant(Value::Undefined)]),
                    vec![Statement::Line(2)],
                    vec![
                        when(apply(StartsWith, [&clipboard, &folder]), vec![Statement::Line(3)]),
                        when(apply(StartsWith, [&clipboard, &constant("/tmp/")]), vec![Statement::Line(4)]),
                    ],
                )],
            ),
            event(
                "view",
                "file",
                vec![
                    when(
                        apply(Same, [&apply(SplitAt(".".into(), 1), [&selected]), &constant("md")]),
                        vec![Statement::Line(5)],
                    ),
                    when(apply(Greater, [&apply(Length, [&selected]), &constant(12.0)]), vec![Statement::Line(6)]),
                    when(apply(Includes, [&selected, &constant(" ")]), vec![Statement::Line(7)]),
                ],
            ),
        ],
    };
    let truth = vec![(1, Some(1)), (2, Some(1)), (3, Some(3)), (4, Some(4)), (5, Some(2)), (6, Some(2)), (7, None)];
    Fixture { app, truth }
}
