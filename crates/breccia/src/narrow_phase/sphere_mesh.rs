//! A sphere against a mesh: the Double Hierarchy method, free of element order and of the tessellation.
//!
//! ```text
//! candidates  → fast intersection test, closest point of each element and its type
//!             → local minima: an edge or vertex beside which the surface comes nearer is no contact
//!             → distance hierarchy (`survivors`), over all surfaces near the sphere
//! ```
//! Local minima need welded edges; at T-junctions and open seams the distance hierarchy alone decides.
//!
//! All in the mesh's own frame: a moving mesh is met by taking the centre of the sphere there.
//! Only + − × ÷ √ are used, but for the side of a vertex where an element faces away.

mod passage;

#[cfg(test)]
mod tests;

use super::hierarchy::{Candidate, survivors};
use super::sphere_polygon::{CornerPoints, Polygon};
use super::{FeatureKind, PolygonFeature, PolygonTouch};
use crate::math::{Real, Vec3};
use crate::shapes::mesh::{Beside, Element, PolygonMesh};
use glam::DVec3;

/// Name of a place on a mesh that can be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureKey {
    /// The inside of a coplanar patch, however it is cut into elements.
    Facet(u32),
    /// An edge.
    Edge(u32),
    /// A vertex.
    Vertex(u32),
}

impl FeatureKey {
    /// Ids below 2³⁰, the kind above them: different for all features of a mesh.
    pub fn number(self) -> u32 {
        match self {
            Self::Facet(patch) => patch,
            Self::Edge(id) => 1 << 30 | id,
            Self::Vertex(id) => 2 << 30 | id,
        }
    }

    /// The feature with this number; the inverse of [`Self::number`].
    pub fn from_number(number: u32) -> Self {
        let id = number & ((1 << 30) - 1);
        match number >> 30 {
            0 => Self::Facet(id),
            1 => Self::Edge(id),
            _ => Self::Vertex(id),
        }
    }

    /// Face, edge or vertex.
    pub fn kind(self) -> FeatureKind {
        match self {
            Self::Facet(_) => FeatureKind::Face,
            Self::Edge(_) => FeatureKind::Edge,
            Self::Vertex(_) => FeatureKind::Vertex,
        }
    }
}

/// One place where a sphere touches a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshTouch {
    /// What is touched.
    pub key: FeatureKey,
    /// The element that found it; the lowest of those around an edge or a vertex.
    pub element: u32,
    /// Touched point [m, mesh frame].
    pub point: DVec3,
    /// Unit vector from the mesh to the sphere [mesh frame]; always to the front of a one-sided mesh.
    pub normal: DVec3,
    /// From the point to the centre along the normal [m]; negative for a centre behind a one-sided mesh.
    pub distance: f64,
    /// Place on an edge, from 0 at its first vertex to 1 at its second; 0 elsewhere.
    pub eta: f64,
}

/// Depth below which the centre has come so near the surface that no normal can be trusted, as a part of the radius.
pub(super) const PASSED: f64 = 1e-9;

impl MeshTouch {
    /// Whether a touch that proved real shows that the centre of the sphere has passed the surface.
    pub fn shows_passage(&self, radius: f64) -> bool {
        self.distance < PASSED * radius
    }

    /// This touch among those of all surfaces near the sphere, of which this mesh is number `surface`.
    ///
    /// A facet seen from behind stays an ordinary candidate: at an edge the far side of the body looks like that,
    /// and hides behind the near side.
    pub fn candidate(&self, surface: u16) -> Candidate {
        let name = match self.key {
            // Elements of one patch meet in rounding only; they still need different names.
            FeatureKey::Facet(_) => self.element,
            FeatureKey::Edge(id) | FeatureKey::Vertex(id) => id,
        };
        Candidate {
            arm: self.normal * self.distance,
            distance: self.distance.abs(),
            kind: self.key.kind(),
            key: u64::from(surface) << 32 | u64::from(name),
        }
    }
}

/// What is asked: where does this sphere touch this mesh?
#[derive(Clone, Copy, Debug)]
pub struct MeshQuery<'a> {
    /// The mesh.
    pub mesh: &'a PolygonMesh,
    /// Elements that may be within reach, in any order.
    pub candidates: &'a [u32],
    /// Centre of the sphere [m, mesh frame].
    pub centre: DVec3,
    /// Radius of the sphere [m].
    pub radius: f64,
    /// Whether elements out of reach are sorted out before their closest points are looked for. The touches are the
    /// same without, found more slowly: for measuring what the test saves.
    pub fast_test: bool,
    /// What a quick look has told of the candidates, one for each; empty if there was none.
    pub beside: &'a [Beside],
}

/// How many elements or touches of spheres reached each stage of the search; sums over queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCounts {
    /// Elements on the list.
    pub candidates: u64,
    /// Elements that meet the sphere.
    pub intersecting: u64,
    /// Touches that are real.
    pub valid: u64,
}

