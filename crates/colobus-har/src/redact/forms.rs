//! Queries and forms: `name=value&name=value`.

use colobus_model::UrlParts;

use super::REDACTED;
use super::encoded::decoded;

/// An address without the values of these parameters.
pub(super) fn without_query_values(url: &str, is_secret: impl Fn(&str) -> bool) -> String {
    UrlParts::with_query(url, |query| without_values(query, is_secret))
}

/// The values of these parameters of an address.
pub(super) fn query_values(url: &str, is_secret: impl Fn(&str) -> bool) -> Vec<String> {
    values(UrlParts::query_of(url), is_secret)
}

pub(super) fn without_values(form: &str, is_secret: impl Fn(&str) -> bool) -> String {
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if is_secret(&decoded(name)) => format!("{name}={REDACTED}"),
        _ => pair.to_owned(),
    };
    form.split('&').map(pair).collect::<Vec<_>>().join("&")
}

pub(super) fn values(form: &str, is_secret: impl Fn(&str) -> bool) -> Vec<String> {
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(name, _)| is_secret(&decoded(name))).map(|(_, value)| decoded(value)).collect()
}

/// Name and value of every parameter of an address, decoded.
pub(crate) fn query(url: &str) -> Vec<(String, String)> {
    let pairs = UrlParts::query_of(url).split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(n, v)| (decoded(n), decoded(v))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_keep_their_place() {
        let is_secret = |name: &str| name == "p w";
        let url = "http://h/x?a=1&p%20w=top&p+w=secret&b#p w=3";
        assert_eq!(without_query_values(url, is_secret), "http://h/x?a=1&p%20w=[redacted]&p+w=[redacted]&b#p w=3");
        assert_eq!(query_values(url, is_secret), ["top", "secret"]);
        assert_eq!(query("/?a=1%202&b"), [("a".to_owned(), "1 2".to_owned()), ("b".to_owned(), String::new())]);
        assert_eq!(without_query_values("http://h/", is_secret), "http://h/");
    }
}
