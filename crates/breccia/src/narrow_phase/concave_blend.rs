//! Remedy for concave edges: facets fade in and out with their part of the sphere's section, from one energy.
//!
//! A plain facet contact appears at full depth when the centre first projects onto the facet. Here a plane patch P at
//! distance d counts by the share φ of the disc (foot Q of the centre, radius ρ = √(R² − d²)) that concave edges do not
//! cut off:
//!
//! ```text
//! U = Σ φ_P W(δ_P),   φ_P = [Q ∈ P] − Σ cut(edge)/(πρ²),   F = −∇U
//! cut = ½ (ρ² ψ − s ℓ),   ∇φ = Σ ℓ/(πρ²) (t + (s d/ρ²) n) + rays
//! ```
//! with, for each concave edge, its chord of length ℓ within the disc, the angle ψ of the chord seen from Q, the distance
//! s of Q from its line (positive on the patch's side) and the unit vector t into the patch. All edges of a polygon
//! together give exactly the area of the disc within it. Convex edges and rims cut nothing: where one of them meets a concave
//! edge within the disc, the cut ends at the ray from Q through their corner, and what this ray sweeps as Q moves belongs to ∇φ.

#[cfg(test)]
mod tests;

use super::{MeshQuery, intersects};
use crate::shapes::mesh::{EdgeKind, Element};
use glam::DVec3;
use std::f64::consts::PI;

/// A plane patch and the share it has in carrying a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetShare {
    /// Number of the coplanar patch.
    pub patch: u32,
    /// An element of it: the one under the foot, or the lowest within the sphere where the foot lies beyond the patch.
    pub element: u32,
    /// Foot of the centre on the plane [m, mesh frame]; it may lie beyond the patch.
    pub point: DVec3,
    /// Unit normal towards the centre [mesh frame].
    pub normal: DVec3,
    /// Distance of the centre from the plane [m].
    pub distance: f64,
    /// Share φ [–], above 0 and at most 1.
    pub share: f64,
    /// Derivative of φ by the place of the centre [1/m, mesh frame].
    pub gradient: DVec3,
}

/// Where the blending starts: a facet that carries the sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier {
    /// The element.
    pub element: u32,
    /// Whether the centre is in front of it (else behind a two-sided mesh).
    pub in_front: bool,
}

/// How far beyond an edge that cuts nothing a foot still counts as on the patch, as a part of the radius; touches that lean no
/// more than that over a facet lie in it.
pub(super) const ON_EDGE: f64 = 1e-9;

/// Least square of the length of a ray, as a part of that of the disc's radius: over a corner itself rays have no direction.
const NEAREST_RAY: f64 = 1e-12;

/// Puts into `out` all patches that share in carrying a sphere: those of the `carriers`, and those beyond concave edges
/// within the sphere. `carriers` is a buffer afterwards.
pub fn facet_shares(query: &MeshQuery, carriers: &mut Vec<Carrier>, out: &mut Vec<FacetShare>) {
    out.clear();
    let patch_of =
        |carrier: &Carrier| (query.mesh.elements[carrier.element as usize].patch, carrier.in_front);
    let mut next = 0;
    while next < carriers.len() {
        let carrier = carriers[next];
        let is_told = carriers[..next].iter().any(|other| patch_of(other) == patch_of(&carrier));
        if !is_told && let Some(share) = Patch::new(query, carrier).and_then(|patch| patch.share(carriers)) {
            out.push(share);
        }
        next += 1;
    }
}

/// The plane of a patch within a sphere.
struct Patch<'a> {
    query: &'a MeshQuery<'a>,
    number: u32,
    in_front: bool,
    normal: DVec3,
    foot: DVec3,
    distance: f64,
    disc_squared: f64,
}

/// What concave edges take from a disc.
#[derive(Default)]
struct Cuts {
    area: f64,
    gradient: DVec3,
}

impl<'a> Patch<'a> {
    /// The patch of a carrier; none when its plane does not meet the sphere, or only from behind.
    fn new(query: &'a MeshQuery<'a>, carrier: Carrier) -> Option<Self> {
        let element = &query.mesh.elements[carrier.element as usize];
        let normal = if carrier.in_front { element.normal } else { -element.normal };
        let corner = query.mesh.vertices[element.vertices.as_slice()[0] as usize];
        let distance = normal.dot(query.centre - corner);
        let disc_squared = query.radius * query.radius - distance * distance;
        let foot = query.centre - distance * normal;
        let (number, in_front) = (element.patch, carrier.in_front);
        let patch = Self { query, number, in_front, normal, foot, distance, disc_squared };
        (distance > 0.0 && disc_squared > 0.0).then_some(patch)
    }

