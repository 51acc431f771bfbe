//! [`Tree`]: a process and all that it started. Tells whose connection the proxy accepted, and on which ports an
//! application listens. Linux shows both in /proc; elsewhere the answer is that it is not known.

#[cfg(target_os = "linux")]
mod proc;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// A process, its descendants, and its process group.
#[derive(Debug, Clone)]
pub struct Tree {
    root: u32,
    /// The process that held the last socket: it holds most of the next ones, too.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
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
    pub fn of(root: u32) -> Tree {
        Tree { root, latest: Arc::new(AtomicU32::new(root)) }
    }

    /// Whether a process of this tree holds the end at `local` of a TCP connection to `remote`.
    pub(crate) fn holds(&self, local: SocketAddr, remote: SocketAddr) -> Membership {
        self.look(|socket| socket.local == local && socket.remote == remote)
    }

    /// Whether a process of this tree listens on a port of this machine.
    pub(crate) fn listens_on(&self, port: u16) -> Membership {
        self.look(|socket| socket.listens && socket.local.port() == port)
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.root == other.root
    }
}

impl Eq for Tree {}

/// A TCP socket of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Socket {
    local: SocketAddr,
    remote: SocketAddr,
    listens: bool,
    inode: u64,
}

#[cfg(not(target_os = "linux"))]
impl Tree {
    fn look(&self, _: impl Fn(&Socket) -> bool) -> Membership {
        Membership::Unknown("only Linux shows which process owns a connection".to_owned())
    }
}
