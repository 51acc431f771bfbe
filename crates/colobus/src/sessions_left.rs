//! The end of a command that has asked a Selenium Grid for browsers: sessions that are still being opened or ended are waited for, so that
//! no browser stays behind.

use std::time::Duration;

use colobus_driver::UnderWay;

use crate::output::tell;

/// Longer waits are told.
const UNTOLD: Duration = Duration::from_secs(1);
/// How long a node may take to start or end a browser. A request that waits for a free place may wait for longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns when all are given back, or after a while.
pub fn wait() {
    let left = UnderWay::none_within(UNTOLD);
    if left == 0 {
        return;
    }
    tell(&format!("waiting for the Grid, to give back {} that it is opening or ending", sessions(left)));
    let left = UnderWay::none_within(PATIENCE);
    if left > 0 {
        tell(&format!(
            "note: the Grid has not answered about {}: a browser that it starts now is kept for its --session-timeout",
            sessions(left)
        ));
    }
}

fn sessions(count: usize) -> String {
    format!("{count} session{}", if count == 1 { "" } else { "s" })
}
