//! [`Connections`]: all connections of this machine, as `/proc/net` shows them: who is at their ends, and whether bytes wait.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::net::SocketAddr;

use colobus_process::{Tcp, TcpState, tcp_sockets};

use super::processes::Tree;

pub struct Connections {
    /// By the addresses of both ends.
    tcp: HashMap<(SocketAddr, SocketAddr), Tcp>,
    /// Connected sockets of this machine's own kind that have no name.
    unnamed: BTreeSet<u64>,
    /// The names of those that have one.
    named: BTreeMap<u64, String>,
}

impl Connections {
    pub fn read() -> Result<Connections, String> {
        let unreadable = |error| format!("connections cannot be looked at (/proc/net): {error}");
        let tcp = tcp_sockets().map_err(unreadable)?.into_iter().map(|tcp| ((tcp.local, tcp.remote), tcp)).collect();
        let unix = fs::read_to_string("/proc/net/unix").map_err(unreadable)?;
        let (mut unnamed, mut named) = (BTreeSet::new(), BTreeMap::new());
        for (socket, name) in unix.lines().skip(1).filter_map(unix_line) {
            match name {
                None => drop(unnamed.insert(socket)),
                Some(name) => drop(named.insert(socket, name)),
            }
        }
        Ok(Connections { tcp, unnamed, named })
    }

    /// Whether bytes wait in a connection of these sockets. An error if the other end of one belongs to a process that is not watched: its
    /// answer could come at any time.
    pub fn has_bytes_on_their_way(&self, theirs: &BTreeSet<u64>) -> Result<bool, String> {
        let ours = Tree { processes: BTreeSet::from([std::process::id()]), threads: Vec::new() }.sockets()?;
        let known = |socket: &u64| theirs.contains(socket) || ours.contains(socket);
        let mut waiting = false;
        for connection in self.tcp.values().filter(|connection| theirs.contains(&connection.inode)) {
            match connection.state {
                TcpState::Listening => waiting |= connection.waiting,
                TcpState::Established => {
                    match self.tcp.get(&(connection.remote, connection.local)) {
                        Some(other) if known(&other.inode) => waiting |= connection.waiting || other.waiting,
                        // No process has it open any more.
                        Some(other) if other.inode == 0 => waiting = true,
                        _ => return Err(format!("it is connected with {}, which is not watched", connection.remote)),
                    }
                }
                TcpState::Connecting => {
                    return Err(format!("it connects to {}, which is not watched", connection.remote));
                }
                // Nothing comes from it any more that a client waits for.
                TcpState::Closing => {}
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
    fn only_connected_sockets_of_the_machine_count() {
        let connected = "ffff9: 00000003 00000000 00000000 0001 03 23456";
        assert_eq!(unix_line(connected), Some((23456, None)));
        assert_eq!(unix_line(&format!("{connected} /run/db.sock")), Some((23456, Some("/run/db.sock".to_string()))));
        assert_eq!(unix_line("ffff9: 00000002 00000000 00010000 0001 01 23456 /run/x"), None);
    }
}
