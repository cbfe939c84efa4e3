//! Discs against outlines and discs: closed forms and foot points of the centre.

use super::knots::KnotHit;
use crate::shapes::nurbs::{FootPoint, NurbsOutline};
use glam::DVec2;

/// Contacts of a disc with centre `centre` [m, master] on an outline: one per local minimum of the distance, since
/// a disc can sit in a hollow on two points. Their numbers are those of the outline's knots before the foot points;
/// a second one after the same knot counts on from the number of knots.
pub(super) fn on_outline(
    outline: &NurbsOutline,
    centre: DVec2,
    radius: f64,
    reach: f64,
    mut found: impl FnMut(KnotHit),
) {
    let bound = outline.bounding_radius() + radius + reach;
    if centre.length_squared() >= bound * bound {
        return;
    }
    let mut hits: Vec<KnotHit> = outline
        .foot_points_around(centre, radius + reach)
        .into_iter()
        .map(|foot| {
            let point = centre - radius * foot.normal;
            let foot = FootPoint { gap: foot.gap - radius, ..foot };
            KnotHit { knot: interval(outline, foot.parameter), point, foot, least: true, corner: false }
        })
        .collect();
    hits.sort_by(|a, b| a.foot.parameter.total_cmp(&b.foot.parameter));
    let round = outline.knots().len() as u32;
    for place in 1..hits.len() {
        if hits[place].knot == hits[place - 1].knot % round {
            hits[place].knot = hits[place - 1].knot + round;
        }
    }
    hits.into_iter().for_each(&mut found);
}

/// Number of the last contact knot at or before a parameter, going round.
fn interval(outline: &NurbsOutline, parameter: f64) -> u32 {
    let knots = outline.knots();
    let after = knots.partition_point(|knot| knot.parameter <= parameter);
    ((after + knots.len() - 1) % knots.len()) as u32
}

/// Contact of a disc on another, whose centre is the origin; `away` is the centre of the slave [m].
pub(super) fn on_disc(master: f64, slave: f64, away: DVec2, reach: f64) -> Option<KnotHit> {
    let distance = away.length();
    let gap = distance - master - slave;
    if gap >= reach {
        return None;
    }
    let normal = if distance > 0.0 { away / distance } else { DVec2::Y };
    let foot = FootPoint { parameter: 0.0, point: master * normal, normal, gap, kink: false };
    Some(KnotHit { knot: 0, point: away - slave * normal, foot, least: true, corner: false })
}
