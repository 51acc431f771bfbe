//! Real applications of which the tool is told nothing but the address.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use colobus_model::Report;
use tempfile::TempDir;

use super::folder;

/// A subject's server; it ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn of(subject: &str) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("node");
        command.args(["server.js", &port.to_string()]).current_dir(folder().join(subject)).stdout(Stdio::null());
        let mut server = Server { child: command.spawn().unwrap(), port };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert_eq!(server.child.try_wait().unwrap(), None, "{subject} does not start");
            std::thread::yield_now();
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Searches the application with some of the actions that are found; what is written about it, and what is found.
pub fn first_run(subject: &str, actions: &[&str]) -> (toml::Table, Report) {
    let server = Server::of(subject);
    let results = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(["check", &format!("http://127.0.0.1:{}/", server.port), "--depth=1", "--reporter=json"]);
    command.args(actions.iter().map(|name| format!("--action={name}"))).current_dir(results.path());
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{subject}: no report: {}", String::from_utf8_lossy(&output.stderr)));
    let written = fs::read_to_string(results.path().join("colobus.toml")).unwrap();
    (toml::from_str(&written).unwrap_or_else(|error| panic!("{error}\n{written}")), report)
}

/// Searches the application as a user does who says nothing but its address; the exit code, and what is found.
pub fn search_alone(subject: &str) -> (Option<i32>, Report) {
    let server = Server::of(subject);
    let results = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command
        .args(["check", &format!("http://127.0.0.1:{}/", server.port), "--reporter=json"])
        .current_dir(results.path());
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{subject}: no report: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), report)
}

/// The names of the actions that were found to do something.
pub fn names(written: &toml::Table) -> Vec<&str> {
    written["action"].as_array().unwrap().iter().map(|action| action["name"].as_str().unwrap()).collect()
}

/// What is taken for no part of the document.
pub fn ignored(written: &toml::Table) -> Vec<&str> {
    written["app"]["ignore"].as_array().unwrap().iter().map(|selector| selector.as_str().unwrap()).collect()
}
