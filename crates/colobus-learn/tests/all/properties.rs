//! Laws that hold for random descriptions, patterns and traffic.

use colobus_learn::language::{Overlap, matches, overlap};
use colobus_learn::schema::{Generator, Preference, Shape, schema_of, valid};
use colobus_learn::{Description, Random, Schemas, Secrets, covers, plain, robust};
use proptest::prelude::*;
use serde_json::Value;

use crate::arbitrary::{description, pattern, small_request, traffic, value};

/// PROPTEST_CASES=10000 tries more.
fn config(cases: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(cases), failure_persistence: None, ..ProptestConfig::default() }
}

fn schemas_of(values: &[Value]) -> Schemas {
    let mut shape = Shape::default();
    values.iter().for_each(|value| shape.join(Shape::of(value, &Secrets::default())));
    Schemas::of_json([("s.json".to_string(), schema_of(&shape))].into())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn what_is_printed_is_read_back(description in description()) {
        let printed = description.to_string();
        prop_assert_eq!(Description::parse(&printed), Ok(description), "{}", printed);
    }

    #[test]
    fn no_text_panics_the_parser(text in "(URL http://h\n)?[ -~\n!@\"/():,|*?+#é]{0,60}") {
        let _ = Description::parse(&text);
    }

    /// Patterns over a tiny alphabet, so that requests that match both are met.
    #[test]
    fn a_witness_matches_both_and_disjoint_patterns_have_none(
        a in pattern(), b in pattern(), requests in prop::collection::vec(small_request(), 60)
    ) {
        let schemas = Schemas::default();
        let both = |request: &colobus_learn::Request| matches(&a, request, &schemas) && matches(&b, request, &schemas);
        match overlap(&a, &b, &schemas) {
            Overlap::Witness(request) => prop_assert!(both(&request)),
            Overlap::Disjoint => prop_assert!(!requests.iter().any(both)),
            Overlap::Undecided => prop_assert!(false, "there are no schemas here"),
        }
    }

    #[test]
    fn a_plain_description_covers_all_samples_with_disjoint_patterns(samples in traffic()) {
        let learned = plain::learn(&samples).unwrap();
        prop_assert!(learned.description.is_plain());
        prop_assert_eq!(learned.overlaps(), vec![]);
        for sample in &samples {
            prop_assert!(covers(&learned.description, &learned.schemas, sample), "{:?}\n{}", sample, learned.description);
        }
        let printed = learned.description.to_string();
        prop_assert_eq!(Description::parse(&printed), Ok(learned.description));
    }

    #[test]
    fn a_robust_description_covers_all_samples_and_shows_overlaps(samples in traffic()) {
        let learned = robust::learn(&samples);
        for sample in &samples {
            prop_assert!(covers(&learned.description, &learned.schemas, sample), "{:?}\n{}", sample, learned.description);
        }
        for overlapping in learned.overlaps() {
            prop_assert!(overlapping.witness.is_some());
        }
        let printed = learned.description.to_string();
        prop_assert_eq!(Description::parse(&printed), Ok(learned.description));
    }

    #[test]
    fn the_order_of_samples_does_not_matter((samples, shuffled) in traffic().prop_flat_map(|samples| {
        (Just(samples.clone()), Just(samples).prop_shuffle())
    })) {
        prop_assert_eq!(robust::learn(&samples), robust::learn(&shuffled));
        prop_assert_eq!(plain::learn(&samples), plain::learn(&shuffled));
    }

    /// Against an independent validator: samples and made-up values are instances.
    #[test]
    fn schemas_accept_their_samples_and_instances(values in prop::collection::vec(value(), 1..6), seed in any::<u64>()) {
        let schemas = schemas_of(&values);
        let node = schemas.node("s.json").unwrap();
        let validator = jsonschema::options().should_validate_formats(true).build(node.schema).unwrap();
        for value in &values {
            prop_assert!(valid(node, value));
            prop_assert!(validator.is_valid(value), "{} {}", node.schema, value);
        }
        for preference in [Preference::Mixed, Preference::Seen, Preference::Random, Preference::Boundary, Preference::Marked] {
            let instance = Generator::new(Random::new(seed), preference).instance(node).unwrap();
            prop_assert!(validator.is_valid(&instance), "{} {}", node.schema, instance);
            let again = Generator::new(Random::new(seed), preference).instance(node).unwrap();
            prop_assert_eq!(instance, again, "a seed gives the same instance");
        }
    }

    /// The validator here and the independent one agree on other values as well.
    #[test]
    fn validators_agree(values in prop::collection::vec(value(), 1..4), other in value()) {
        let schemas = schemas_of(&values);
        let node = schemas.node("s.json").unwrap();
        let validator = jsonschema::options().should_validate_formats(true).build(node.schema).unwrap();
        prop_assert_eq!(valid(node, &other), validator.is_valid(&other), "{} {}", node.schema, other);
    }
}
