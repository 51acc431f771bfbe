//! [`Areas`]: what of a picture is shown. Pixels that are not are black in the file itself, so that nothing is left of them.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

/// Pictures of more pixels are refused: no screen has them.
const MOST_PIXELS: u64 = 100_000_000;

/// A rectangle, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Areas {
    /// If there are any, everything else is black.
    pub keep: Vec<Area>,
    /// These are black, whatever is kept.
    pub hide: Vec<Area>,
}

#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be changed: {0}")]
pub struct PictureError(String);

impl Area {
    /// Whether any part of a pixel is in it.
    fn touches(&self, x: f64, y: f64) -> bool {
        x + 1.0 > self.x && x < self.x + self.width && y + 1.0 > self.y && y < self.y + self.height
    }

    /// Whether all of a pixel is.
    fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.x && x + 1.0 <= self.x + self.width && y >= self.y && y + 1.0 <= self.y + self.height
    }
}

impl Areas {
    pub fn shows(&self, x: u32, y: u32) -> bool {
        let (x, y) = (f64::from(x), f64::from(y));
        let kept = self.keep.is_empty() || self.keep.iter().any(|area| area.contains(x, y));
        kept && !self.hide.iter().any(|area| area.touches(x, y))
    }

    /// The picture with everything black that is not shown.
    pub fn apply(&self, png: &[u8]) -> Result<Vec<u8>, PictureError> {
        let wrong = |error: &dyn std::fmt::Display| PictureError(error.to_string());
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info().map_err(|error| wrong(&error))?;
        let (width, height) = (reader.info().width, reader.info().height);
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(PictureError(format!("{width} times {height} pixels are too many")));
        }
        let size = reader.output_buffer_size().ok_or_else(|| PictureError("it is too large".to_string()))?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels).map_err(|error| wrong(&error))?;
        let samples = info.color_type.samples();
        for (index, pixel) in pixels.chunks_exact_mut(samples).enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if !self.shows(index % width, index / width) {
                pixel.fill(0);
                // Black, and not transparent.
                if let Some(alpha) = pixel.last_mut() {
                    *alpha = u8::MAX;
                }
            }
        }
        let mut written = Vec::new();
        let mut encoder = Encoder::new(&mut written, width, height);
        let colour = if samples == 4 { ColorType::Rgba } else { ColorType::GrayscaleAlpha };
        encoder.set_color(colour);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| wrong(&error))?;
        writer.write_image_data(&pixels).map_err(|error| wrong(&error))?;
        writer.finish().map_err(|error| wrong(&error))?;
        Ok(written)
    }
}
