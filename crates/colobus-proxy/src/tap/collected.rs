//! [`Collected`]: the beginning of something larger, and how large that is.

#[derive(Debug, Default)]
pub(super) struct Collected {
    pub bytes: Vec<u8>,
    pub size: u64,
}

impl Collected {
    pub fn add(&mut self, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.size += bytes.len() as u64;
    }

    pub fn is_cut(&self) -> bool {
        self.size > self.bytes.len() as u64
    }
}
