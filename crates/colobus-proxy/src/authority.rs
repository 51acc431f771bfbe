//! [`Authority`]: the `host:port` that a client asks for. Parsed strictly (no user info, no paths, no surrounding blanks), so
//! that a request cannot name one host and reach another.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// A host as a browser names it: lower case, without the final dot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    Name(String),
    Ip(IpAddr),
}

/// Where a connection should go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Authority {
    pub host: Host,
    pub port: u16,
}

impl Host {
    /// Accepts a DNS name, an IPv4 address, or an IPv6 address with or without brackets.
    pub fn parse(text: &str) -> Option<Host> {
        let unbracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(inner) = unbracketed {
            return inner.parse::<Ipv6Addr>().ok().map(|ip| Host::Ip(IpAddr::V6(ip)));
        }
        if let Ok(ip) = text.parse::<IpAddr>() {
            return Some(Host::Ip(ip));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let label_is_sound = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        (name.len() <= 253 && name.split('.').all(label_is_sound)).then_some(Host::Name(name))
    }

    /// Loopback addresses, `localhost`, and every name below it: they never leave the machine.
    pub fn is_loopback(&self) -> bool {
        match self {
            Host::Ip(ip) => ip.to_canonical().is_loopback(),
            Host::Name(name) => name == "localhost" || name.ends_with(".localhost"),
        }
    }
}

impl Authority {
    /// Parses `host`, `host:port` or `[v6]:port`; without a port the default of the scheme is taken, if there is one.
    pub fn parse(text: &str, default_port: Option<u16>) -> Option<Authority> {
        let host_end = if text.starts_with('[') { text.find(']')? + 1 } else { text.find(':').unwrap_or(text.len()) };
        let (host, rest) = text.split_at(host_end);
        let port = match rest.strip_prefix(':') {
            None if rest.is_empty() => default_port?,
            Some("") => default_port?,
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
            _ => return None,
        };
        let host = Host::parse(host)?;
        Some(Authority { host, port })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::Ip(IpAddr::V6(ip)) => write!(f, "[{ip}]"),
            Host::Ip(ip) => write!(f, "{ip}"),
        }
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_parse_and_print_the_same() {
        for text in ["localhost:80", "127.0.0.1:3000", "[::1]:8080", "a-b.example.org:1"] {
            assert_eq!(Authority::parse(text, None).unwrap().to_string(), text);
        }
        let bare = Authority::parse("Example.ORG.", Some(80)).unwrap();
        assert_eq!(bare.to_string(), "example.org:80");
        assert_eq!(Authority::parse("h:", Some(443)).unwrap().port, 443);
    }

    #[test]
    fn tricks_do_not_parse() {
        for text in [
            "",
            ":80",
            "localhost",
            "good@evil:80",
            "localhost:80@evil:80",
            "h:99999",
            "h:+80",
            "h:8 0",
            "a b:80",
            "[::1:80",
            "[::1]x:80",
            "[localhost]:80",
            "a..b:80",
            "h/p:80",
            "h\t:80",
            "%6c:80",
        ] {
            assert_eq!(Authority::parse(text, None), None, "{text:?}");
        }
    }

    #[test]
    fn loopback_is_told_from_names_that_resemble_it() {
        let loopback = |text| Host::parse(text).unwrap().is_loopback();
        for text in ["localhost", "LOCALHOST.", "app.localhost", "127.9.9.9", "::1", "[::ffff:127.0.0.1]"] {
            assert!(loopback(text), "{text}");
        }
        for text in ["localhost.example.org", "notlocalhost", "127.0.0.1.example.org", "10.0.0.1", "0.0.0.0"] {
            assert!(!loopback(text), "{text}");
        }
    }
}
