//! Periodic images of the domain.

use crate::model::Domain;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// One of the 27 images around the domain, itself included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Image(u8);

impl Image {
    /// The domain itself.
    pub const NONE: Self = Self(13);
    /// Number of images.
    pub const COUNT: usize = 27;

    /// The image `steps` periods away; each step is −1, 0 or 1.
    pub fn new(steps: [i32; 3]) -> Self {
        debug_assert!(steps.iter().all(|s| (-1..=1).contains(s)));
        Self(((steps[0] + 1) * 9 + (steps[1] + 1) * 3 + steps[2] + 1) as u8)
    }

    /// The image in which b is nearest to a, for a separation a − b [m] of two places within the domain.
    pub fn nearest(separation: DVec3, domain: &Domain) -> Self {
        let period = domain.period();
        let step = |axis: usize| {
            if period[axis] > 0.0 { (separation[axis] / period[axis]).round() as i32 } else { 0 }
        };
        Self::new([step(0), step(1), step(2)].map(|step| step.clamp(-1, 1)))
    }

    /// The image seen from the other side.
    pub fn opposite(self) -> Self {
        Self(26 - self.0)
    }

    /// Number below [`Image::COUNT`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Periods along each axis: −1, 0 or 1.
    pub fn steps(self) -> [i32; 3] {
        [9, 3, 1].map(|divisor| i32::from(self.0 / divisor % 3) - 1)
    }

    /// What is added to a position seen in this image [m].
    pub fn shift(self, period: DVec3) -> DVec3 {
        let step = |divisor: u8| f64::from(i32::from(self.0 / divisor % 3) - 1);
        DVec3::new(step(9), step(3), step(1)) * period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_images_cancel() {
        let period = DVec3::new(1.0, 2.0, 3.0);
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let image = Image::new([x, y, z]);
                    let steps = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    assert_eq!(image.steps(), [x, y, z]);
                    assert_eq!(image.shift(period), period * steps);
                    assert_eq!(image.opposite().shift(period), -(period * steps));
                }
            }
        }
        assert_eq!(Image::NONE, Image::new([0; 3]));
    }
}
