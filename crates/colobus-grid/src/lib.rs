//! Browsers of a Selenium Grid. A [`Hub`] says which nodes it has ([`HubStatus`]) and opens [`GridSession`]s: browsers that are driven
//! through the DevTools endpoint that the session offers, and given back when it is dropped. Used by `colobus-driver` for worlds on
//! other machines, and by `colobus doctor`.

mod asking;
mod credentials;
mod error;
mod hub;
mod lost_answers;
mod session;
mod status;
mod tls;
mod under_way;
mod wanted;

pub use credentials::{Credentials, GRID_USER};
pub use error::GridError;
pub use hub::Hub;
pub use session::GridSession;
pub use status::{HubStatus, Node, Slot};
pub use under_way::UnderWay;
