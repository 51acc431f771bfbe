//! What the learner for real traffic makes of it: the failures that the thesis reports, and shapes of real services.

use colobus_learn::schema::valid;
use colobus_learn::{Body, Direction, Exchange, Learned, Message, covers, plain, robust};
use serde_json::{Value, json};

use crate::samples::{exchange, figure_6_4};

fn get(target: &str, answer: Value) -> Exchange {
    exchange("GET", &format!("http://h/{target}"), answer)
}

fn post(target: &str, body: Value, answer: Value) -> Exchange {
    Exchange { request_body: Some(Body::json(&body)), ..exchange("POST", &format!("http://h/{target}"), answer) }
}

fn form(target: &str, fields: &str, answer: Value) -> Exchange {
    let body = Body::new("application/x-www-form-urlencoded", fields);
    Exchange { request_body: Some(body), ..exchange("POST", &format!("http://h/{target}"), answer) }
}

fn with_status(status: u16, exchange: Exchange) -> Exchange {
    Exchange { status, ..exchange }
}

fn void(method: &str, target: &str) -> Exchange {
    Exchange {
        method: method.to_string(),
        url: format!("http://h/{target}"),
        status: 204,
        response_body: Some(Body::default()),
        ..Exchange::default()
    }
}

fn patterns(learned: &Learned) -> Vec<String> {
    learned.description.operations.iter().map(colobus_learn::language::Operation::pattern).collect()
}

/// Learns, and checks that every sample is covered.
fn learn(samples: &[Exchange]) -> Learned {
    let learned = robust::learn(samples);
    for sample in samples {
        assert!(covers(&learned.description, &learned.schemas, sample), "{sample:?}\n{}", learned.description);
    }
    learned
}

#[test]
fn the_example_of_the_thesis() {
    let learned = learn(&figure_6_4());
    assert_eq!(patterns(&learned), ["GET author(name:*)", "GET comments(newsId:*)", "POST news/read()"]);
    let author = learned.schemas.node("author.json").unwrap();
    assert!(valid(author, &json!({"id": 1, "name": "A", "stories": 2})), "`email` is optional");
    assert!(!valid(author, &json!({"id": 1, "name": "A"})), "`stories` is required");
}

/// *resume*: delete with and without an id. The plain algorithm splits it in two.
#[test]
fn delete_with_and_without_an_id_is_one_operation() {
    let samples = [
        form("delete", "id=7&kind=note", json!({"deleted": 1})),
        form("delete", "id=9&kind=note", json!({"deleted": 1})),
        form("delete", "kind=note", json!({"deleted": 12, "rest": []})),
    ];
    assert_eq!(plain::learn(&samples).unwrap().description.operations.len(), 2);
    assert_eq!(patterns(&learn(&samples)), ["POST delete(id:?*, kind:*)"]);
}

/// *buggenie*: one operation that dispatches on a field. The plain algorithm splits it.
#[test]
fn dispatch_on_a_field_is_one_operation() {
    let revert = |field: &str, answer| get(&format!("issues/revert?field={field}"), answer);
    let samples = [
        revert("title", json!({"ok": true, "changed": true, "field": {"name": "x", "value": "y"}})),
        revert("title", json!({"ok": true, "changed": true, "field": {"name": "z", "value": "y"}})),
        revert("percent", json!({"ok": true, "changed": false, "field": {"name": "p", "percent": 4}})),
        revert("percent", json!({"ok": true, "changed": false, "field": {"name": "p", "percent": 5}})),
    ];
    assert_eq!(plain::learn(&samples).unwrap().description.operations.len(), 2);
    assert_eq!(patterns(&learn(&samples)), ["GET issues/revert(field:*)"]);
}

