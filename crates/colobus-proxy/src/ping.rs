//! The barrier's ping: a WebSocket control frame whose payload is recognised in the answer, so that the page never sees
//! a pong it did not ask for.

const MARK: &[u8] = b"colobus-barrier:";

/// The masked ping with this number, as a client sends it. The key is zero: masking protects caches between a browser
/// and a server against hostile pages, and the content here is ours.
pub(super) fn frame(number: u64) -> Vec<u8> {
    let payload = [MARK, &number.to_be_bytes()].concat();
    let mut frame = vec![0x89, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    frame.extend(payload);
    frame
}

/// The number of the ping that this pong answers, if it was one of ours.
pub(super) fn number(pong: &[u8]) -> Option<u64> {
    let digits = pong.strip_prefix(MARK)?;
    digits.try_into().ok().map(u64::from_be_bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_comes_back() {
        let frame = super::frame(0x0102_0304_0506_0708);
        assert_eq!(super::number(&frame[6..]), Some(0x0102_0304_0506_0708));
        assert_eq!(super::number(b"colobus-barrier:short"), None);
        assert_eq!(super::number(b""), None);
    }
}
