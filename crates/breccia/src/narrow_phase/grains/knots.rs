//! Contact knots of one outline against another outline.

use super::KnotSettings;
use super::pose::Frame;
use super::refine::{Meeting, refine};
use crate::implicit::GrainContact;
use crate::shapes::nurbs::{FootPoint, NurbsOutline};
use glam::DVec2;

/// Normals of slave and master must have a product below this: less than zero by more than rounding, or the knots of
/// a flat side on another would run into the corner at its end.
pub(super) const FACING: f64 = -1e-9;

/// A point of a slave near its master, in the frame of the master.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnotHit {
    pub knot: u32,
    /// Point of the slave [m, master].
    pub point: DVec2,
    pub foot: FootPoint,
    /// Whether the gap is locally least here, to rounding: another pass may find the same place.
    pub least: bool,
    /// Whether the slave has a corner here.
    pub corner: bool,
}

impl KnotHit {
    /// The record of this hit, `master` being placed by `frame`.
    pub fn contact(&self, master: u32, slave: u32, frame: &Frame) -> GrainContact {
        GrainContact {
            master,
            slave,
            knot: self.knot,
            normal: frame.world_vector(self.foot.normal),
            point: frame.world(self.point),
            gap: self.foot.gap,
            master_parameter: self.foot.parameter,
        }
    }
}

/// Memory used again from pair to pair.
#[derive(Default)]
pub(super) struct Scratch {
    /// Gap per knot of the slave, infinite if it is no contact [m].
    pub gaps: Vec<f64>,
    /// Hits of both passes over a pair.
    pub hits: [Vec<KnotHit>; 2],
}

/// Contacts of the knots of the slave, into `hits`.
pub(super) fn outline_pass(
    meeting: &Meeting,
    settings: &KnotSettings,
    gaps: &mut Vec<f64>,
    hits: &mut Vec<KnotHit>,
) {
    let Meeting { master, slave, frame, reach } = meeting;
    hits.clear();
    gaps.clear();
    gaps.resize(slave.knots().len(), f64::INFINITY);
    let bound = master.bounding_radius() + reach;
    for (number, knot) in slave.knots().iter().enumerate() {
        let point = frame.world(knot.point);
        if point.length_squared() >= bound * bound {
            continue;
        }
        let Some(foot) = master.foot_within(point, *reach) else { continue };
        if foot.normal.dot(frame.world_vector(knot.normal)) < FACING {
            gaps[number] = foot.gap;
            hits.push(KnotHit { knot: number as u32, point, foot, least: false, corner: knot.kink });
        }
    }
    if settings.refine_minima {
        for hit in hits {
            if is_least(gaps, hit.knot as usize, slave) {
                refine(meeting, hit);
            }
        }
    }
}

/// Whether the gap of a knot is less than those of both neighbours, and not because of rounding alone.
pub(super) fn is_least(gaps: &[f64], knot: usize, slave: &NurbsOutline) -> bool {
    /// Gaps that differ by less than this part of the grain's size are equal: flat on flat.
    const FLAT: f64 = 1e-9;
    let count = gaps.len();
    let (before, here, after) = (gaps[(knot + count - 1) % count], gaps[knot], gaps[(knot + 1) % count]);
    let flat = FLAT * slave.bounding_radius();
    here < before && here <= after && (before - here >= flat || after - here >= flat)
}
