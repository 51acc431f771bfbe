//! Random descriptions, patterns, requests, values and traffic.

use colobus_learn::language::{
    Alternative, Answer, Cardinality, Channel, ChannelKind, Condition, Content, Datatype, Description, Echo,
    Extensions, Fragment, Header, MessagePattern, Operation, Parameter, Reference,
};
use colobus_learn::{Body, Direction, Exchange, Request};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,5}",
        "[ -~é\n\"\\\\]{0,6}",
        Just("void".to_string()),
        Just("#x".to_string()),
        Just("!x".to_string())
    ]
}

fn alternative(response: bool) -> impl Strategy<Value = Alternative> {
    let constant = text().prop_map(Alternative::Constant).boxed();
    let file = "[a-z]{1,4}".prop_map(|name| Alternative::Json(format!("{name}.json"))).boxed();
    let rng = (option::of("[a-z]{1,3}"), "[a-z]{1,3}")
        .prop_map(|(definition, name)| Alternative::Rng { file: format!("{name}.rng"), definition });
    let void = if response { Just(Alternative::Void).boxed() } else { Just(Alternative::Any).boxed() };
    prop_oneof![constant, Just(Alternative::Any), file, rng, void]
}

fn datatype(response: bool) -> impl Strategy<Value = Datatype> {
    vec(alternative(response), 1..3).prop_map(Datatype)
}

fn fragment() -> impl Strategy<Value = Fragment> {
    let value = (option::of(text()), datatype(false)).prop_map(|(name, datatype)| match (name, &datatype.0[..]) {
        // A constant without a name is a constant fragment.
        (None, [Alternative::Constant(text)]) => Fragment::Constant(text.clone()),
        (name, _) => Fragment::Value { name, datatype },
    });
    prop_oneof![text().prop_map(Fragment::Constant), value]
}

fn cardinality() -> impl Strategy<Value = Cardinality> {
    select(vec![Cardinality::One, Cardinality::Optional, Cardinality::Many])
}

fn parameters() -> impl Strategy<Value = Vec<Parameter>> {
    btree_map(text(), (cardinality(), datatype(false)), 0..3).prop_map(|all| {
        all.into_iter().map(|(name, (cardinality, datatype))| Parameter { name, cardinality, datatype }).collect()
    })
}

fn extensions() -> impl Strategy<Value = Extensions> {
    let conditions = vec((text(), text()).prop_map(|(field, value)| Condition { field, value }), 0..2);
    let headers = vec((text(), datatype(false)).prop_map(|(name, datatype)| Header { name, datatype }), 0..2);
    let bodies =
        vec((text(), datatype(false)).prop_map(|(content_type, datatype)| Content { content_type, datatype }), 0..2);
    let answer = (100u16..600, option::of(text()), datatype(true));
    let answers =
        vec(answer.prop_map(|(status, content_type, datatype)| Answer { status, content_type, datatype }), 0..3);
    let echoes = vec((text(), text()).prop_map(|(parameter, pointer)| Echo { parameter, pointer }), 0..2);
    let references = vec(
        (text(), text()).prop_map(|(parameter, pointer)| Reference { parameter, file: "f.json".to_string(), pointer }),
        0..2,
    );
    (conditions, headers, bodies, vec("[a-z]{1,5}", 0..2), answers, echoes, references).prop_map(
        |(conditions, headers, bodies, auth, answers, echoes, references)| Extensions {
            rest: None,
            conditions,
            headers,
            bodies,
            auth,
            answers,
            echoes,
            references,
        },
    )
}

fn operation() -> impl Strategy<Value = Operation> {
    let parts = ("[A-Z]{3,6}", vec(fragment(), 0..4), parameters(), datatype(true), extensions(), any::<bool>());
    parts.prop_map(|(method, path, parameters, response, mut extensions, rest)| {
        let named = path.iter().find_map(|fragment| match fragment {
            Fragment::Value { name, .. } => name.clone(),
            Fragment::Constant(_) => None,
        });
        extensions.rest = named.filter(|_| rest);
        Operation { method, path, parameters, response, extensions }
    })
}

fn channel() -> impl Strategy<Value = Channel> {
    let direction = select(vec![Direction::Send, Direction::Receive]);
    let discriminator = option::of((text(), text()).prop_map(|(field, value)| Condition { field, value }));
    let message = (direction, discriminator, datatype(false));
    let messages = vec(
        message.prop_map(|(direction, discriminator, datatype)| MessagePattern { direction, discriminator, datatype }),
        0..3,
    );
    let kind = select(vec![ChannelKind::Socket, ChannelKind::Events]);
    (kind, vec(fragment(), 0..3), parameters(), messages).prop_map(|(kind, path, parameters, messages)| Channel {
        kind,
        path,
        parameters,
        messages,
    })
}

