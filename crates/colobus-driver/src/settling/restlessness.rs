//! What does not come to rest, said for people: the end of a settling that took too long.

use colobus_model::{ClientId, Settle};
use tokio::time::timeout;

use super::limits::RESTLESSNESS;
use super::movement::movements;
use super::page_activity::PageRequest;
use crate::world::Client;

/// What moves and what is not answered; `stray` are requests of which only the pages know.
pub async fn restlessness(clients: &[Client], settle: &Settle, stray: &[PageRequest]) -> String {
    let before = movements(clients);
    let _ = timeout(RESTLESSNESS, std::future::pending::<()>()).await;
    let after = movements(clients);
    let mut moving: Vec<String> = before
        .iter()
        .zip(&after)
        .enumerate()
        .filter(|(_, (before, after))| before != after)
        .map(|(client, (before, after))| {
            format!("client {} {} in a quarter of a second", ClientId(client), after.since(before))
        })
        .collect();
    let open = clients.iter().flat_map(|client| client.proxy.in_flight()).filter(|request| !request.streams);
    moving.extend(open.map(|request| {
        let (method, url, age) = (request.method, request.url, request.age.as_millis());
        format!("{method} {url} is not answered for {age} ms (a long poll belongs to `settle.background`)")
    }));
    moving.extend(stray.iter().map(|request| {
        let (method, url, age) = (&request.method, &request.url, request.age().as_millis());
        format!("{method} {url} stays inside the browser for {age} ms (all connections to its server may be in use)")
    }));
    let what = if moving.is_empty() { "a page keeps itself busy".to_string() } else { moving.join("; ") };
    format!("not settled after {} ms: {what}", settle.limit_ms)
}
