//! Processes and TCP sockets of this machine, as Linux shows them in `/proc` and by netlink. Read by `colobus-proxy`, which asks whose
//! connection it has accepted, and by `colobus-driver`, which asks whether an application has anything left to do. On other
//! systems there is nothing to read, and every answer is an error or empty.

mod process;
#[cfg(target_os = "linux")]
mod sock_diag;
mod tcp;

pub use process::{ProcessId, Status, open_sockets, processes, threads};
pub use tcp::{Tcp, TcpState, socket_inode, tcp_sockets};
