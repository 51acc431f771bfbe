//! What Boucheneb and Imine printed about five functions, to be put beside what this checker finds.

use crate::scenario::{Action, Operation, Scenario, SiteOrder};

/// A row of their first table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The function.
    pub function: &'static str,
    /// How many operations three sites generate.
    pub operations: usize,
    /// What is asked.
    pub property: Property,
    /// Whether the printed answer says that the property's formula is satisfied.
    pub value: bool,
    /// Explored and computed states of the symbolic model.
    pub symbolic: (u64, u64),
}

/// A property of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// φ1: two sites with the same operations can differ. True means broken.
    Divergence,
    /// φ2: no deadlock. True means fine.
    NoDeadlock,
}

/// Their first table.
pub const TABLE_1: &[Row] = &[
    row("ellis", 3, Property::Divergence, true, (1625, 1739)),
    row("ellis", 3, Property::NoDeadlock, true, (1837, 1837)),
    row("ressel", 3, Property::Divergence, true, (1637, 1751)),
    row("ressel", 3, Property::NoDeadlock, true, (1837, 1837)),
    row("sun", 3, Property::Divergence, true, (1625, 1739)),
    row("sun", 3, Property::NoDeadlock, true, (1837, 1837)),
    row("suleiman", 3, Property::Divergence, false, (1837, 1837)),
    row("suleiman", 3, Property::NoDeadlock, true, (1837, 1837)),
    row("suleiman", 4, Property::Divergence, true, (18_450, 19_380)),
    row("imine", 3, Property::Divergence, false, (1837, 1837)),
    row("imine", 3, Property::NoDeadlock, true, (1837, 1837)),
    row("imine", 4, Property::Divergence, true, (18_401, 19_331)),
];

const fn row(function: &'static str, operations: usize, property: Property, value: bool, symbolic: (u64, u64)) -> Row {
    Row { function, operations, property, value, symbolic }
}

/// Their second table: a counterexample per function, with positions counted from 0 here (from 1 there).
pub fn table_2() -> Vec<Scenario> {
    use Action::{Del, Ins};
    let three = |function: &str, actions: [Action; 3], site_3: [&str; 3]| {
        let operations = (1u8..).zip(actions).map(|(site, action)| operation(&format!("o{site}"), site, action, &[]));
        scenario(function, operations.collect(), &[(1, &["o1", "o2", "o3"]), (3, &site_3)])
    };
    vec![
        three("ellis", [Ins(0, '0'), Ins(0, '1'), Ins(0, '0')], ["o3", "o2", "o1"]),
        three("ressel", [Ins(1, '0'), Ins(0, '1'), Del(0)], ["o3", "o2", "o1"]),
        three("sun", [Ins(0, '0'), Ins(1, '0'), Ins(1, '1')], ["o3", "o1", "o2"]),
        scenario(
            "suleiman",
            four([Del(0), Ins(0, '0'), Ins(0, '0'), Ins(1, '0')]),
            &[(2, &["o2", "o3", "o11", "o12"]), (3, &["o3", "o2", "o11", "o12"])],
        ),
        scenario(
            "imine",
            four([Ins(0, '0'), Ins(1, '0'), Ins(1, '0'), Del(0)]),
            &[(1, &["o11", "o12", "o2", "o3"]), (3, &["o3", "o2", "o11", "o12"])],
        ),
    ]
}

/// The row for Suleiman's function with the character that their sixth figure has for `o3`. As printed, both of its traces
/// end with the same text.
pub fn mended_suleiman_row() -> Scenario {
    use Action::{Del, Ins};
    scenario(
        "suleiman",
        four([Del(0), Ins(0, '0'), Ins(0, '0'), Ins(1, '1')]),
        &[(2, &["o2", "o3", "o11", "o12"]), (3, &["o3", "o2", "o11", "o12"])],
    )
}

/// Their sixth figure: Suleiman's function, step by step. It counts positions from 0.
pub fn figure_6() -> Scenario {
    use Action::{Del, Ins};
    let operations = vec![
        operation("o0", 1, Del(3), &[]),
        operation("o1", 1, Ins(3, '0'), &["o0"]),
        operation("o2", 2, Ins(3, '0'), &[]),
        operation("o3", 3, Ins(4, '1'), &[]),
    ];
    let mut figure =
        scenario("suleiman", operations, &[(2, &["o2", "o3", "o0", "o1"]), (3, &["o3", "o2", "o0", "o1"])]);
    figure.text = "0000".into();
    figure
}

fn four(actions: [Action; 4]) -> Vec<Operation> {
    let [first, second, third, fourth] = actions;
    vec![
        operation("o11", 1, first, &[]),
        operation("o12", 1, second, &["o11"]),
        operation("o2", 2, third, &[]),
        operation("o3", 3, fourth, &[]),
    ]
}

fn operation(name: &str, site: u8, action: Action, after: &[&str]) -> Operation {
    Operation { name: name.into(), site, action, after: after.iter().map(|&name| name.into()).collect() }
}

fn scenario(function: &str, operations: Vec<Operation>, traces: &[(u8, &[&str])]) -> Scenario {
    let trace =
        |&(site, order): &(u8, &[&str])| SiteOrder { site, order: order.iter().map(|&name| name.into()).collect() };
    let traces = traces.iter().map(trace).collect();
    Scenario { function: function.into(), server: false, text: "abcd".into(), operations, traces }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::by_name;

    #[test]
    fn which_printed_counterexamples_diverge() {
        let diverges = |scenario: Scenario| {
            let function = by_name(&scenario.function).unwrap().function;
            (scenario.function.clone(), !function.replay(&scenario).unwrap().converges)
        };
        let found: Vec<(String, bool)> = table_2().into_iter().map(diverges).collect();
        let expected = [("ellis", true), ("ressel", true), ("sun", true), ("suleiman", false), ("imine", true)];
        assert_eq!(found, expected.map(|(name, diverges)| (name.to_string(), diverges)));
        assert!(diverges(figure_6()).1);
        assert!(diverges(mended_suleiman_row()).1);
    }
}
