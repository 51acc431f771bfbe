//! The timers of a client's pages and web workers, moved from outside: polls that are let go off, time that passes. Used by the
//! barrier to follow pages that poll.

use std::time::Duration;

use colobus_browser::scripts;
use serde_json::json;

use crate::world::Client;
use colobus_world::WorldError;

/// Lets the timers of a client's pages that poll go off once more: when their time comes, or at once.
pub async fn let_poll(client: &Client, at_once: bool) -> Result<(), WorldError> {
    for tab in std::iter::once(client).chain(&client.tabs) {
        tab.page.ask("polls.allow", &[json!(at_once)]).await?;
        let question = scripts::call("polls.allow", &[json!(at_once)]);
        let _: Vec<serde_json::Value> = tab.workers.ask_all(&question, client.page.limit() / 4).await;
    }
    Ok(())
}

/// Moves the clocks of a client's pages and web workers on, as far as the next poll.
pub async fn let_time_pass(client: &Client, time: Duration) -> Result<(), WorldError> {
    let ms = json!(time.as_millis() as u64 + 1);
    for tab in std::iter::once(client).chain(&client.tabs) {
        tab.page.ask("time.pass", std::slice::from_ref(&ms)).await?;
        let question = scripts::call("time.pass", std::slice::from_ref(&ms));
        let _: Vec<serde_json::Value> = tab.workers.ask_all(&question, client.page.limit() / 4).await;
    }
    Ok(())
}
