//! [`UrlParts`]: an address taken apart where its punctuation says so. Nothing is checked, decoded or changed: those who need a
//! host or a port that holds check them, with errors of their own.

/// The parts of an address such as `http://127.0.0.1:8080/notes?doc=x#end`.
///
/// ```
/// use colobus_model::UrlParts;
///
/// let parts = UrlParts::of("http://127.0.0.1:8080/notes?doc=x#end").unwrap();
/// assert_eq!((parts.scheme, parts.authority), ("http", "127.0.0.1:8080"));
/// assert_eq!((parts.origin(), parts.path()), ("http://127.0.0.1:8080", "/notes"));
/// assert_eq!(parts.path_and_query(), "/notes?doc=x");
/// assert_eq!(UrlParts::of("about:blank"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlParts<'a> {
    url: &'a str,
    pub scheme: &'a str,
    /// Host and port, as they are written.
    pub authority: &'a str,
    /// Path, query and fragment, as they are written; the path may be missing.
    pub rest: &'a str,
}

impl<'a> UrlParts<'a> {
    /// Nothing for what has no authority, such as `about:blank`.
    pub fn of(url: &'a str) -> Option<UrlParts<'a>> {
        let (scheme, behind) = url.split_once("://")?;
        let (authority, rest) = behind.split_at(behind.find(['/', '?', '#']).unwrap_or(behind.len()));
        Some(UrlParts { url, scheme, authority, rest })
    }

    /// The path of any address; of one without an authority, all that stands before query and fragment.
    pub fn path_of(url: &'a str) -> &'a str {
        UrlParts::of(url).map_or_else(|| url.split(['?', '#']).next().unwrap_or_default(), |parts| parts.path())
    }

    /// The query of any address, without its `?`; also of a fragment that has one, as in `#/page?id=1`.
    pub fn query_of(url: &'a str) -> &'a str {
        let behind = url.split_once('?').map_or("", |(_, behind)| behind);
        behind.split('#').next().unwrap_or_default()
    }

    /// Any address, with another query in the place of its own.
    pub fn with_query(url: &str, change: impl FnOnce(&str) -> String) -> String {
        let Some((page, behind)) = url.split_once('?') else { return url.to_string() };
        let query = UrlParts::query_of(url);
        format!("{page}?{}{}", change(query), &behind[query.len()..])
    }

    /// An address as it is written in something that came from another one, such as the `Location` of an answer; without its fragment.
    /// `None` if the other one has no authority.
    pub fn resolve(base: &str, written: &str) -> Option<String> {
        let base = UrlParts::of(base)?;
        let written = written.split('#').next().unwrap_or_default();
        if UrlParts::of(written).is_some() {
            return Some(written.to_string());
        }
        if written.starts_with("//") {
            return Some(format!("{}:{written}", base.scheme));
        }
        if written.is_empty() || written.starts_with('?') {
            return Some(format!("{}{}{written}", base.origin(), base.path()));
        }
        let (path, query) = written.split_at(written.find('?').unwrap_or(written.len()));
        let folder = match path.starts_with('/') {
            true => "",
            false => base.path().rsplit_once('/').map_or("", |(folder, _)| folder),
        };
        let path = format!("{folder}/{}", path.strip_prefix('/').unwrap_or(path));
        Some(format!("{}{}{query}", base.origin(), without_dots(&path)))
    }

    /// Any address, without a port that its scheme implies: pages leave that out, and proxies do not.
    pub fn without_default_port(url: &str) -> String {
        let Some(UrlParts { scheme, authority, rest, .. }) = UrlParts::of(url) else { return url.to_string() };
        let implied = if matches!(scheme, "https" | "wss") { ":443" } else { ":80" };
        format!("{scheme}://{}{rest}", authority.strip_suffix(implied).unwrap_or(authority))
    }

    /// Scheme and authority.
    pub fn origin(&self) -> &'a str {
        &self.url[..self.url.len() - self.rest.len()]
    }

    /// The authority without a user and a port.
    pub fn host(&self) -> &'a str {
        let host = self.authority.rsplit('@').next().unwrap_or_default();
        let colon = host.rfind(':').filter(|colon| !host[*colon..].contains(']'));
        &host[..colon.unwrap_or(host.len())]
    }

    /// At least `/`.
    pub fn path(&self) -> &'a str {
        let path = self.rest.split(['?', '#']).next().unwrap_or_default();
        if path.is_empty() { "/" } else { path }
    }

