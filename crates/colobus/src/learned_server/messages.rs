//! Requests and answers between proxies and learned servers.

use colobus_driver::Answer;
use colobus_har::{Header, Request};
use colobus_learn::Body;

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let found = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    found.map(|header| header.value.as_str())
}

/// The page may read the answer, wherever it comes from.
pub(super) fn sharing(request: &Request) -> Vec<Header> {
    let Some(origin) = header(request, "origin") else { return Vec::new() };
    let mut headers = vec![
        Header::new("Access-Control-Allow-Origin", origin),
        Header::new("Access-Control-Allow-Credentials", "true"),
    ];
    for (name, asked) in [
        ("Access-Control-Allow-Methods", "access-control-request-method"),
        ("Access-Control-Allow-Headers", "access-control-request-headers"),
    ] {
        headers.extend(header(request, asked).map(|value| Header::new(name, value)));
    }
    headers
}

/// A request as patterns see it.
pub(super) fn learned(request: &Request) -> colobus_learn::Request {
    let headers: Vec<(String, String)> =
        request.headers.iter().map(|header| (header.name.clone(), header.value.clone())).collect();
    let content_type = header(request, "content-type").unwrap_or_default();
    let body = Body::new(content_type, request.body.content.clone());
    let body = Some(&body).filter(|body| !body.content.is_empty());
    colobus_learn::Request::new(&request.method, &request.url, &headers, body)
}

/// What a page of another origin is going to ask, if this is the browser's question whether it may.
pub(super) fn preflight(request: &Request) -> Option<Request> {
    let wanted = header(request, "access-control-request-method")?;
    Some(Request { method: wanted.to_string(), ..request.clone() })
}

/// It may.
pub(super) fn allowed(request: &Request) -> Answer {
    Answer { status: 204, headers: sharing(request), body: Vec::new() }
}
