//! The timers of a client's pages and web workers, moved from outside: polls that are let go off, time that passes. Used by the
//! barrier to follow pages that poll.

use std::slice::from_ref;
use std::time::Duration;

use colobus_world::WorldError;
use serde_json::{Value, json};

use crate::world::Client;

/// Lets the timers of a client's pages that poll go off once more: when their time comes, or at once.
pub async fn let_poll(client: &Client, at_once: bool) -> Result<(), WorldError> {
    tell_all(client, "polls.allow", json!(at_once)).await
}

/// Moves the clocks of a client's pages and web workers on, as far as the next poll.
pub async fn let_time_pass(client: &Client, time: Duration) -> Result<(), WorldError> {
    tell_all(client, "time.pass", json!(time.as_millis() as u64 + 1)).await
}

async fn tell_all(client: &Client, function: &str, argument: Value) -> Result<(), WorldError> {
    for tab in std::iter::once(client).chain(&client.tabs) {
        tab.page.ask(function, from_ref(&argument)).await?;
        let _: Vec<Value> = tab.workers.ask_all(function, from_ref(&argument), client.page.limit() / 4).await?;
    }
    Ok(())
}
