//! [`FileServer`]: the files of one folder over HTTP, on this machine only.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;

pub struct FileServer {
    address: SocketAddr,
}

impl FileServer {
    /// Serves until the process ends.
    pub fn start(folder: &Path) -> anyhow::Result<FileServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let folder = folder.to_path_buf();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                thread::spawn(move || answer(stream, &folder));
            }
        });
        Ok(FileServer { address })
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
