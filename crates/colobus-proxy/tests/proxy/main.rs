//! The proxy of a client against real sockets on loopback: the tests are both the browser and the application, and say
//! what either of them sees, byte by byte.

mod answerer;
mod barrier;
mod broken;
mod encoded;
mod forwarding;
mod gate;
mod gate_http;
mod http;
mod offline;
#[cfg(target_os = "linux")]
mod owner;
mod peer;
mod refusals;
mod rewriter;
mod rewriter_law;
mod secret;
mod server_events;
mod tap;
mod tls;
mod tunnel;
mod websocket;
