//! What requests and responses have in common: which headers concern one hop only, and how the body is framed.

use httparse::Header;

use super::super::split::body::Framing;
use super::LONGEST_HEAD;

pub(super) const MOST_HEADERS: usize = 256;

/// A head that cannot be forwarded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HeadError {
    #[error("the head does not parse: {0}")]
    Unparsable(#[from] httparse::Error),
    #[error("the head is longer than {} KiB", LONGEST_HEAD / 1024)]
    TooLong,
    #[error("the request target `{0}` is not one that a proxy serves")]
    BadTarget(String),
    #[error("the length of the body is given in contradictory or unknown ways")]
    AmbiguousBody,
    #[error("it switches to a protocol that was not asked for")]
    UnaskedUpgrade,
}

/// The length of the head at the beginning of `buffered`; `None` when it is not all there.
pub(super) fn length_of_head(status: httparse::Status<usize>, buffered: &[u8]) -> Result<Option<usize>, HeadError> {
    match status {
        httparse::Status::Complete(length) if length <= LONGEST_HEAD => Ok(Some(length)),
        httparse::Status::Partial if buffered.len() <= LONGEST_HEAD => Ok(None),
        _ => Err(HeadError::TooLong),
    }
}

/// Headers that describe the connection, not the message.
const HOP_BY_HOP: [&str; 7] =
    ["connection", "proxy-connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "upgrade"];

pub(super) struct Headers<'h>(pub &'h [Header<'h>]);

impl<'h> Headers<'h> {
    pub fn values(&self, name: &str) -> impl Iterator<Item = &'h str> {
        let matching = self.0.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
        matching.filter_map(|header| std::str::from_utf8(header.value).ok())
    }

    pub fn value(&self, name: &str) -> Option<&'h str> {
        self.values(name).next().map(str::trim)
    }

    /// Whether a header that is a list of tokens contains this one.
    pub fn lists(&self, name: &str, token: &str) -> bool {
        self.values(name).flat_map(|value| value.split(',')).any(|item| item.trim().eq_ignore_ascii_case(token))
    }

    pub fn concerns_one_hop(&self, name: &str) -> bool {
        HOP_BY_HOP.iter().any(|known| name.eq_ignore_ascii_case(known)) || self.lists("connection", name)
    }

    pub fn keeps_alive(&self, minor_version: u8) -> bool {
        match minor_version {
            0 => self.lists("connection", "keep-alive"),
            _ => !self.lists("connection", "close"),
        }
    }

    pub fn is_chunked(&self) -> Result<bool, HeadError> {
        match self.value("transfer-encoding") {
            None => Ok(false),
            Some(coding) if coding.eq_ignore_ascii_case("chunked") && self.values("transfer-encoding").count() == 1 => {
                Ok(true)
            }
            Some(_) => Err(HeadError::AmbiguousBody),
        }
    }

    pub fn content_length(&self) -> Result<Option<u64>, HeadError> {
        let mut length = None;
        for value in self.values("content-length") {
            let value = value.trim();
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let this = value.parse().ok().filter(|_| digits).ok_or(HeadError::AmbiguousBody)?;
            if length.is_some_and(|before: u64| before != this) {
                return Err(HeadError::AmbiguousBody);
            }
            length = Some(this);
        }
        Ok(length)
    }

    pub fn framing_of_request(&self) -> Result<Framing, HeadError> {
        match (self.is_chunked()?, self.content_length()?) {
            (true, Some(_)) => Err(HeadError::AmbiguousBody),
            (true, None) => Ok(Framing::Chunked),
            (false, Some(length)) => Ok(Framing::Length(length)),
            (false, None) => Ok(Framing::Empty),
        }
    }
}

pub(super) fn write_header(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}