    /// The patch's share; neighbours beyond concave edges within the sphere join the carriers.
    fn share(&self, carriers: &mut Vec<Carrier>) -> Option<FacetShare> {
        let mut cuts = Cuts::default();
        let (mut under_foot, mut within) = (None, None);
        for &number in self.query.candidates {
            let element = &self.query.mesh.elements[number as usize];
            if element.patch == self.number {
                let is_under_foot = self.cut_by(number, element, &mut cuts, carriers);
                // Which elements are listed besides depends on the reach of the lists: those must not decide.
                if is_under_foot {
                    under_foot.get_or_insert(number);
                } else if within.is_none()
                    && intersects(self.query.mesh, number, self.query.centre, self.query.radius)
                {
                    within = Some(number);
                }
            }
        }
        let is_inside = under_foot.is_some();
        let disc = PI * self.disc_squared;
        let share = f64::from(u8::from(is_inside)) - cuts.area / disc;
        let gradient = if share < 1.0 { cuts.gradient / disc } else { DVec3::ZERO };
        let element = under_foot.or(within)?;
        (share > 0.0).then_some(FacetShare {
            patch: self.number,
            element,
            point: self.foot,
            normal: self.normal,
            distance: self.distance,
            share: share.min(1.0),
            gradient,
        })
    }

    /// Adds the cuts of an element's concave edges; tells whether the foot lies on the element.
    fn cut_by(&self, number: u32, element: &Element, cuts: &mut Cuts, carriers: &mut Vec<Carrier>) -> bool {
        let mesh = self.query.mesh;
        let ids = element.vertices.as_slice();
        let mut is_inside = true;
        for (corner, &edge) in element.edges.as_slice().iter().enumerate() {
            let ends = [ids[corner], ids[(corner + 1) % ids.len()]].map(|id| mesh.vertices[id as usize]);
            let [from, to] = if self.in_front { ends } else { [ends[1], ends[0]] };
            let line = EdgeLine::new(from, to, self.foot, self.normal);
            let edge = &mesh.edges[edge as usize];
            if self.is_concave(edge.kind) {
                is_inside &= line.side >= 0.0;
                if line.cut(self, cuts) {
                    let others = edge.elements.as_slice().iter().filter(|&&other| other != number);
                    carriers.extend(others.map(|&element| Carrier { element, in_front: self.in_front }));
                }
            } else {
                is_inside &= line.side >= -ON_EDGE * self.query.radius;
            }
        }
        is_inside
    }

    /// Whether the surface rises beyond an edge, seen from the side of the centre.
    fn is_concave(&self, kind: EdgeKind) -> bool {
        kind == if self.in_front { EdgeKind::Concave } else { EdgeKind::Convex }
    }
}

/// An edge seen from the foot.
struct EdgeLine {
    /// From the foot to the edge's start [m].
    start: DVec3,
    /// Unit vector along the edge, the patch on its left.
    along: DVec3,
    /// Length [m].
    length: f64,
    /// Unit vector into the patch.
    inwards: DVec3,
    /// Distance of the foot from the line [m], positive on the patch's side; never −0, whose angle would be −π.
    side: f64,
}

impl EdgeLine {
    fn new(from: DVec3, to: DVec3, foot: DVec3, normal: DVec3) -> Self {
        let start = from - foot;
        let length = (to - from).length();
        let along = (to - from) / length;
        let inwards = normal.cross(along);
        Self { start, along, length, inwards, side: 0.0 - start.dot(inwards) }
    }

    /// Adds the cut of the edge; false when the edge is outside the disc.
    fn cut(&self, patch: &Patch, cuts: &mut Cuts) -> bool {
        let half_squared = patch.disc_squared - self.side * self.side;
        if half_squared <= 0.0 {
            return false;
        }
        let (half, middle) = (half_squared.sqrt(), -self.start.dot(self.along));
        let (begin, end) = ((middle - half).max(0.0), (middle + half).min(self.length));
        let chord = end - begin;
        if chord <= 0.0 {
            return false;
        }
        // Both ends of the chord seen from the foot: `side` across, these along.
        let (a, b) = (begin - middle, end - middle);
        let twice_triangle = self.side * chord;
        let angle = libm::atan2(twice_triangle, a * b + self.side * self.side);
        cuts.area += 0.5 * (patch.disc_squared * angle - twice_triangle);
        let lift = self.side * patch.distance / patch.disc_squared;
        cuts.gradient += chord * (self.inwards + lift * patch.normal);
        cuts.gradient += self.sweep(b, patch.disc_squared) - self.sweep(a, patch.disc_squared);
        true
    }

    /// What the ray from the foot through the end of a chord, `along` [m] from the middle of the line, sweeps between chord and
    /// circle as the foot moves [m]: nothing where the chord ends on the circle. Rays of two concave edges that meet cancel.
    fn sweep(&self, along: f64, disc_squared: f64) -> DVec3 {
        let squared = (self.side * self.side + along * along).max(NEAREST_RAY * disc_squared);
        0.5 * (disc_squared / squared - 1.0) * (self.side * self.along + along * self.inwards)
    }
}
