//! Words of addresses: names of parameters that select an operation, routes that are never values, looks of data.

/// Parameters and body fields whose value is the name of an operation.
const SELECTORS: [&str; 14] = [
    "action",
    "act",
    "cmd",
    "command",
    "do",
    "func",
    "function",
    "method",
    "op",
    "operation",
    "operationname",
    "task",
    "verb",
    "event",
];

/// Fragments that name an operation or a view.
const ROUTES: [&str; 72] = [
    "about",
    "accept",
    "activate",
    "active",
    "add",
    "admin",
    "all",
    "api",
    "approve",
    "archive",
    "auth",
    "batch",
    "cancel",
    "check",
    "clear",
    "config",
    "copy",
    "count",
    "create",
    "current",
    "default",
    "delete",
    "disable",
    "download",
    "edit",
    "enable",
    "export",
    "filter",
    "first",
    "followers",
    "following",
    "health",
    "history",
    "import",
    "info",
    "last",
    "latest",
    "list",
    "login",
    "logout",
    "me",
    "move",
    "new",
    "newest",
    "next",
    "oldest",
    "ping",
    "popular",
    "preview",
    "publish",
    "query",
    "random",
    "read",
    "recent",
    "register",
    "remove",
    "reset",
    "restart",
    "save",
    "search",
    "self",
    "send",
    "set",
    "settings",
    "start",
    "stats",
    "status",
    "stop",
    "top",
    "update",
    "upload",
    "validate",
];

/// True for names such as `action`, whose values are names of operations.
pub(super) fn is_selector(name: &str) -> bool {
    SELECTORS.contains(&name.to_ascii_lowercase().as_str())
}

pub(super) fn is_route(fragment: &str) -> bool {
    ROUTES.binary_search(&fragment.to_ascii_lowercase().as_str()).is_ok()
}

/// `v1`, `v2.1`
pub(super) fn is_version(fragment: &str) -> bool {
    let number = fragment.strip_prefix(['v', 'V']).unwrap_or_default();
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// True for texts that programmers seldom write as a route: capitals, digits, dots, spaces, other scripts.
pub(super) fn looks_like_data(fragment: &str) -> bool {
    fragment.contains(|c: char| {
        c.is_uppercase() || c.is_ascii_digit() || c.is_whitespace() || !c.is_ascii() || ".@:=%+,".contains(c)
    })
}

/// True for the name of an operation: a word, perhaps with dots and slashes.
pub(super) fn is_operation_name(value: &str) -> bool {
    let first = value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && value.len() <= 80 && value.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c))
}

/// The name of one thing of a collection: `users` has a `user`.
pub(super) fn singular(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = plain.trim_matches('_');
    match plain {
        "" => "value".to_string(),
        _ if plain.ends_with("ies") && plain.len() > 4 => format!("{}y", &plain[..plain.len() - 3]),
        _ if plain.ends_with("sses") || plain.ends_with("xes") || plain.ends_with("ches") => {
            plain[..plain.len() - 2].to_string()
        }
        _ if plain.ends_with('s') && !plain.ends_with("ss") && !plain.ends_with("us") && plain.len() > 2 => {
            plain[..plain.len() - 1].to_string()
        }
        _ => format!("{plain}_id"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_sorted() {
        assert!(ROUTES.is_sorted());
        assert!(is_route("Latest") && !is_route("alice"));
    }

    #[test]
    fn one_of_many() {
        for (many, one) in
            [("users", "user"), ("categories", "category"), ("boxes", "box"), ("news-items", "news_item")]
        {
            assert_eq!(singular(many), one);
        }
        assert_eq!((singular("status").as_str(), singular("class").as_str()), ("status_id", "class_id"));
    }
}
