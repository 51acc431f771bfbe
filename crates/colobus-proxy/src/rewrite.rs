//! [`Rewriter`]: changes bodies on their way. Given to a proxy in [`ProxyOptions`](crate::ProxyOptions); called by the
//! exchanges with decoded bodies, before the gate.

use std::fmt;

use colobus_har::{Request, Response};

/// Chooses bodies by their heads, and changes them. Bodies that nobody wants stream as ever.
///
/// A body that is wanted is collected, its content-encoding is taken off, and whatever the rewriter returns is sent
/// without encoding, with a length, and without headers that describe the old bytes. Event streams and parts of a resource
/// (status 206) are never rewritten; bodies beyond [`Limits::rewritten_body`](crate::Limits::rewritten_body) and those that
/// do not decode pass unchanged, and [`Proxy::not_rewritten`](crate::Proxy::not_rewritten) tells them.
///
/// ```
/// use colobus_har::{Request, Response};
/// use colobus_proxy::Rewriter;
///
/// /// Adds a line to every script.
/// #[derive(Debug)]
/// struct Prelude;
///
/// impl Rewriter for Prelude {
///     fn wants_request(&self, _: &Request) -> bool {
///         false
///     }
///     fn rewrite_request(&self, _: &Request) -> Option<Vec<u8>> {
///         None
///     }
///     fn wants_response(&self, _: &Request, response: &Response) -> bool {
///         response.media_type() == "text/javascript"
///     }
///     fn rewrite_response(&self, _: &Request, response: &Response) -> Option<Vec<u8>> {
///         Some([b"let seen = [];\n", response.body.content.as_slice()].concat())
///     }
/// }
/// ```
pub trait Rewriter: fmt::Debug + Send + Sync {
    /// Whether the body of this request, which is not here yet, should be rewritten.
    fn wants_request(&self, request: &Request) -> bool;

    /// The new body of a request on its way to the server; `None` leaves it alone.
    fn rewrite_request(&self, request: &Request) -> Option<Vec<u8>>;

    /// Whether the body of this response, which is not here yet, should be rewritten.
    fn wants_response(&self, request: &Request, response: &Response) -> bool;

    /// The new body of a response on its way to the client; `None` leaves it alone.
    fn rewrite_response(&self, request: &Request, response: &Response) -> Option<Vec<u8>>;
}
