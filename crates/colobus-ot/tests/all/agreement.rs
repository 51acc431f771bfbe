//! The three models enumerate the same executions in different ways: they must agree on every function, also on
//! senseless ones, in every small setting.

use colobus_ot::scenario::replay;
use colobus_ot::{Kind, Model, Op, Options, Setting, Signature, Start, Transformation, Verdict, check};
use proptest::prelude::*;

/// A transformation function that is sensible but for a table of random decisions, so that some hold and some do not.
#[derive(Clone, Debug)]
struct Table(Vec<Option<u8>>);

/// How two numbers compare, as part of a table index.
fn compare(a: u8, b: u8) -> usize {
    a.cmp(&b) as i8 as isize as usize & 3
}

impl Table {
    fn decide(&self, a: Op<Tag>, b: Op<Tag>, sensible: Op<Tag>) -> Op<Tag> {
        let kinds = usize::from(a.kind == Kind::Del) * 2 + usize::from(b.kind == Kind::Del);
        let index = [
            compare(a.position, b.position),
            compare(a.character, b.character),
            compare(a.site, b.site),
            compare(a.extra.0, b.extra.0),
        ];
        let index = index.iter().fold(kinds, |index, part| index * 4 + part);
        match self.0[index % self.0.len()] {
            None => sensible,
            Some(0) => a,
            Some(1) => a.right(),
            Some(2) => a.left(),
            Some(3) => Op { extra: Tag(a.extra.0 ^ b.id), ..a },
            Some(_) => a.nop(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Tag(u8);

impl colobus_ot::Parameters for Tag {}

impl Transformation for Table {
    type Extra = Tag;

    fn parameters(&self, signature: Signature) -> Tag {
        Tag(signature.position)
    }

    fn ins_ins(&self, a: Op<Tag>, b: Op<Tag>) -> Op<Tag> {
        let keep = (a.position, a.site) < (b.position, b.site);
        self.decide(a, b, if keep { a } else { a.right() })
    }

    fn ins_del(&self, a: Op<Tag>, b: Op<Tag>) -> Op<Tag> {
        self.decide(a, b, if a.position <= b.position { a } else { a.left() })
    }

    fn del_ins(&self, a: Op<Tag>, b: Op<Tag>) -> Op<Tag> {
        self.decide(a, b, if a.position < b.position { a } else { a.right() })
    }
}

fn tables() -> impl Strategy<Value = Table> {
    let decision = prop_oneof![12 => Just(None), 1 => (0u8..5).prop_map(Some)];
    prop::collection::vec(decision, 97).prop_map(Table)
}

fn small_settings() -> impl Strategy<Value = Setting> {
    let operations =
        prop_oneof![Just(vec![1, 1]), Just(vec![2, 1]), Just(vec![2, 1, 0]), Just(vec![1, 1, 1]), Just(vec![2, 2]),];
    let start = prop_oneof![
        2 => Just(Start::Unbounded),
        1 => "[01a]{0,3}".prop_map(Start::Text),
    ];
    (operations, 0u8..2, 1usize..4, start).prop_map(|(operations, low, signatures, start)| {
        // Three signatures where there are three operations or more: the concrete model must stay small.
        let total = operations.iter().sum::<usize>();
        let (high, alphabet) = match (total, signatures) {
            (2, wide) => (low + 2, wide),
            (_, 1) => (low + 1, 1),
            (_, _) => (low, 2),
        };
        let setting = Setting::new(operations).and_then(|s| s.positions(low..=high));
        setting.and_then(|s| s.alphabet(alphabet)).and_then(|s| s.start(start)).expect("small settings are valid")
    })
}

/// Right for two sites with one operation each, as long as operation 0 is that of site 0.
struct KnowsItsOperations;

impl Transformation for KnowsItsOperations {
    type Extra = ();

    fn ins_ins(&self, a: Op, b: Op) -> Op {
        let keep = a.id != a.site || (a.position, a.site) < (b.position, b.site);
        if keep { a } else { a.right() }
    }

    fn ins_del(&self, a: Op, b: Op) -> Op {
        if a.position <= b.position { a } else { a.left() }
    }
}

#[test]
fn an_operation_is_the_same_one_whenever_it_is_generated() {
    let setting = Setting::new(vec![1, 1]).unwrap();
    for model in [Model::Fast, Model::Symbolic, Model::Concrete] {
        let outcome = check(&KnowsItsOperations, &setting, model, &Options::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{model:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn three_models_agree(table in tables(), setting in small_settings()) {
        let verdict = |model| {
            let outcome = check(&table, &setting, model, &Options::default()).expect("valid");
            prop_assert_eq!(outcome.verdict == Verdict::Violated, outcome.counterexample.is_some());
            if let Some(found) = outcome.counterexample {
                let replayed = replay(&table, &found.scenario(&table, "table"));
                prop_assert_eq!(replayed.map(|replayed| replayed.converges), Ok(false), "{:?}", found);
            }
            Ok(outcome.verdict)
        };
        let fast = verdict(Model::Fast)?;
        prop_assert_eq!(fast, verdict(Model::Symbolic)?, "fast and symbolic");
        prop_assert_eq!(fast, verdict(Model::Concrete)?, "fast and concrete");
    }

    #[test]
    fn nothing_depends_on_the_number_of_threads(table in tables(), setting in small_settings()) {
        let with = |threads| {
            let options = Options { threads, ..Options::default() };
            check(&table, &setting, Model::Fast, &options).expect("valid")
        };
        prop_assert_eq!(with(1), with(2));
    }
}
