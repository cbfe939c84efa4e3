//! The finished picture.

use super::raster::TileBuffer;
use crate::output::OutputError;
use crate::output::atomic::{Durability, write_atomically};
use std::io;
use std::path::Path;

/// Pixels, row by row from the top left; sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width [pixels].
    pub width: usize,
    /// Height [pixels].
    pub height: usize,
    /// Red, green, blue.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// A white picture.
    pub fn white(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![[255; 3]; width * height] }
    }

    /// Writes a PNG file.
    pub fn write_png(&self, path: &Path) -> Result<(), OutputError> {
        write_atomically(path, Durability::Process, |out| self.encode(out))
    }

    /// The picture as the bytes of a PNG file.
    pub fn png_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.encode(&mut bytes);
        bytes
    }

    fn encode(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(io_error)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(io_error)?;
        writer.finish().map_err(io_error)
    }

    /// Copies a smaller picture to a place; what hangs over is cut.
    pub(super) fn paste(&mut self, tile: &Image, x0: usize, y0: usize) {
        let columns = tile.width.min(self.width.saturating_sub(x0));
        for row in 0..tile.height.min(self.height.saturating_sub(y0)) {
            let to = (y0 + row) * self.width + x0;
            let from = row * tile.width;
            self.pixels[to..to + columns].copy_from_slice(&tile.pixels[from..from + columns]);
        }
    }

    /// Mixes a colour over a pixel; outside the picture nothing happens.
    pub(in crate::output) fn blend(&mut self, x: i64, y: i64, colour: [f64; 3], alpha: f64) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let pixel = &mut self.pixels[y as usize * self.width + x as usize];
        for (old, new) in pixel.iter_mut().zip(colour) {
            *old = to_byte((1.0 - alpha) * f64::from(*old) / 255.0 + alpha * new);
        }
    }
}

fn io_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(cause) => cause,
        other => io::Error::other(other),
    }
}

fn to_byte(value: f64) -> u8 {
    (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8
}

/// Averages the samples of each pixel (in squared colours) and goes back to sRGB.
pub(super) fn downsample(colours: &[[f64; 3]], buffer: &TileBuffer, factor: usize) -> Image {
    let (width, height) = (buffer.width / factor, buffer.height / factor);
    let mut tile = Image::white(width, height);
    for (index, pixel) in tile.pixels.iter_mut().enumerate() {
        let (x, y) = (index % width * factor, index / width * factor);
        for (channel, byte) in pixel.iter_mut().enumerate() {
            let row = |dy: usize| (0..factor).map(move |dx| (y + dy) * buffer.width + x + dx);
            let sum: f64 = (0..factor).flat_map(row).map(|sample| colours[sample][channel].min(1.0)).sum();
            *byte = to_byte((sum / (factor * factor) as f64).sqrt());
        }
    }
    tile
}
