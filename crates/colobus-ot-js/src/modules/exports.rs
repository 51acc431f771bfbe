//! The `exports` and `imports` tables of a package.json: subpaths, patterns and conditions.

use serde_json::Value;

use super::Style;

/// The target, relative to the package's folder, that a table gives for `key` (`.`, `./sub` or `#name`).
pub(super) fn target(table: &Value, key: &str, style: Style) -> Option<String> {
    let subpaths = table.as_object().filter(|entries| entries.keys().all(|name| name.starts_with(['.', '#'])));
    match subpaths {
        None if key == "." => pick(table, style, ""),
        None => None,
        Some(entries) => match entries.get(key) {
            Some(value) => pick(value, style, ""),
            None => by_pattern(entries, key, style),
        },
    }
}

fn by_pattern(entries: &serde_json::Map<String, Value>, key: &str, style: Style) -> Option<String> {
    entries
        .iter()
        .filter_map(|(pattern, value)| {
            let (before, after) = pattern.split_once('*')?;
            let star = key.strip_prefix(before)?.strip_suffix(after)?;
            (!star.is_empty()).then_some((before.len(), star, value))
        })
        // The longest prefix is the most specific pattern.
        .max_by_key(|(prefix, _, _)| *prefix)
        .and_then(|(_, star, value)| pick(value, style, star))
}

/// Follows conditions in the order the package lists them; an array offers alternatives.
fn pick(value: &Value, style: Style, star: &str) -> Option<String> {
    match value {
        Value::String(target) => Some(target.replace('*', star)),
        Value::Array(alternatives) => alternatives.iter().find_map(|one| pick(one, style, star)),
        Value::Object(conditions) => conditions
            .iter()
            .filter(|(condition, _)| applies(condition, style))
            .find_map(|(_, one)| pick(one, style, star)),
        _ => None,
    }
}

fn applies(condition: &str, style: Style) -> bool {
    match condition {
        "default" | "node" => true,
        "require" => style == Style::Require,
        "import" => style == Style::Import,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plain_string_is_the_package_itself() {
        let table = json!("./lib.js");
        assert_eq!(target(&table, ".", Style::Require), Some("./lib.js".into()));
        assert_eq!(target(&table, "./other", Style::Require), None);
    }

    #[test]
    fn conditions_follow_the_asking_style_and_nest() {
        let table = json!({"browser": "./b.js", "node": {"import": "./i.mjs", "require": "./r.cjs"}});
        assert_eq!(target(&table, ".", Style::Import), Some("./i.mjs".into()));
        assert_eq!(target(&table, ".", Style::Require), Some("./r.cjs".into()));
    }

    #[test]
    fn the_most_specific_pattern_wins_and_null_hides() {
        let table = json!({"./*": "./src/*.js", "./deep/*": "./src/deep/*/index.js", "./secret": null});
        assert_eq!(target(&table, "./a", Style::Import), Some("./src/a.js".into()));
        assert_eq!(target(&table, "./deep/a", Style::Import), Some("./src/deep/a/index.js".into()));
        assert_eq!(target(&table, "./secret", Style::Import), None);
    }
}
