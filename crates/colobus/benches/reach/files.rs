//! [`AppServer`]: an application over HTTP, on this machine only: by its own server, or as the files of its folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

pub struct AppServer {
    address: SocketAddr,
    own: Option<Child>,
}

impl Drop for AppServer {
    fn drop(&mut self) {
        if let Some(own) = &mut self.own {
            let _ = own.kill();
            let _ = own.wait();
        }
    }
}

/// How long a server of an application may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);

impl AppServer {
    /// Serves until it is dropped, or, if it serves files, until the process ends.
    pub fn start(folder: &Path) -> anyhow::Result<AppServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let program = folder.join("server.js");
        if program.is_file() {
            // Another program may take the port meanwhile: then the server ends, and so does the benchmark.
            drop(listener);
            let own = Command::new("node").arg(&program).arg(address.port().to_string()).spawn()?;
            let server = AppServer { address, own: Some(own) };
            let begun = Instant::now();
            while TcpStream::connect(address).is_err() {
                anyhow::ensure!(begun.elapsed() < START_LIMIT, "{} does not start", program.display());
                thread::sleep(Duration::from_millis(50));
            }
            return Ok(server);
        }
        let folder = folder.to_path_buf();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                thread::spawn(move || answer(stream, &folder));
            }
        });
        Ok(AppServer { address, own: None })
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    let found = file(folder, path).and_then(|path| Some((kind(&path), fs::read(path).ok()?)));
    let (status, kind, body) = match found {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", Vec::new()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

/// The file of an address, if it is inside of the folder.
fn file(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path.trim_start_matches('/'));
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let whole = folder.join(relative);
    is_inside.then(|| if whole.is_dir() { whole.join("index.html") } else { whole })
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        _ => "application/octet-stream",
    }
}
