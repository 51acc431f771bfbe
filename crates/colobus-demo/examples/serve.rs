//! Serves the editor by itself: `cargo run -p colobus-demo --example serve -- PORT [BUG...]`.

use colobus_demo::{DemoOptions, DemoServer};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().map_or(Ok(0), |port| port.parse())?;
    let bugs = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    let server = DemoServer::start(DemoOptions { port, bugs, ..DemoOptions::default() })?;
    println!("{}", server.url());
    server.wait();
    Ok(())
}
