//! Secrets of the traffic reach no output: description, schemas, OpenAPI, notes, overlaps, made-up answers.

use colobus_learn::mock::Options;
use colobus_learn::{Body, Direction, Exchange, Learned, Message, Mock, Request, openapi, plain, robust};
use serde_json::json;

use crate::samples::exchange;

const BEARER: &str = "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXBheWxvYWQ.c2lnbmF0dXJlLW9mLWl0";
const COOKIE: &str = "s%3Acookie-value-4711";
const SET_COOKIE: &str = "fresh-cookie-0815";
const PASSWORD: &str = "correct-horse-1";
const ANSWER_TOKEN: &str = "tok-9f8e7d6c";
const REFRESH: &str = "refresh me not";
const SESSION: &str = "5f2b8c0e9d7a4c1f8e3b6a0d2c4f6e8a";
const API_KEY: &str = "key-live-12345";
const CSRF: &str = "csrf-77aa88bb";
const URL_PASSWORD: &str = "urlpass99";
const NESTED: &str = "nested-pass-55";

const SECRETS: [&str; 11] =
    [BEARER, COOKIE, SET_COOKIE, PASSWORD, ANSWER_TOKEN, REFRESH, SESSION, API_KEY, CSRF, URL_PASSWORD, NESTED];

fn traffic() -> Vec<Exchange> {
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    let with_headers = |exchange: Exchange| Exchange {
        request_headers: vec![
            pair("Authorization", &format!("Bearer {BEARER}")),
            pair("Cookie", &format!("sid={COOKIE}; theme=dark")),
            pair("X-CSRF-Token", CSRF),
        ],
        response_headers: vec![pair("Set-Cookie", &format!("sid={SET_COOKIE}; HttpOnly"))],
        ..exchange
    };
    let form = |content: String| Some(Body::new("application/x-www-form-urlencoded", content));
    let login = Exchange {
        request_body: form(format!("user=ann&password={PASSWORD}")),
        ..exchange(
            "POST",
            "http://ann:urlpass99@h/login",
            json!({"access_token": ANSWER_TOKEN, "user": {"name": "ann"}}),
        )
    };
    let socket = Exchange {
        url: format!("ws://h/live?token={ANSWER_TOKEN}"),
        status: 101,
        messages: vec![Message {
            direction: Direction::Send,
            text: json!({"type": "auth", "token": ANSWER_TOKEN, "note": format!("as {ANSWER_TOKEN}")}).to_string(),
        }],
        response_body: None,
        ..exchange("GET", "", json!(0))
    };
    let register = Exchange {
        request_body: Some(Body::json(&json!({"name": "bob", "credentials": {"value": NESTED}, "pin": 48213}))),
        ..exchange(
            "POST",
            "http://h/users",
            json!({"id": 1, "name": "bob", "echo": NESTED, "auth": {"refresh": REFRESH}}),
        )
    };
    [
        login,
        exchange("GET", &format!("http://h/s/{SESSION}/mails"), json!({"mails": [], "session": SESSION})),
        exchange(
            "GET",
            &format!("http://h/data?api_key={API_KEY}&action={ANSWER_TOKEN}"),
            json!({"by": API_KEY, "n": 1}),
        ),
        exchange("GET", &format!("http://h/data?api_key={API_KEY}&action=list"), json!({"by": API_KEY, "n": 1})),
        exchange("GET", &format!("http://h/tokens/{ANSWER_TOKEN}"), json!({ANSWER_TOKEN: {"a": 1}, SESSION: {"a": 2}})),
        register,
        socket,
    ]
    .map(with_headers)
    .into()
}

fn outputs(learned: &Learned) -> Vec<(String, String)> {
    let mut outputs = vec![
        ("description".to_string(), learned.description.to_string()),
        ("notes".to_string(), format!("{:?} {:?}", learned.notes, learned.overlaps())),
        ("openapi".to_string(), openapi::to_yaml(&learned.description, &learned.schemas, "t")),
    ];
    outputs.extend(
        learned.schemas.json.iter().map(|(file, schema)| (format!("schema {file}"), format!("{file} {schema}"))),
    );
    let mock = Mock::new(learned.description.clone(), learned.schemas.clone(), Options::default()).unwrap();
    for target in ["/s/x/mails", "/data?api_key=x&action=list", "/tokens/x"] {
        for _ in 0..50 {
            let reply = mock.answer(&Request::new("GET", target, &[], None));
            outputs.push(("answer".to_string(), String::from_utf8_lossy(&reply.body).into_owned()));
        }
    }
    outputs
}

#[test]
fn no_secret_reaches_an_output() {
    for (kind, learned) in [("robust", robust::learn(&traffic())), ("plain", plain::learn(&traffic()).unwrap())] {
        assert!(learned.description.operations.len() >= 5, "{}", learned.description);
        for (place, text) in outputs(&learned) {
            for secret in SECRETS.iter().chain(&["48213"]) {
                assert!(!text.contains(secret), "{kind}: {secret} is in the {place}:\n{text}");
            }
        }
    }
}

/// The test above would pass if nothing were kept at all.
#[test]
fn other_values_are_kept() {
    let learned = robust::learn(&traffic());
    let all: String = learned.schemas.json.values().map(ToString::to_string).collect();
    assert!(all.contains("\"ann\"") && all.contains("\"bob\""), "{all}");
    assert!(learned.description.to_string().contains("! auth bearer"));
    let schema = &learned.schemas.json["login.json"];
    assert_eq!(schema["properties"]["access_token"], json!({"type": "string", "format": "password"}));
}
