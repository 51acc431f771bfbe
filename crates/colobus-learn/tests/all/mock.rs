//! The mock: answers of the right shape, the same ones for the same seed, and what it remembers.

use colobus_learn::mock::{MockError, Options, Reply};
use colobus_learn::{Body, Description, Exchange, Learned, Mock, Request, Schemas, robust};
use serde_json::{Value, json};

use crate::samples::exchange;

fn service() -> Learned {
    let user = |id: u32, name: &str| json!({"id": id, "name": name, "email": null, "tags": ["a"]});
    let get = |target: &str, answer| exchange("GET", &format!("http://h/{target}"), answer);
    let created = Exchange {
        request_body: Some(Body::json(&json!({"name": "Cleo"}))),
        status: 201,
        ..exchange("POST", "http://h/users", user(3, "Cleo"))
    };
    let deleted = Exchange {
        status: 204,
        response_body: Some(Body::default()),
        ..exchange("DELETE", "http://h/users/2", json!(0))
    };
    let changed = Exchange {
        request_body: Some(Body::json(&json!({"name": "Dora"}))),
        ..exchange("PATCH", "http://h/users/1", user(1, "Dora"))
    };
    let missing = Exchange { status: 404, ..get("users/9", json!({"message": "no such user"})) };
    robust::learn(&[
        get("users", json!([user(1, "Ann"), user(2, "Ben")])),
        get("users/1", user(1, "Ann")),
        get("users/2", user(2, "Ben")),
        get("search?q=a&page=1", json!({"hits": [user(1, "Ann")], "total": 1})),
        created,
        deleted,
        changed,
        missing,
    ])
}

fn mock(options: Options) -> Mock {
    let Learned { description, schemas, .. } = service();
    Mock::new(description, schemas, options).unwrap()
}

fn ask(mock: &Mock, method: &str, target: &str, body: Option<Value>) -> Reply {
    mock.answer(&Request::new(method, target, &[], body.as_ref().map(Body::json).as_ref()))
}

#[test]
fn every_answer_validates_and_the_seed_decides() {
    let Learned { schemas, .. } = service();
    let validator = jsonschema::validator_for(&schemas.json["get_users.json"]).unwrap();
    let (first, second, other) =
        (mock(Options::default()), mock(Options::default()), mock(Options { seed: 1, ..Options::default() }));
    let mut bodies = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let reply = ask(&first, "GET", "/users", None);
        assert_eq!(reply, ask(&second, "GET", "/users", None));
        assert!(validator.is_valid(&reply.value().unwrap()));
        bodies.insert(reply.body.clone());
        bodies.insert(ask(&other, "GET", "/users", None).body);
    }
    assert!(bodies.len() > 60, "answers vary: {}", bodies.len());
}

/// Answers depend on the request and its repetitions, not on what others ask in between.
#[test]
fn the_order_of_other_requests_does_not_matter() {
    let (alone, busy) = (mock(Options::default()), mock(Options::default()));
    let expected = [ask(&alone, "GET", "/users", None), ask(&alone, "GET", "/users", None)];
    ask(&busy, "GET", "/users/1", None);
    let first = ask(&busy, "GET", "/users", None);
    ask(&busy, "GET", "/search?q=x&page=2", None);
    assert_eq!([first, ask(&busy, "GET", "/users", None)], expected);
}

#[test]
fn answers_repeat_the_identifier() {
    let reply = ask(&mock(Options::default()), "GET", "/users/4711", None);
    assert_eq!(reply.value().unwrap()["id"], json!(4711));
}

#[test]
fn a_miss_names_the_nearest_operation() {
    let mock = mock(Options::default());
    let body = |method, target| {
        let reply = ask(&mock, method, target, None);
        assert_eq!((reply.status, reply.operation), (404, None));
        reply.value().unwrap()
    };
    let misspelt = body("GET", "/user/1");
    assert_eq!(misspelt["nearest"], "GET users/user:*()");
    assert_eq!(misspelt["differs"], json!(["`users` instead of `user`"]));
    let incomplete = body("GET", "/search?q=a&sort=x");
    assert_eq!(incomplete["nearest"], "GET search(page:*, q:*)");
    assert_eq!(incomplete["differs"], json!(["the parameter `page` is missing", "the parameter `sort` is unknown"]));
    assert_eq!(body("PUT", "/users")["differs"].as_array().unwrap().len(), 1);
}

#[test]
fn errors_come_as_often_as_asked_for() {
    let mock = mock(Options { errors: 20, ..Options::default() });
    let replies: Vec<Reply> = (0..1000).map(|_| ask(&mock, "GET", "/users/1", None)).collect();
    let failed: Vec<&Reply> = replies.iter().filter(|reply| reply.status >= 400).collect();
    assert!((150..250).contains(&failed.len()), "{}", failed.len());
    assert!(failed.iter().all(|reply| reply.status == 404 && reply.value().unwrap()["message"].is_string()));
}

#[test]
fn delays_stay_between_their_bounds() {
    let mock = mock(Options { latency: (20, 40), ..Options::default() });
    let delays: std::collections::BTreeSet<u32> =
        (0..500).map(|_| ask(&mock, "GET", "/users", None).delay_ms).collect();
    assert_eq!((delays.first(), delays.last(), delays.len()), (Some(&20), Some(&40), 21));
}