/// *tomatocart*: operations that only an `action` tells apart. The plain algorithm merges them.
#[test]
fn actions_are_operations() {
    let image =
        |action: &str, id: u32| form("images", &format!("action={action}&image={id}"), json!({"success": true}));
    let samples = [image("delete", 1), image("delete", 2), image("setDefault", 3), image("setDefault", 4)];
    assert_eq!(plain::learn(&samples).unwrap().description.operations.len(), 1);
    let learned = learn(&samples);
    assert_eq!(
        patterns(&learned),
        ["POST images(action:\"delete\", image:*)", "POST images(action:\"setDefault\", image:*)"]
    );
    assert_eq!(learned.overlaps(), []);
}

/// *resume*: session identifiers in paths. One session is enough.
#[test]
fn session_identifiers_are_values() {
    let session = "5f2b8c0e9d7a4c1f8e3b6a0d2c4f6e8a";
    let samples = [
        get(&format!("s/{session}/inbox"), json!({"mails": [{"id": 1, "subject": "a"}]})),
        get(&format!("s/{session}/outbox"), json!({"mails": [{"id": 1, "to": "a", "sent": true}]})),
    ];
    assert_eq!(patterns(&learn(&samples)), ["GET s/s_id:*/inbox()", "GET s/s_id:*/outbox()"]);
}

#[test]
fn names_are_values_if_the_answers_know_them() {
    let user = |name: &str| json!({"login": name, "followers": 3, "admin": false});
    let samples = [
        get("users", json!([user("alice"), user("bob")])),
        get("users/alice", user("alice")),
        get("users/bob", user("bob")),
        get("users/alice/posts", json!([{"id": 1, "title": "x", "likes": 2}])),
        get("users/me", json!({"login": "alice", "followers": 3, "admin": false, "email": "a@example.org"})),
        void("DELETE", "users/bob"),
    ];
    let learned = learn(&samples);
    assert_eq!(
        patterns(&learned),
        ["GET users()", "GET users/me()", "DELETE users/user:*()", "GET users/user:*()", "GET users/user:*/posts()"]
    );
    let overlaps = learned.overlaps();
    assert_eq!(overlaps.len(), 1, "users/me and users/user:*");
    assert_eq!(overlaps[0].witness.as_ref().unwrap().to_string(), "GET /users/me");
    let text = learned.description.to_string();
    assert!(text.contains("! echo user \"/login\""), "{text}");
    assert!(text.contains("! reference user @users.json \"/*/login\""), "{text}");
}

/// Collections with similar records, as in every tutorial, are different operations.
#[test]
fn similar_collections_stay_apart() {
    let samples = [
        get("posts", json!([{"userId": 1, "id": 1, "title": "a", "body": "b"}])),
        get("todos", json!([{"userId": 1, "id": 1, "title": "a", "completed": false}])),
        get("albums", json!([{"userId": 1, "id": 1, "title": "a"}])),
        get("posts/1", json!({"userId": 1, "id": 1, "title": "a", "body": "b"})),
        get("todos/1", json!({"userId": 1, "id": 1, "title": "a", "completed": false})),
        get("albums/1", json!({"userId": 1, "id": 1, "title": "a"})),
    ];
    assert_eq!(
        patterns(&learn(&samples)),
        [
            "GET albums()",
            "GET albums/album:*()",
            "GET posts()",
            "GET posts/post:*()",
            "GET todos()",
            "GET todos/todo:*()"
        ]
    );
}

#[test]
fn calls_without_distinctive_answers_stay_apart() {
    let samples = [
        post("session/login", json!({"user": "a"}), json!({"ok": true})),
        post("session/logout", json!({}), json!({"ok": true})),
        post("session/extend", json!({}), json!({"ok": true})),
    ];
    assert_eq!(learn(&samples).description.operations.len(), 3);
}

