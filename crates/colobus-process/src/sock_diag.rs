//! TCP sockets asked of the kernel by netlink (`sock_diag(7)`): [`inode`] finds one connection by its two ends in microseconds, and
//! [`dump`] lists all sockets. `/proc/net/tcp` goes through the whole table of connections again for every page that is read, several
//! milliseconds each time. Read by [`crate::tcp`], which falls back on the files where a system has no such sockets.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use rustix::fd::OwnedFd;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with};

use crate::tcp::{Tcp, TcpState};

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const REQUEST: u16 = 1;
const DUMP: u16 = 0x300;
const ERROR: u16 = 2;
const DONE: u16 = 3;

const HEAD: usize = 16;
/// The part of an answer that says what a socket is.
const BODY: usize = 72;
/// The kernel answers in pieces of at most 32 kB.
const BUFFER: usize = 64 * 1024;

const TCP: u8 = 6;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;

const ESTABLISHED: u8 = 1;
const CONNECTING: u8 = 2;
const TIME_WAIT: u8 = 6;
const LISTENING: u8 = 10;
const ALL_BUT_OVER: u32 = !(1 << TIME_WAIT);

/// The inode of the end at `local` of a connection to `remote`; nothing if there is no such connection, or no process has it open.
pub fn inode(local: SocketAddr, remote: SocketAddr) -> io::Result<Option<u64>> {
    let family = if local.is_ipv4() { AF_INET } else { AF_INET6 };
    let ends =
        [&local.port().to_be_bytes()[..], &remote.port().to_be_bytes(), &octets(local), &octets(remote)].concat();
    let mut found = None;
    match exchange(family, REQUEST, &ends, |socket| found = Some(socket.inode).filter(|inode| *inode != 0)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(|()| found),
    }
}

/// All sockets but those of connections that are over.
pub fn dump() -> io::Result<Vec<Tcp>> {
    let mut sockets = Vec::new();
    for family in [AF_INET, AF_INET6] {
        exchange(family, REQUEST | DUMP, &[0; 36], |socket| sockets.push(socket))?;
    }
    Ok(sockets)
}

/// Sends one request, and reads what is answered to it to the end.
fn exchange(family: u8, flags: u16, ends: &[u8], mut take: impl FnMut(Tcp)) -> io::Result<()> {
    let kernel: OwnedFd =
        socket_with(AddressFamily::NETLINK, SocketType::DGRAM, SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG))?;
    send(&kernel, &request(family, flags, ends), SendFlags::empty())?;
    let mut buffer = vec![0; BUFFER];
    loop {
        let (length, _) = recv(&kernel, &mut buffer[..], RecvFlags::empty())?;
        let mut rest = &buffer[..length];
        if rest.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        while let Some((kind, body, after)) = message(rest) {
            match kind {
                DONE => return Ok(()),
                ERROR => return failure(body),
                _ => {
                    socket(body).into_iter().for_each(&mut take);
                    if flags & DUMP == 0 {
                        return Ok(());
                    }
                }
            }
            rest = after;
        }
    }
}

fn request(family: u8, flags: u16, ends: &[u8]) -> Vec<u8> {
    let states = if flags & DUMP == 0 { u32::MAX } else { ALL_BUT_OVER };
    let question = [&[family, TCP, 0, 0][..], &states.to_ne_bytes(), ends, &[0; 4], &[0xff; 8]].concat();
    let length = (HEAD + question.len()) as u32;
    let head = [&length.to_ne_bytes()[..], &SOCK_DIAG_BY_FAMILY.to_ne_bytes(), &flags.to_ne_bytes(), &[0; 8]].concat();
    [head, question].concat()
}

/// The first message: its kind, its body, and what comes after it.
fn message(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let length = u32::from_ne_bytes(field(bytes, 0)?) as usize;
    let body = bytes.get(HEAD..length)?;
    let after = bytes.get(length.next_multiple_of(4)..).unwrap_or_default();
    Some((u16::from_ne_bytes(field(bytes, 4)?), body, after))
}

fn failure(body: &[u8]) -> io::Result<()> {
    let code = field(body, 0).map_or(0, i32::from_ne_bytes);
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(-code)) }
}

fn socket(body: &[u8]) -> Option<Tcp> {
    let body = body.get(..BODY)?;
    let (family, state) = (body[0], body[1]);
    let port = |at: usize| Some(u16::from_be_bytes(field(body, at)?));
    let ip = |at: usize| -> Option<IpAddr> {
        Some(match family {
            AF_INET => Ipv4Addr::from(field::<4>(body, at)?).into(),
            // A server that listens for both kinds sees those of the old kind in the new form.
            _ => Ipv6Addr::from(field::<16>(body, at)?).to_canonical(),
        })
    };
    let number = |at: usize| Some(u32::from_ne_bytes(field(body, at)?));
    let (arrived, leaving) = (number(56)?, number(60)?);
    let state = match state {
        ESTABLISHED => TcpState::Established,
        CONNECTING => TcpState::Connecting,
        LISTENING => TcpState::Listening,
        _ => TcpState::Closing,
    };
    // Of a socket that listens, the second number says how many may wait.
    let waiting = arrived > 0 || state != TcpState::Listening && leaving > 0;
    Some(Tcp {
        local: SocketAddr::new(ip(8)?, port(4)?),
        remote: SocketAddr::new(ip(24)?, port(6)?),
        state,
        waiting,
        inode: number(68)?.into(),
    })
}

fn field<const LENGTH: usize>(bytes: &[u8], at: usize) -> Option<[u8; LENGTH]> {
    bytes.get(at..at + LENGTH)?.try_into().ok()
}

fn octets(address: SocketAddr) -> [u8; 16] {
    match address.ip() {
        IpAddr::V4(four) => {
            let mut octets = [0; 16];
            octets[..4].copy_from_slice(&four.octets());
            octets
        }
        IpAddr::V6(six) => six.octets(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn both_ends_of_a_connection_are_found_with_what_waits_in_them() {
        for any in ["127.0.0.1:0", "[::1]:0"] {
            // A system without IPv6 has one kind.
            let Ok(listener) = TcpListener::bind(any) else { continue };
            let address = listener.local_addr().unwrap();
            let mut client = TcpStream::connect(address).unwrap();
            let (server, peer) = listener.accept().unwrap();
            let (Ok(Some(one)), Ok(Some(other))) = (inode(peer, address), inode(address, peer)) else {
                panic!("the ends of {peer} are not found")
            };
            assert_ne!(one, other);
            assert!(crate::open_sockets(std::process::id()).unwrap().is_superset(&[one, other].into()));
            let end = || dump().unwrap().into_iter().find(|socket| socket.inode == other).unwrap();
            let quiet = end();
            assert_eq!(
                (quiet.local, quiet.remote, quiet.state, quiet.waiting),
                (address, peer, TcpState::Established, false)
            );
            std::io::Write::write_all(&mut client, b"x").unwrap();
            assert!(end().waiting);
            let listening = |socket: &Tcp| socket.local == address && socket.state == TcpState::Listening;
            assert!(!dump().unwrap().into_iter().find(listening).unwrap().waiting);
            drop((server, client, listener));
            assert_eq!(inode(address, peer).unwrap(), None);
        }
    }

    #[test]
    fn answers_that_are_too_short_say_nothing() {
        assert_eq!(message(&[1, 0, 0]), None);
        assert_eq!(message(&[200; 20]), None);
        assert_eq!(socket(&[2; BODY - 1]), None);
        assert!(failure(&(-2i32).to_ne_bytes()).is_err_and(|error| error.kind() == io::ErrorKind::NotFound));
    }
}
