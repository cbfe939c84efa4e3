//! A point against the outline of a body in the plane: which segment it faces, how far, and how that distance changes.
//!
//! An outline is made of closed loops with the body on their left, so a segment's outward normal is its direction
//! turned clockwise. A point nearest to a vertex is measured against the line of one of the two segments that meet there,
//! so that the normal is always that of a segment and a contact force leaves no moment.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Closed loops of segments around a body, the body on their left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Start and end of each segment, numbers of nodes.
    pub segments: Vec<[u32; 2]>,
    /// Segment before each one.
    pub before: Vec<u32>,
    /// Segment after each one.
    pub after: Vec<u32>,
}

/// The segment a point faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing {
    /// Number of the segment in its outline.
    pub segment: u32,
    /// Distance from the segment's line, negative on the body's side [m].
    pub gap: f64,
    /// Distance from the outline [m], ≥ 0.
    pub distance: f64,
}

impl Outline {
    /// Outline of loops of nodes.
    pub fn new(loops: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut outline = Self::default();
        for nodes in loops {
            let first = outline.segments.len() as u32;
            let count = nodes.len() as u32;
            for k in 0..count {
                outline.segments.push([nodes[k as usize], nodes[((k + 1) % count) as usize]]);
                outline.before.push(first + (k + count - 1) % count);
                outline.after.push(first + (k + 1) % count);
            }
        }
        outline
    }

    /// Nodes on the outline, each once, in the order of the segments that start there.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.segments.iter().map(|&[start, _]| start)
    }

    /// The segment that a point faces when the nodes are at `x` [m]; nothing for an outline without segments.
    pub fn face(&self, point: DVec2, x: &[DVec2]) -> Option<Facing> {
        let mut best = (f64::INFINITY, 0, 0.0);
        for (number, &[start, end]) in self.segments.iter().enumerate() {
            let (from, to) = (x[start as usize], x[end as usize]);
            let along = to - from;
            let share = ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let squared = (point - from - share * along).length_squared();
            if squared < best.0 {
                best = (squared, number, share);
            }
        }
        let (squared, nearest, share) = best;
        if self.segments.is_empty() {
            return None;
        }
        let segment = if share <= 0.0 {
            self.at_vertex(self.before[nearest] as usize, nearest, point, x)
        } else if share >= 1.0 {
            self.at_vertex(nearest, self.after[nearest] as usize, point, x)
        } else {
            nearest
        };
        Some(Facing {
            segment: segment as u32,
            gap: self.line_distance(segment, point, x),
            distance: squared.sqrt(),
        })
    }

    /// Distance of a point from the line of a segment, negative on the body's side [m].
    pub fn line_distance(&self, segment: usize, point: DVec2, x: &[DVec2]) -> f64 {
        let [from, to] = self.segments[segment].map(|node| x[node as usize]);
        let along = to - from;
        -along.perp_dot(point - from) / along.length()
    }

    /// Which of two segments that meet in the vertex nearest to a point measures its distance: at a convex vertex the
    /// farther line, at a concave one the nearer or deeper.
    fn at_vertex(&self, before: usize, after: usize, point: DVec2, x: &[DVec2]) -> usize {
        let along = |segment: usize| {
            let [from, to] = self.segments[segment].map(|node| x[node as usize]);
            to - from
        };
        let convex = along(before).perp_dot(along(after)) >= 0.0;
        let after_is_farther = self.line_distance(after, point, x) > self.line_distance(before, point, x);
        if convex == after_is_farther { after } else { before }
    }
}

/// A point, and a segment it faces: normal, tangent and how they turn. Vectors over the point and the segment's ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentGeometry {
    /// Outward unit normal ν of the segment.
    pub normal: DVec2,
    /// Unit vector τ along the segment.
    pub tangent: DVec2,
    /// Length of the segment [m].
    pub length: f64,
    /// Where the point's foot lies: 0 at the start, 1 at the end, beyond where it leaves the segment.
    pub share: f64,
    /// Distance from the line, negative on the body's side [m].
    pub gap: f64,
}

/// A vector per point: the point itself, start and end of the segment.
pub type Triple = [DVec2; 3];

impl SegmentGeometry {
    /// Geometry of a point and a segment from start to end [m].
    pub fn new([point, start, end]: Triple) -> Self {
        let along = end - start;
        let length = along.length();
        let tangent = along / length;
        let normal = DVec2::new(tangent.y, -tangent.x);
        let arm = point - start;
        Self { normal, tangent, length, share: arm.dot(tangent) / length, gap: arm.dot(normal) }
    }

    /// N: derivative of the gap.
    pub fn gap_gradient(&self) -> Triple {
        self.spread(self.normal)
    }

    /// G_T = T + (g/l) N₀: length times the derivative of the foot's place. Free of moment, which T alone is not.
    pub fn slip_gradient(&self) -> Triple {
        let [point, start, end] = self.spread(self.tangent);
        let turn = self.gap / self.length * self.normal;
        [point, start - turn, end + turn]
    }

    /// D·Δ: change of the gap's gradient when the points move by Δ [m].
    pub fn gradient_change(&self, moves: &Triple) -> Triple {
        let tangent = self.spread(self.tangent);
        let turning = [DVec2::ZERO, -self.normal, self.normal];
        let along = dot(&tangent, moves);
        let turned = dot(&turning, moves);
        let scale = -1.0 / self.length;
        std::array::from_fn(|k| {
            scale * (tangent[k] * turned + turning[k] * (along + self.gap / self.length * turned))
        })
    }

    /// A vector on the point, shared with opposite sign by the segment's ends.
    fn spread(&self, vector: DVec2) -> Triple {
        [vector, -(1.0 - self.share) * vector, -self.share * vector]
    }
}

/// Sum of the products of two triples.
pub fn dot(a: &Triple, b: &Triple) -> f64 {
    a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2])
}

/// Whether two segments cross or touch.
pub fn cross(one: [DVec2; 2], other: [DVec2; 2]) -> bool {
    let side = |[from, to]: [DVec2; 2], point: DVec2| (to - from).perp_dot(point - from);
    let apart = |a: f64, b: f64| (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
    let boxes_apart = one[0].max(one[1]).cmplt(other[0].min(other[1])).any()
        || other[0].max(other[1]).cmplt(one[0].min(one[1])).any();
    !boxes_apart
        && !apart(side(one, other[0]), side(one, other[1]))
        && !apart(side(other, one[0]), side(other, one[1]))
}

#[cfg(test)]
mod tests;
