//! What changed between two descriptions, and what of it breaks clients.

use colobus_learn::diff::changes;
use colobus_learn::{Body, Description, Exchange, Schemas, robust};
use serde_json::{Value, json};

use crate::samples::exchange;

fn breaking_and_fine(old: &[Exchange], new: &[Exchange]) -> (Vec<String>, Vec<String>) {
    let (old, new) = (robust::learn(old), robust::learn(new));
    let found = changes((&old.description, &old.schemas), (&new.description, &new.schemas));
    let (breaking, fine): (Vec<_>, Vec<_>) = found.into_iter().partition(|change| change.breaking);
    let text = |changes: Vec<colobus_learn::diff::Change>| {
        changes.into_iter().map(|change| format!("{}: {}", change.operation, change.text)).collect()
    };
    (text(breaking), text(fine))
}

fn get(target: &str, answer: Value) -> Exchange {
    exchange("GET", &format!("http://h/{target}"), answer)
}

fn post(body: Value) -> Exchange {
    Exchange { request_body: Some(Body::json(&body)), ..exchange("POST", "http://h/users", json!({"id": 1})) }
}

#[test]
fn nothing_changed() {
    let samples = [get("users/1", json!({"id": 1, "tags": [{"a": null}]})), post(json!({"name": "x"}))];
    assert_eq!(breaking_and_fine(&samples, &samples), (vec![], vec![]));
}

#[test]
fn answers() {
    let old = [get("users/1", json!({"id": 1, "name": "a", "age": 3, "note": "x"}))];
    let new = [
        get("users/1", json!({"id": "1", "name": "a", "age": 3, "email": "e"})),
        get("users/2", json!({"id": "2", "name": null, "age": 4, "email": "e"})),
    ];
    let (breaking, fine) = breaking_and_fine(&old, &new);
    let place = |text: &str| format!("GET users/user:*(): answer 200/{text}");
    assert_eq!(
        breaking,
        [
            place("id: was integer, is string now"),
            place("name: was string, is string or null now"),
            place("note is gone")
        ]
    );
    assert_eq!(fine, [place("email is new")]);
}

#[test]
fn bodies_are_judged_from_the_other_side() {
    let (breaking, fine) =
        breaking_and_fine(&[post(json!({"name": "a", "old": 1}))], &[post(json!({"name": "a", "mail": "b"}))]);
    assert_eq!(breaking, ["POST users(): body/mail is new and required"]);
    assert_eq!(fine, ["POST users(): body/old is gone"]);
}

#[test]
fn operations_and_parameters() {
    let (breaking, fine) = breaking_and_fine(
        &[get("a?x=1", json!({"r": 1})), get("b", json!({"r": 1}))],
        &[get("a?x=1&y=2", json!({"r": 1})), get("a?x=1&y=2&z=3", json!({"r": 1})), get("c", json!({"r": 1}))],
    );
    assert_eq!(breaking, ["GET a(x:*): `y` is a required parameter now", "GET b(): the operation is gone"]);
    assert_eq!(fine, ["GET a(x:*): `z` is an optional parameter now", "GET c(): the operation is new"]);
}

#[test]
fn recursive_schemas_end() {
    let tree = |size: Value| json!({"name": "a", "size": size, "children": [{"name": "b", "size": 1, "children": []}]});
    let (breaking, _) = breaking_and_fine(&[get("tree", tree(json!(1)))], &[get("tree", tree(json!("1 kB")))]);
    assert_eq!(breaking.len(), 1, "{breaking:?}");
}

#[test]
fn plain_descriptions() {
    let parse = |text: &str| Description::parse(&format!("URL http://h\n{text}\n")).unwrap();
    let (old, new) = (parse("GET a(x:?\"1\") : *"), parse("GET a(x:?*) : void"));
    let found = changes((&old, &Schemas::default()), (&new, &Schemas::default()));
    let texts: Vec<(&str, bool)> = found.iter().map(|change| (change.text.as_str(), change.breaking)).collect();
    assert_eq!(texts, [("the operation is gone", true), ("the operation is new", false)]);
}
