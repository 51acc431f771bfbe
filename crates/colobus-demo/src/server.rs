//! [`DemoServer`]: listens on loopback and gives each connection a thread.

use crate::bug::Bug;
use crate::delta::Transformer;
use crate::http::{self, Request, Response};
use crate::mending::Mending;
use crate::page::Page;
use crate::room::{Conduct, Returning};
use crate::rooms::Rooms;
use crate::socket;
use crate::storage::Storage;
use crate::text::Rules;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const LONGEST_DOCUMENT_NAME: usize = 256;
const IDLE_CONNECTION: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// 0 takes any free port.
    pub port: u16,
    pub bugs: BTreeSet<Bug>,
    /// How long the server takes to store an edit before it passes it on.
    pub storage_latency: Duration,
}

impl Default for DemoOptions {
    fn default() -> DemoOptions {
        DemoOptions { port: 0, bugs: BTreeSet::new(), storage_latency: Duration::from_millis(10) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(
        "port {port} of 127.0.0.1 is taken; stop what listens there, or choose another port (0 takes any free one)"
    )]
    PortTaken { port: u16 },
    #[error("the demo could not listen on port {port} of 127.0.0.1; choose another port (0 takes any free one)")]
    Listen { port: u16, source: io::Error },
    #[error("the demo could not start its thread; free some memory or processes and try again")]
    Thread { source: io::Error },
}

/// A running demo. Dropping it stops it.
#[derive(Debug)]
pub struct DemoServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    page: Page,
    rooms: Rooms,
    stopping: AtomicBool,
    next_connection: AtomicU64,
    connections: Mutex<HashMap<u64, TcpStream>>,
}

impl DemoServer {
    pub fn start(options: DemoOptions) -> Result<DemoServer, DemoError> {
        let port = options.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => DemoError::PortTaken { port },
            _ => DemoError::Listen { port, source },
        })?;
        let address = listener.local_addr().map_err(|source| DemoError::Listen { port, source })?;
        let shared = Arc::new(Shared {
            page: Page::new(&options.bugs),
            rooms: Rooms::new(conduct(&options)),
            stopping: AtomicBool::new(false),
            next_connection: AtomicU64::new(0),
            connections: Mutex::default(),
        });
        let for_thread = Arc::clone(&shared);
        let accepting = std::thread::Builder::new()
            .name("demo-accept".into())
            .spawn(move || accept_all(&listener, &for_thread))
            .map_err(|source| DemoError::Thread { source })?;
        Ok(DemoServer { address, shared, accepting: Some(accepting) })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Where the editor is; a document is chosen with `?doc=` and any name.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        for (_, stream) in self.shared.lock_connections().drain() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn conduct(options: &DemoOptions) -> Conduct {
    let has = |bug| options.bugs.contains(&bug);
    Conduct {
        rules: Rules {
            transformer: Transformer { loses_formatting: has(Bug::LostFormatting) },
            forgets_what_it_has: has(Bug::ReconnectDuplicate),
            leaves_order_to_clients: has(Bug::Tp2Peer),
        },
        storage: Storage::new(options.storage_latency),
        edits_a_copy: has(Bug::LostUpdate),
        formats_a_copy: has(Bug::FormatOverwritten),
        mending: match (has(Bug::LostMerge), has(Bug::DoubledMerge)) {
            (true, _) => Some(Mending::Remove),
            (false, true) => Some(Mending::Repeat),
            (false, false) => has(Bug::PasteInList).then_some(Mending::RemoveFromList),
        },
        serves_old_copies: has(Bug::StaleLoad),
    }
}

fn accept_all(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopping.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        // Without a thread to serve it the connection is dropped, and the browser tries again.
        let _ = std::thread::Builder::new().name("demo-connection".into()).spawn(move || shared.serve(stream));
    }
}

impl Shared {
    fn lock_connections(&self) -> std::sync::MutexGuard<'_, HashMap<u64, TcpStream>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: TcpStream) {
        let connection = self.next_connection.fetch_add(1, Ordering::Relaxed);
        let Ok(handle) = stream.try_clone() else { return };
        self.lock_connections().insert(connection, handle);
        // Stopped in between: nothing else will end this one.
        if !self.stopping.load(Ordering::SeqCst) {
            // A connection that breaks concerns its own client only, and that one sees it.
            let _ = self.answer_requests(stream);
        }
        self.lock_connections().remove(&connection);
    }

    fn answer_requests(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(IDLE_CONNECTION))?;
        let mut buffer = Vec::new();
        loop {
            let request = match http::read_request(&mut stream, &mut buffer) {
                Ok(Some(request)) => request,
                Ok(None) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Response::problem("400 Bad Request").write(&mut stream, false);
                }
                Err(error) => return Err(error),
            };
            if let ("/socket", Some(key)) = (request.path.as_str(), &request.websocket_key) {
                return self.open_socket(stream, buffer, &request, key);
            }
            let response = match request.method.as_str() {
                "GET" => self.page.response(&request.path),
                _ => Response::problem("405 Method Not Allowed"),
            };
            response.write(&mut stream, request.keep_alive)?;
            if !request.keep_alive {
                return Ok(());
            }
        }
    }

    fn open_socket(&self, mut stream: TcpStream, early: Vec<u8>, request: &Request, key: &str) -> io::Result<()> {
        let document = request.parameter("doc").unwrap_or_default();
        if document.len() > LONGEST_DOCUMENT_NAME {
            return Response::problem("414 URI Too Long").write(&mut stream, false);
        }
        let number = |name| request.parameter(name).and_then(|value| value.parse().ok());
        let returning = number("client")
            .zip(number("revision"))
            .and_then(|(client, revision)| Some(Returning { client: u32::try_from(client).ok()?, revision }));
        http::switch_to_websocket(&mut stream, key)?;
        stream.set_read_timeout(None)?;
        socket::serve(stream, early, &self.rooms, document, returning)
    }
}
