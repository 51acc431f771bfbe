//! Everything that needs a real Chromium. A test per theme, each with a factory of its own, because browsers are what
//! takes the time.

mod activity;
mod after_load;
mod convergence;
mod costs;
mod determinism;
mod dom;
mod editors;
mod fields;
mod foreign_processes;
mod foreign_servers;
mod in_place;
mod locators;
mod looks;
mod order;
mod other_ports;
mod own;
mod polls;
mod problems;
mod recording;
mod resets;
mod round_trips;
mod secure;
mod selftest;
mod server;
mod service_workers;
mod session;
mod slow_servers;
mod stage;
mod storage;
mod together;
mod touched;
mod traffic;
mod workers;
mod wrapped_natives;
