//! The proxies of a world serve its browser only: what another process asks of them does not reach the application.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use colobus_process::TcpState;
use colobus_world::WorldFactory;

use crate::stage::{Acting, application, factory};

/// Serves a page on every address, and counts who asks for `/probe`.
fn site() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let probes = Arc::new(AtomicUsize::new(0));
    let counted = probes.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            counted.fetch_add(usize::from(first.contains("/probe")), Ordering::SeqCst);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: 18\r\n\r\n";
            let _ = write!(stream, "{head}<!doctype html><p>");
        }
    });
    (address, probes)
}

/// Where this process listens: proxies, and servers of tests.
fn listening() -> Vec<SocketAddr> {
    let own = colobus_process::open_sockets(std::process::id()).unwrap();
    let sockets = colobus_process::tcp_sockets().unwrap().into_iter();
    sockets.filter(|tcp| tcp.state == TcpState::Listening && own.contains(&tcp.inode)).map(|tcp| tcp.local).collect()
}

/// The first line of the answer.
fn asked(proxy: SocketAddr, site: SocketAddr) -> String {
    let Ok(mut stream) = TcpStream::connect(proxy) else { return String::new() };
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let _ = write!(stream, "GET http://{site}/probe HTTP/1.1\r\nHost: {site}\r\nConnection: close\r\n\r\n");
    let mut answer = [0; 64];
    let length = stream.read(&mut answer).unwrap_or(0);
    String::from_utf8_lossy(&answer[..length]).lines().next().unwrap_or_default().to_string()
}

#[test]
fn what_other_processes_ask_of_a_proxy_is_refused() {
    let (site, probes) = site();
    let before = listening();
    let factory = factory(application(format!("http://{site}/?doc={{doc}}")));
    let mut world = factory.open().unwrap();
    world.start(2);
    let proxies: Vec<SocketAddr> = listening().into_iter().filter(|address| !before.contains(address)).collect();
    let answers: Vec<String> = proxies.iter().map(|proxy| asked(*proxy, site)).collect();
    let refused = answers.iter().filter(|answer| answer.contains(" 403 ")).count();
    assert!(refused >= 2, "one proxy for each client: {proxies:?} {answers:?}");
    assert_eq!(probes.load(Ordering::SeqCst), 0, "{proxies:?} {answers:?}");
}
