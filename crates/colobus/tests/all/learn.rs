//! `colobus learn` and `colobus mock`, run as a user runs them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use colobus_process::{Status, processes};
use serde_json::{Value, json};
use tempfile::TempDir;

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn entry(method: &str, url: &str, status: u16, answer: &Value) -> Value {
    json!({
        "request": {"method": method, "url": url, "headers": []},
        "response": {"status": status, "headers": [],
            "content": {"size": 1, "mimeType": "application/json", "text": answer.to_string()}}
    })
}

/// A folder with a capture of a small service, and what was learned from it.
fn learned() -> TempDir {
    let folder = TempDir::new().unwrap();
    let user = |id: u32, name: &str| json!({"id": id, "name": name});
    let entries = json!([
        entry("GET", "http://h/users", 200, &json!([user(1, "Ann"), user(2, "Ben")])),
        entry("GET", "http://h/users/1", 200, &user(1, "Ann")),
        entry("GET", "http://h/users/2", 200, &user(2, "Ben")),
        entry(
            "GET",
            "http://h/users/me",
            200,
            &json!({"id": 1, "name": "Ann", "mail": "a@example.org", "admin": true})
        ),
        entry("POST", "http://h/users", 201, &user(3, "Cleo")),
    ]);
    fs::write(folder.path().join("app.har"), json!({"log": {"entries": entries}}).to_string()).unwrap();
    let said = stdout(&colobus(folder.path(), &["learn", "app.har", "-o", "api"]));
    assert!(
        said.starts_with("4 operations and 0 channels from 5 exchanges: api/api.ail, 4 schemas, api/openapi.yaml\n"),
        "{said}"
    );
    assert!(
        said.contains("overlap: GET /users/me matches GET users/me() and GET users/user:*(); more constants win"),
        "{said}"
    );
    folder
}

