//! The proxy of a client against real sockets on loopback: the tests are both the browser and the application, and say
//! what either of them sees, byte by byte.

mod barrier;
mod forwarding;
mod gate;
mod gate_http;
mod http;
mod offline;
mod peer;
mod refusals;
mod server_events;
mod tap;
mod tls;
mod tunnel;
mod websocket;
