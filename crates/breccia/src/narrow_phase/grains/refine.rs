//! The exact least gap beside a contact knot.
//!
//! Along the slave the gap changes by g'(u) = n·C_s'(u), n being the normal of the master at the foot point. The
//! pair of conditions n_m·C_s' = 0 and (C_s − C_m)·C_m' = 0 stays regular as the gap vanishes, on overlap too.

use super::knots::{FACING, KnotHit};
use super::pose::Frame;
use crate::shapes::nurbs::{CurvePoint, FootPoint, NurbsOutline};
use glam::DVec2;

/// Slopes of the gap per length of the slave below this are flat: the knot stays.
const FLAT_SLOPE: f64 = 1e-9;
/// A search that gains less than this part of the slave's size leaves the knot alone.
const LEAST_GAIN: f64 = 1e-12;

/// A slave near its master.
pub(super) struct Meeting<'a> {
    pub master: &'a NurbsOutline,
    pub slave: &'a NurbsOutline,
    /// The slave in the frame of the master.
    pub frame: Frame,
    /// Largest gap of a contact [m].
    pub reach: f64,
}

/// A place on the slave, in the frame of the master.
#[derive(Clone, Copy)]
struct Place {
    parameter: f64,
    at: CurvePoint,
    foot: FootPoint,
}

impl Meeting<'_> {
    /// A point of the slave with its derivatives, in the frame of the master.
    fn slave_at(&self, u: f64) -> CurvePoint {
        self.placed(self.slave.at(u))
    }

    fn placed(&self, own: CurvePoint) -> CurvePoint {
        CurvePoint {
            position: self.frame.world(own.position),
            first: self.frame.world_vector(own.first),
            second: self.frame.world_vector(own.second),
        }
    }

    fn place(&self, u: f64) -> Place {
        let at = self.slave_at(u);
        Place { parameter: u, at, foot: self.master.foot_point(at.position) }
    }
}

/// Range of parameters of the slave from a knot in the direction in which the gap falls.
pub(super) struct Descent {
    /// Parameter of the knot.
    pub from: f64,
    /// Parameter of the neighbouring knot on that side; may lie outside of [0, 1).
    pub to: f64,
    /// Where an iteration may begin: at a corner not on it, where the curve has two derivatives.
    pub start: f64,
}

/// The side of a knot to which the gap falls, `normal` [slave] being that of the master; none if the knot is least.
pub(super) fn descent(slave: &NurbsOutline, knot: usize, normal: DVec2) -> Option<Descent> {
    let knots = slave.knots();
    let here = &knots[knot];
    let (after, before) = (slave.at(here.parameter), slave.before(here.parameter));
    let slope = |tangent: DVec2| normal.dot(tangent) / tangent.length();
    let next = knots[(knot + 1) % knots.len()].parameter;
    let last = knots[(knot + knots.len() - 1) % knots.len()].parameter;
    let from = here.parameter;
    let to = if slope(after.first) < -FLAT_SLOPE {
        if next > from { next } else { next + 1.0 }
    } else if slope(before.first) > FLAT_SLOPE {
        if last < from { last } else { last - 1.0 }
    } else {
        return None;
    };
    Some(Descent { from, to, start: if here.kink { 0.5 * (from + to) } else { from } })
}

/// Moves a hit of locally least gap to where the gap is least between its neighbours.
pub(super) fn refine(meeting: &Meeting, hit: &mut KnotHit) {
    let normal = meeting.frame.local_vector(hit.foot.normal);
    hit.least = true;
    let Some(range) = descent(meeting.slave, hit.knot as usize, normal) else { return };
    let size = meeting.slave.bounding_radius();
    let found =
        newton(meeting, hit, &range).filter(|place| place.foot.gap <= hit.foot.gap + LEAST_GAIN * size);
    let found = found.or_else(|| {
        bisect(meeting, hit, &range).filter(|place| place.foot.gap < hit.foot.gap - LEAST_GAIN * size)
    });
    let Some(place) = found else { return };
    let facing = place.foot.normal.dot(place.at.normal()) < FACING;
    if facing && place.foot.gap < meeting.reach {
        hit.point = place.at.position;
        hit.foot = place.foot;
        hit.corner = false;
    }
}

/// Newton's method for both parameters; nothing if it leaves the range or ends at another foot point.
fn newton(meeting: &Meeting, hit: &KnotHit, range: &Descent) -> Option<Place> {
    if hit.foot.kink {
        return None;
    }
    let (low, high) = (range.from.min(range.to), range.from.max(range.to));
    let (mut on_slave, mut on_master) = (range.start, hit.foot.parameter);
    let enough = 1e-11 * (high - low);
    for _ in 0..12 {
        let (s, m) = (meeting.slave_at(on_slave), meeting.master.at(on_master));
        let normal = m.normal();
        let away = s.position - m.position;
        let residual = DVec2::new(normal.dot(s.first), away.dot(m.first));
        let (a, b) = (normal.dot(s.second), m.curvature() * m.first.dot(s.first));
        let (c, d) = (s.first.dot(m.first), away.dot(m.second) - m.first.length_squared());
        let determinant = a * d - b * c;
        let step = DVec2::new(residual.x * d - residual.y * b, a * residual.y - c * residual.x) / determinant;
        if !step.is_finite() {
            return None;
        }
        on_master -= step.y;
        let next = (on_slave - step.x).clamp(low, high);
        let change = (next - on_slave).abs();
        let stuck = change == 0.0 && step.x.abs() > enough;
        on_slave = next;
        if stuck {
            return None;
        }
        if change <= enough && step.y.abs() <= 1e-9 {
            return verified(meeting, on_slave, on_master);
        }
    }
    None
}

/// The place found, if the master's nearest point is the one found with it.
fn verified(meeting: &Meeting, on_slave: f64, on_master: f64) -> Option<Place> {
    let place = meeting.place(on_slave);
    let expected = meeting.master.at(on_master).position;
    let near = 1e-6 * meeting.master.bounding_radius();
    (place.foot.point.distance(expected) <= near).then_some(place)
}

/// Halves the range by the sign of the slope of the gap; sharper than a comparison of gaps, which differ by the
/// square of the distance from the least one.
fn bisect(meeting: &Meeting, hit: &KnotHit, range: &Descent) -> Option<Place> {
    let direction = (range.to - range.from).signum();
    let (mut falling, mut rising) = (range.from, range.to);
    let mut least = hit.foot.gap;
    let mut best = None;
    while (rising - falling).abs() > 1e-11 * (range.to - range.from).abs() {
        let place = meeting.place(0.5 * (falling + rising));
        let slope = direction * place.foot.normal.dot(place.at.first);
        if slope < 0.0 && place.foot.gap <= least {
            falling = place.parameter;
            least = place.foot.gap;
            best = Some(place);
        } else {
            rising = place.parameter;
            if place.foot.gap <= least {
                best = Some(place);
            }
        }
    }
    best
}
