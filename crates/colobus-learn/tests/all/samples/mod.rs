//! Traffic that tests learn from.

use colobus_learn::{Body, Exchange};
use serde_json::{Value, json};

/// An exchange that was answered with JSON.
pub fn exchange(method: &str, url: &str, answer: Value) -> Exchange {
    Exchange {
        method: method.to_string(),
        url: url.to_string(),
        status: 200,
        response_body: Some(Body::json(&answer)),
        ..Exchange::default()
    }
}

fn news(method: &str, target: &str, answer: Value) -> Exchange {
    exchange(method, &format!("http://www.example.org/{target}"), answer)
}

pub fn figure_10_6() -> Vec<Exchange> {
    vec![
        news("GET", "author?name=alice", json!({"id": 1, "name": "Alice", "stories": 10})),
        news("GET", "author?name=bob", json!({"id": 2, "name": "Bob", "stories": 12})),
        news(
            "GET",
            "author?name=charlie",
            json!({"id": 3, "name": "Charlie", "email": "charlie@example.org", "stories": 1}),
        ),
        news("GET", "author?name=eve", json!({"id": 3, "name": "Eve", "email": "eve@example.org", "stories": 1})),
        news("POST", "news/read", json!([{"id": 1, "title": "News 1"}, {"id": 2, "title": "News 2"}])),
    ]
}

pub fn figure_6_4() -> Vec<Exchange> {
    let mut samples = figure_10_6();
    samples.push(news("GET", "comments?newsId=1", json!([{"author": "John Doe", "comment": "..."}])));
    samples.push(news("GET", "comments?newsId=2", json!([{"author": "Jane Doe", "comment": "..."}])));
    samples
}
