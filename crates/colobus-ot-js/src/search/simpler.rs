//! Simpler variants of a JSON value, boldest first.

use serde_json::{Map, Value};

/// Every value that is one step simpler.
pub fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Null | Value::Bool(_) => Vec::new(),
        Value::Number(number) => simpler_number(number.as_i64()),
        Value::String(text) => simpler_text(text),
        Value::Array(items) => simpler_array(items),
        Value::Object(entries) => simpler_object(entries),
    }
}

fn simpler_number(number: Option<i64>) -> Vec<Value> {
    let Some(number) = number else {
        return vec![Value::from(0)];
    };
    let mut variants: Vec<i64> = vec![0, number / 2, number - number.signum(), -number];
    variants.retain(|variant| variant.abs() < number.abs() || (number < 0 && *variant == -number));
    variants.dedup();
    variants.into_iter().map(Value::from).collect()
}

fn simpler_text(text: &str) -> Vec<Value> {
    let letters: Vec<char> = text.chars().collect();
    let without = |skip: usize| -> Value {
        let kept = letters.iter().enumerate().filter(|(index, _)| *index != skip);
        Value::from(kept.map(|(_, letter)| *letter).collect::<String>())
    };
    let mut variants = Vec::new();
    if letters.len() > 1 {
        variants.push(Value::from(""));
    }
    variants.extend((0..letters.len()).map(without));
    variants
}

fn simpler_array(items: &[Value]) -> Vec<Value> {
    let mut variants = Vec::new();
    if items.len() > 1 {
        variants.push(Value::Array(Vec::new()));
    }
    for index in 0..items.len() {
        let mut shorter = items.to_vec();
        shorter.remove(index);
        variants.push(Value::Array(shorter));
    }
    variants.extend(items.iter().cloned());
    for (index, item) in items.iter().enumerate() {
        for variant in simpler(item) {
            let mut changed = items.to_vec();
            changed[index] = variant;
            variants.push(Value::Array(changed));
        }
    }
    variants
}

fn simpler_object(entries: &Map<String, Value>) -> Vec<Value> {
    let mut variants = Vec::new();
    for key in entries.keys() {
        let mut smaller = entries.clone();
        smaller.shift_remove(key);
        variants.push(Value::Object(smaller));
    }
    variants.extend(entries.values().cloned());
    for (key, value) in entries {
        for variant in simpler(value) {
            let mut changed = entries.clone();
            changed.insert(key.clone(), variant);
            variants.push(Value::Object(changed));
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::json::Json;

    #[test]
    fn leaves_end() {
        assert_eq!(simpler(&json!(null)), Vec::<Value>::new());
        assert_eq!(simpler(&json!(0)), Vec::<Value>::new());
        assert_eq!(simpler(&json!("")), Vec::<Value>::new());
    }

    #[test]
    fn arrays_lose_items_hoist_them_and_simplify_them() {
        assert_eq!(
            simpler(&json!(["a", 2])),
            vec![
                json!([]),
                json!([2]),
                json!(["a"]),
                json!("a"),
                json!(2),
                json!(["", 2]),
                json!(["a", 0]),
                json!(["a", 1])
            ]
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf =
            prop_oneof![Just(json!(null)), (-20i64..20).prop_map(Value::from), "[a-c]{0,3}".prop_map(Value::from),];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..3)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_variant_is_longer(value in any_json()) {
            let size = Json::from(&value).size();
            for variant in simpler(&value) {
                prop_assert!(Json::from(&variant).size() <= size, "{variant}");
            }
        }
    }
}