#[test]
fn a_stateful_mock_remembers() {
    let mock = mock(Options { stateful: true, ..Options::default() });
    let created = ask(&mock, "POST", "/users", Some(json!({"name": "Zoe"})));
    assert_eq!(created.status, 201);
    let created = created.value().unwrap();
    assert_eq!(created["name"], "Zoe");
    let path = format!("/users/{}", created["id"]);

    let read = ask(&mock, "GET", &path, None).value().unwrap();
    assert_eq!((&read["name"], &read["id"]), (&json!("Zoe"), &created["id"]));
    let listed = |id: &Value| {
        let list = ask(&mock, "GET", "/users", None).value().unwrap();
        list.as_array().unwrap().iter().find(|user| user["id"] == *id).cloned()
    };
    assert_eq!(listed(&created["id"]).unwrap()["name"], "Zoe");

    ask(&mock, "PATCH", &path, Some(json!({"name": "Zora"})));
    assert_eq!(ask(&mock, "GET", &path, None).value().unwrap()["name"], "Zora");
    assert_eq!(listed(&created["id"]).unwrap()["name"], "Zora");

    assert_eq!(ask(&mock, "DELETE", &path, None).status, 204);
    let gone = ask(&mock, "GET", &path, None);
    assert_eq!(gone.status, 404);
    assert!(gone.value().unwrap()["message"].is_string(), "as the server describes it");
    assert_eq!(listed(&created["id"]), None);
}

#[test]
fn lists_and_items_agree() {
    let mock = mock(Options { stateful: true, seed: 3, ..Options::default() });
    let list = (0..20)
        .find_map(|_| ask(&mock, "GET", "/users", None).value().filter(|list| !list.as_array().unwrap().is_empty()));
    let list = list.expect("twenty attempts give a list with items");
    for user in list.as_array().unwrap() {
        let item = ask(&mock, "GET", &format!("/users/{}", user["id"]), None).value().unwrap();
        assert_eq!(item["name"], user["name"]);
    }
    assert_eq!(ask(&mock, "GET", "/users", None).value(), Some(list), "the same list again");
}

#[test]
fn calls_in_one_list_are_answered_in_one_list() {
    let call = |method: &str| {
        let body = Body::json(&json!({"method": method, "jsonrpc": "2.0"}));
        let answer = json!({"jsonrpc": "2.0", "result": method.len()});
        Exchange { request_body: Some(body), ..exchange("POST", "http://h/rpc", answer) }
    };
    let Learned { description, schemas, .. } = robust::learn(&[call("add"), call("remove")]);
    let mock = Mock::new(description, schemas, Options::default()).unwrap();
    let batch = json!([{"method": "add", "jsonrpc": "2.0"}, {"method": "remove", "jsonrpc": "2.0"}]);
    let reply = ask(&mock, "POST", "/rpc", Some(batch));
    assert_eq!(reply.value().unwrap().as_array().map(Vec::len), Some(2));
    assert_eq!(ask(&mock, "POST", "/rpc", Some(json!([{"method": "unknown"}]))).status, 404);
}

#[test]
fn descriptions_that_cannot_be_mocked_say_why() {
    let refused = |response: &str, schemas: Value| {
        let description = Description::parse(&format!("URL http://h\nGET a() : {response}\n")).unwrap();
        let schemas = Schemas::of_json(serde_json::from_value(schemas).unwrap());
        Mock::new(description, schemas, Options::default()).unwrap_err().to_string()
    };
    let missing = Mock::new(
        Description::parse("URL http://h\nGET a() : @x.json\n").unwrap(),
        Schemas::default(),
        Options::default(),
    );
    assert_eq!(missing.unwrap_err(), MockError::MissingFile { file: "x.json".to_string() });
    assert!(refused("@x.json", json!({"x.json": {"$ref": "y.json"}})).contains("leads nowhere"));
    assert!(
        refused("@x.json", json!({"x.json": {"type": "string", "pattern": "^a"}}))
            .contains("`pattern` is not supported")
    );
    let endless = json!({"x.json": {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}});
    assert!(refused("@x.json", endless).contains("without an end"));
    assert!(refused("@x.json", json!({"x.json": false})).contains("allows nothing"));
}

#[test]
fn a_plain_description_is_enough() {
    let description = Description::parse(
        "URL http://www.example.org/app\nGET news() : @items.json\nPOST news/send(title:*) : void\nGET text() : \"hello\"\n",
    )
    .unwrap();
    let schemas =
        Schemas::of_json([("items.json".to_string(), json!({"type": "array", "items": {"type": "integer"}}))].into());
    let mock = Mock::new(description, schemas, Options::default()).unwrap();
    assert!(ask(&mock, "GET", "/app/news", None).value().unwrap().is_array());
    assert_eq!(ask(&mock, "POST", "/app/news/send?title=x", None).status, 204);
    assert_eq!(ask(&mock, "GET", "/app/text", None).body, b"hello");
    assert_eq!(ask(&mock, "GET", "/news", None).status, 404, "outside the base");
}