/// A mock that ends with the test.
struct Running {
    child: Child,
    address: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_colobus"))
            .args(["mock", "api/api.ail", "--port", "0"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap_or_default().to_string();
        assert!(line.contains("answers 4 operations"), "{line}");
        Running { child, address }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// The whole answer to one request.
    fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn get(&self, target: &str) -> String {
        self.ask(&format!("GET {target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
    }
}

fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_learned_server_answers() {
    let folder = learned();
    let mock = Running::start(folder.path(), &["--seed", "7"]);
    let answer = mock.get("/users/4711");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"), "{answer}");
    assert_eq!(body(&answer)["id"], 4711);
    let again = Running::start(folder.path(), &["--seed", "7"]);
    assert_eq!(body(&again.get("/users/4711")), body(&answer), "the seed decides");

    let miss = mock.get("/user/1");
    assert!(miss.starts_with("HTTP/1.1 404 "), "{miss}");
    assert_eq!(body(&miss)["nearest"], "GET users/user:*()");
}

#[test]
fn several_requests_share_a_connection() {
    let folder = learned();
    let mock = Running::start(folder.path(), &[]);
    let chunked =
        "POST /users HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n3\r\n:1}\r\n0\r\n\r\n";
    let sized = "POST /users HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}";
    let last = "HEAD /users/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    let answers = mock.ask(&format!("{chunked}{sized}{last}"));
    assert_eq!(answers.matches("HTTP/1.1 201 Created\r\n").count(), 2, "{answers}");
    assert!(answers.ends_with("Connection: close\r\n\r\n"), "HEAD has no body: {answers}");
}

#[test]
fn pages_of_this_machine_may_ask_and_others_may_not() {
    let folder = learned();
    let mock = Running::start(folder.path(), &[]);
    let preflight = |origin: &str| {
        mock.ask(&format!(
            "OPTIONS /users/1 HTTP/1.1\r\nHost: h\r\nOrigin: {origin}\r\nAccess-Control-Request-Method: PUT\r\n\
             Connection: close\r\n\r\n"
        ))
    };
    let own = preflight("http://localhost:3000");
    assert!(own.starts_with("HTTP/1.1 204 ") && own.contains("Access-Control-Allow-Methods: PUT"), "{own}");
    assert!(own.contains("Access-Control-Allow-Origin: http://localhost:3000\r\n"), "{own}");
    assert!(!preflight("http://localhost.evil.example").contains("Access-Control"));
}

#[test]
fn what_is_no_request_is_refused() {
    let folder = learned();
    let mock = Running::start(folder.path(), &[]);
    assert!(mock.ask("nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
    assert!(mock.ask("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n").starts_with("HTTP/1.1 400 "));
    assert!(mock.ask("POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n").starts_with("HTTP/1.1 413 "));
    assert!(mock.get("/users/1").starts_with("HTTP/1.1 200 "), "it still answers");
}

#[test]
fn unknown_requests_are_passed_through() {
    let folder = learned();
    let real = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", real.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = real.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"real\": true}";
        stream.write_all(answer).unwrap();
        head
    });
    let mock = Running::start(folder.path(), &["--pass-through", &url, "--capture", "missed.har"]);
    assert!(mock.get("/orders?a=b").ends_with("{\"real\": true}"));
    let head = server.join().unwrap();
    assert!(head.starts_with("GET /orders?a=b HTTP/1.1\r\n") && head.contains("Connection: close\r\n"), "{head}");
    assert!(mock.get("/index.html").starts_with("HTTP/1.1 502 "), "the real server is gone");
    assert!(mock.get("/users/1").starts_with("HTTP/1.1 200 "));
    // What was missed is learned beside what was known.
    let said = stdout(&colobus(folder.path(), &["learn", "missed.har", "-o", "more"]));
    assert!(said.starts_with("1 operations and 0 channels from 1 exchanges"), "{said}");
    let description = fs::read_to_string(folder.path().join("more/api.ail")).unwrap();
    assert!(description.contains("GET orders(a:*) :"), "{description}");
}

/// Asks through the proxy that its environment names, as programs do that know it.
const CLIENT: &str = r#"
const http = require("node:http");
const proxy = new URL(process.env.HTTP_PROXY);
const ask = (url) => new Promise((resolve) => http.get({ host: proxy.hostname, port: proxy.port, path: url, agent: false }, (answer) => answer.resume().on("end", resolve)));
(async () => {
  for (const path of ["/users", "/users/1", "/users/2"]) await ask(process.argv[2] + path);
  process.exit(3);
})();
"#;

/// Adds a socket and an event stream to a description that was learned.
fn with_channels(folder: &Path) {
    let api = folder.join("api");
    let channels = "! socket chat()\n! send type \"say\" @say.json\n! receive type \"say\" @say.json\n\
        ! events prices()\n! receive event \"price\" @price.json\n";
    let description = fs::read_to_string(api.join("api.ail")).unwrap() + channels;
    fs::write(api.join("api.ail"), description).unwrap();
    let fields = json!({ "type": { "type": "string" }, "text": { "type": "string" } });
    let say = json!({ "type": "object", "properties": fields, "required": ["type", "text"] });
    fs::write(api.join("say.json"), say.to_string()).unwrap();
    fs::write(api.join("price.json"), json!({ "type": "integer" }).to_string()).unwrap();
}

#[test]
fn sockets_and_event_streams_are_answered() {
    let folder = learned();
    with_channels(folder.path());
    let mock = Running::start(folder.path(), &[]);
    let mut socket = mock.connect();
    let asked = "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    socket.write_all(asked.as_bytes()).unwrap();
    let mut answers = BufReader::new(socket.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(answers.read_line(&mut head).unwrap() > 0, "{head}");
    }
    assert!(head.starts_with("HTTP/1.1 101 ") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
    let said = br#"{"type":"say","text":"hello"}"#;
    // A text frame with the mask 0.
    let frame = [&[0x81, 0x80 | u8::try_from(said.len()).unwrap(), 0, 0, 0, 0][..], said].concat();
    socket.write_all(&frame).unwrap();
    let mut start = [0; 2];
    answers.read_exact(&mut start).unwrap();
    let mut text = vec![0; usize::from(start[1])];
    answers.read_exact(&mut text).unwrap();
    let answer: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(answer, json!({ "type": "say", "text": "hello" }), "it repeats what was said");

    let mut stream = mock.connect();
    stream.write_all(b"GET /prices HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap).skip_while(|line| !line.is_empty());
    let (event, data) = (lines.nth(1).unwrap(), lines.next().unwrap());
    assert_eq!(event, "event: price");
    assert!(data.strip_prefix("data: ").unwrap().parse::<i64>().is_ok(), "{data}");
    assert!(mock.get("/users/1").starts_with("HTTP/1.1 200 "), "others are answered meanwhile");
}

#[test]
fn the_traffic_of_a_command_is_learned() {
    let folder = learned();
    let mock = Running::start(folder.path(), &["--values", "seen"]);
    fs::write(folder.path().join("client.cjs"), CLIENT).unwrap();
    let command = format!("node client.cjs http://{}", mock.address);
    let output = colobus(folder.path(), &["learn", "--run", &command, "-o", "caught"]);
    assert!(stdout(&output).starts_with("2 operations and 0 channels from 3 exchanges"), "{}", stdout(&output));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("failed (exit status: 3): learning from what it did until then"), "{told}");
    let description = fs::read_to_string(folder.path().join("caught/api.ail")).unwrap();
    assert!(description.contains("GET users() :") && description.contains("GET users/user:*() :"), "{description}");

    let said = refusal(&colobus(folder.path(), &["learn", "--run", "node --version"]));
    assert!(said.contains("`node --version` sent nothing through the proxy"), "{said}");
    assert!(
        refusal(&colobus(folder.path(), &["learn", "--run", "no-such-program"]))
            .contains("cannot run `no-such-program`")
    );
}

/// How many processes of this group are running.
fn members(group: u32) -> usize {
    let statuses = processes().into_iter().filter_map(Status::of);
    statuses.filter(|status| status.group == group && status.state != 'Z').count()
}

/// Neither the command nor its child ends when it is asked to. The last one is interrupted twice, while the tool still waits.
#[test]
fn a_command_ends_with_all_that_it_has_started_when_the_tool_is_stopped_or_killed() {
    for (signals, code) in [(&["-KILL"][..], None), (&["-TERM"], Some(2)), (&["-INT", "-INT"], Some(2))] {
        let folder = TempDir::new().unwrap();
        let script = "trap '' TERM INT\nsleep 600 &\nsleep 0.5\necho $$ > new\nmv new number\nwait\n";
        fs::write(folder.path().join("run.sh"), script).unwrap();
        let mut tool = Command::new(env!("CARGO_BIN_EXE_colobus"))
            .args(["learn", "--run", "sh run.sh"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let group = loop {
            if let Ok(text) = fs::read_to_string(folder.path().join("number")) {
                break text.trim().parse().unwrap();
            }
            thread::yield_now();
        };
        assert!(members(group) > 1, "the command and its child");
        for signal in signals {
            assert!(Command::new("kill").arg(signal).arg(tool.id().to_string()).status().unwrap().success());
            // As long as a user takes to press the keys again.
            thread::sleep(Duration::from_millis(600));
        }
        assert_eq!(tool.wait().unwrap().code(), code, "{signals:?}");
        while members(group) > 0 {
            thread::yield_now();
        }
    }
}

#[test]
fn a_plain_description_has_no_extensions() {
    let folder = learned();
    stdout(&colobus(folder.path(), &["learn", "app.har", "-o", "plain", "--plain"]));
    let description = fs::read_to_string(folder.path().join("plain/api.ail")).unwrap();
    assert!(!description.contains("\n!"), "{description}");
}

#[test]
fn a_change_that_breaks_clients_ends_with_1() {
    let folder = learned();
    fs::create_dir(folder.path().join("new")).unwrap();
    for file in fs::read_dir(folder.path().join("api")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join("new").join(file.file_name())).unwrap();
    }
    let compare = || colobus(folder.path(), &["learn", "--diff", "api/api.ail", "new/api.ail"]);
    assert_eq!(stdout(&compare()), "0 changes, 0 of them break clients\n");
    let path = folder.path().join("new/users_user.json");
    let schema = fs::read_to_string(&path).unwrap().replace("\"integer\"", "\"string\"");
    fs::write(&path, schema).unwrap();
    let broken = compare();
    assert_eq!(broken.status.code(), Some(1));
    let said = String::from_utf8(broken.stdout).unwrap();
    assert!(said.starts_with("breaks GET users/user:*(): answer 200/id: was integer, is string now\n"), "{said}");
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let folder = learned();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("cut.har", "{\"log\": {\"entries\": [");
    write("empty.har", "{\"log\": {\"entries\": []}}");
    write("wrong.ail", "URL http://h\nGET a( : *\n");
    write("missing.ail", "URL http://h\nGET a() : @gone.json\n");
    let grammar = "<grammar xmlns='http://relaxng.org/ns/structure/1.0'>";
    let definition = "<define name='a'><element name='a'><ref name='a'/></element></define>";
    write("a.rng", &format!("{grammar}\n{definition}\n</grammar>"));
    write("b.rng", &format!("{grammar}<start> <ref name='x'/> </start></grammar>"));
    write("no-grammar.ail", "URL http://h\nGET a() : *\nGET b() : @gone.rng\n");
    write("no-definition.ail", "URL http://h\nGET a(x:*) : @a.rng#b\n");
    write("no-start.ail", "URL http://h\nGET a() : @a.rng\n");
    write("endless.ail", "URL http://h\nGET a() : @a.rng#a\n");
    write("bad-grammar.ail", "URL http://h\nGET a() : @b.rng\n");
    for (arguments, expected) in [
        (&["learn", "none.har"][..], "cannot read none.har"),
        (&["learn", "cut.har"], "ends in the middle"),
        (&["learn", "empty.har"], "nothing was learned from 0 exchanges"),
        (&["mock", "wrong.ail"], "wrong.ail:2:8: expected the name of a parameter, found `:`"),
        (&["mock", "missing.ail"], "missing.ail:2:11: `@gone.json` cannot be read"),
        (&["mock", "no-grammar.ail"], "no-grammar.ail:3:11: `@gone.rng` cannot be read"),
        (&["mock", "no-definition.ail"], "no-definition.ail:2:14: a.rng has no definition `b`; it defines a"),
        (&["mock", "no-start.ail"], "no-start.ail:2:11: a.rng has no start; it defines a"),
        (&["mock", "endless.ail"], "a.rng:2:1: `a` has no instance"),
        (&["mock", "bad-grammar.ail"], "b.rng:1:62: there is no definition `x`; the file has none"),
        (&["mock", "api/api.ail", "--pass-through", "https://h"], "https is not supported"),
        (&["mock", "api/api.ail", "--latency", "9..3"], "ends before it begins"),
        (&["learn"], "required"),
    ] {
        let said = refusal(&colobus(folder.path(), arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
