//! A proxy serves the browser that it belongs to, and no other process of the machine.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use colobus_proxy::{AllowList, ProcessTree, Proxy, ProxyOptions};

use crate::peer::{Peer, Setup};

/// A process that asks for a page through the proxy whose port it is told, and prints what it gets.
fn visitor() -> Child {
    let script = "read port url; exec 3<>/dev/tcp/127.0.0.1/$port; printf 'GET %s HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n' $url >&3; cat <&3";
    // The shell's child connects, so that the owner is not the root of the tree itself.
    Command::new("bash")
        .args(["-c", &format!("bash -c {}; true", shell_quoted(script))])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn shell_quoted(script: &str) -> String {
    format!("'{}'", script.replace('\'', r"'\''"))
}

/// Lets the process ask, and returns what it printed.
async fn visit(mut visitor: Child, setup: &Setup) -> String {
    let line = format!("{} {}\n", setup.proxy.address().port(), setup.url("/"));
    visitor.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let printed = tokio::task::spawn_blocking(move || {
        let mut printed = String::new();
        visitor.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        visitor.wait().unwrap();
        printed
    });
    printed.await.unwrap()
}

#[tokio::test]
async fn processes_below_the_owner_get_in_and_others_do_not() {
    let (owner, stranger) = (visitor(), visitor());
    let options = ProxyOptions { owner: Some(ProcessTree::of(owner.id())), ..ProxyOptions::default() };
    let setup = Setup::with(options).await;
    let refused = visit(stranger, &setup).await;
    assert!(refused.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{refused}");
    assert!(refused.contains("serves one browser"), "{refused}");
    let serve = async {
        let mut server = setup.application.accept().await;
        server.head().await;
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
        server
    };
    let (served, _server) = tokio::join!(visit(owner, &setup), serve);
    assert!(served.starts_with("HTTP/1.1 200 OK\r\n") && served.ends_with("ok"), "{served}");
    assert_eq!(setup.proxy.owner_unknown(), None);
    assert_eq!(setup.proxy.counts().exchanges_started, 1);
    let problems = setup.proxy.problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].what.contains("not the browser of this client"), "{problems:?}");
}

#[tokio::test]
async fn ports_on_which_the_application_listens_are_reached_as_well() {
    // This process is the application, with a second port that nobody named.
    let second = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = second.local_addr().unwrap().port();
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    for (root, status) in [(std::process::id(), "HTTP/1.1 200 Connection"), (other.id(), "HTTP/1.1 403 Forbidden")] {
        let allow = AllowList::nothing().allow_listeners_of(ProcessTree::of(root));
        let proxy = Proxy::start(ProxyOptions { allow, ..ProxyOptions::default() }).await.unwrap();
        let mut client = Peer::connect(proxy.address()).await;
        client.send(format!("CONNECT localhost:{port} HTTP/1.1\r\n\r\n")).await;
        assert!(client.head().await.starts_with(status));
    }
    other.kill().unwrap();
    other.wait().unwrap();
}
