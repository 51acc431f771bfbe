//! [`AllowList`]: the hosts that a client may reach. Loopback names are always among them; everything else has to be named.

use std::collections::BTreeSet;

use super::authority::Host;
use super::error::ProxyError;

/// The application's hosts. Starts with loopback names only; [`allow`](AllowList::allow) adds to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowList {
    hosts: BTreeSet<Host>,
    parents: BTreeSet<String>,
}

impl AllowList {
    /// Loopback names and nothing else.
    pub fn loopback() -> Self {
        Self::default()
    }

    /// Adds a host (`example.org`, `10.0.0.7`, `::2`) or all names below one (`*.example.org`, not `example.org` itself).
    pub fn allow(mut self, pattern: &str) -> Result<Self, ProxyError> {
        let bad = || ProxyError::BadHostPattern { pattern: pattern.to_owned() };
        match pattern.strip_prefix("*.") {
            Some(parent) => match Host::parse(parent).ok_or_else(bad)? {
                Host::Name(name) => self.parents.insert(name),
                Host::Ip(_) => return Err(bad()),
            },
            None => self.hosts.insert(Host::parse(pattern).ok_or_else(bad)?),
        };
        Ok(self)
    }

    pub fn permits(&self, host: &Host) -> bool {
        host.is_loopback() || self.hosts.contains(host) || self.is_below_a_parent(host)
    }

    fn is_below_a_parent(&self, host: &Host) -> bool {
        let Host::Name(name) = host else {
            return false;
        };
        let mut rest = name.as_str();
        while let Some((_, parent)) = rest.split_once('.') {
            if self.parents.contains(parent) {
                return true;
            }
            rest = parent;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_hosts_and_names_below_a_parent() {
        let list = AllowList::loopback()
            .allow("Example.org")
            .and_then(|list| list.allow("*.apps.test"))
            .and_then(|list| list.allow("10.0.0.7"))
            .unwrap();
        let permits = |host| list.permits(&Host::parse(host).unwrap());
        for host in ["example.org", "a.apps.test", "a.b.apps.test", "10.0.0.7", "127.0.0.1", "x.localhost"] {
            assert!(permits(host), "{host}");
        }
        for host in ["www.example.org", "apps.test", "xapps.test", "10.0.0.8", "evil.org"] {
            assert!(!permits(host), "{host}");
        }
    }

    #[test]
    fn patterns_that_are_not_hosts_are_errors() {
        for pattern in ["", "*", "*.", "http://example.org", "example.org:80", "*.10.0.0.7", "a/*"] {
            assert!(AllowList::loopback().allow(pattern).is_err(), "{pattern:?}");
        }
    }
}
