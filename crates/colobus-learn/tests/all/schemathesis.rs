//! What was learned, asked of the server that it came from by Schemathesis: up to 100 requests an operation, as far as observed values
//! make different ones, whose answers have the statuses, types and shapes that the description says. And the document, read by a validator
//! that is not ours. `make test-long` installs both.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use colobus_learn::language::Router;
use colobus_learn::{Learned, Request, har, openapi, robust};
use serde_json::{Value, json};

const CHECKS: &str = "response_schema_conformance,content_type_conformance,status_code_conformance";
const REQUESTS: usize = 100;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth")
}

/// A server of `tests/truth`, thrown away with the test.
struct Server {
    child: Child,
    base: String,
}

impl Server {
    fn start(name: &str) -> Server {
        let mut child = Command::new("node")
            .arg(folder().join("serve.mjs"))
            .arg(name)
            // Where json-server is installed.
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/packages"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut base = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut base).unwrap();
        Server { child, base: base.trim().to_string() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Values that were observed, by operation and name; bodies by operation.
#[derive(Default)]
struct Observed {
    values: BTreeMap<(String, String), BTreeSet<String>>,
    bodies: BTreeMap<String, Vec<Value>>,
}

/// The description as OpenAPI, in which parameters and bodies are those that were observed.
fn with_observed_values(learned: &Learned, requests: &[Request]) -> Value {
    let router = Router::new(&learned.description);
    let mut document = openapi::to_value(&learned.description, &learned.schemas, "learned");
    let mut observed: BTreeMap<usize, Observed> = BTreeMap::new();
    for request in requests {
        let found = router.select(&learned.description, &learned.schemas, request).unwrap();
        let known = observed.entry(found.number).or_default();
        let method = request.method.to_lowercase();
        for (name, value) in found.values.iter().chain(&request.parameters) {
            known.values.entry((method.clone(), name.clone())).or_default().insert(value.clone());
        }
        if let Some(body) = request.body.clone() {
            known.bodies.entry(method).or_default().push(body);
        }
    }
    for (number, known) in observed {
        let alone = colobus_learn::Description {
            operations: vec![learned.description.operations[number].clone()],
            ..learned.description.clone()
        };
        // Where the document has this operation.
        let single = openapi::to_value(&alone, &learned.schemas, "");
        let (path, methods) = single["paths"].as_object().unwrap().iter().next().unwrap();
        let method = methods.as_object().unwrap().keys().next().unwrap();
        let operation = &mut document["paths"][path][method];
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let key = (method.clone(), parameter["name"].as_str().unwrap().to_string());
            parameter["schema"] = json!({ "enum": known.values[&key] });
        }
        if let Some(bodies) = known.bodies.get(method) {
            operation["requestBody"]["required"] = json!(true);
            operation["requestBody"]["content"] = json!({ "application/json": { "schema": { "enum": bodies } } });
        }
    }
    document
}

/// The folder with the Python programs.
fn python() -> PathBuf {
    std::env::var_os("COLOBUS_PYTHON")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python"), PathBuf::from)
}

fn learned_from(server: &str) -> (Learned, Vec<Request>) {
    let exchanges = har::read(&fs::read(folder().join(format!("{server}.har"))).unwrap()).unwrap().exchanges;
    (robust::learn(&exchanges), exchanges.iter().map(Request::of).collect())
}

#[test]
#[ignore = "needs openapi-spec-validator: make test-long installs it"]
fn what_is_written_as_openapi_is_valid() {
    for server in ["jupyter", "json-server", "library", "desk"] {
        let (learned, _) = learned_from(server);
        let file = std::env::temp_dir().join(format!("colobus-openapi-{}-{server}.yaml", std::process::id()));
        fs::write(&file, openapi::to_yaml(&learned.description, &learned.schemas, server)).unwrap();
        let said = Command::new(python().join("bin/openapi-spec-validator")).arg(&file).output().unwrap();
        let _ = fs::remove_file(&file);
        assert!(said.status.success(), "{server}: {}", String::from_utf8_lossy(&said.stdout));
    }
}

/// Asks a server, thrown away afterwards, for what was learned of it, but for operations that begin with one of these: they destroy
/// what others ask for.
fn is_as_described(server: &str, left_out: &[&str]) {
    let (learned, requests) = learned_from(server);
    let mut document = with_observed_values(&learned, &requests);
    let (mut asked_for, mut seen) = (0, BTreeSet::new());
    for (path, methods) in document["paths"].as_object_mut().unwrap() {
        let methods = methods.as_object_mut().unwrap();
        for (method, operation) in methods.iter() {
            assert!(operation["responses"].get("default").is_none(), "{path}: a bare default says nothing");
            seen.insert(format!("{} {path}", method.to_uppercase()));
        }
        methods.retain(|method, _| {
            !left_out.iter().any(|begin| format!("{} {path}", method.to_uppercase()).starts_with(begin))
        });
        asked_for += methods.len();
    }
    for begin in left_out {
        assert!(seen.iter().any(|operation| operation.starts_with(begin)), "{server} has no {begin}, but {seen:?}");
    }
    // It leaves a folder of its own where it is run.
    let folder = std::env::temp_dir().join(format!("colobus-schemathesis-{}-{server}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("openapi.json"), document.to_string()).unwrap();
    let running = Server::start(server);
    let asked = Command::new(python().join("bin/schemathesis"))
        .args(["run", "--url", &running.base, "--checks", CHECKS, "--phases", "fuzzing", "--mode", "positive"])
        .args(["--max-examples", &REQUESTS.to_string(), "--seed", "1", "--no-color", "--generation-database", "none"])
        .arg("openapi.json")
        .current_dir(&folder)
        .output()
        .unwrap();
    let _ = fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&asked.stdout);
    assert!(asked.status.success(), "{server}: {said}{}", String::from_utf8_lossy(&asked.stderr));
    assert!(said.contains(&format!("Tested: {asked_for}\n")), "{server}, {asked_for} operations: {said}");
}

#[test]
#[ignore = "takes minutes, and needs Schemathesis: make test-long installs it"]
fn schemathesis_finds_a_library_as_it_was_learned() {
    is_as_described("library", &[]);
}

#[test]
#[ignore = "takes minutes, and needs Schemathesis: make test-long installs it"]
fn schemathesis_finds_a_json_server_as_it_was_learned() {
    is_as_described("json-server", &[]);
}
