//! The running application: started and stopped, and watched while it works.

mod lifecycle;
mod pause;
mod watch;
