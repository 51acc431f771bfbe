//! The functions on terms and on numbers say the same.

use colobus_ot::functions as concrete;
use colobus_ot::{Kind, Op, OpSet, Transformation};
use colobus_ot_prove::functions as symbolic;
use colobus_ot_prove::{Form, SymbolicFunction};
use colobus_solver::{Model, Term, Value, evaluate};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many operations sets can hold.
const IDENTITIES: usize = 4;

/// What one function carries, as a random number makes it and as a model says it.
trait Pair {
    type Concrete: Transformation;
    type Symbolic: SymbolicFunction;
    const CONCRETE: Self::Concrete;
    const SYMBOLIC: Self::Symbolic;

    fn carried(drawn: (u8, u8, u8)) -> <Self::Concrete as Transformation>::Extra;
    fn assign(name: &str, carried: <Self::Concrete as Transformation>::Extra, model: &mut Model);
    fn read(
        extra: &<Self::Symbolic as SymbolicFunction>::Extra,
        model: &Model,
    ) -> <Self::Concrete as Transformation>::Extra;
}

macro_rules! plain {
    ($($name:ident)*) => {$(
        impl Pair for concrete::$name {
            type Concrete = concrete::$name;
            type Symbolic = symbolic::$name;
            const CONCRETE: Self::Concrete = concrete::$name;
            const SYMBOLIC: Self::Symbolic = symbolic::$name;

            fn carried(_: (u8, u8, u8)) {}
            fn assign(_: &str, (): (), _: &mut Model) {}
            fn read((): &(), _: &Model) {}
        }
    )*};
}

plain!(Ellis Ressel Sun Ttf);

impl Pair for concrete::Imine {
    type Concrete = concrete::Imine;
    type Symbolic = symbolic::Imine;
    const CONCRETE: Self::Concrete = concrete::Imine;
    const SYMBOLIC: Self::Symbolic = symbolic::Imine;

    fn carried(drawn: (u8, u8, u8)) -> concrete::Generated {
        concrete::Generated(drawn.0 % 6)
    }

    fn assign(name: &str, carried: concrete::Generated, model: &mut Model) {
        model.set(&format!("{name}.generated"), Value::Int(carried.0.into()));
    }

    fn read(extra: &symbolic::Generated, model: &Model) -> concrete::Generated {
        concrete::Generated(number(&extra.0, model))
    }
}

impl Pair for concrete::Suleiman {
    type Concrete = concrete::Suleiman;
    type Symbolic = symbolic::Suleiman;
    const CONCRETE: Self::Concrete = concrete::Suleiman;
    const SYMBOLIC: Self::Symbolic = symbolic::Suleiman;

    fn carried(drawn: (u8, u8, u8)) -> concrete::Met {
        concrete::Met { pre: OpSet(drawn.1 % 16), post: OpSet(drawn.2 % 16) }
    }

    fn assign(name: &str, carried: concrete::Met, model: &mut Model) {
        for (set, members) in [("pre", carried.pre), ("post", carried.post)] {
            for id in 0..IDENTITIES {
                model.set(&format!("{name}.{set}{id}"), Value::Bool(members.contains(id as u8)));
            }
        }
    }

    fn read(extra: &symbolic::Met, model: &Model) -> concrete::Met {
        let set =
            |terms: &[Term]| OpSet::of((0u8..).zip(terms).filter(|(_, member)| truth(member, model)).map(|(id, _)| id));
        concrete::Met { pre: set(&extra.pre), post: set(&extra.post) }
    }
}

fn number(term: &Term, model: &Model) -> u8 {
    match evaluate(term, model) {
        Ok(Value::Int(value)) => value.try_into().unwrap(),
        other => panic!("{term}: {other:?}"),
    }
}

fn truth(term: &Term, model: &Model) -> bool {
    evaluate(term, model) == Ok(Value::Bool(true))
}

/// 17,000 random pairs of operations of every combination of kinds.
fn agrees<P: Pair>(label: &str) {
    let config = Config { cases: 17_000 / 4, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[18; 32]));
    for (kind_a, kind_b) in
        [(Kind::Ins, Kind::Ins), (Kind::Ins, Kind::Del), (Kind::Del, Kind::Ins), (Kind::Del, Kind::Del)]
    {
        let form = |name: &str, kind: Kind, id: usize| {
            Form::variable(name, kind, id, |_| P::SYMBOLIC.arbitrary(name, IDENTITIES))
        };
        let transformed = P::SYMBOLIC.transform(&form("a", kind_a, 1), &form("b", kind_b, 2));
        let operation = prop::array::uniform2((0u8..8, 0u8..3, 0u8..4));
        let carried = prop::array::uniform2(any::<(u8, u8, u8)>());
        let ran = runner.run(&(operation, carried), |(operations, carried)| {
            let mut model = Model::default();
            let mut concrete_op = |name: &str, kind: Kind, id: u8, index: usize| {
                let (position, drawn, site) = operations[index];
                let character = if kind == Kind::Ins { drawn } else { 0 };
                let extra = P::carried(carried[index]);
                for (part, value) in [("position", position), ("character", character), ("site", site)] {
                    model.set(&format!("{name}.{part}"), Value::Int(value.into()));
                }
                P::assign(name, extra, &mut model);
                Op { kind, position, character, site, id, extra }
            };
            let (a, b) = (concrete_op("a", kind_a, 1, 0), concrete_op("b", kind_b, 2, 1));
            let expected = P::CONCRETE.transform(a, b);
            let kind = if truth(&transformed.alive, &model) { kind_a } else { Kind::Nop };
            prop_assert_eq!(kind, expected.kind);
            prop_assert_eq!(number(&transformed.position, &model), expected.position);
            prop_assert_eq!(number(&transformed.character, &model), expected.character);
            prop_assert_eq!(P::read(&transformed.extra, &model), expected.extra);
            Ok(())
        });
        ran.unwrap_or_else(|error| panic!("{label} {kind_a:?}/{kind_b:?}: {error}"));
    }
}

#[test]
fn on_a_hundred_thousand_random_pairs_of_operations() {
    agrees::<concrete::Ellis>("ellis");
    agrees::<concrete::Ressel>("ressel");
    agrees::<concrete::Sun>("sun");
    agrees::<concrete::Suleiman>("suleiman");
    agrees::<concrete::Imine>("imine");
    agrees::<concrete::Ttf>("ttf");
}
