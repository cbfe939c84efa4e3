//! Every pair in every image: slow, obviously right, the oracle of the other searches.

use super::{BoundsTable, BroadPhase, Candidate, Image};
use crate::model::Domain;
use glam::DVec3;

/// Tests all pairs.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    skin: f64,
    period: DVec3,
    images: Vec<Image>,
}

impl BroadPhase for BruteForce {
    fn rebuild(&mut self, _: &BoundsTable, skin: f64, domain: &Domain) {
        self.skin = skin;
        self.period = domain.period();
        let steps = |axis: usize| if domain.periodic[axis] { -1..=1 } else { 0..=0 };
        self.images.clear();
        for x in steps(0) {
            for y in steps(1) {
                self.images.extend(steps(2).map(|z| Image::new([x, y, z])));
            }
        }
    }

    fn visit_near(&self, bounds: &BoundsTable, a: u32, visit: &mut impl FnMut(Candidate)) {
        for b in a + 1..bounds.len() as u32 {
            for &image in &self.images {
                let pair = Candidate { a, b, image };
                if bounds.is_near(pair, self.period, self.skin) {
                    visit(pair);
                }
            }
        }
    }
}
