//! Whether an outline crosses itself.

use super::ShapeError;
use super::piece::Piece;
use glam::DVec2;

/// Fewest segments an outline is tested with.
const SEGMENTS: usize = 400;

/// A straight part of the outline, standing for the curve between two parameters.
struct Segment {
    parameter: f64,
    from: DVec2,
    to: DVec2,
}

/// Tests the polyline through at least 400 points, corners among them.
pub(super) fn check_simple(pieces: &[Piece]) -> Result<(), ShapeError> {
    let segments = segments(pieces);
    let count = segments.len();
    let mut order: Vec<usize> = (0..count).collect();
    let low = |i: usize| segments[i].from.x.min(segments[i].to.x);
    let high = |i: usize| segments[i].from.x.max(segments[i].to.x);
    order.sort_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
    for (place, &i) in order.iter().enumerate() {
        for &j in order[place + 1..].iter().take_while(|&&j| low(j) <= high(i)) {
            let apart = i.abs_diff(j);
            let neighbours = apart == 1 || apart == count - 1;
            if !neighbours && meet(&segments[i], &segments[j]) {
                let (first, second) = (segments[i.min(j)].parameter, segments[i.max(j)].parameter);
                return Err(ShapeError::Crossing { first, second, point: segments[i].from });
            }
        }
    }
    Ok(())
}

fn segments(pieces: &[Piece]) -> Vec<Segment> {
    let parts = SEGMENTS.div_ceil(pieces.len()) as u32;
    let mut points = Vec::new();
    for piece in pieces {
        let (start, span) = (piece.cubic.start, piece.cubic.end - piece.cubic.start);
        points.extend((0..parts).map(|i| {
            let u = start + span * f64::from(i) / f64::from(parts);
            (u, piece.cubic.position(u))
        }));
    }
    let next = points.iter().cycle().skip(1);
    let pairs = points.iter().zip(next);
    pairs.map(|(&(parameter, from), &(_, to))| Segment { parameter, from, to }).collect()
}

/// Whether two segments share a point.
fn meet(a: &Segment, b: &Segment) -> bool {
    let side = |s: &Segment, p: DVec2| (s.to - s.from).perp_dot(p - s.from);
    let (b_from, b_to) = (side(a, b.from), side(a, b.to));
    let (a_from, a_to) = (side(b, a.from), side(b, a.to));
    if b_from == 0.0 && b_to == 0.0 {
        return boxes_meet(a, b);
    }
    b_from * b_to <= 0.0 && a_from * a_to <= 0.0
}

fn boxes_meet(a: &Segment, b: &Segment) -> bool {
    let (a_low, a_high) = (a.from.min(a.to), a.from.max(a.to));
    let (b_low, b_high) = (b.from.min(b.to), b.from.max(b.to));
    a_low.cmple(b_high).all() && b_low.cmple(a_high).all()
}
