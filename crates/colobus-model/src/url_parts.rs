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

    /// Scheme and authority.
    pub fn origin(&self) -> &'a str {
        &self.url[..self.url.len() - self.rest.len()]
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
}
