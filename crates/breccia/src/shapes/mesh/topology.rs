//! Edges, their kinds, coplanar patches and the elements around each vertex.

use super::outlines::{Beside, OutlineLook, Outlines};
use super::{Corners, Edge, EdgeElements, EdgeKind, Element, PolygonMesh};
use crate::math::{Simd, Vec3};
use glam::DVec3;

/// Smallest angle α_0 that counts as a bend [rad].
const SMALLEST_BEND: f64 = 1e-6;

/// Rounding of the source coordinates tilts an element by this many times ε_mesh · box / height.
const TILT_FACTOR: f64 = 8.0;

/// One side of one element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    low: u32,
    high: u32,
    element: u32,
    corner: u32,
}

impl PolygonMesh {
    /// A mesh of polygons that are already planar, convex, welded and consistently oriented.
    ///
    /// None when a polygon has fewer than three or more than eight corners, names a vertex that is not there,
    /// or has no area.
    pub fn from_polygons(
        vertices: Vec<DVec3>,
        polygons: &[Vec<u32>],
        groups: &[u16],
        two_sided: bool,
        source_precision: f64,
    ) -> Option<Self> {
        let elements = polygons
            .iter()
            .enumerate()
            .map(|(i, polygon)| new_element(&vertices, polygon, groups.get(i).copied().unwrap_or(0)))
            .collect::<Option<Vec<_>>>()?;
        Some(Self::from_elements(vertices, elements, two_sided, source_precision))
    }

    /// As [`Self::from_polygons`], without the polygons that cannot be elements.
    pub(super) fn from_checked(
        vertices: Vec<DVec3>,
        polygons: &[Vec<u32>],
        groups: &[u16],
        two_sided: bool,
        source_precision: f64,
    ) -> Self {
        let pairs = polygons.iter().zip(groups);
        let elements = pairs.filter_map(|(polygon, &group)| new_element(&vertices, polygon, group)).collect();
        Self::from_elements(vertices, elements, two_sided, source_precision)
    }

    fn from_elements(
        vertices: Vec<DVec3>,
        mut elements: Vec<Element>,
        two_sided: bool,
        source_precision: f64,
    ) -> Self {
        let half_edges = sorted_half_edges(&elements);
        let tilt = TILT_FACTOR * source_precision * diagonal(&vertices);
        let edges = join_edges(&half_edges, &vertices, &mut elements, tilt);
        number_patches(&mut elements, &edges);
        let (incident_starts, incident_elements) = incidence(vertices.len(), &elements);
        let outlines = Outlines::new(&vertices, &elements);
        Self {
            vertices,
            elements,
            edges,
            two_sided,
            source_precision,
            outlines,
            incident_starts,
            incident_elements,
        }
    }

    /// How a point [m, mesh frame] lies beside an element that may be within `reach` [m].
    #[inline]
    pub fn beside(&self, element: u32, point: DVec3, reach: f64) -> Beside {
        let DVec3 { x, y, z } = point;
        self.look(&[element], Vec3 { x, y, z }, reach).verdict()
    }

    /// How points [m, mesh frame] lie beside elements, one for each, that may be within `reach` [m].
    #[inline(always)]
    pub fn look<S: Simd>(&self, elements: &[u32], point: Vec3<S>, reach: S) -> OutlineLook<S> {
        self.outlines.look(elements, point, reach)
    }

    /// Unit normals of some elements and a corner of each [m].
    #[inline(always)]
    pub fn facets<S: Simd>(&self, elements: &[u32]) -> [Vec3<S>; 2] {
        self.outlines.facets(elements)
    }

