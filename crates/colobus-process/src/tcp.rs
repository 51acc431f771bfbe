//! The TCP sockets of this machine: all of them ([`tcp_sockets`]), or that at one end of a connection ([`socket_inode`]). The
//! kernel is asked by netlink; without that, from `/proc/net/tcp` and `/proc/net/tcp6`.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

#[cfg(target_os = "linux")]
use crate::sock_diag as ask;

/// Systems that have neither.
#[cfg(not(target_os = "linux"))]
mod ask {
    use std::io;
    use std::net::SocketAddr;

    pub fn inode(_: SocketAddr, _: SocketAddr) -> io::Result<Option<u64>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn dump() -> io::Result<Vec<super::Tcp>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The state of a connection that is over. A busy machine has thousands of them, which are passed over unread.
const TIME_WAIT: &str = " 06 ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tcp {
    pub local: SocketAddr,
    pub remote: SocketAddr,
    pub state: TcpState,
    /// Bytes are in the queues of the kernel, or connections that were not accepted yet.
    pub waiting: bool,
    /// 0 if no process has it open any more.
    pub inode: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TcpState {
    Established,
    Connecting,
    Listening,
    /// About to close.
    Closing,
}

/// The inode of the socket at `local` of a connection to `remote`; nothing if no process has it open.
pub fn socket_inode(local: SocketAddr, remote: SocketAddr) -> io::Result<Option<u64>> {
    if let Ok(Some(inode)) = ask::inode(local, remote) {
        return Ok(Some(inode));
    }
    let at = |socket: &Tcp| socket.local == local && socket.remote == remote && socket.inode != 0;
    Ok(listed()?.into_iter().find(at).map(|socket| socket.inode))
}

pub fn tcp_sockets() -> io::Result<Vec<Tcp>> {
    ask::dump().or_else(|_| listed())
}

/// As the files show them.
fn listed() -> io::Result<Vec<Tcp>> {
    let four = fs::read_to_string("/proc/net/tcp")?;
    // A system without IPv6 has no such file.
    let six = fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    Ok([four, six].iter().flat_map(|table| table.lines().skip(1)).filter_map(socket).collect())
}

fn socket(line: &str) -> Option<Tcp> {
    if line.contains(TIME_WAIT) {
        return None;
    }
    let mut words = line.split_whitespace().skip(1);
    let (local, remote) = (address(words.next()?)?, address(words.next()?)?);
    let state = match words.next()? {
        "01" => TcpState::Established,
        "02" => TcpState::Connecting,
        "0A" => TcpState::Listening,
        _ => TcpState::Closing,
    };
    let waiting = words.next()?.bytes().any(|digit| !matches!(digit, b'0' | b':'));
    Some(Tcp { local, remote, state, waiting, inode: words.nth(4)?.parse().ok()? })
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
            // A server that listens for both kinds sees those of the old kind in the new form.
            Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_endian = "little")]
    #[test]
    fn lines_of_both_kinds_of_addresses_are_read() {
        let old = "   1: 0100007F:1F90 0100007F:B0DC 01 00000000:00000010 00:00000000 00000000     0        0 4711 1 0";
        let expected = Tcp {
            local: "127.0.0.1:8080".parse().unwrap(),
            remote: "127.0.0.1:45276".parse().unwrap(),
            state: TcpState::Established,
            waiting: true,
            inode: 4711,
        };
        assert_eq!(socket(old), Some(expected));
        let new = "   0: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0";
        let listening = socket(new).unwrap();
        assert_eq!((listening.local, listening.state), (expected.local, TcpState::Listening));
        assert!(!listening.waiting);
        assert_eq!(address("00000000000000000000000001000000:0050").unwrap(), "[::1]:80".parse().unwrap());
    }

    #[test]
    fn what_is_over_or_nonsense_is_passed_over() {
        let over = "   1: 0100007F:1F90 0100007F:B0DC 06 00000000:00000000 03:00000000 00000000     0        0 0 1 0";
        assert_eq!((socket(over), socket("nonsense"), socket("")), (None, None, None));
    }
}