    /// As it is written, without the fragment; empty if there is neither.
    pub fn path_and_query(&self) -> &'a str {
        self.rest.split('#').next().unwrap_or_default()
    }
}

/// A path without its parts `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut ends_in_folder = false;
    for part in path.split('/').skip(1) {
        ends_in_folder = matches!(part, "." | "..");
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if ends_in_folder {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_ends_where_path_query_or_fragment_begin() {
        let origin = |url| UrlParts::of(url).map(|parts| parts.origin());
        assert_eq!(origin("http://127.0.0.1:80/a/b?c#d"), Some("http://127.0.0.1:80"));
        assert_eq!(origin("https://example.test?doc=a/b"), Some("https://example.test"));
        assert_eq!(origin("http://localhost:8080"), Some("http://localhost:8080"));
        assert_eq!(origin("about:blank"), None);
        let parts = UrlParts::of("ws://[::1]#x").unwrap();
        assert_eq!((parts.path(), parts.path_and_query(), parts.rest), ("/", "", "#x"));
        let paths = ["http://h/a/b.js?c", "http://h?c", "a/b.js#c"].map(UrlParts::path_of);
        assert_eq!(paths, ["/a/b.js", "/", "a/b.js"]);
    }

    #[test]
    fn a_host_has_neither_user_nor_port() {
        let host = |url| UrlParts::of(url).map(|parts| parts.host());
        for (url, expected) in [
            ("http://h", "h"),
            ("http://h:80/a:b", "h"),
            ("http://u:p@h:80?x", "h"),
            ("ws://[::1]:80", "[::1]"),
            ("ws://[::1]", "[::1]"),
        ] {
            assert_eq!(host(url), Some(expected), "{url}");
        }
    }

    #[test]
    fn a_query_ends_where_the_fragment_begins() {
        let queries = ["http://h/a?b=c#d?e", "a?b", "a#b?c=d", "a"].map(UrlParts::query_of);
        assert_eq!(queries, ["b=c", "b", "c=d", ""]);
        let shouted = ["http://h/a?b=c#d?e", "a?", "a"].map(|url| UrlParts::with_query(url, str::to_uppercase));
        assert_eq!(shouted, ["http://h/a?B=C#d?e", "a?", "a"]);
    }

    #[test]
    fn an_address_is_resolved_by_where_it_is_written() {
        let base = "http://h:80/a/b/c?d=1#e";
        for (written, resolved) in [
            ("https://other/x?y#z", "https://other/x?y"),
            ("//other/x", "http://other/x"),
            ("/x?y=/../1", "http://h:80/x?y=/../1"),
            ("x", "http://h:80/a/b/x"),
            ("./x", "http://h:80/a/b/x"),
            ("../x/", "http://h:80/a/x/"),
            ("../..", "http://h:80/"),
            ("?d=2", "http://h:80/a/b/c?d=2"),
            ("app.map", "http://h:80/a/b/app.map"),
        ] {
            assert_eq!(UrlParts::resolve(base, written).as_deref(), Some(resolved), "{written}");
        }
        assert_eq!(UrlParts::resolve("http://h", "x").as_deref(), Some("http://h/x"));
        assert_eq!(UrlParts::resolve("about:blank", "x"), None);
    }

    #[test]
    fn only_the_implied_port_is_left_out() {
        for (url, plain) in [
            ("wss://a.example:443/x?y=:443", "wss://a.example/x?y=:443"),
            ("ws://a.example:80", "ws://a.example"),
            ("https://a.example:80/", "https://a.example:80/"),
            ("http://127.0.0.1:3000/", "http://127.0.0.1:3000/"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(UrlParts::without_default_port(url), plain);
        }
    }
}