    /// The elements around a vertex, ascending; empty for an id that is not there.
    pub fn vertex_elements(&self, vertex: u32) -> &[u32] {
        let row = vertex as usize;
        match (self.incident_starts.get(row), self.incident_starts.get(row + 1)) {
            (Some(&start), Some(&end)) => &self.incident_elements[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Length of the diagonal of the box around all vertices [m].
pub(super) fn diagonal(vertices: &[DVec3]) -> f64 {
    let infinite = DVec3::splat(f64::INFINITY);
    let (min, max) = vertices.iter().fold((infinite, -infinite), |(a, b), &v| (a.min(v), b.max(v)));
    if vertices.is_empty() { 0.0 } else { (max - min).length() }
}

/// Twice the area of a polygon times its unit normal (Newell), from coordinates relative to its first corner.
pub(super) fn area_vector(corners: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(origin) = corners.clone().next() else { return DVec3::ZERO };
    let next = corners.clone().skip(1);
    corners.zip(next).map(|(a, b)| (a - origin).cross(b - origin)).sum()
}

fn new_element(vertices: &[DVec3], polygon: &[u32], group: u16) -> Option<Element> {
    let corners = Corners::new(polygon)?;
    if polygon.iter().any(|&id| id as usize >= vertices.len()) {
        return None;
    }
    let points = polygon.iter().map(|&id| vertices[id as usize]);
    let normal = area_vector(points.clone()).try_normalize()?;
    let offset = points.map(|p| normal.dot(p)).sum::<f64>() / polygon.len() as f64;
    let anchor = vertices[polygon[0] as usize];
    Some(Element { vertices: corners, edges: corners, normal, offset, anchor, patch: 0, group })
}

fn sorted_half_edges(elements: &[Element]) -> Vec<HalfEdge> {
    let mut half_edges = Vec::with_capacity(4 * elements.len());
    for (e, element) in elements.iter().enumerate() {
        let ids = element.vertices.as_slice();
        for (corner, &start) in ids.iter().enumerate() {
            let end = ids[(corner + 1) % ids.len()];
            half_edges.push(HalfEdge {
                low: start.min(end),
                high: start.max(end),
                element: e as u32,
                corner: corner as u32,
            });
        }
    }
    half_edges.sort_unstable();
    half_edges
}

/// Gathers the sides with the same ends into edges, and tells the elements their ids.
fn join_edges(sides: &[HalfEdge], vertices: &[DVec3], elements: &mut [Element], tilt: f64) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(sides.len() / 2);
    for run in sides.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        for side in run {
            elements[side.element as usize].edges.ids[side.corner as usize] = edges.len() as u32;
        }
        edges.push(new_edge(run, vertices, elements, tilt));
    }
    edges
}

fn new_edge(sides: &[HalfEdge], vertices: &[DVec3], elements: &[Element], tilt: f64) -> Edge {
    let ends = [sides[0].low, sides[0].high];
    let (owners, (kind, angle)) = match sides {
        [only] => (EdgeElements::One([only.element]), (EdgeKind::Boundary, 0.0)),
        [e, f] => (EdgeElements::Two([e.element, f.element]), bend(e, f, vertices, elements, tilt)),
        many => {
            (EdgeElements::Many(many.iter().map(|side| side.element).collect()), (EdgeKind::Boundary, 0.0))
        }
    };
    Edge { vertices: ends, elements: owners, kind, angle }
}

/// Kind of the edge between two elements, and the angle α [rad].
fn bend(e: &HalfEdge, f: &HalfEdge, vertices: &[DVec3], elements: &[Element], tilt: f64) -> (EdgeKind, f64) {
    let forward = runs_upwards(e, elements);
    if forward == runs_upwards(f, elements) {
        return (EdgeKind::Boundary, 0.0);
    }
    let ends = [vertices[e.low as usize], vertices[e.high as usize]];
    let upwards = (ends[1] - ends[0]).normalize_or_zero();
    let direction = if forward { upwards } else { -upwards };
    let (n_e, n_f) = (elements[e.element as usize].normal, elements[f.element as usize].normal);
    let angle = libm::atan2(n_e.cross(n_f).dot(direction), n_e.dot(n_f));
    let height = [e, f].map(|side| height_over(&elements[side.element as usize], vertices, ends[0], upwards));
    let threshold = (tilt / height[0].min(height[1])).max(SMALLEST_BEND);
    let kind = if angle.abs() < threshold {
        EdgeKind::Coplanar
    } else if angle > 0.0 {
        EdgeKind::Convex
    } else {
        EdgeKind::Concave
    };
    (kind, angle)
}

/// Whether the element runs counter-clockwise along the edge from its lower to its higher vertex.
fn runs_upwards(side: &HalfEdge, elements: &[Element]) -> bool {
    elements[side.element as usize].vertices.as_slice()[side.corner as usize] == side.low
}

/// Largest distance of a corner from the line through `point` along `direction` [m].
fn height_over(element: &Element, vertices: &[DVec3], point: DVec3, direction: DVec3) -> f64 {
    let corners = element.vertices.as_slice().iter().map(|&id| vertices[id as usize] - point);
    corners.map(|arm| arm.cross(direction).length()).fold(0.0, f64::max)
}

/// Numbers the groups of elements that coplanar edges connect, in the order of their first elements.
fn number_patches(elements: &mut [Element], edges: &[Edge]) {
    let mut sets = DisjointSets::new(elements.len());
    for edge in edges.iter().filter(|edge| edge.kind == EdgeKind::Coplanar) {
        if let EdgeElements::Two([e, f]) = edge.elements {
            sets.join(e, f);
        }
    }
    let mut patch_of_root = vec![u32::MAX; elements.len()];
    let mut count = 0;
    for (e, element) in elements.iter_mut().enumerate() {
        let patch = &mut patch_of_root[sets.root(e as u32) as usize];
        if *patch == u32::MAX {
            *patch = count;
            count += 1;
        }
        element.patch = *patch;
    }
}

/// Rows of elements around each vertex: starts and contents.
fn incidence(vertex_count: usize, elements: &[Element]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; vertex_count + 1];
    for &id in elements.iter().flat_map(|element| element.vertices.as_slice()) {
        starts[id as usize + 1] += 1;
    }
    for row in 0..vertex_count {
        starts[row + 1] += starts[row];
    }
    let mut next: Vec<u32> = starts.clone();
    let mut incident = vec![0; starts[vertex_count] as usize];
    for (e, element) in elements.iter().enumerate() {
        for &id in element.vertices.as_slice() {
            incident[next[id as usize] as usize] = e as u32;
            next[id as usize] += 1;
        }
    }
    (starts, incident)
}

/// Union–find with path halving; the smallest member is the root, so that the outcome has no history.
pub(super) struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one member each.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    /// Smallest member of the set that holds `member`.
    pub fn root(&mut self, mut member: u32) -> u32 {
        while self.parents[member as usize] != member {
            let grandparent = self.parents[self.parents[member as usize] as usize];
            self.parents[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// Makes one set of the two that hold `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
