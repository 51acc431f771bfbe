//! [`Request`]: a request as patterns see it. Produced from exchanges and by the mock server, consumed by the matcher.

use serde_json::Value;

use crate::exchange::{Body, Exchange, header};
use crate::form;
use crate::schema::format::is_token;
use crate::url::{Address, encode};

/// Method, path, parameters of query and form, headers, and the body if it is JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    pub method: String,
    pub path: Vec<String>,
    pub parameters: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
    pub body: Option<Value>,
}

impl Request {
    /// A request for `target`, which may be a whole address or a path with a query.
    pub fn new(method: &str, target: &str, headers: &[(String, String)], body: Option<&Body>) -> Request {
        let Address { path, query, .. } = Address::parse(target);
        let mut parameters: Vec<(String, String)> = query.into_iter().filter(|pair| !is_cache_buster(pair)).collect();
        let fields = body.and_then(form::fields);
        let json = if fields.is_some() { None } else { body.and_then(Body::as_json) };
        parameters.extend(fields.unwrap_or_default());
        Request { method: method.to_ascii_uppercase(), path, parameters, headers: headers.to_vec(), body: json }
    }

    pub fn of(exchange: &Exchange) -> Request {
        Request::new(&exchange.method, &exchange.url, &exchange.request_headers, exchange.request_body.as_ref())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// A top-level field of the JSON body, if it is a string. GraphQL without `operationName` has it in the query.
    pub fn body_field(&self, name: &str) -> Option<String> {
        let body = self.body.as_ref()?;
        match body.get(name).and_then(Value::as_str) {
            Some(text) => Some(text.to_string()),
            None if name == "operationName" => graphql_name(body.get("query")?.as_str()?),
            None => None,
        }
    }
}

/// `query`, `mutation` or `subscription`, and the name behind it.
fn graphql_name(query: &str) -> Option<String> {
    let query = query.trim_start();
    let rest = ["query", "mutation", "subscription"].iter().find_map(|word| query.strip_prefix(word))?;
    let name: String = rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (rest.starts_with(char::is_whitespace) && !name.is_empty()).then_some(name)
}

/// A number of the clock or a hash that only keeps caches from answering: `_=1699…`, or `?1699…` alone.
fn is_cache_buster((name, value): &(String, String)) -> bool {
    let clock = |text: &str| (10..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    (value.is_empty() && clock(name)) || (name.starts_with('_') && clock(value)) || is_token(name)
}

impl std::fmt::Display for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path: Vec<String> = self.path.iter().map(|fragment| encode(fragment)).collect();
        write!(f, "{} /{}", self.method, path.join("/"))?;
        for (number, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{}={}", if number == 0 { '?' } else { '&' }, encode(name), encode(value))?;
        }
        for (name, value) in &self.headers {
            write!(f, " {name}: {value}")?;
        }
        match &self.body {
            Some(body) => write!(f, " {body}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_bodies_are_parameters_and_cache_busters_are_dropped() {
        let body = Body::new("application/x-www-form-urlencoded", "user=ann&pwd=a%26b");
        let request = Request::new("post", "http://h/users/login?_=1699999999999&lang=en", &[], Some(&body));
        assert_eq!(request.to_string(), "POST /users/login?lang=en&user=ann&pwd=a%26b");
        assert_eq!(Request::new("GET", "/a?1699999999", &[], None).to_string(), "GET /a");
    }

    #[test]
    fn graphql_operations_have_names() {
        let named =
            |body: Value| Request::new("POST", "/graphql", &[], Some(&Body::json(&body))).body_field("operationName");
        assert_eq!(named(serde_json::json!({"operationName": "A", "query": "query B {x}"})).as_deref(), Some("A"));
        assert_eq!(named(serde_json::json!({"query": " mutation Save($a: Int) {x}"})).as_deref(), Some("Save"));
        assert_eq!(named(serde_json::json!({"query": "{x}"})), None);
    }
}
