//! Pictures in grey, read from PNG files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A picture in grey, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreyPicture {
    /// Width [pixels].
    pub width: usize,
    /// Height [pixels].
    pub height: usize,
    /// 0 for black to 255 for white.
    pub pixels: Vec<u8>,
}

/// Why a picture cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file cannot be opened.
    #[error("cannot open {path}: {cause}")]
    Open {
        /// The file.
        path: String,
        /// The system's answer.
        cause: std::io::Error,
    },
    /// The file is no PNG picture, or a broken one.
    #[error("cannot read {path} as a PNG picture: {cause}")]
    Decode {
        /// The file.
        path: String,
        /// What is wrong.
        cause: String,
    },
}

impl GreyPicture {
    /// Reads a PNG file. Colours become grey by their luminance; what is transparent counts as white.
    ///
    /// # Errors
    /// If the file cannot be opened or is no sound PNG file.
    pub fn read_png(path: &Path) -> Result<Self, PictureError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|cause| PictureError::Open { path: name.clone(), cause })?;
        let broken = |cause: String| PictureError::Decode { path: name.clone(), cause };
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| broken(error.to_string()))?;
        let size = reader.output_buffer_size().ok_or_else(|| broken("it is too large".into()))?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).map_err(|error| broken(error.to_string()))?;
        bytes.truncate(info.buffer_size());
        let channels = info.color_type.samples();
        let pixels = bytes.chunks_exact(channels).map(grey).collect();
        Ok(Self { width: info.width as usize, height: info.height as usize, pixels })
    }

    /// Grey of a pixel.
    pub fn at(&self, x: usize, y: usize) -> u8 {
        self.pixels[y * self.width + x]
    }
}

/// Luminance of a pixel of one to four channels, laid on white.
fn grey(pixel: &[u8]) -> u8 {
    let (luminance, alpha) = match *pixel {
        [grey] => (u32::from(grey) * 1000, 255),
        [grey, alpha] => (u32::from(grey) * 1000, u32::from(alpha)),
        [r, g, b] => (weighted(r, g, b), 255),
        [r, g, b, alpha, ..] => (weighted(r, g, b), u32::from(alpha)),
        [] => (255_000, 255),
    };
    let laid_on_white = (luminance * alpha + 255_000 * (255 - alpha)) / 255;
    ((laid_on_white + 500) / 1000) as u8
}

/// A thousand times the luminance of a colour (ITU-R BT.601).
fn weighted(r: u8, g: u8, b: u8) -> u32 {
    299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)
}