/// Paths with slashes, as in Jupyter: the rest is one parameter, but what follows it is a route.
#[test]
fn paths_of_files_are_one_parameter() {
    let file = |path: &str| json!({"path": path, "name": path.rsplit('/').next(), "type": "file", "content": null});
    let samples = [
        get("api/contents/a.txt", file("a.txt")),
        get("api/contents/notes/b.txt", file("notes/b.txt")),
        get("api/contents/notes/deep/c.txt", file("notes/deep/c.txt")),
        get("api/contents", file("")),
        get("api/contents/notes/b.txt/checkpoints", json!([{"id": "first", "last_modified": "2024-01-01T00:00:00Z"}])),
        void("DELETE", "api/contents/notes/b.txt/checkpoints/first"),
    ];
    let learned = learn(&samples);
    assert_eq!(
        patterns(&learned),
        [
            "GET api/contents()",
            "GET api/contents/path:*()",
            "GET api/contents/path:*/checkpoints()",
            "DELETE api/contents/path:*/checkpoints/checkpoint:*()"
        ]
    );
    assert!(
        learned.description.to_string().contains("GET api/contents/path:*() : @api_contents_path.json\n! rest path\n")
    );
    assert_eq!(learned.overlaps().len(), 1, "a file may be called checkpoints");
}

#[test]
fn null_absence_and_emptiness_are_no_evidence_against_a_type() {
    let samples = [
        get("items/1", json!({"id": 1, "tags": [], "note": null})),
        get("items/2", json!({"id": 2, "tags": ["a"], "note": "x", "extra": 1})),
    ];
    let learned = learn(&samples);
    let schema = learned.schemas.node("items_item.json").unwrap();
    assert!(valid(schema, &json!({"id": 3, "tags": ["b"], "note": null})));
    assert!(!valid(schema, &json!({"id": 3, "tags": [1], "note": null})));
    assert!(!valid(schema, &json!({"id": 3, "note": null})));
}

#[test]
fn errors_are_answers_of_their_operation() {
    let samples = [
        get("users/1", json!({"id": 1, "name": "a"})),
        with_status(404, get("users/2", json!({"error": "not found"}))),
        with_status(201, post("users", json!({"name": "b"}), json!({"id": 3, "name": "b"}))),
    ];
    let learned = learn(&samples);
    assert_eq!(
        learned.description.to_string(),
        "URL http://h\n\
         POST users() : @users.json\n\
         ! body \"application/json\" @users_body.json\n\
         ! 201 \"application/json\" @users.json\n\
         GET users/user:*() : @users_user.json\n\
         ! 200 \"application/json\" @users_user.json\n\
         ! 404 \"application/json\" @users_user_404.json\n"
    );
}

#[test]
fn graphql_and_json_rpc_operations_have_names() {
    let query = |name: &str, answer| {
        post("graphql", json!({"operationName": name, "query": format!("query {name} {{x}}")}), answer)
    };
    let call = |method: &str| {
        post(
            "rpc",
            json!({"jsonrpc": "2.0", "id": 1, "method": method}),
            json!({"jsonrpc": "2.0", "id": 1, "result": 1}),
        )
    };
    let samples = [
        query("User", json!({"data": {"user": {"id": 1}}})),
        query("News", json!({"data": {"news": [{"id": 1}]}})),
        call("add"),
        call("remove"),
    ];
    let learned = learn(&samples);
    assert_eq!(patterns(&learned), ["POST graphql()", "POST graphql()", "POST rpc()", "POST rpc()"]);
    let text = learned.description.to_string();
    for line in ["! where operationName \"News\"", "! where operationName \"User\"", "! where method \"add\""] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(learned.overlaps(), []);
}

/// *impresspages*: lists of pages and directories that contain lists of pages and directories.
#[test]
fn recursive_structures_are_one_schema() {
    let leaf = |name: &str| json!({"name": name, "kind": "page", "children": []});
    let tree = json!({"name": "root", "kind": "dir", "children": [
        {"name": "a", "kind": "dir", "children": [leaf("b"), {"name": "c", "kind": "dir", "children": [leaf("d")]}]}]});
    let learned = learn(&[get("tree", tree)]);
    let schema = &learned.schemas.json["tree.json"];
    assert_eq!(schema["properties"]["children"]["items"], json!({"$ref": "#"}));
    let deep = json!({"name": "a", "kind": "dir", "children": [{"name": "b", "kind": "dir", "children": [leaf("c"), {"name": 5}]}]});
    assert!(!valid(learned.schemas.node("tree.json").unwrap(), &deep), "checked at every depth");
}

