//! What two clients show, side by side: the part around what differs, in one PNG.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use anyhow::{Context, ensure};

/// Pixels around the difference that are shown as well.
const MARGIN: usize = 90;
const GAP: usize = 6;
const GREY: [u8; 3] = [128, 128, 128];

struct Image {
    width: usize,
    height: usize,
    /// Red, green and blue of each pixel, line by line.
    pixels: Vec<[u8; 3]>,
}

/// Writes the picture of a finding, whose folder has a screenshot of each client.
pub fn side_by_side(finding: &Path, target: &Path) -> anyhow::Result<()> {
    let (a, b) = (read(&finding.join("client-A.png"))?, read(&finding.join("client-B.png"))?);
    ensure!((a.width, a.height) == (b.width, b.height), "screenshots of {} differ in size", finding.display());
    let differing = (0..a.pixels.len()).filter(|index| a.pixels[*index] != b.pixels[*index]);
    let places: Vec<(usize, usize)> = differing.map(|index| (index % a.width, index / a.width)).collect();
    let span = |values: Vec<usize>, limit: usize| {
        let (first, last) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
        first.saturating_sub(MARGIN)..(last + MARGIN).min(limit)
    };
    let columns = span(places.iter().map(|place| place.0).collect(), a.width);
    let rows = span(places.iter().map(|place| place.1).collect(), a.height);
    let mut bytes = Vec::new();
    for row in rows.clone() {
        let line = |image: &Image| image.pixels[row * image.width..][columns.clone()].concat();
        bytes.extend(line(&a));
        bytes.extend([GREY; GAP].concat());
        bytes.extend(line(&b));
    }
    write(target, columns.len() * 2 + GAP, rows.len(), &bytes)
}

fn read(path: &Path) -> anyhow::Result<Image> {
    let file = File::open(path).with_context(|| format!("there is no {}", path.display()))?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().context("the screenshot is too large")?];
    let info = reader.next_frame(&mut bytes)?;
    let samples = info.color_type.samples();
    ensure!(samples >= 3, "{} has no colours", path.display());
    let pixels =
        bytes[..info.buffer_size()].chunks_exact(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Ok(Image { width: info.width as usize, height: info.height as usize, pixels })
}

fn write(path: &Path, width: usize, height: usize, bytes: &[u8]) -> anyhow::Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(bytes)?;
    Ok(())
}
