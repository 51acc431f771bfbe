//! [`Tree`]: a process and all that it started. Tells whose connection the proxy accepted, and on which ports an
//! application listens. Linux shows both; elsewhere the answer is that it is not known.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use colobus_process::{Status, Tcp, TcpState, open_sockets, processes, socket_inode, tcp_sockets};

/// Deeper chains of parents are no chains.
const DEEPEST: usize = 64;

/// Processes that belong together.
#[derive(Debug, Clone)]
pub struct Tree {
    root: u32,
    /// Whether the root itself and its process group belong to it.
    with_root: bool,
    /// The process that held the last socket: it holds most of the next ones, too.
    latest: Arc<AtomicU32>,
}

/// Whether a socket belongs to a tree of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Membership {
    Member,
    Stranger,
    /// The connection is over, or was never there.
    Gone,
    /// The system does not tell; why.
    Unknown(String),
}

impl Tree {
    /// A process, its descendants, and its process group.
    pub fn of(root: u32) -> Tree {
        Tree { root, with_root: true, latest: Arc::new(AtomicU32::new(root)) }
    }

    /// What a process started, without itself.
    pub fn below(root: u32) -> Tree {
        Tree { root, with_root: false, latest: Arc::new(AtomicU32::new(root)) }
    }

    /// Whether a process of this tree holds the end at `local` of a TCP connection to `remote`.
    pub(crate) fn holds(&self, local: SocketAddr, remote: SocketAddr) -> Membership {
        self.has_open(socket_inode(local, remote).map(BTreeSet::from_iter))
    }

    /// Whether a process of this tree listens on a port of this machine.
    pub(crate) fn listens_on(&self, port: u16) -> Membership {
        let listens =
            |socket: &Tcp| socket.state == TcpState::Listening && socket.local.port() == port && socket.inode != 0;
        self.has_open(
            tcp_sockets().map(|sockets| sockets.into_iter().filter(listens).map(|socket| socket.inode).collect()),
        )
    }

    /// Whether a process of this tree has one of these sockets open.
    fn has_open(&self, inodes: io::Result<BTreeSet<u64>>) -> Membership {
        let inodes = match inodes {
            Ok(inodes) => inodes,
            Err(error) => return Membership::Unknown(format!("the system does not show its connections: {error}")),
        };
        if inodes.is_empty() {
            return Membership::Gone;
        }
        // Processes of other users cannot be looked into, and hold none.
        let holds_any = |pid: u32| open_sockets(pid).is_ok_and(|open| !open.is_disjoint(&inodes));
        let latest = self.latest.load(Ordering::Relaxed);
        if self.includes(latest) && holds_any(latest) {
            return Membership::Member;
        }
        match processes().into_iter().find(|pid| self.includes(*pid) && holds_any(*pid)) {
            Some(pid) => {
                self.latest.store(pid, Ordering::Relaxed);
                Membership::Member
            }
            None => Membership::Stranger,
        }
    }

    fn includes(&self, pid: u32) -> bool {
        if pid == self.root {
            return self.with_root;
        }
        let mut current = pid;
        for _ in 0..DEEPEST {
            if current == self.root {
                return true;
            }
            let Some(Status { parent, group, .. }) = Status::of(current) else {
                return false;
            };
            if self.with_root && group == self.root {
                return true;
            }
            if parent <= 1 {
                return false;
            }
            current = parent;
        }
        false
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        (self.root, self.with_root) == (other.root, other.with_root)
    }
}

impl Eq for Tree {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn own_connections_and_listeners_belong_to_this_process_only() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stream = TcpStream::connect(address).unwrap();
        let own = Tree::of(std::process::id());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let other = Tree::of(child.id());
        let local = stream.local_addr().unwrap();
        assert_eq!(own.holds(local, address), Membership::Member);
        assert_eq!(other.holds(local, address), Membership::Stranger);
        assert_eq!(own.listens_on(address.port()), Membership::Member);
        assert_eq!(other.listens_on(address.port()), Membership::Stranger);
        let below = Tree::below(std::process::id());
        assert_eq!(below.listens_on(address.port()), Membership::Stranger);
        assert!(below.includes(child.id()) && own.includes(child.id()) && !other.includes(std::process::id()));
        drop((listener, stream));
        assert_eq!(own.listens_on(address.port()), Membership::Gone);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
