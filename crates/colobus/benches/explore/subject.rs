//! [`Subject`]: an application that tools are let loose on: pages of the tests, applications with a database (`subjects/explore`), and
//! applications from npm.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::site::{Site, Twin};

#[derive(Clone, Copy)]
pub struct Subject {
    pub name: &'static str,
    served: Served,
}

#[derive(Clone, Copy)]
enum Served {
    /// A page of the tests.
    Page(&'static str),
    /// An application with a database.
    Database,
    /// A page in a folder of the benchmark's packages; nothing else of them is served.
    Package(&'static str, &'static str),
}

pub const SUBJECTS: [Subject; 8] = [
    Subject { name: "shop", served: Served::Page("shop.html") },
    Subject { name: "attendance", served: Served::Database },
    Subject { name: "news", served: Served::Database },
    Subject { name: "resume", served: Served::Database },
    Subject { name: "files", served: Served::Database },
    Subject { name: "todomvc-backbone", served: Served::Package("todomvc/examples/backbone", "index.html") },
    Subject { name: "todomvc-vanillajs", served: Served::Package("todomvc/examples/vanillajs", "index.html") },
    Subject { name: "jkanban", served: Served::Package("jkanban", "example/index.html") },
];

/// A server that ends when this is dropped.
pub struct Running {
    pub url: String,
    child: Option<Child>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Subject {
    pub fn has_database(self) -> bool {
        matches!(self.served, Served::Database)
    }

    /// A fresh server: a tool may leave something behind.
    pub fn start(self) -> Running {
        match self.served {
            Served::Page(page) => Running { url: format!("{}/{page}", Site::start(Twin::Bug).url), child: None },
            Served::Database => database(self.name, &[]),
            Served::Package(root, page) => {
                let folder = crate::folder().join("packages/node_modules").join(root);
                assert!(folder.join(page).is_file(), "{page} is not there: make bench-explore installs it");
                let folder = folder.display().to_string();
                let port = "import http.server as h, functools, sys\n\
                    class Q(h.SimpleHTTPRequestHandler):\n  log_message = lambda *_: None\n\
                    s = h.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Q, directory=sys.argv[1]))\n\
                    print(f'http://127.0.0.1:{s.server_port}', flush=True)\n\
                    s.serve_forever()";
                let mut running = python(&["-c", port, &folder]);
                running.url = format!("{}/{page}", running.url);
                running
            }
        }
    }
}

/// An application of `subjects/explore`, with further arguments for its server.
pub fn database(name: &str, arguments: &[&str]) -> Running {
    let server = applications().join("server.py").display().to_string();
    let mut running = python(&[&[server.as_str(), name], arguments].concat());
    running.url.push('/');
    running
}

/// The folder of the applications with a database.
pub fn applications() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/explore");
    folder.canonicalize().expect("the applications")
}

/// A program that prints its address first.
fn python(arguments: &[&str]) -> Running {
    let mut child = Command::new("python3")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 can be run");
    let mut url = String::new();
    let mut said = BufReader::new(child.stdout.take().expect("its output"));
    said.read_line(&mut url).expect("its address");
    assert!(url.starts_with("http://"), "the server does not start: {arguments:?}");
    Running { url: url.trim().to_string(), child: Some(child) }
}
