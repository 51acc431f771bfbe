//! [`AllowList`]: the places that a client may reach, host and port. Built from the configuration of the application,
//! consulted by the dialler for every connection.

use std::collections::BTreeSet;

use colobus_model::UrlParts;

use super::authority::{Authority, Host};
use super::error::ProxyError;
use super::process::{Membership, Tree};

/// Where a client may go. Starts with nothing; everything has to be named.
///
/// All names of this machine (`localhost`, names below it, loopback addresses) count as one host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowList {
    places: BTreeSet<Place>,
    listeners: Option<Tree>,
    everywhere: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    hosts: Hosts,
    ports: Ports,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Hosts {
    Loopback,
    One(Host),
    Below(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ports {
    /// Those that URLs without a port mean: 80 and 443.
    Usual,
    One(u16),
    All,
}

impl AllowList {
    /// Nothing at all.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// No limits, for a browser that a person uses.
    pub fn everywhere() -> Self {
        AllowList { everywhere: true, ..Self::default() }
    }

    /// Adds host and port of a URL.
    pub fn allow_url(mut self, url: &str) -> Result<Self, ProxyError> {
        let bad = || ProxyError::BadHostPattern { pattern: url.to_owned() };
        let UrlParts { scheme, authority, .. } = UrlParts::of(url).ok_or_else(bad)?;
        let default = if matches!(scheme.to_ascii_lowercase().as_str(), "https" | "wss") { 443 } else { 80 };
        let authority = Authority::parse(authority, Some(default)).ok_or_else(bad)?;
        self.places.insert(Place { hosts: Hosts::of(authority.host), ports: Ports::One(authority.port) });
        Ok(self)
    }

    /// Adds a host (`example.org`, `10.0.0.7`, `[::2]`) or all names below one (`*.example.org`, not `example.org` itself):
    /// its ports 80 and 443, one port (`example.org:8443`), or all of them (`example.org:*`).
    pub fn allow(mut self, pattern: &str) -> Result<Self, ProxyError> {
        let bad = || ProxyError::BadHostPattern { pattern: pattern.to_owned() };
        let (host, ports) = split(pattern).ok_or_else(bad)?;
        let hosts = match host.strip_prefix("*.") {
            None => Hosts::of(Host::parse(host).ok_or_else(bad)?),
            Some(parent) => match Host::parse(parent).ok_or_else(bad)? {
                Host::Name(name) => Hosts::Below(name),
                Host::Ip(_) => return Err(bad()),
            },
        };
        self.places.insert(Place { hosts, ports });
        Ok(self)
    }

    /// Adds every port of this machine on which a process of this tree listens, now or later.
    pub fn allow_listeners_of(mut self, tree: Tree) -> Self {
        self.listeners = Some(tree);
        self
    }

    pub fn permits(&self, to: &Authority) -> bool {
        self.everywhere || self.places.iter().any(|place| place.includes(to)) || self.is_listener(to)
    }

    fn is_listener(&self, to: &Authority) -> bool {
        let listens = |tree: &Tree| tree.listens_on(to.port) == Membership::Member;
        to.host.is_loopback() && self.listeners.as_ref().is_some_and(listens)
    }
}

impl Hosts {
    fn of(host: Host) -> Hosts {
        if host.is_loopback() { Hosts::Loopback } else { Hosts::One(host) }
    }
}

impl Place {
    fn includes(&self, to: &Authority) -> bool {
        let port = match self.ports {
            Ports::Usual => matches!(to.port, 80 | 443),
            Ports::One(port) => to.port == port,
            Ports::All => true,
        };
        let host = match &self.hosts {
            Hosts::Loopback => to.host.is_loopback(),
            Hosts::One(host) => to.host == *host,
            Hosts::Below(parent) => is_below(&to.host, parent),
        };
        port && host
    }
}

fn is_below(host: &Host, parent: &str) -> bool {
    let Host::Name(name) = host else {
        return false;
    };
    name.strip_suffix(parent).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
}

/// The host of a pattern, and its ports.
fn split(pattern: &str) -> Option<(&str, Ports)> {
    // The colons of an IPv6 address without brackets separate nothing.
    let colons = pattern.bytes().filter(|byte| *byte == b':').count();
    let (host, port) = match pattern.rsplit_once(':') {
        Some((host, port)) if colons == 1 || host.ends_with(']') => (host, port),
        _ => return Some((pattern, Ports::Usual)),
    };
    let ports = match port {
        "*" => Ports::All,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ports::One(digits.parse().ok().filter(|port| *port > 0)?)
        }
        _ => return None,
    };
    Some((host, ports))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(patterns: &[&str]) -> AllowList {
        patterns.iter().fold(AllowList::nothing(), |list, pattern| list.allow(pattern).unwrap())
    }

    fn check(list: &AllowList, permitted: &[&str], refused: &[&str]) {
        let permits = |place: &str| list.permits(&Authority::parse(place, None).unwrap());
        for place in permitted {
            assert!(permits(place), "{place}");
        }
        for place in refused {
            assert!(!permits(place), "{place}");
        }
    }

    #[test]
    fn a_host_without_a_port_means_the_usual_ports() {
        check(
            &list(&["Example.org", "10.0.0.7"]),
            &["example.org:80", "example.org:443", "10.0.0.7:80"],
            &["example.org:8080", "www.example.org:80", "10.0.0.8:80", "evil.org:80", "localhost:80"],
        );
    }

    #[test]
    fn ports_are_exact_or_all() {
        check(
            &list(&["example.org:8443", "any.test:*", "[::2]:99"]),
            &["example.org:8443", "any.test:1", "any.test:65535", "[::2]:99"],
            &["example.org:443", "[::2]:80"],
        );
    }

    #[test]
    fn names_below_a_parent() {
        check(
            &list(&["*.apps.test:*"]),
            &["a.apps.test:1", "a.b.apps.test:1"],
            &["apps.test:1", "xapps.test:1", "apps.test.evil:1", "10.0.0.1:1"],
        );
    }

    #[test]
    fn all_names_of_this_machine_are_one_host() {
        let list = AllowList::nothing().allow_url("http://127.0.0.1:3000/?doc=x").unwrap();
        check(
            &list,
            &["127.0.0.1:3000", "localhost:3000", "team.localhost:3000", "[::1]:3000", "127.9.9.9:3000"],
            &["127.0.0.1:3001", "localhost:80", "example.org:3000"],
        );
    }

    #[test]
    fn urls_bring_the_port_of_their_scheme() {
        let list = AllowList::nothing().allow_url("https://app.test").unwrap();
        check(&list, &["app.test:443"], &["app.test:80"]);
        assert!(AllowList::nothing().allow_url("app.test").is_err());
        assert!(AllowList::nothing().allow_url("http://good@evil/").is_err());
    }

    #[test]
    fn everywhere_is_everywhere() {
        check(&AllowList::everywhere(), &["example.org:1", "localhost:65535"], &[]);
    }

    #[test]
    fn patterns_that_are_not_hosts_are_errors() {
        for pattern in
            ["", "*", "*.", "http://example.org", "example.org:0", "example.org:x", "example.org:", "*.10.0.0.7", "a/*"]
        {
            assert!(AllowList::nothing().allow(pattern).is_err(), "{pattern:?}");
        }
    }
}
