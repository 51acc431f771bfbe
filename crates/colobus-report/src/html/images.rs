//! [`Images`]: the pictures of a page. Equal ones are kept once, and all of them together stay below a limit.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use colobus_model::Png;

/// Bytes of pictures that one page may hold; beyond it a page gets slow to open and to send around.
const LIMIT: usize = 24 << 20;

#[derive(Default)]
pub(super) struct Images {
    data_uris: Vec<String>,
    indices: HashMap<Vec<u8>, usize>,
    bytes: usize,
}

impl Images {
    /// The index of a picture among the data URIs, or `None` if the page is full.
    pub fn add(&mut self, png: &Png) -> Option<usize> {
        if let Some(index) = self.indices.get(&png.0[..]) {
            return Some(*index);
        }
        if self.bytes + png.0.len() > LIMIT {
            return None;
        }
        let index = self.data_uris.len();
        self.bytes += png.0.len();
        self.data_uris.push(format!("data:image/png;base64,{}", STANDARD.encode(&png.0)));
        self.indices.insert(png.0.to_vec(), index);
        Some(index)
    }

    pub fn into_data_uris(self) -> Vec<String> {
        self.data_uris
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pictures_are_kept_once_and_a_full_page_takes_no_more() {
        let picture = |size: usize, fill: u8| Png(vec![fill; size].into());
        let mut images = Images::default();
        assert_eq!(images.add(&picture(3, 1)), Some(0));
        assert_eq!(images.add(&picture(3, 2)), Some(1));
        assert_eq!(images.add(&picture(3, 1)), Some(0));
        assert_eq!(images.add(&picture(LIMIT, 1)), None);
        assert_eq!(images.add(&picture(3, 2)), Some(1));
        assert_eq!(images.into_data_uris(), ["data:image/png;base64,AQEB", "data:image/png;base64,AgIC"]);
    }
}
