//! Twenty lines behind conditions that nothing fulfils, over numbers, texts, flags and null, in one application.

use super::*;
use Operator::*;
use colobus_reach::symbolic::expr::Variable;
use colobus_reach::symbolic::pattern::Pattern;

/// A path to each line that claims to exist, as a wrong summary would.
pub fn claimed() -> Vec<Summary> {
    (1u32..)
        .zip(conditions())
        .map(|(line, condition)| Summary {
            name: format!("claim {line}").as_str().into(),
            event: format!("try {line}").as_str().into(),
            condition: vec![condition],
            idle: Default::default(),
            domain: Vec::new(),
            writes: Default::default(),
            lists: Vec::new(),
            log: [(App::line(line), [0].into())].into(),
        })
        .collect()
}

fn conditions() -> Vec<Expr> {
    let [count, name, on] = [number("count"), text("name"), flag("on")];
    let maybe = Expr::Variable(Variable::state("maybe", [Kind::Null, Kind::Text]));
    let c = |value: f64| constant(value);
    let t = |value: &str| constant(value);
    let test = |source: &str, expr: &Expr| apply(Test(Pattern::new(source, "").unwrap()), [expr]);
    vec![
        apply(And, [&apply(Greater, [&count, &c(3.0)]), &apply(Less, [&count, &c(3.0)])]),
        apply(NotSame, [&apply(Multiply, [&count, &c(2.0)]), &apply(Add, [&count, &count])]),
        apply(Same, [&apply(Length, [&name]), &c(-1.0)]),
        apply(Same, [&apply(ToUpper, [&name]), &t("Abc")]),
        apply(Same, [&apply(ToLower, [&name]), &t("Abc")]),
        apply(And, [&on, &apply(Not, [&on])]),
        apply(Same, [&apply(TypeOf, [&count]), &t("string")]),
        apply(Same, [&apply(Trim, [&name]), &t(" a")]),
        apply(And, [&test("^\\d+$", &name), &apply(Includes, [&name, &t("a")])]),
        apply(And, [&apply(StartsWith, [&name, &t("ab")]), &apply(Same, [&apply(CharAt, [&name, &c(1.0)]), &t("c")])]),
        apply(Less, [&apply(IndexOf, [&name, &t("x"), &c(0.0)]), &c(-1.0)]),
        apply(And, [&apply(Equal, [&maybe, &Expr::Constant(Value::Null)]), &maybe]),
        apply(Same, [&maybe, &Expr::Constant(Value::Undefined)]),
        apply(Same, [&apply(Floor, [&count]), &c(2.5)]),
        apply(And, [&apply(Greater, [&count, &c(2.0)]), &apply(Less, [&apply(Max, [&count, &c(0.0)]), &c(2.0)])]),
        apply(Less, [&apply(Abs, [&count]), &c(0.0)]),
        apply(Same, [&apply(Slice, [&name, &c(0.0), &c(2.0)]), &t("abc")]),
        apply(Same, [&apply(SplitAt(",".into(), 0), [&name]), &t("a,b")]),
        apply(And, [&apply(Equal, [&on, &c(1.0)]), &apply(Same, [&on, &c(1.0)])]),
        apply(And, [&apply(IsNaN, [&name]), &test("^[0-9]{1,3}$", &name)]),
    ]
}

pub fn fixture() -> Fixture {
    let [count, on] = [number("count"), flag("on")];
    let typed = Expr::parameter("typed", Kind::Text);
    let c = |value: f64| constant(value);
    let conditions = conditions();
    let lines = 1..=conditions.len() as u32;
    let branches = lines.clone().zip(conditions).map(|(line, condition)| {
        event(&format!("try {line}"), "main", vec![when(condition, vec![Statement::Line(line)])])
    });
    let mut events: Vec<Event> = branches.collect();
    events.push(Event {
        name: "start".into(),
        screens: vec![],
        handler: vec![
            assign("count", c(0.0)),
            assign("name", constant("")),
            assign("on", constant(false)),
            assign("maybe", Expr::Constant(Value::Null)),
            go("main"),
        ],
    });
    events.push(event("more", "main", vec![assign("count", apply(Add, [&count, &c(1.0)]))]));
    events.push(event("half", "main", vec![assign("count", apply(Divide, [&count, &c(2.0)]))]));
    events.push(event("type", "main", vec![assign("name", typed.clone()), assign("maybe", typed)]));
    events.push(event("toggle", "main", vec![assign("on", apply(Not, [&on]))]));
    Fixture { app: App { events }, truth: lines.map(|line| (line, None)).collect() }
}
