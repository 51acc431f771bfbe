//! [`Session`]: one TCP connection of the client, from its first request to its end. Each is paired with one connection
//! to the application, and ends when that ends, so that the browser sees of keep-alive and stale connections what it
//! would see without a proxy.

mod server;

use std::sync::Arc;

use super::authority::Authority;
use super::connection_guard::ConnectionGuard;
use super::context::Context;
use super::dial::DialError;
use super::exchange::{Asked, Ending, Exchange};
use super::http::{HeadError, Request, Target, reply};
use super::socket;
use super::tls::Unopened;
use super::tunnel;
use super::wire::Wire;
use server::{Server, Unreached};

/// What a browser asks for to see that it reaches its proxy, and to learn that it has to show its secret. The proxy replies itself.
pub const HELLO: &str = "http://proxy.colobus.invalid/";

pub(super) struct Session {
    context: Arc<Context>,
    client: Wire,
    server: Option<Server>,
    inside: Option<Tunnel>,
}

/// What a CONNECT led to.
#[derive(Debug, Clone)]
struct Tunnel {
    authority: Authority,
    secure: bool,
}

/// How a session goes on after a request.
enum Next {
    Request,
    End,
}

impl Session {
    pub fn new(context: Arc<Context>, client: Wire) -> Session {
        Session { context, client, server: None, inside: None }
    }

    /// Serves the client until either end is done.
    pub async fn run(&mut self) {
        loop {
            let request = match self.next_request().await {
                None => return,
                Some(Ok(request)) => request,
                Some(Err(error)) => return self.reply(400, &error.to_string()).await,
            };
            if let Next::End = self.serve(request).await {
                return;
            }
        }
    }

    /// Tells a client that this proxy is not for it.
    pub async fn turn_away(&mut self) {
        self.reply(403, "this proxy serves one browser of a test, and no other process").await;
    }

    /// Closes both ends for writing: nothing is forwarded from here on.
    pub async fn say_goodbye(&mut self) {
        self.client.say_goodbye().await;
        if let Some(server) = &mut self.server {
            server.wire.say_goodbye().await;
        }
    }

    /// Waits for both ends to close.
    pub async fn drain(&mut self) {
        match &mut self.server {
            Some(server) => {
                tokio::join!(self.client.drain(), server.wire.drain());
            }
            None => self.client.drain().await,
        }
    }

    /// The next request, or `None` when the client is done, or the application closed the idle connection.
    async fn next_request(&mut self) -> Option<Result<Request, HeadError>> {
        loop {
            match Request::parse(&self.client.inbox) {
                Err(error) => return Some(Err(error)),
                Ok(Some((request, len))) => {
                    let _head = self.client.inbox.split_to(len);
                    return Some(Ok(request));
                }
                Ok(None) => {}
            }
            tokio::select! {
                biased;
                read = self.client.read_more() => match read {
                    Ok(0) | Err(_) => return None,
                    Ok(_) => {}
                },
                () = end_of(&mut self.server) => return None,
            }
        }
    }

    async fn serve(&mut self, request: Request) -> Next {
        if let (Some(secret), None) = (&self.context.secret, &self.inside) {
            if !secret.admits(request.proxy_authorization.as_deref()) {
                self.reply(407, "this proxy serves one browser of a test, which knows its password").await;
                return Next::End;
            }
            if is_greeting(&request) {
                self.reply(200, "this proxy serves this browser").await;
                return Next::End;
            }
        }
        match (&request.target, &self.inside) {
            (Target::Tunnel(authority), None) => {
                let authority = authority.clone();
                self.open_tunnel(authority).await
            }
            (Target::Absolute(authority, path), None) => {
                let scheme = scheme(&request, false);
                let url = format!("{scheme}://{authority}{path}");
                let authority = authority.clone();
                self.exchange(request, authority, url).await
            }
            (Target::Origin(path), Some(tunnel)) => {
                let authority = tunnel.authority.clone();
                let url = format!("{}://{authority}{path}", scheme(&request, tunnel.secure));
                self.exchange(request, authority, url).await
            }
            (Target::Origin(_), None) => {
                let what = "this is a proxy for one client of a test, not a web server";
                self.reply(400, what).await;
                Next::End
            }
            (_, Some(tunnel)) => {
                let what = format!("this tunnel leads to {} only", tunnel.authority);
                self.reply(421, &what).await;
                Next::End
            }
        }
    }

    async fn open_tunnel(&mut self, authority: Authority) -> Next {
        // With an answerer there may be no server at all: it is dialled when a request needs it.
        let reached = match self.context.answerer {
            Some(_) => self.context.dialer.check(&authority).map_err(Unreached::from),
            None => Server::at(&mut self.server, &authority, &self.context, false).await.map(drop),
        };
        if let Err(error) = reached {
            self.refuse_unreached(&error).await;
            return Next::End;
        }
        let established = b"HTTP/1.1 200 Connection Established\r\n\r\n";
        if self.client.write(established).await.is_err() {
            return Next::End;
        }
        while self.client.inbox.is_empty() {
            match self.client.read_more().await {
                Ok(0) | Err(_) => return Next::End,
                Ok(_) => {}
            }
        }
        let secure = self.client.inbox.first() == Some(&tunnel::TLS_HANDSHAKE);
        let opens = !secure || self.context.opener.is_some();
        self.inside = opens.then(|| Tunnel { authority: authority.clone(), secure });
        match (secure, opens) {
            (false, _) => Next::Request,
            (true, true) => self.open_tls(&authority).await,
            (true, false) => self.carry_tls(&authority).await,
        }
    }