impl std::ops::AddAssign for StageCounts {
    fn add_assign(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.intersecting += other.intersecting;
        self.valid += other.valid;
    }
}

/// The centre of a sphere is on the surface of a mesh or behind it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the centre of a sphere has passed the surface of a mesh at element {element}, by {depth} m")]
pub struct CentrePassed {
    /// The element.
    pub element: u32,
    /// Depth of the centre below the surface [m].
    pub depth: f64,
}

/// Buffers of the search, kept from query to query.
#[derive(Clone, Debug, Default)]
pub struct MeshScratch {
    hits: Vec<Hit>,
    candidates: Vec<Candidate>,
    kept: Vec<u32>,
}

/// The closest point of an element within reach.
#[derive(Clone, Copy, Debug)]
struct Hit {
    element: u32,
    key: FeatureKey,
    touch: PolygonTouch,
}

/// Slack within which a point counts as lying on another's tangent plane: that of the coordinates' own rounding.
///
/// `diagonal` [m] is that of the box around the mesh, `radius` [m] that of the sphere.
pub fn coplanar_tolerance(source_precision: f64, diagonal: f64, radius: f64) -> f64 {
    (8.0 * source_precision * diagonal / radius).clamp(1e-6, 1e-3)
}

/// Puts into `out` the real touches of one sphere with one mesh, by element.
///
/// `tolerance` is that of [`coplanar_tolerance`]. An error says that the centre has passed the surface; `out` then
/// still holds all touches. Where other surfaces may be near, [`local_minima`] of all of them go through
/// [`survivors`] together, and of those seen from behind only such count that the mesh does not hide
/// ([`MeshQuery::hides`]).
pub fn mesh_touches(
    query: &MeshQuery,
    tolerance: f64,
    scratch: &mut MeshScratch,
    out: &mut Vec<MeshTouch>,
) -> Result<StageCounts, CentrePassed> {
    out.clear();
    let mut counts = local_minima(query, scratch, out);
    keep_survivors(query.radius, tolerance, scratch, out);
    out.retain(|touch| touch.distance >= 0.0 || !query.hides(touch.element, touch.point));
    counts.valid = out.len() as u64;
    match out.iter().find(|touch| touch.shows_passage(query.radius)) {
        Some(touch) => Err(CentrePassed { element: touch.element, depth: -touch.distance }),
        None => Ok(counts),
    }
}

fn keep_survivors(radius: f64, tolerance: f64, scratch: &mut MeshScratch, touches: &mut Vec<MeshTouch>) {
    if touches.len() < 2 {
        return;
    }
    scratch.candidates.clear();
    scratch.candidates.extend(touches.iter().map(|touch| touch.candidate(0)));
    survivors(&scratch.candidates, radius, tolerance, &mut scratch.kept);
    scratch.kept.sort_unstable();
    for (place, &index) in scratch.kept.iter().enumerate() {
        touches[place] = touches[index as usize];
    }
    touches.truncate(scratch.kept.len());
}

/// Appends to `out` the touches of one sphere with one mesh beside which the surface does not come nearer, each edge
/// and vertex once, by element. They await [`survivors`]; in the counts they are not valid yet.
pub fn local_minima(query: &MeshQuery, scratch: &mut MeshScratch, out: &mut Vec<MeshTouch>) -> StageCounts {
    let hits = &mut scratch.hits;
    hits.clear();
    for (place, &element) in query.candidates.iter().enumerate() {
        if let Some(hit) = query.hit(place, element) {
            hits.push(hit);
        }
    }
    if hits.len() > 1 {
        hits.sort_unstable_by_key(|hit| hit.element);
        hits.dedup_by_key(|hit| hit.element);
    }
    for hit in hits.iter() {
        if speaks(hit, hits, query.mesh) {
            out.push(query.touch(hit));
        }
    }
    StageCounts { candidates: query.candidates.len() as u64, intersecting: hits.len() as u64, valid: 0 }
}

/// Relative difference of distance that makes a neighbour nearer.
const NEARER: f64 = 1e-9;

/// Whether a hit is a local minimum of the distance, and the first to report it. `hits` are sorted by element.
fn speaks(hit: &Hit, hits: &[Hit], mesh: &PolygonMesh) -> bool {
    let around = match hit.key {
        FeatureKey::Facet(_) => return true,
        FeatureKey::Edge(id) => mesh.edges[id as usize].elements.as_slice(),
        FeatureKey::Vertex(id) => mesh.vertex_elements(id),
    };
    let limit = hit.touch.distance * (1.0 - NEARER);
    // An element around the touched point is at least as near as the point, so it is among the hits.
    around.iter().filter(|&&element| element != hit.element).all(|element| {
        hits.binary_search_by_key(element, |other| other.element).map_or(true, |place| {
            let other = &hits[place];
            let told_before = other.key == hit.key && other.element < hit.element;
            other.touch.distance >= limit && !told_before
        })
    })
}

