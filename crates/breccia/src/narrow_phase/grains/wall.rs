//! Contact knots of an outline against a straight wall.

use super::KnotSettings;
use super::knots::{FACING, Scratch, is_least};
use super::refine::{Descent, descent};
use crate::shapes::nurbs::NurbsOutline;
use glam::DVec2;

/// A point of a grain near a wall.
pub(super) struct WallHit {
    pub knot: u32,
    /// The point [m, body].
    pub point: DVec2,
    /// Its gap [m].
    pub gap: f64,
}

/// Knots of an outline with gaps below `reach` [m] to the wall n·x = `offset` [body].
pub(super) fn pass(
    outline: &NurbsOutline,
    normal: DVec2,
    offset: f64,
    reach: f64,
    settings: &KnotSettings,
    scratch: &mut Scratch,
) -> Vec<WallHit> {
    let gaps = &mut scratch.gaps;
    gaps.clear();
    gaps.resize(outline.knots().len(), f64::INFINITY);
    let mut hits = Vec::new();
    for (number, knot) in outline.knots().iter().enumerate() {
        let gap = normal.dot(knot.point) - offset;
        if gap < reach && normal.dot(knot.normal) < FACING {
            gaps[number] = gap;
            hits.push(WallHit { knot: number as u32, point: knot.point, gap });
        }
    }
    if settings.refine_minima {
        for hit in &mut hits {
            let number = hit.knot as usize;
            if !is_least(gaps, number, outline) {
                continue;
            }
            let Some(range) = descent(outline, number, normal) else { continue };
            let place = outline.at(lowest(outline, normal, &range));
            let gap = normal.dot(place.position) - offset;
            if gap < hit.gap && normal.dot(place.normal()) < FACING {
                *hit = WallHit { point: place.position, gap, ..*hit };
            }
        }
    }
    hits
}

/// Parameter at which the outline runs along the wall, the gap falling at the start of the range: Newton's method
/// kept in the range by bisection. The end of the range if the gap falls all the way.
fn lowest(outline: &NurbsOutline, normal: DVec2, range: &Descent) -> f64 {
    let direction = (range.to - range.from).signum();
    let (mut falling, mut rising) = (range.from, range.to);
    let enough = 1e-12 * (range.to - range.from).abs();
    let mut u = range.start;
    for _ in 0..60 {
        let place = outline.at(u);
        let slope = normal.dot(place.first);
        if direction * slope < 0.0 {
            falling = u;
        } else {
            rising = u;
        }
        let mut next = u - slope / normal.dot(place.second);
        if !((next - falling) * direction >= 0.0 && (rising - next) * direction >= 0.0) {
            next = 0.5 * (falling + rising);
        }
        let change = (next - u).abs();
        u = next;
        if change <= enough {
            break;
        }
    }
    u
}
