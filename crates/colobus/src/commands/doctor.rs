//! `colobus doctor`: what the machine and a Selenium Grid offer, and what is missing for a search on it.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use colobus_driver::{Hub, HubStatus, Node, Probe, probe};
use colobus_model::UrlParts;

use crate::args::DoctorArgs;
use crate::output::print;

/// How often the round trip is measured.
const ROUND_TRIPS: u32 = 10;
/// After a longer silence of a tool that was killed, its browsers are missed by others.
const LONG_TIMEOUT_MS: u64 = 60_000;

pub fn run(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let (Some(hub), Some(elsewhere)) = (args.grid.hub()?, args.grid.elsewhere(None)?) else {
        bail!("name the hub of a Selenium Grid: colobus doctor --grid http://hub:4444");
    };
    let asked = Instant::now();
    let status = hub.status()?;
    print(&format!("{}: {} ({} ms)\n", hub.url(), said(&status), asked.elapsed().as_millis()))?;
    for node in &status.nodes {
        print(&describe(node))?;
    }
    if status.usable_slots() == 0 {
        bail!(
            "no node of {} has a browser with DevTools (Chrome, Chromium, Edge)\n  start one: java -jar selenium-server.jar node --hub {}",
            hub.url(),
            hub.url()
        );
    }
    print(&format!("{} browsers can run at the same time\n", status.usable_slots()))?;
    let Probe { version, node, round_trip } =
        probe(&elsewhere, ROUND_TRIPS).map_err(|error| advise(&hub, elsewhere.listen, error))?;
    let on = node.map(|node| format!(" on {node}")).unwrap_or_default();
    print(&format!(
        "a session{on}: {version}, round trip {:.1} ms, reaches proxies at {}\n",
        round_trip.as_secs_f64() * 1000.0,
        elsewhere.listen
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn said(status: &HubStatus) -> String {
    let nodes = status.nodes.len();
    let message = if status.message.is_empty() { "it does not say how it is" } else { &status.message };
    format!("{message} {nodes} node{}", if nodes == 1 { "" } else { "s" })
}

fn describe(node: &Node) -> String {
    let usable: Vec<_> = node.slots.iter().filter(|slot| slot.has_devtools()).collect();
    let free = usable.iter().filter(|slot| slot.is_free()).count();
    let mut line = format!(
        "  {} ({}, {}): {} of {} places have DevTools, {free} of them free\n",
        node.uri,
        node.version.split_whitespace().next().unwrap_or("unknown version"),
        node.availability.to_lowercase(),
        usable.len(),
        node.slots.len()
    );
    if let Some(timeout) = node.session_timeout.filter(|timeout| *timeout > LONG_TIMEOUT_MS) {
        line.push_str(&format!(
            "    a browser of a tool that was killed is kept for {} s; --session-timeout 60 of the node shortens that\n",
            timeout / 1000
        ));
    }
    line
}

/// What to do if browsers do not reach this machine.
fn advise(hub: &Hub, listen: IpAddr, error: colobus_world::WorldError) -> anyhow::Error {
    match address_towards(hub.url()).filter(|ip| *ip != listen) {
        Some(ip) => anyhow::anyhow!("{error}\n  this machine has the address {ip} towards the hub: try --listen {ip}"),
        None => anyhow::anyhow!("{error}"),
    }
}

/// The address with which this machine would speak to the hub. Nothing is sent.
fn address_towards(hub: &str) -> Option<IpAddr> {
    let host = UrlParts::of(hub)?.authority;
    let to: SocketAddr =
        if host.contains(':') { host.to_string() } else { format!("{host}:80") }.to_socket_addrs().ok()?.next()?;
    let from = if to.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(to).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
