//! Both ends of what goes through the proxy, and a proxy between them.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use colobus_proxy::{Proxy, ProxyOptions};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Turns a hang into a failure; no test depends on how long anything takes.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), future).await.expect("this should have happened by now")
}

pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// One end of a connection.
pub struct Peer(pub Box<dyn Stream>);

impl Peer {
    pub async fn connect(to: SocketAddr) -> Peer {
        let stream = TcpStream::connect(to).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Peer(Box::new(stream))
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        soon(self.0.write_all(bytes.as_ref())).await.unwrap();
        soon(self.0.flush()).await.unwrap();
    }

    /// The next bytes are exactly these.
    pub async fn expect(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        let received = self.take(bytes.len()).await;
        assert!(
            received == bytes,
            "expected {:?}\nreceived {:?}",
            String::from_utf8_lossy(bytes),
            String::from_utf8_lossy(&received)
        );
    }

    pub async fn take(&mut self, len: usize) -> Vec<u8> {
        let mut received = vec![0; len];
        soon(self.0.read_exact(&mut received)).await.unwrap();
        received
    }

    /// Reads up to and with the blank line after a head.
    pub async fn head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let byte = soon(self.0.read_u8())
                .await
                .unwrap_or_else(|error| panic!("{error} after {:?}", String::from_utf8_lossy(&head)));
            head.push(byte);
        }
        String::from_utf8(head).unwrap()
    }

    /// Everything until the other end closes, however it does.
    pub async fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // A reset is an end, too; what came before it has been stored.
        let _ = soon(self.0.read_to_end(&mut rest)).await;
        rest
    }

    pub async fn expect_end(&mut self) {
        let rest = self.rest().await;
        assert!(rest.is_empty(), "{:?}", String::from_utf8_lossy(&rest));
    }
}

/// The application, seen from its listening socket.
pub struct Application {
    listener: TcpListener,
    pub address: SocketAddr,
}

impl Application {
    pub async fn start() -> Application {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Application { listener, address }
    }

    pub async fn accept(&self) -> Peer {
        let (stream, _) = soon(self.listener.accept()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Peer(Box::new(stream))
    }
}

/// A client's proxy and the application behind it.
pub struct Setup {
    pub proxy: Proxy,
    pub application: Application,
}

impl Setup {
    pub async fn new() -> Setup {
        Setup::with(ProxyOptions::default()).await
    }

    /// The proxy may reach the application, beside what the options allow.
    pub async fn with(mut options: ProxyOptions) -> Setup {
        let application = Application::start().await;
        options.allow = options.allow.allow_url(&format!("http://{}", application.address)).unwrap();
        let proxy = Proxy::start(options).await.unwrap();
        Setup { proxy, application }
    }

    /// A fresh connection of the browser to its proxy.
    pub async fn browser(&self) -> Peer {
        Peer::connect(self.proxy.address()).await
    }

    /// An address of the application, as the browser would put it into a request line.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.application.address)
    }

    /// Sends a request in absolute form over a fresh connection; returns both ends, the head arrived at the server.
    pub async fn request(&self, method: &str, path: &str, rest: &str) -> (Peer, Peer) {
        let mut client = self.browser().await;
        let url = self.url(path);
        client.send(format!("{method} {url} HTTP/1.1\r\n{rest}")).await;
        let mut server = self.application.accept().await;
        let head = server.head().await;
        assert!(head.starts_with(&format!("{method} {path} HTTP/1.1\r\n")), "{head}");
        (client, server)
    }

    pub async fn get(&self, path: &str) -> (Peer, Peer) {
        self.request("GET", path, "\r\n").await
    }

    /// Opens a tunnel, as a browser does for ws:// and https://.
    pub async fn tunnel(&self) -> (Peer, Peer) {
        self.tunnel_to(&self.application.address.to_string()).await
    }

    /// Opens a tunnel to the application under another name.
    pub async fn tunnel_to(&self, authority: &str) -> (Peer, Peer) {
        let mut client = self.browser().await;
        client.send(format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n")).await;
        let server = self.application.accept().await;
        client.expect("HTTP/1.1 200 Connection Established\r\n\r\n").await;
        (client, server)
    }

    /// Opens a WebSocket; returns both ends after the handshake.
    pub async fn websocket(&self, path: &str) -> (Peer, Peer) {
        let (mut client, mut server) = self.tunnel().await;
        client.send(handshake(path)).await;
        server.head().await;
        server.send(ACCEPTED).await;
        client.head().await;
        self.until(|proxy| proxy.counts().exchanges_started == proxy.counts().exchanges_ended).await;
        (client, server)
    }

    /// Waits until the proxy shows something.
    pub async fn until(&self, mut shows: impl FnMut(&Proxy) -> bool) {
        soon(async {
            loop {
                let revision = self.proxy.counts().revision;
                if shows(&self.proxy) {
                    return;
                }
                self.proxy.changed(revision).await;
            }
        })
        .await
    }

    /// Waits until so many messages are held; returns what they say.
    pub async fn held(&self, count: usize) -> Vec<String> {
        self.until(|proxy| proxy.held().len() == count).await;
        let held = self.proxy.held().into_iter();
        held.map(|message| message.preview).collect()
    }
}

pub const ACCEPTED: &str =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n";

pub fn handshake(path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
    )
}

/// A frame as a server sends it, or masked as a client does.
pub fn frame(fin: bool, opcode: u8, mask: Option<[u8; 4]>, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![u8::from(fin) << 7 | opcode];
    let masked = u8::from(mask.is_some()) << 7;
    match payload.len() {
        len @ 0..=125 => frame.push(masked | len as u8),
        len @ 126..=0xffff => {
            frame.push(masked | 126);
            frame.extend((len as u16).to_be_bytes());
        }
        len => {
            frame.push(masked | 127);
            frame.extend((len as u64).to_be_bytes());
        }
    }
    let key = mask.unwrap_or_default();
    frame.extend(mask.iter().flatten());
    frame.extend(payload.iter().zip(key.iter().cycle()).map(|(b, k)| b ^ k));
    frame
}

/// A text message from the server.
pub fn from_server(text: &str) -> Vec<u8> {
    frame(true, 1, None, text.as_bytes())
}

/// A text message from the client.
pub fn from_client(text: &str) -> Vec<u8> {
    frame(true, 1, Some([1, 2, 3, 4]), text.as_bytes())
}
