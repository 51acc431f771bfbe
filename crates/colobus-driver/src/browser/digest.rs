//! What has to be waited for after something happened to one page while the others wait: until the page has digested it,
//! and everything that is between page and proxy has arrived.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::client::Client;
use super::report::{Drain, drain};
use colobus_world::WorldError;

/// How long page and proxy may disagree on what cannot be known for sure: requests that never reach a proxy, such as those
/// answered by a cache, or those that wait in the browser for a free connection.
const BENEFIT_OF_DOUBT: Duration = Duration::from_millis(100);
/// How often a page is asked meanwhile, at least: on a busy machine everything takes longer, the answers as well.
const ASKED_IN_DOUBT: u32 = 40;
/// How long is waited before a page is asked again, if nothing moves.
const AGAIN: Duration = Duration::from_millis(2);

/// The time that page and proxy are given to agree.
struct Doubt {
    until: Instant,
    asked: u32,
}

impl Doubt {
    fn begin() -> Self {
        Doubt { until: Instant::now() + BENEFIT_OF_DOUBT, asked: 0 }
    }

    /// To be called each time that the page was asked.
    fn lasts(&mut self) -> bool {
        self.asked += 1;
        self.asked < ASKED_IN_DOUBT || Instant::now() < self.until
    }
}

/// Returns when the page has digested what happened to it, and the proxy has all that the page says it sent.
pub async fn digest(client: &Client, held: bool) -> Result<(), WorldError> {
    let (limit, mut doubt) = (Instant::now() + client.limit(), Doubt::begin());
    loop {
        let revision = client.proxy.counts().revision;
        let report = drain(client, Drain { requests: !held, frame: false }).await?;
        let unsure = held && doubt.lasts() && (report.has_stray_requests(client) || report.connecting > 0);
        if !(unsure || report.is_ahead(client)) || Instant::now() >= limit {
            return client.navigation_error().map_or(Ok(()), Err);
        }
        let _ = timeout(AGAIN, client.proxy.changed(revision)).await;
    }
}

/// Returns when the page has got all that its proxy let through, has digested it, and the proxy has all that it sent.
pub async fn receive(client: &Client) -> Result<(), WorldError> {
    let deadline = Instant::now() + client.limit();
    loop {
        digest(client, true).await?;
        let report = drain(client, Drain { requests: false, frame: false }).await?;
        let missing =
            report.is_behind(client) || report.has_half_open_sockets(client) || report.holds_dead_sockets(client);
        if !missing || Instant::now() >= deadline {
            return Ok(());
        }
    }
}

/// Returns when a piece of a response, let through after `pieces` others, has arrived in the page and is digested.
pub async fn receive_piece(client: &Client, pieces: u64) -> Result<(), WorldError> {
    // Workers receive pieces that the page's record does not show.
    let (limit, mut doubt) = (Instant::now() + client.limit(), Doubt::begin());
    while timeout(AGAIN, client.record.more_pieces(pieces)).await.is_err() && doubt.lasts() && Instant::now() < limit {
        drain(client, Drain { requests: false, frame: false }).await?;
    }
    receive(client).await
}
