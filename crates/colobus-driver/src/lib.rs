//! Worlds on real browsers: [`browser`] makes them with Chromium, behind proxies of `colobus-proxy`; [`subject`] is the
//! running application.

pub mod browser;
pub mod subject;
mod traffic;

pub use traffic::TrafficLog;
