//! URLs and host names of a configuration: enough of their syntax to tell a mistake before anything is started.

use colobus_model::UrlParts;

/// The parts of an `http` or `https` URL that a configuration needs.
#[derive(Debug, PartialEq, Eq)]
pub struct Address<'a> {
    pub secure: bool,
    pub host: &'a str,
    pub port: u16,
}

impl Address<'_> {
    pub fn is_loopback(&self) -> bool {
        let name = self.host.to_ascii_lowercase();
        let address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
    }
}

/// Reads a URL, or says what is wrong with it.
pub fn parse_url(text: &str) -> Result<Address<'_>, String> {
    if let Some(c) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        let shown = if c == ' ' { "a space".to_string() } else { format!("{c:?}") };
        return Err(format!("a URL cannot contain {shown}"));
    }
    let Some(UrlParts { scheme, authority, .. }) = UrlParts::of(text) else {
        return Err("a URL must begin with http:// or https://".to_string());
    };
    let secure = match scheme.to_ascii_lowercase().as_str() {
        "http" => false,
        "https" => true,
        _ => return Err(format!("a URL must begin with http:// or https://, not with {scheme}://")),
    };
    if authority.contains('@') {
        return Err("user names and passwords in the URL are not supported".to_string());
    }
    let (host, port) = split_port(authority)?;
    check_name(host)?;
    let port = port.unwrap_or(if secure { 443 } else { 80 });
    Ok(Address { secure, host, port })
}

/// `name`, `name:port` or `[ipv6]:port`.
fn split_port(authority: &str) -> Result<(&str, Option<u16>), String> {
    let split = match authority.rfind(']') {
        Some(bracket) => authority[bracket..].find(':').map(|colon| bracket + colon),
        None => authority.rfind(':'),
    };
    let Some(colon) = split else {
        return Ok((authority, None));
    };
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    match port.parse() {
        Ok(number) if number > 0 => Ok((host, Some(number))),
        _ => Err(format!("`{port}` is not a port: a number from 1 to 65535 follows the `:`")),
    }
}

/// A host of the list `hosts`: a name, an IP address, or `*.` and a name; then `:` and a port, or `:*` for all ports.
pub fn check_host(text: &str) -> Result<(), String> {
    if let Some(UrlParts { authority, .. }) = UrlParts::of(text) {
        return Err(format!("only host and port belong here: `{authority}`"));
    }
    if let Some((name, _)) = text.split_once('/').filter(|(name, _)| !name.is_empty()) {
        return Err(format!("only host and port belong here: `{name}`"));
    }
    let host = match text.strip_suffix(":*") {
        Some(host) => host,
        None => split_port(text)?.0,
    };
    check_name(host.strip_prefix("*.").unwrap_or(host))
}

fn check_name(host: &str) -> Result<(), String> {
    if host.is_empty() {
        return Err("the name of the host is missing".to_string());
    }
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return match inner.parse::<std::net::Ipv6Addr>() {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{inner}` is not an IPv6 address")),
        };
    }
    let label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if host.split('.').all(label) { Ok(()) } else { Err(format!("`{host}` is not a name of a host")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_urls() {
        for (url, secure, host, port) in [
            ("http://127.0.0.1:8080/?doc={doc}", false, "127.0.0.1", 8080),
            ("https://example.org", true, "example.org", 443),
            ("HTTP://fp.firebaseio.localhost:9000#x", false, "fp.firebaseio.localhost", 9000),
            ("http://[::1]:3000/a:b", false, "[::1]", 3000),
            ("http://localhost?x=http://other", false, "localhost", 80),
        ] {
            assert_eq!(parse_url(url), Ok(Address { secure, host, port }), "{url}");
        }
    }

    #[test]
    fn refuses_other_texts() {
        for (url, message) in [
            ("", "a URL must begin with http:// or https://"),
            ("localhost:8080", "a URL must begin with http:// or https://"),
            ("ftp://a", "a URL must begin with http:// or https://, not with ftp://"),
            ("http://", "the name of the host is missing"),
            ("http:///path", "the name of the host is missing"),
            ("http://:80", "the name of the host is missing"),
            ("http://a b", "a URL cannot contain a space"),
            ("http://a\tb", "a URL cannot contain '\\t'"),
            ("http://a:0", "`0` is not a port: a number from 1 to 65535 follows the `:`"),
            ("http://a:99999", "`99999` is not a port: a number from 1 to 65535 follows the `:`"),
            ("http://a:b/", "`b` is not a port: a number from 1 to 65535 follows the `:`"),
            ("http://a..b", "`a..b` is not a name of a host"),
            ("http://{doc}.localhost/", "`{doc}.localhost` is not a name of a host"),
            ("http://[::g]/", "`::g` is not an IPv6 address"),
            ("http://me:pw@a/", "user names and passwords in the URL are not supported"),
        ] {
            assert_eq!(parse_url(url), Err(message.to_string()), "{url}");
        }
    }

    #[test]
    fn reads_hosts() {
        for host in
            ["example.org", "*.example.org", "10.0.0.1", "[::1]", "api_1.local", "a.org:8080", "[::1]:80", "*.b.org:*"]
        {
            assert_eq!(check_host(host), Ok(()), "{host}");
        }
        for (host, message) in [
            ("https://example.org:81/x", "only host and port belong here: `example.org:81`"),
            ("example.org/x", "only host and port belong here: `example.org`"),
            ("example.org:0", "`0` is not a port: a number from 1 to 65535 follows the `:`"),
            ("example.org:http", "`http` is not a port: a number from 1 to 65535 follows the `:`"),
            (":80", "the name of the host is missing"),
            ("", "the name of the host is missing"),
            ("*", "`*` is not a name of a host"),
            ("*.", "the name of the host is missing"),
            ("a.*.b", "`a.*.b` is not a name of a host"),
        ] {
            assert_eq!(check_host(host), Err(message.to_string()), "{host}");
        }
    }
}
