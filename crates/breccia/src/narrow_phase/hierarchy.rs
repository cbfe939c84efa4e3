//! Which of the touches of one sphere are real.
//!
//! Neighbouring surfaces each report their own closest point: beside a face the rim of its neighbour is also within
//! reach. A touch whose point lies on or behind the tangent plane of a nearer one is such an artefact.

#[cfg(test)]
mod tests;

use super::FeatureKind;
use glam::DVec3;

/// A touch that may turn out to be an artefact of how the surface is cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// From the touched point to the centre of the sphere [m].
    pub arm: DVec3,
    /// Distance to the centre [m]; zero or less for a centre on or behind a one-sided face.
    pub distance: f64,
    /// Face, edge or vertex.
    pub kind: FeatureKind,
    /// Name of the feature, different for all candidates; decides between equals.
    pub key: u64,
}

impl Candidate {
    /// True when the other's point lies on or behind the plane through this point normal to the arm.
    fn eliminates(&self, other: &Self, tolerance: f64) -> bool {
        other.arm.dot(self.arm) >= self.arm.length_squared() * (1.0 - tolerance)
    }

    /// A centre on or behind a face has no plane to judge by: such a touch lets others stay, and stays itself, because
    /// only its like come before it in the order.
    fn is_apart(&self) -> bool {
        self.distance <= 0.0
    }
}

/// Finest difference of distance that decides on order, as a part of the sphere's radius.
const DISTANCE_STEP: f64 = 1e-12;

/// Puts into `kept` the indices of the real touches of one sphere, nearest first, whatever the order of `candidates`.
///
/// `radius` is that of the sphere [m]; `tolerance` the relative slack that lets rounding count as coplanar (1e-6
/// unless the surface itself is coarser). A candidate survives when no surviving nearer one eliminates it.
pub fn survivors(candidates: &[Candidate], radius: f64, tolerance: f64, kept: &mut Vec<u32>) {
    kept.clear();
    kept.extend(0..candidates.len() as u32);
    // Steps of distance, not "equal within a tolerance": that would be no order at all.
    kept.sort_unstable_by_key(|&index| {
        let candidate = &candidates[index as usize];
        let steps = (candidate.distance / (DISTANCE_STEP * radius)).floor() as i64;
        (steps, candidate.kind, candidate.key)
    });
    let mut alive = 0;
    for place in 0..kept.len() {
        let candidate = &candidates[kept[place] as usize];
        let mut nearer = kept[..alive].iter().map(|&index| &candidates[index as usize]);
        let hidden = nearer.any(|other| !other.is_apart() && other.eliminates(candidate, tolerance));
        if !hidden {
            kept[alive] = kept[place];
            alive += 1;
        }
    }
    kept.truncate(alive);
}