/// *globetrotter*: countries as names of fields.
#[test]
fn names_that_are_data_make_a_map() {
    let country = |code: &str| json!({"code": code, "visits": 3});
    let samples = [get("countries", json!({"Denmark": country("DK"), "France": country("FR"), "Peru": country("PE")}))];
    let learned = learn(&samples);
    let schema = learned.schemas.node("countries.json").unwrap();
    assert!(valid(schema, &json!({"Kenya": {"code": "KE", "visits": 1}})));
    assert!(!valid(schema, &json!({"Kenya": {"code": "KE"}})));
}

#[test]
fn sockets_and_event_streams() {
    let message = |direction, text: &str| Message { direction, text: text.to_string() };
    let socket = Exchange {
        method: "GET".into(),
        url: "ws://h/chat?room=1".into(),
        status: 101,
        messages: vec![
            message(Direction::Send, "{\"type\":\"join\",\"room\":1}"),
            message(Direction::Receive, "{\"type\":\"joined\",\"users\":[\"a\"]}"),
            message(Direction::Receive, "{\"type\":\"said\",\"text\":\"hello\"}"),
        ],
        ..Exchange::default()
    };
    let stream = Body::new("text/event-stream", "event: tick\ndata: {\"n\": 1}\n\nevent: tick\ndata: {\"n\": 2}\n\n");
    let events = Exchange { response_body: Some(stream), ..get("updates", json!(0)) };
    let learned = robust::learn(&[get("users/1", json!({"id": 1, "name": "a"})), socket, events]);
    let text = learned.description.to_string();
    assert!(
        text.ends_with(
            "! socket chat(room:*)\n\
             ! send type \"join\" @socket_send_join.json\n\
             ! receive type \"joined\" @socket_receive_joined.json\n\
             ! receive type \"said\" @socket_receive_said.json\n\
             ! events updates()\n\
             ! receive event \"tick\" @events2_receive_tick.json\n"
        ),
        "{text}"
    );
    assert_eq!(colobus_learn::Description::parse(&text).unwrap(), learned.description);
    assert_eq!(learned.notes, [] as [&str; 0]);
}

#[test]
fn files_of_the_page_and_other_servers_are_left_out_and_counted() {
    let style = Exchange { response_body: Some(Body::new("text/css", "a{}")), ..get("a.css", json!(0)) };
    let elsewhere = exchange("GET", "http://ads.example/x", json!({"a": 1}));
    let redirect = with_status(302, get("old", json!({})));
    let api = get("users/1", json!({"id": 1}));
    let learned = robust::learn(&[style, elsewhere, redirect, api.clone(), api]);
    assert_eq!(patterns(&learned), ["GET users/user:*()"]);
    assert_eq!(learned.notes.len(), 2, "{:?}", learned.notes);
}

/// Names that were seen with different paths behind them are values all the same.
#[test]
fn names_need_no_path_in_common() {
    let user = |name: &str| json!({"login": name, "age": 3, "mail": null});
    let posts = json!([{"id": 1, "title": "x", "by": "cleo"}]);
    let samples = [
        get("users", json!([user("ann"), user("ben"), user("cleo"), user("dora")])),
        get("users/ann", user("ann")),
        get("users/ben", user("ben")),
        get("users/cleo/posts", posts.clone()),
        get("users/dora/posts", posts),
        get("users/export/csv", json!({"rows": 3, "columns": 2, "url": "x"})),
    ];
    assert_eq!(
        patterns(&learn(&samples)),
        ["GET users()", "GET users/export/csv()", "GET users/user:*()", "GET users/user:*/posts()"]
    );
}
