//! [`free_port`]: where an application can listen that is started in a moment. The system gives every connection that goes out a port of its
//! own range, so that one of those may be taken before the application listens; the ports here are below it.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::{Ipv4Addr, TcpListener};

const FIRST: u16 = 20_000;
/// Linux begins its own range at 32,768, unless it is told otherwise.
const COUNT: u16 = 12_000;
const ATTEMPTS: usize = 100;

/// A port of this machine on which nothing listens. Two programs that ask at the same time hardly ever get the same one.
pub fn free_port() -> io::Result<u16> {
    let drawn = |_| FIRST + (RandomState::new().build_hasher().finish() % u64::from(COUNT)) as u16;
    match (0..ATTEMPTS).map(drawn).find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok()) {
        Some(port) => Ok(port),
        None => Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ports_are_none_of_those_that_connections_get_and_hardly_any_comes_twice() {
        let ports: Vec<u16> = (0..50).map(|_| free_port().unwrap()).collect();
        assert!(ports.iter().all(|port| (FIRST..FIRST + COUNT).contains(port)), "{ports:?}");
        assert!(ports.iter().collect::<BTreeSet<_>>().len() > 40, "{ports:?}");
    }

    #[test]
    fn a_port_that_is_taken_is_not_given() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, free_port().unwrap())).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert!((0..50).all(|_| free_port().unwrap() != port));
    }
}
