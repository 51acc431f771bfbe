//! Errors of the parser with their places, precedence of patterns, and the lines that extend AIL.

use colobus_learn::language::{Overlap, overlap, select};
use colobus_learn::{Body, Description, Request, Schemas};
use serde_json::json;

#[test]
fn errors_say_line_and_column() {
    for (text, error) in [
        ("", "1:1: a description begins with `URL` and the address of the server"),
        ("# news\n\nGET a() : *", "3:1: a description begins with `URL` and the address of the server"),
        ("URL http://h\nget a() : *", "2:1: expected a method in capital letters, found `get`"),
        ("URL http://h\nGET a : *", "2:10: expected `/` or `(`, found the end of the file"),
        ("URL http://h\nGET a()\n", "3:1: expected `:` and the response, found the end of the file"),
        ("URL http://h\nGET a(x) : *", "2:8: expected `:` and a datatype, found `)`"),
        ("URL http://h\nGET a(x:void) : *", "2:9: `void` describes responses only"),
        ("URL http://h\nGET a(x:*, x:*) : *", "2:12: the parameter `x` is there twice; write `+` for several values"),
        ("URL http://h\nGET a() : @b.xml", "2:11: `@b.xml` is neither a .json nor a .rng file"),
        ("URL http://h\nGET a() : @../b.json", "2:11: `@..` is outside the folder of the description"),
        ("URL http://h\nGET a() : \"x", "2:11: this string has no closing quote on its line"),
        ("URL http://h\n! 200 void", "2:1: `! 200` needs an operation before it"),
        ("URL http://h\nGET a() : *\n! 999 void", "3:1: `! 999` is not an extension that this version knows"),
        ("URL http://h\nGET a() : *\n! rest p", "3:1: the path has no parameter `p`"),
        ("URL http://h\n! send @a.json", "2:1: `! send` needs a `! socket` or `! events` before it"),
    ] {
        assert_eq!(Description::parse(text).unwrap_err().to_string(), error, "{text}");
    }
}

fn request(method: &str, target: &str) -> Request {
    Request::new(method, target, &[], None)
}

#[test]
fn matching_follows_the_thesis() {
    let description = Description::parse(
        "URL http://h\nPOST a/id:*(one:*, maybe:?*, many:+\"x\"|\"y\") : void\nGET author(name:*) : *\nGET () : *\n",
    )
    .unwrap();
    let matched =
        |method: &str, target: &str| select(&description, &Schemas::default(), &request(method, target)).is_some();
    assert!(matched("POST", "/a/7?one=1"));
    assert!(matched("POST", "/a/7?one=1&maybe=2&many=x&many=y"));
    assert!(!matched("POST", "/a/7"), "`one` is missing");
    assert!(!matched("POST", "/a/7?one=1&one=2"), "`one` is there twice");
    assert!(!matched("POST", "/a/7?one=1&maybe=2&maybe=3"));
    assert!(!matched("POST", "/a/7?one=1&many=z"));
    assert!(!matched("POST", "/a/7?one=1&other=1"), "nothing is left over");
    assert!(!matched("POST", "/a?one=1") && !matched("POST", "/a/7/8?one=1") && !matched("GET", "/a/7?one=1"));
    assert!(matched("GET", "http://h/author/?name=JohnDoe"), "the example of section 6.2.1");
    assert!(matched("GET", "/"));
}

#[test]
fn json_parameters_are_validated() {
    let description = Description::parse("URL http://h\nPOST send(item:@item.json) : void\n").unwrap();
    let schema = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}});
    let schemas = Schemas::of_json([("item.json".to_string(), schema)].into());
    let matched = |value: &str| {
        let body = Body::new("application/x-www-form-urlencoded", format!("item={value}"));
        select(&description, &schemas, &Request::new("POST", "/send", &[], Some(&body))).is_some()
    };
    assert!(matched("{\"id\":1}") && !matched("{}") && !matched("text"));
}

#[test]
fn more_constants_win() {
    let description = Description::parse(
        "URL http://h\nGET users/user:*() : *\nGET users/me() : *\nGET files/path:*() : *\n! rest path\n\
         GET files/path:*/versions() : *\n! rest path\nPOST rpc() : *\nPOST rpc() : *\n! where method \"add\"\n",
    )
    .unwrap();
    let pattern =
        |request: &Request| select(&description, &Schemas::default(), request).map(|found| found.operation.pattern());
    assert_eq!(pattern(&request("GET", "/users/me")).as_deref(), Some("GET users/me()"));
    assert_eq!(pattern(&request("GET", "/files/a/b/versions")).as_deref(), Some("GET files/path:*/versions()"));
    let found = select(&description, &Schemas::default(), &request("GET", "/files/a/b")).unwrap().values;
    assert_eq!(found, [("path".to_string(), "a/b".to_string())]);
    let call = Request::new("POST", "/rpc", &[], Some(&Body::json(&json!({"method": "add"}))));
    assert_eq!(select(&description, &Schemas::default(), &call).unwrap().number, 5);

    let operations = &description.operations;
    let Overlap::Witness(witness) = overlap(&operations[0], &operations[1], &Schemas::default()) else {
        panic!("they overlap")
    };
    assert_eq!(witness.to_string(), "GET /users/me");
}

#[test]
fn schemas_overlap_if_an_instance_is_common() {
    let description =
        Description::parse("URL http://h\nGET a(x:@n.json) : *\nGET a(x:@s.json) : *\nGET a(x:\"7\") : *\n").unwrap();
    let schemas = Schemas::of_json(
        [("n.json".to_string(), json!({"type": "integer"})), ("s.json".to_string(), json!({"type": "object"}))].into(),
    );
    let related = |a: usize, b: usize| overlap(&description.operations[a], &description.operations[b], &schemas);
    assert!(matches!(related(0, 2), Overlap::Witness(_)));
    assert_eq!(related(1, 2), Overlap::Disjoint);
    assert_eq!(related(0, 1), Overlap::Undecided);
}
