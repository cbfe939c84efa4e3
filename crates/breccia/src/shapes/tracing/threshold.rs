//! What is grain and what is background.

use super::GreyPicture;

/// Whether grains are darker or brighter than what is around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brightness {
    /// Dark grains on a bright ground.
    Dark,
    /// Bright grains on a dark ground.
    Bright,
}

/// A level of grey that parts grains from background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The level, 0 to 255.
    pub level: f64,
    /// Which side of it grains are on.
    pub brightness: Brightness,
}

impl Threshold {
    /// Threshold of a picture; what is not given is found: the level by Otsu's method, and grains are what most of the
    /// margin of the picture is not.
    pub fn choose(picture: &GreyPicture, level: Option<f64>, brightness: Option<Brightness>) -> Self {
        let level = level.unwrap_or_else(|| otsu(picture));
        let brightness = brightness.unwrap_or_else(|| {
            let margin = margin(picture);
            let bright = margin.iter().filter(|&&grey| f64::from(grey) > level).count();
            if 2 * bright >= margin.len() { Brightness::Dark } else { Brightness::Bright }
        });
        Self { level, brightness }
    }

    /// How far a grey is on the side of grains; negative in the background.
    pub fn height(&self, grey: f64) -> f64 {
        match self.brightness {
            Brightness::Dark => self.level - grey,
            Brightness::Bright => grey - self.level,
        }
    }
}

/// Level half-way between the mean greys of the two classes that Otsu's method finds (those with the largest variance
/// between them): where an edge blurred over pixels really runs.
pub fn otsu(picture: &GreyPicture) -> f64 {
    let mut counts = [0_u64; 256];
    picture.pixels.iter().for_each(|&grey| counts[grey as usize] += 1);
    let total: u64 = counts.iter().sum();
    let sum: u64 = counts.iter().zip(0..).map(|(count, grey)| count * grey).sum();
    let (mut below, mut below_sum) = (0_u64, 0_u64);
    let mut best = (-1.0, 127.5);
    for (count, grey) in counts.iter().zip(0_u64..) {
        below += count;
        below_sum += count * grey;
        let above = total - below;
        if below == 0 || above == 0 {
            continue;
        }
        let (dark, bright) = (below_sum as f64 / below as f64, (sum - below_sum) as f64 / above as f64);
        let variance = below as f64 * above as f64 * (bright - dark) * (bright - dark);
        if variance > best.0 {
            best = (variance, 0.5 * (dark + bright));
        }
    }
    best.1
}

/// Greys along the four sides.
fn margin(picture: &GreyPicture) -> Vec<u8> {
    let (w, h) = (picture.width, picture.height);
    let rows = (0..w).flat_map(|x| [picture.at(x, 0), picture.at(x, h - 1)]);
    rows.chain((0..h).flat_map(|y| [picture.at(0, y), picture.at(w - 1, y)])).collect()
}
