//! Sockets and processes as Linux shows them in /proc.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::{Membership, Socket, Tree};

/// The state of a socket that listens, in `/proc/net/tcp`.
const LISTEN: &str = "0A";
/// Deeper chains of parents are no chains.
const DEEPEST: usize = 64;

impl Tree {
    pub(super) fn look(&self, wanted: impl Fn(&Socket) -> bool) -> Membership {
        let inodes = match sockets() {
            Ok(sockets) => sockets.filter(|socket| socket.inode != 0 && wanted(socket)).map(|socket| socket.inode),
            Err(error) => return Membership::Unknown(format!("/proc/net/tcp cannot be read: {error}")),
        };
        let inodes: Vec<u64> = inodes.collect();
        if inodes.is_empty() {
            return Membership::Gone;
        }
        let latest = self.latest.load(Ordering::Relaxed);
        if self.includes(latest) && holds_any(latest, &inodes) {
            return Membership::Member;
        }
        match processes().find(|pid| self.includes(*pid) && holds_any(*pid, &inodes)) {
            Some(pid) => {
                self.latest.store(pid, Ordering::Relaxed);
                Membership::Member
            }
            None => Membership::Stranger,
        }
    }

    /// Whether a process descends from the root, or belongs to its group.
    fn includes(&self, pid: u32) -> bool {
        let mut current = pid;
        for _ in 0..DEEPEST {
            if current == self.root {
                return true;
            }
            let Some(Status { parent, group }) = Status::of(current) else {
                return false;
            };
            if group == self.root {
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

/// Parent and group of a process.
#[derive(Debug, PartialEq, Eq)]
struct Status {
    parent: u32,
    group: u32,
}

impl Status {
    fn of(pid: u32) -> Option<Status> {
        Status::parse(&fs::read_to_string(folder(pid).join("stat")).ok()?)
    }

    fn parse(text: &str) -> Option<Status> {
        // The name is in parentheses and may contain anything, parentheses included.
        let (_, rest) = text.rsplit_once(')')?;
        let mut fields = rest.split_whitespace().skip(1);
        Some(Status { parent: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? })
    }
}

fn folder(pid: u32) -> PathBuf {
    Path::new("/proc").join(pid.to_string())
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether a process has one of these sockets open. Processes of other users cannot be looked into, and hold none.
fn holds_any(pid: u32, inodes: &[u64]) -> bool {
    let entries = fs::read_dir(folder(pid).join("fd")).into_iter().flatten().flatten();
    let mut targets = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    targets.any(|target| socket_inode(&target).is_some_and(|inode| inodes.contains(&inode)))
}

/// `socket:[1234]`
fn socket_inode(target: &Path) -> Option<u64> {
    target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

fn sockets() -> std::io::Result<impl Iterator<Item = Socket>> {
    let four = fs::read_to_string("/proc/net/tcp")?;
    // A system without IPv6 has no such file.
    let six = fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    let sockets = [four, six].map(|table| table.lines().skip(1).filter_map(socket).collect::<Vec<_>>());
    Ok(sockets.into_iter().flatten())
}

fn socket(line: &str) -> Option<Socket> {
    let mut fields = line.split_whitespace().skip(1);
    let (local, remote) = (address(fields.next()?)?, address(fields.next()?)?);
    let listens = fields.next()? == LISTEN;
    let inode = fields.nth(5)?.parse().ok()?;
    Some(Socket { local, remote, listens, inode })
}

/// `0100007F:1F90`: the address as words in the order of this machine's bytes, and the port.
fn address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |start: usize| Some(u32::from_str_radix(ip.get(start..start + 8)?, 16).ok()?.to_ne_bytes());
    let ip: IpAddr = match ip.len() {
        8 => Ipv4Addr::from(word(0)?).into(),
        32 => {
            let words = [word(0)?, word(8)?, word(16)?, word(24)?].concat();
            Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn lines_of_the_socket_table_are_read() {
        let line = "   1: 0100007F:1F90 0100007F:E718 01 00000000:00000000 00:00000000 00000000  1000  0 4711 1 0 20 4";
        let expected = Socket {
            local: "127.0.0.1:8080".parse().unwrap(),
            remote: "127.0.0.1:59160".parse().unwrap(),
            listens: false,
            inode: 4711,
        };
        if cfg!(target_endian = "little") {
            assert_eq!(socket(line), Some(expected));
            let mapped = address("0000000000000000FFFF00000100007F:0050").unwrap();
            assert_eq!(mapped, "127.0.0.1:80".parse().unwrap());
            assert_eq!(address("00000000000000000000000001000000:0050").unwrap(), "[::1]:80".parse().unwrap());
        }
        assert_eq!(socket("nonsense"), None);
    }

    #[test]
    fn names_of_processes_do_not_confuse() {
        assert_eq!(Status::parse("12 (a) b (c) S 7 5 5 0"), Some(Status { parent: 7, group: 5 }));
        assert_eq!(Status::parse("12"), None);
    }

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
        drop((listener, stream));
        assert_eq!(own.listens_on(address.port()), Membership::Gone);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
