//! How long learning takes for 100, 1,000 and 10,000 exchanges, and how many answers a mock makes up in a second.
//! `cargo bench --package colobus-learn`.

use std::time::Instant;

use colobus_learn::mock::Options;
use colobus_learn::{Body, Exchange, Learned, Mock, Request, plain, robust};
use serde_json::{Value, json};

/// A shop with users, orders and files: names, numbers and dates as identifiers.
fn traffic(count: usize) -> Vec<Exchange> {
    let names = ["alice", "bob", "carol", "dave", "erin", "frank"];
    (0..count).map(|number| exchange(number, names[number % names.len()])).collect()
}

fn exchange(number: usize, name: &str) -> Exchange {
    let user =
        json!({"login": name, "id": number, "mail": format!("{name}@example.org"), "roles": ["a", "b"], "last": null});
    let order =
        json!({"id": number, "total": 12.5, "lines": [{"sku": "x1", "count": number % 5, "price": 3.25}], "by": name});
    let (method, target, answer) = match number % 8 {
        0 => ("GET", "users".to_string(), json!([user, user])),
        1 => ("GET", format!("users/{name}"), user),
        2 => ("GET", format!("orders/{number}"), order),
        3 => ("GET", format!("orders?page={number}&size=20"), json!({"items": [order], "next": number + 1})),
        4 => ("GET", format!("users/{name}/orders"), json!([order])),
        5 => ("POST", "orders".to_string(), order),
        6 => (
            "GET",
            format!("reports/2024-01-{:02}", 1 + number % 28),
            json!({"day": "2024-01-01", "sum": number, "top": [name]}),
        ),
        _ => ("DELETE", format!("orders/{number}"), json!({"ok": true})),
    };
    Exchange {
        method: method.to_string(),
        url: format!("http://shop.example/{target}"),
        status: 200,
        response_body: Some(Body::json(&answer)),
        ..Exchange::default()
    }
}

fn main() {
    println!("{:>10} {:>12} {:>12} {:>12}", "exchanges", "operations", "robust ms", "plain ms");
    for count in [100, 1_000, 10_000] {
        let samples = traffic(count);
        let (learned, took) = timed(|| robust::learn(&samples));
        let (_, took_plain) = timed(|| plain::learn(&samples));
        println!("{count:>10} {:>12} {took:>12.1} {took_plain:>12.1}", learned.description.operations.len());
    }
    let Learned { description, schemas, .. } = robust::learn(&traffic(1_000));
    let Ok(mock) = Mock::new(description, schemas, Options::default()) else { return };
    let request = Request::new("GET", "/orders/7", &[], None);
    let answers = 100_000;
    let (bytes, took) = timed(|| (0..answers).map(|_| mock.answer(&request).body.len()).sum::<usize>());
    println!("{:.0} answers a second on one core, {} bytes each", f64::from(answers) / took * 1e3, bytes / 100_000);
    assert!(mock.answer(&request).value().is_some_and(|answer: Value| answer["id"] == 7));
}

/// A result and the milliseconds it took: the best of three.
fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let mut best = f64::INFINITY;
    let mut result = work();
    for _ in 0..3 {
        let start = Instant::now();
        result = work();
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    (result, best)
}
