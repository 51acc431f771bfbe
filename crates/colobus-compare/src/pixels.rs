//! [`PixelSet`]: the changed places between two screenshots. Specks, regions of fewer than ten connected pixels, do not
//! count: they are anti-aliasing and not something a user did.

use std::io::Cursor;

use colobus_model::{Png, Rectangle};
use serde::{Deserialize, Serialize};

use crate::CompareError;

/// Regions with fewer connected pixels (all eight neighbours connect) are left out.
pub const SMALLEST_REGION: usize = 10;

/// A decoded screenshot, four bytes a pixel, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Picture {
    pub fn decode(png: &Png) -> Result<Picture, CompareError> {
        let undecodable = |error: png::DecodingError| CompareError::Undecodable(error.to_string());
        let mut decoder = png::Decoder::new(Cursor::new(&png.0[..]));
        decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().map_err(undecodable)?;
        let size = reader.output_buffer_size().ok_or_else(|| CompareError::Undecodable("it is too large".into()))?;
        let mut rgba = vec![0; size];
        let frame = reader.next_frame(&mut rgba).map_err(undecodable)?;
        if frame.color_type != png::ColorType::Rgba {
            return Err(CompareError::Undecodable(format!("unexpected colours {:?}", frame.color_type)));
        }
        rgba.truncate(frame.buffer_size());
        Ok(Picture { width: frame.width, height: frame.height, rgba })
    }

    /// Quickly: the fake world draws thousands a second, and compressing them well took more time than all the rest of a simulated search.
    pub fn encode(&self) -> Result<Png, CompareError> {
        let undecodable = |error: png::EncodingError| CompareError::Undecodable(error.to_string());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(undecodable)?;
        writer.write_image_data(&self.rgba).map_err(undecodable)?;
        writer.finish().map_err(undecodable)?;
        Ok(Png(bytes.into()))
    }

    fn row(&self, y: u32) -> &[u8] {
        let bytes = self.width as usize * 4;
        &self.rgba[y as usize * bytes..][..bytes]
    }
}

/// A set of pixels as horizontal runs, sorted by row and column, none touching the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PixelSet {
    runs: Vec<Run>,
}

/// Pixels `start..end` of row `y`; in files `[y, start, end]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32)", into = "(u32, u32, u32)")]
struct Run {
    y: u32,
    start: u32,
    end: u32,
}

impl From<(u32, u32, u32)> for Run {
    fn from((y, start, end): (u32, u32, u32)) -> Run {
        Run { y, start, end }
    }
}

impl From<Run> for (u32, u32, u32) {
    fn from(run: Run) -> (u32, u32, u32) {
        (run.y, run.start, run.end)
    }
}

impl PixelSet {
    /// How many runs of pixels in a row it consists of, which is what it takes in a file.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| (run.end - run.start) as usize).sum()
    }

    pub fn contains(&self, x: u32, y: u32) -> bool {
        self.runs.iter().any(|run| run.y == y && run.start <= x && x < run.end)
    }

    pub fn overlaps(&self, other: &PixelSet) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.runs.get(i), other.runs.get(j)) {
            if a.y == b.y && a.start < b.end && b.start < a.end {
                return true;
            }
            if (a.y, a.end) <= (b.y, b.end) {
                i += 1;
            } else {
                j += 1;
            }
        }
        false
    }

    /// The smallest rectangle around all of them.
    pub fn bounds(&self) -> Option<Rectangle> {
        let x = self.runs.iter().map(|run| run.start).min()?;
        let right = self.runs.iter().map(|run| run.end).max()?;
        let (y, bottom) = (self.runs.first()?.y, self.runs.last()?.y + 1);
        Some(Rectangle { x, y, width: right - x, height: bottom - y })
    }
}

/// The changed pixels between two screenshots. Equal files need no decoding.
pub fn changed_between(before: &Png, after: &Png, ignored: &[Rectangle]) -> Result<PixelSet, CompareError> {
    if before == after {
        return Ok(PixelSet::default());
    }
    Ok(changed_pixels(&Picture::decode(before)?, &Picture::decode(after)?, ignored))
}

/// The changed pixels between two pictures. What one has and the other, being smaller, has not is changed.
pub fn changed_pixels(before: &Picture, after: &Picture, ignored: &[Rectangle]) -> PixelSet {
    let mut runs = Vec::new();
    for y in 0..before.height.max(after.height) {
        let one = if y < before.height { before.row(y) } else { &[] };
        let other = if y < after.height { after.row(y) } else { &[] };
        if one != other {
            collect_runs(y, one, other, ignored, &mut runs);
        }
    }
    PixelSet { runs: without_specks(runs) }
}

fn collect_runs(y: u32, one: &[u8], other: &[u8], ignored: &[Rectangle], runs: &mut Vec<Run>) {
    let width = (one.len().max(other.len()) / 4) as u32;
    let differs = |x: u32| {
        let at = x as usize * 4..x as usize * 4 + 4;
        one.get(at.clone()) != other.get(at) && !ignored.iter().any(|area| inside(area, x, y))
    };
    let mut start = None;
    for x in 0..=width {
        match (x < width && differs(x), start) {
            (true, None) => start = Some(x),
            (false, Some(from)) => {
                runs.push(Run { y, start: from, end: x });
                start = None;
            }
            _ => {}
        }
    }
}

fn inside(area: &Rectangle, x: u32, y: u32) -> bool {
    x >= area.x && y >= area.y && x - area.x < area.width && y - area.y < area.height
}

/// Leaves out the runs of connected regions that are too small. Runs of neighbouring rows connect when they overlap or
/// touch at a corner.
fn without_specks(runs: Vec<Run>) -> Vec<Run> {
    let mut parent: Vec<usize> = (0..runs.len()).collect();
    let mut above = 0;
    for i in 0..runs.len() {
        let run = runs[i];
        while above < i && (runs[above].y + 1 < run.y || (runs[above].y + 1 == run.y && runs[above].end < run.start)) {
            above += 1;
        }
        let neighbours = (above..i).take_while(|&j| runs[j].y + 1 == run.y && runs[j].start <= run.end);
        for j in neighbours {
            let (a, b) = (root(&mut parent, i), root(&mut parent, j));
            parent[a] = b;
        }
    }
    let mut sizes = vec![0usize; runs.len()];
    for i in 0..runs.len() {
        sizes[root(&mut parent, i)] += (runs[i].end - runs[i].start) as usize;
    }
    let keep: Vec<bool> = (0..runs.len()).map(|i| sizes[root(&mut parent, i)] >= SMALLEST_REGION).collect();
    runs.into_iter().zip(keep).filter_map(|(run, keep)| keep.then_some(run)).collect()
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