pub fn description() -> impl Strategy<Value = Description> {
    (vec(operation(), 0..4), vec(channel(), 0..2)).prop_map(|(operations, channels)| Description {
        base: "http://www.example.org/base".to_string(),
        operations,
        channels,
    })
}

fn tiny() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "x"]).prop_map(str::to_string)
}

fn tiny_datatype() -> impl Strategy<Value = Datatype> {
    let alternative = prop_oneof![tiny().prop_map(Alternative::Constant), Just(Alternative::Any)];
    vec(alternative, 1..3).prop_map(Datatype)
}

/// Patterns over three words.
pub fn pattern() -> impl Strategy<Value = Operation> {
    let value = tiny_datatype().prop_map(|datatype| Fragment::Value { name: Some("p".to_string()), datatype });
    let path = vec(prop_oneof![tiny().prop_map(Fragment::Constant), value], 0..4);
    let parameters = btree_map(tiny(), (cardinality(), tiny_datatype()), 0..3);
    let conditions = btree_map(tiny(), tiny(), 0..2);
    (path, parameters, conditions, any::<bool>()).prop_map(|(path, parameters, conditions, rest)| {
        let single = path.iter().filter(|fragment| matches!(fragment, Fragment::Value { .. })).count() == 1;
        let parameter = |(name, (cardinality, datatype))| Parameter { name, cardinality, datatype };
        let extensions = Extensions {
            rest: (rest && single).then(|| "p".to_string()),
            conditions: conditions.into_iter().map(|(field, value)| Condition { field, value }).collect(),
            ..Extensions::default()
        };
        Operation {
            method: "GET".to_string(),
            path,
            parameters: parameters.into_iter().map(parameter).collect(),
            response: Datatype::any(),
            extensions,
        }
    })
}

pub fn small_request() -> impl Strategy<Value = Request> {
    (vec(tiny(), 0..5), vec((tiny(), tiny()), 0..3), option::of(btree_map(tiny(), tiny(), 0..3))).prop_map(
        |(path, parameters, body)| Request {
            method: "GET".to_string(),
            path,
            parameters,
            headers: Vec::new(),
            body: body.map(|fields| json!(fields)),
        },
    )
}

/// JSON with few names, so that shapes meet.
pub fn value() -> impl Strategy<Value = Value> {
    let strings =
        select(vec!["", "a", "hello", "2024-02-29", "ann@example.org", "10.0.0.1", "http://example.org/x", "日本"]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
        strings.prop_map(Value::from),
    ];
    let name = select(vec!["id", "name", "items", "next", "Some Thing", "a/b~c", "7", "8"]);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let fields = btree_map(name.clone(), inner.clone(), 0..4).prop_map(|fields| {
            Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect::<Map<_, _>>())
        });
        prop_oneof![vec(inner, 0..3).prop_map(Value::from), fields]
    })
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let word = select(vec!["users", "alice", "bob", "7", "42", "2024-02-29", "new", "a.txt", "notes", "me"]);
    let path = vec(word.clone(), 0..4).prop_map(|path| path.join("/"));
    let query = vec((select(vec!["id", "action", "q"]), word.clone()), 0..3).prop_map(|pairs| {
        pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    });
    let record = select(vec![
        json!({"id": 7, "name": "alice", "path": "notes/a.txt", "x": 1}),
        json!({"id": 42, "name": "bob", "path": "a.txt", "x": null}),
        json!([{"id": 1, "name": "alice", "x": 2}]),
        json!({"ok": true}),
        json!([]),
        json!({}),
    ]);
    let answer = prop_oneof![
        4 => record.prop_map(|value| Some(Body::json(&value))),
        1 => value().prop_map(|value| Some(Body::json(&value))),
        1 => Just(Some(Body::new("text/plain", "hello"))),
        1 => Just(Some(Body::default())),
    ];
    let operation =
        option::of(select(vec![json!({"operationName": "A", "query": "x"}), json!({"method": "add"}), json!([1])]));
    let (methods, statuses) = (select(vec!["GET", "POST", "DELETE"]), select(vec![200u16, 200, 200, 201, 404]));
    (methods, path, query, statuses, answer, operation).prop_map(|(method, path, query, status, answer, body)| {
        Exchange {
            method: method.to_string(),
            url: format!("http://h/{path}?{query}"),
            request_body: body.map(|body| Body::json(&body)),
            status,
            response_body: answer,
            ..Exchange::default()
        }
    })
}

/// A few exchanges with one server.
pub fn traffic() -> impl Strategy<Value = Vec<Exchange>> {
    vec(exchange(), 1..14)
}
