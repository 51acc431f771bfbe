//! `colobus doctor`: what the machine and a Selenium Grid offer, and what is missing for a search on it.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use colobus_driver::{Hub, HubStatus, Node, Probe, probe};
use colobus_model::UrlParts;
use colobus_world::WorldError;

use crate::args::{DoctorArgs, THE_GRID_ANSWERED};
use crate::output::print;
use crate::stop::{on_interrupt_of, unless_over};

/// How often the round trip is measured.
const ROUND_TRIPS: u32 = 10;
/// How many nodes are tried, each with a browser.
const MOST_PROBES: usize = 8;
/// After a longer silence of a tool that was killed, its browsers are missed by others.
const LONG_TIMEOUT_MS: u64 = 60_000;

pub fn run(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let (Some(hub), Some(elsewhere)) = (args.grid.hub()?, args.grid.elsewhere(None)?) else {
        bail!("name the hub of a Selenium Grid: colobus doctor --grid http://hub:4444");
    };
    // Before anything is printed: who reads it may answer with Ctrl-C.
    let stop = on_interrupt_of("sessions are given back")?;
    let asked = Instant::now();
    let asked_hub = hub.clone();
    let status = unless_over(&stop, THE_GRID_ANSWERED, move || asked_hub.status())??;
    print(&format!("{}: {} ({} ms)\n", hub.url(), said(&status), asked.elapsed().as_millis()))?;
    for node in &status.nodes {
        print(&describe(node))?;
    }
    status.ensure_usable(hub.url())?;
    match (status.nodes.is_empty(), status.usable_slots()) {
        // A Grid that grows with what is asked of it has no nodes while it is not asked.
        (true, _) => print(
            "no node is there: asking for a session, for which some Grids start a node; for others, start one with java -jar \
             selenium-server.jar node\n",
        )?,
        (false, 0) => {
            bail!("no node of {} is up: start one with java -jar selenium-server.jar node --hub {0}", hub.url())
        }
        (false, usable) => {
            print(&format!("{usable} browsers can run at the same time\n"))?;
            if status.free_slots() == 0 {
                print("all of them are in use: waiting for one\n")?;
            }
        }
    }
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unreachable: Option<String> = None;
    let browsers = status.nodes_with_free_slots().clamp(1, MOST_PROBES);
    let mut tell = |Probe { browser, round_trip, opening, unreachable: why }: Probe| {
        let reaches = if why.is_none() { "reaches" } else { "does not reach" };
        let line = format!(
            "a session: {browser}, round trip {:.1} ms, opened in {:.1} s, {reaches} proxies at {}\n",
            round_trip.as_secs_f64() * 1000.0,
            opening.as_secs_f64(),
            elsewhere.listen.ip
        );
        seen.entry(browser.version).or_default().extend(browser.node);
        unreachable = unreachable.take().or(why);
        print(&line).map_err(|error| WorldError::CannotRun(format!("{error:#}")))
    };
    let probed = probe(&elsewhere, browsers, ROUND_TRIPS, &mut tell, |listener| stop.on_set(listener));
    if let Err(WorldError::Stopped) = &probed {
        bail!("stopped before all nodes were tried");
    }
    probed.map_err(|error| advise(&hub, elsewhere.listen.ip, &error.to_string()))?;
    if let Some(why) = unreachable {
        return Err(advise(&hub, elsewhere.listen.ip, &why));
    }
    for remark in [different_versions(&seen), untried(status.nodes.len(), browsers)].into_iter().flatten() {
        print(&remark)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What follows from browsers of different versions, with the nodes of each.
fn different_versions(seen: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let of = |(version, nodes): (&String, &BTreeSet<String>)| {
        let nodes = nodes.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        format!("  {version}: {nodes}\n")
    };
    let told = "the nodes have different versions of the browser: what only one of them gets wrong comes and goes\n";
    (seen.len() > 1).then(|| told.to_string() + &seen.iter().map(of).collect::<String>())
}

/// The Grid chooses where a session is opened, and places in use are not waited for: some nodes were not tried.
fn untried(nodes: usize, tried: usize) -> Option<String> {
    let left = nodes.checked_sub(tried).filter(|left| *left > 0)?;
    Some(format!("at least {left} of {nodes} nodes had no browser started for this, and were not tried\n"))
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
fn advise(hub: &Hub, listen: IpAddr, error: &str) -> anyhow::Error {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_versions_are_told_with_their_nodes() {
        let node = |name: &str| BTreeSet::from([name.to_string()]);
        let same = BTreeMap::from([("Chrome/150".to_string(), node("http://a:5555"))]);
        assert_eq!(different_versions(&same), None);
        let mut mixed = same;
        mixed.insert("Chrome/151".to_string(), node("http://b:5555"));
        let told = different_versions(&mixed).unwrap();
        assert!(told.starts_with("the nodes have different versions of the browser"), "{told}");
        assert!(told.ends_with("  Chrome/150: http://a:5555\n  Chrome/151: http://b:5555\n"), "{told}");
    }

    #[test]
    fn nodes_that_were_not_tried_are_counted() {
        assert_eq!((untried(3, 3), untried(0, 1)), (None, None));
        assert!(untried(10, 8).unwrap().starts_with("at least 2 of 10 nodes"));
    }
}
