//! Heads of HTTP/1.x messages: parsing, and the little that a proxy has to change in them.

mod headers;
mod plain;
mod replace;
mod reply;
mod request;
mod response;

pub(super) use headers::HeadError;
pub(super) use plain::{plain_request, plain_response};
pub(super) use replace::with_body;
pub(super) use reply::reply;
pub(super) use request::{Request, Target};
pub(super) use response::Response;

/// A head longer than this is refused; browsers and servers draw the line far below.
pub(super) const LONGEST_HEAD: usize = 128 * 1024;