/// The touch of a sphere and an element of which it is known that the foot of the centre [m, mesh frame] lies inside it.
#[inline]
pub fn mesh_facet(mesh: &PolygonMesh, number: u32, centre: DVec3) -> MeshTouch {
    let element = &mesh.elements[number as usize];
    let (key, normal) = (FeatureKey::Facet(element.patch), element.normal);
    let [plane, anchor, centre] = [normal, element.anchor, centre].map(Vec3::splat);
    let (distance, Vec3 { x, y, z }) = foot::<f64>(plane, anchor, centre);
    MeshTouch { key, element: number, point: DVec3::new(x, y, z), normal, distance, eta: 0.0 }
}

/// Signed distances [m] of points from the planes with these unit normals through these anchors, positive in front, and the
/// points of the planes below them.
#[inline(always)]
pub(super) fn foot<R: Real>(normal: Vec3<R>, anchor: Vec3<R>, point: Vec3<R>) -> (R, Vec3<R>) {
    let height = normal.dot(point - anchor);
    (height, point - normal * height)
}

/// Whether an element comes nearer to a point [m, mesh frame] than `reach` [m].
pub fn intersects(mesh: &PolygonMesh, element: u32, point: DVec3, reach: f64) -> bool {
    let element = &mesh.elements[element as usize];
    let ids = element.vertices.as_slice();
    let corners = CornerPoints::gather(&mesh.vertices, ids);
    Polygon { corners: corners.as_slice(), ids, normal: element.normal }.intersects(point, reach)
}

impl MeshQuery<'_> {
    /// The closest point of an element, if it is within reach.
    #[inline]
    fn hit(&self, place: usize, number: u32) -> Option<Hit> {
        let beside = match self.beside.get(place) {
            _ if !self.fast_test => Beside::Unsure,
            Some(&beside) => beside,
            None => self.mesh.beside(number, self.centre, self.radius),
        };
        if beside == Beside::OutOfReach {
            return None;
        }
        let element = &self.mesh.elements[number as usize];
        let height = element_height(element, self.centre);
        if beside == Beside::Above {
            return self.facet_hit(number, element, height);
        }
        if self.fast_test && height.abs() > self.radius {
            return None;
        }
        self.outline_hit(number, element, height)
    }

    /// The foot of the centre, which lies inside an element.
    #[inline]
    fn facet_hit(&self, number: u32, element: &Element, height: f64) -> Option<Hit> {
        let (point, distance) = (self.centre - height * element.normal, height.abs());
        let touch = PolygonTouch { feature: PolygonFeature::Facet, point, distance, eta: 0.0 };
        (distance < self.radius).then_some(Hit {
            element: number,
            key: FeatureKey::Facet(element.patch),
            touch,
        })
    }

    /// The closest point of an element, wherever it is.
    fn outline_hit(&self, number: u32, element: &Element, height: f64) -> Option<Hit> {
        let ids = element.vertices.as_slice();
        let corners = CornerPoints::gather(&self.mesh.vertices, ids);
        let polygon = Polygon { corners: corners.as_slice(), ids, normal: element.normal };
        if self.fast_test && !polygon.reaches(self.centre, self.radius, height) {
            return None;
        }
        let touch = polygon.closest(self.centre);
        let key = global_key(element, touch.feature);
        (touch.distance < self.radius).then_some(Hit { element: number, key, touch })
    }

    fn touch(&self, hit: &Hit) -> MeshTouch {
        let PolygonTouch { point, distance, eta, .. } = hit.touch;
        let element = &self.mesh.elements[hit.element as usize];
        let arm = self.centre - point;
        let (outwards, behind) = match hit.key {
            FeatureKey::Facet(_) if arm.dot(element.normal) >= 0.0 => (element.normal, false),
            FeatureKey::Facet(_) => (-element.normal, true),
            _ if distance > 0.0 => (arm / distance, passage::is_behind(self.mesh, hit.key, arm)),
            _ => (element.normal, false),
        };
        let sign = if behind && !self.mesh.two_sided { -1.0 } else { 1.0 };
        let (normal, distance) = (sign * outwards, sign * distance);
        MeshTouch { key: hit.key, element: hit.element, point, normal, distance, eta }
    }
}

/// Signed distance [m] of a point from the plane of an element, positive in front.
#[inline]
fn element_height(element: &Element, point: DVec3) -> f64 {
    element.normal.dot(point - element.anchor)
}

fn global_key(element: &Element, feature: PolygonFeature) -> FeatureKey {
    match feature {
        PolygonFeature::Facet => FeatureKey::Facet(element.patch),
        PolygonFeature::Edge(k) => FeatureKey::Edge(element.edges.as_slice()[usize::from(k)]),
        PolygonFeature::Vertex(k) => FeatureKey::Vertex(element.vertices.as_slice()[usize::from(k)]),
    }
}
