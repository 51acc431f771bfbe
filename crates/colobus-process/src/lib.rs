//! Processes and TCP sockets of this machine, as Linux shows them in `/proc`. Read by `colobus-proxy`, which asks whose
//! connection it has accepted, and by `colobus-driver`, which asks whether an application has anything left to do. On other
//! systems there is nothing to read, and every answer is an error or empty.

mod process;
mod tcp;

pub use process::{Status, open_sockets, processes, threads};
pub use tcp::{Tcp, TcpState, tcp_sockets};
