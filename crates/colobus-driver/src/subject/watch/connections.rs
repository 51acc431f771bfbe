//! [`Connections`]: all connections of this machine, as `/proc/net` shows them: who is at their ends, and whether bytes wait.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::processes::Tree;

const ESTABLISHED: u8 = 1;
const SYN_SENT: u8 = 2;
const LISTEN: u8 = 10;

pub struct Connections {
    /// By the addresses of both ends.
    tcp: HashMap<(SocketAddr, SocketAddr), Tcp>,
    /// Connected sockets of this machine's own kind that have no name.
    unnamed: BTreeSet<u64>,
    /// The names of those that have one.
    named: BTreeMap<u64, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tcp {
    local: SocketAddr,
    remote: SocketAddr,
    state: u8,
    /// Bytes in the queues of the kernel, or connections that nobody has accepted yet.
    waiting: bool,
    socket: u64,
}

impl Connections {
    pub fn read() -> Result<Connections, String> {
        let read = |file: &str| {
            fs::read_to_string(format!("/proc/net/{file}"))
                .map_err(|error| format!("connections cannot be looked at (/proc/net/{file}): {error}"))
        };
        // A machine without IPv6 has no second file.
        let tables = [read("tcp")?, read("tcp6").unwrap_or_default()];
        let lines = tables.iter().flat_map(|table| table.lines().skip(1));
        let tcp = lines.filter_map(tcp_line).map(|tcp| ((tcp.local, tcp.remote), tcp)).collect();
        let (mut unnamed, mut named) = (BTreeSet::new(), BTreeMap::new());
        for (socket, name) in read("unix")?.lines().skip(1).filter_map(unix_line) {
            match name {
                None => drop(unnamed.insert(socket)),
                Some(name) => drop(named.insert(socket, name)),
            }
        }
        Ok(Connections { tcp, unnamed, named })
    }

    /// Whether bytes wait in a connection of these sockets. An error if one of them is with somebody who is not watched: its
    /// answer could come at any time.
    pub fn has_bytes_on_their_way(&self, theirs: &BTreeSet<u64>) -> Result<bool, String> {
        let ours = Tree { processes: BTreeSet::from([std::process::id()]), threads: Vec::new() }.sockets()?;
        let known = |socket: &u64| theirs.contains(socket) || ours.contains(socket);
        let mut waiting = false;
        for connection in self.tcp.values().filter(|connection| theirs.contains(&connection.socket)) {
            match connection.state {
                LISTEN => waiting |= connection.waiting,
                ESTABLISHED => {
                    match self.tcp.get(&(connection.remote, connection.local)) {
                        Some(other) if known(&other.socket) => waiting |= connection.waiting || other.waiting,
                        // Nobody has it open any more.
                        Some(other) if other.socket == 0 => waiting = true,
                        _ => return Err(format!("it is connected with {}, which is not watched", connection.remote)),
                    }
                }
                SYN_SENT => return Err(format!("it connects to {}, which is not watched", connection.remote)),
                // About to close: nothing comes from it any more that somebody waits for.
                _ => {}
            }
        }
        for socket in theirs.intersection(&self.unnamed) {
            // The two ends of a pair are made one after the other; a parent and its child have one each.
            let pair = [socket.wrapping_sub(1), socket + 1];
            if !pair.iter().any(|other| self.unnamed.contains(other) && known(other)) {
                return Err("it is connected with a process of this machine that is not watched".to_string());
            }
        }
        if let Some(name) = theirs.iter().find_map(|socket| self.named.get(socket)) {
            return Err(format!("it is connected through {name}, whose other end is not known"));
        }
        Ok(waiting)
    }
}

/// Nothing for a connection that is over: a busy machine has thousands of them.
fn tcp_line(line: &str) -> Option<Tcp> {
    const OVER: &str = " 06 ";
    if line.contains(OVER) {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let (sending, receiving) = words.get(4)?.split_once(':')?;
    Some(Tcp {
        local: address(words.get(1)?)?,
        remote: address(words.get(2)?)?,
        state: u8::from_str_radix(words.get(3)?, 16).ok()?,
        waiting: [sending, receiving].iter().any(|queue| queue.bytes().any(|digit| digit != b'0')),
        socket: words.get(9)?.parse().ok()?,
    })
}

/// `0100007F:1F90`: words of the address in the byte order of the machine.
fn address(text: &str) -> Option<SocketAddr> {
    let (host, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| u32::from_str_radix(host.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
    let ip = match host.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for index in 0..4 {
                bytes[index * 4..index * 4 + 4].copy_from_slice(&word(index * 8)?);
            }
            // A server that listens for both kinds sees those of the old kind in the new form.
            Ipv6Addr::from(bytes).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}

/// The number of a connected socket, and its name if it has one.
fn unix_line(line: &str) -> Option<(u64, Option<String>)> {
    const CONNECTED: &str = "03";
    let words: Vec<&str> = line.split_whitespace().collect();
    if *words.get(5)? != CONNECTED {
        return None;
    }
    Some((words.get(6)?.parse().ok()?, words.get(7).map(|name| name.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_of_addresses_are_read() {
        let old = "   1: 0100007F:1F90 0100007F:B0DC 01 00000000:00000010 00:00000000 00000000     0        0 4711 1 0";
        let read = tcp_line(old).unwrap();
        assert_eq!((read.local.to_string(), read.remote.port()), ("127.0.0.1:8080".to_string(), 45276));
        assert_eq!((read.state, read.waiting, read.socket), (ESTABLISHED, true, 4711));
        let new = "   0: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0";
        let read = tcp_line(new).unwrap();
        assert_eq!((read.local.to_string(), read.state), ("127.0.0.1:8080".to_string(), LISTEN));
        assert!(!read.waiting);
        assert_eq!(tcp_line("nonsense"), None);
    }

    #[test]
    fn only_connected_sockets_of_the_machine_count() {
        let connected = "ffff9: 00000003 00000000 00000000 0001 03 23456";
        assert_eq!(unix_line(connected), Some((23456, None)));
        assert_eq!(unix_line(&format!("{connected} /run/db.sock")), Some((23456, Some("/run/db.sock".to_string()))));
        assert_eq!(unix_line("ffff9: 00000002 00000000 00010000 0001 01 23456 /run/x"), None);
    }
}
