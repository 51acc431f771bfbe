//! Pages in a real Chromium, without a world around them.

mod elsewhere;
mod frames;
mod quiet_listener;
mod server;