    async fn carry_tls(&mut self, authority: &Authority) -> Next {
        match Server::at(&mut self.server, authority, &self.context, false).await {
            Ok(server) => tunnel::carry(&self.context.proxy_state, &mut self.client, &mut server.wire).await,
            Err(error) => self.context.proxy_state.record(|state| state.problem("", error.to_string())),
        }
        Next::End
    }

    /// Takes the encryption off both ends; what is inside is served as if it had never been there.
    async fn open_tls(&mut self, authority: &Authority) -> Next {
        let Some(opener) = &self.context.opener else {
            return Next::End;
        };
        let server = async {
            match &mut self.server {
                Some(server) => opener.server(server.wire.take(), authority).await.map(|wire| server.wire = wire),
                None => Ok(()),
            }
        };
        match tokio::join!(opener.client(self.client.take(), authority), server) {
            (Ok(client), Ok(())) => {
                self.client = client;
                Next::Request
            }
            (Ok(client), Err(error)) => {
                (self.client, self.server) = (client, None);
                self.problem(authority, &error);
                // The browser listens to an answer only after it asked something.
                self.next_request().await;
                self.reply(502, &error.to_string()).await;
                Next::End
            }
            (Err(error), _) => {
                self.problem(authority, &error);
                Next::End
            }
        }
    }

    fn problem(&self, authority: &Authority, error: &Unopened) {
        let url = format!("https://{authority}");
        let what = error.to_string();
        self.context.proxy_state.record(|state| state.problem(&url, what));
    }

    async fn exchange(&mut self, request: Request, authority: Authority, url: String) -> Next {
        if request.is_talk {
            // Fails only if the proxy is gone, and this connection with it.
            let _ = self.context.may_talk.subscribe().wait_for(|may| *may).await;
        }
        let context = self.context.clone();
        let connection_guard = ConnectionGuard::exchange(&context.proxy_state, &request.method, &url);
        let exchange = Exchange::new(&context, &request, &url, &connection_guard);
        if let Err(error) = context.dialer.check(&authority) {
            exchange.fails(&error.to_string());
            self.refuse_unreached(&error.into()).await;
            return Next::End;
        }
        let Some(ready) = exchange.prepare(&mut self.client).await else {
            return Next::End;
        };
        let outgoing = match exchange.ask(&mut self.client, ready).await {
            Asked::Server(outgoing) => outgoing,
            Asked::Answered(ending) => return self.go_on(ending, &exchange, &url, false).await,
        };
        let secure = self.inside.as_ref().is_some_and(|tunnel| tunnel.secure);
        let server = match Server::at(&mut self.server, &authority, &context, secure).await {
            Ok(server) => server,
            Err(error) => {
                exchange.fails(&error.to_string());
                self.refuse_unreached(&error).await;
                return Next::End;
            }
        };
        let used = std::mem::replace(&mut server.used, true);
        match exchange.run(&mut self.client, &mut server.wire, outgoing).await {
            Ending::Upgraded => {
                let taps = exchange.opens_socket();
                drop(exchange);
                drop(connection_guard);
                socket::run(&context, &mut self.client, &mut server.wire, &url, taps).await;
                Next::End
            }
            ending => self.go_on(ending, &exchange, &url, used).await,
        }
    }

    /// What follows an exchange that did not open a socket. `used`: the connection to the server had served before.
    async fn go_on(&mut self, ending: Ending, exchange: &Exchange<'_>, url: &str, used: bool) -> Next {
        match ending {
            Ending::KeepAlive => Next::Request,
            Ending::Close | Ending::Upgraded => Next::End,
            Ending::NoAnswer { status, what } => {
                exchange.fails(&what);
                if !used {
                    self.context.proxy_state.record(|state| state.problem(url, what.clone()));
                    self.reply(status, &what).await;
                }
                Next::End
            }
        }
    }

    async fn refuse_unreached(&mut self, error: &Unreached) {
        self.context.proxy_state.record(|state| match error {
            Unreached::Dial(DialError::NotAllowed(authority)) => state.refuse(authority.to_string()),
            other => state.problem("", other.to_string()),
        });
        self.reply(error.status(), &error.to_string()).await;
    }

    /// Replies by itself, and ends the connection.
    async fn reply(&mut self, status: u16, what: &str) {
        // A client that left does not need to know.
        let _ = self.client.write(&reply(status, what)).await;
    }
}

fn is_greeting(request: &Request) -> bool {
    // Whatever is asked for there: browsers with windows ask for the icon of every page, and its failure would be taken for the application's.
    matches!(&request.target, Target::Absolute(authority, _) if HELLO == format!("http://{}/", authority.host))
}

fn scheme(request: &Request, secure: bool) -> &'static str {
    match (request.upgrades_to_websocket, secure) {
        (true, true) => "wss",
        (true, false) => "ws",
        (false, true) => "https",
        (false, false) => "http",
    }
}

/// Returns when an idle server closes, or sends something without a request.
async fn end_of(server: &mut Option<Server>) {
    match server {
        Some(server) => {
            let _ = server.wire.read_more().await;
        }
        None => std::future::pending().await,
    }
}
