//! Servers whose operations are known: what is learned from a part of their traffic, compared with the truth, with the rest of
//! the traffic, and with answers that no server gives. `tests/truth/` has the captures, and what made them.

use std::fs;
use std::path::Path;

use colobus_learn::language::Router;
use colobus_learn::score::{Score, Truth, score};
use colobus_learn::{Body, Exchange, Learned, Random, Request, covers, har, plain, robust};
use serde_json::{Value, json};

const SERVERS: [&str; 4] = ["desk", "json-server", "jupyter", "library"];
/// Different parts of the traffic that are learned from.
const SPLITS: u64 = 5;

fn capture(server: &str) -> (Truth, Vec<Exchange>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth");
    let truth = fs::read_to_string(folder.join(format!("{server}.truth"))).unwrap();
    let har = har::read(&fs::read(folder.join(format!("{server}.har"))).unwrap()).unwrap();
    (Truth::parse(&truth).unwrap(), har.exchanges)
}

/// 70 of 100 exchanges, and the others.
fn split(mut exchanges: Vec<Exchange>, seed: u64) -> (Vec<Exchange>, Vec<Exchange>) {
    let mut random = Random::new(seed);
    for last in (1..exchanges.len()).rev() {
        exchanges.swap(last, random.below(last + 1));
    }
    let rest = exchanges.split_off(exchanges.len() * 7 / 10);
    (exchanges, rest)
}

fn score_of(learned: &Learned, truth: &Truth, rest: &[Exchange]) -> Score {
    let router = Router::new(&learned.description);
    let takes =
        |request: &Request| router.select(&learned.description, &learned.schemas, request).map(|found| found.number);
    score(truth, &takes, &rest.iter().map(Request::of).collect::<Vec<_>>())
}

#[test]
fn every_exchange_belongs_to_a_true_operation() {
    for server in SERVERS {
        let (truth, exchanges) = capture(server);
        let mut used = vec![0; truth.len()];
        for exchange in &exchanges {
            let operation = truth.operation_of(&Request::of(exchange));
            used[operation.unwrap_or_else(|| panic!("{server}: {} {}", exchange.method, exchange.url))] += 1;
        }
        assert!(used.iter().all(|count| *count > 1), "{server}: {used:?}");
    }
}

#[test]
fn more_operations_are_right_than_with_the_plain_algorithm_and_none_are_merged() {
    for server in SERVERS {
        for seed in 0..SPLITS {
            let (truth, exchanges) = capture(server);
            let (part, rest) = split(exchanges, seed);
            let ours = score_of(&robust::learn(&part), &truth, &rest);
            assert_eq!(ours.merged, 0, "{server}, split {seed}: {ours:?}");
            assert!(ours.matched * 10 >= ours.operations * 9, "{server}, split {seed}: {ours:?}");
            let plain = plain::learn(&part).map(|learned| score_of(&learned, &truth, &rest)).unwrap_or_default();
            assert!(ours.matched > plain.matched, "{server}, split {seed}: {ours:?}, {plain:?}");
        }
    }
}

#[test]
fn the_rest_of_the_traffic_matches_and_validates() {
    for server in SERVERS {
        let (mut covered, mut all) = (0, 0);
        for seed in 0..SPLITS {
            let (part, rest) = split(capture(server).1, seed);
            let Learned { description, schemas, .. } = robust::learn(&part);
            covered += rest.iter().filter(|exchange| covers(&description, &schemas, exchange)).count();
            all += rest.len();
        }
        assert!(covered * 100 >= all * 95, "{server}: {covered} of {all}");
    }
}

/// Pointers to all fields of objects.
fn fields(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(inside) => {
            for (name, value) in inside {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                fields(value, &pointer, found);
                found.push(pointer);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| fields(item, &format!("{pointer}/{index}"), found));
        }
        _ => {}
    }
}

/// The answer without one of its fields, or with a field of another type; nothing if it has no fields.
fn mutated(exchange: &Exchange, random: &mut Random) -> Option<Exchange> {
    let mut answer = exchange.response_body.as_ref()?.as_json()?;
    let mut all = Vec::new();
    fields(&answer, "", &mut all);
    let pointer = random.pick(&all)?.clone();
    if random.percent(50) {
        let (object, name) = pointer.rsplit_once('/')?;
        answer.pointer_mut(object)?.as_object_mut()?.remove(&name.replace("~1", "/").replace("~0", "~"))?;
    } else {
        let field = answer.pointer_mut(&pointer)?;
        *field = if field.is_string() { json!({ "changed": 1 }) } else { json!("changed") };
    }
    Some(Exchange { response_body: Some(Body::json(&answer)), ..exchange.clone() })
}

#[test]
fn nine_of_ten_mutated_answers_are_rejected() {
    let (mut rejected, mut all) = (0, 0);
    for server in SERVERS {
        let (part, rest) = split(capture(server).1, 0);
        let Learned { description, schemas, .. } = robust::learn(&part);
        let mut random = Random::new(1);
        let sound: Vec<&Exchange> = rest.iter().filter(|exchange| covers(&description, &schemas, exchange)).collect();
        let mutants = std::iter::repeat_with(|| mutated(random.pick(&sound)?, &mut random)).flatten().take(250);
        let accepted = mutants.filter(|mutant| covers(&description, &schemas, mutant)).count();
        (rejected, all) = (rejected + 250 - accepted, all + 250);
    }
    assert_eq!(all, 1000);
    assert!(rejected >= 900, "{rejected} of {all}");
}
