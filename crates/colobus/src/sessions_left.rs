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
    if UnderWay::none_within(UNTOLD) {
        return;
    }
    tell("waiting for the Grid, to give back the sessions that it is opening or ending");
    if !UnderWay::none_within(PATIENCE) {
        tell("note: the Grid has not answered: a browser that it starts now is kept for its --session-timeout");
    }
}
