//! The inside of a closed mesh, to be filled with spheres.

use super::sphere_volume;
use crate::model::MeshSurface;
use crate::motion::Pose;
use crate::scene::random::RandomStream;
use glam::{DVec3, UVec3};
use serde::Serialize;
use std::sync::Arc;

/// Boxes along each axis into which the box around the mesh is cut.
const BOXES_PER_AXIS: u32 = 32;

/// Places tried before a sphere is said not to fit.
const FITTING_TRIES: u32 = 20_000;

/// The inside of a closed mesh at its place at the start of the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshRegion {
    /// Name of the mesh.
    pub name: String,
    #[serde(skip)]
    surface: Arc<MeshSurface>,
    /// world_from_mesh at the start of the run.
    #[serde(skip)]
    pose: Pose,
    /// Lower corner of the box around the mesh [m, mesh frame].
    #[serde(skip)]
    low: DVec3,
    /// Size of one of the boxes it is cut into [m].
    #[serde(skip)]
    box_size: DVec3,
    /// The boxes that are not wholly outside: what is sampled, so that a thin mesh is filled as fast as a thick one.
    #[serde(skip)]
    boxes: Vec<UVec3>,
}

impl MeshRegion {
    /// The inside of a mesh; none when it is not closed.
    pub fn new(name: impl Into<String>, surface: Arc<MeshSurface>, pose: Pose) -> Option<Self> {
        let (low, high) = surface.mesh.bounding_box()?;
        if !surface.mesh.is_closed() {
            return None;
        }
        let box_size = (high - low) / f64::from(BOXES_PER_AXIS);
        let mut region = Self { name: name.into(), surface, pose, low, box_size, boxes: Vec::new() };
        region.boxes = region.boxes_not_outside();
        Some(region)
    }

    fn boxes_not_outside(&self) -> Vec<UVec3> {
        let half_diagonal = 0.5 * self.box_size.length();
        let range = || 0..BOXES_PER_AXIS;
        let all = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| UVec3::new(x, y, z))));
        all.filter(|place| {
            let centre = self.low + (place.as_dvec3() + 0.5) * self.box_size;
            self.surface.is_near(centre, half_diagonal) || self.surface.is_inside(centre, half_diagonal)
        })
        .collect()
    }

    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        self.surface.mesh.volume().abs()
    }

    /// No larger radius [m] can fit: that of the box around it, and of a sphere of the same volume.
    pub fn radius_bound(&self) -> f64 {
        let half = 0.5 * f64::from(BOXES_PER_AXIS) * self.box_size.min_element();
        half.min(libm::cbrt(self.volume() / sphere_volume(1.0)))
    }

    /// Corners of the axis-aligned box around it [m, world].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let points = self.surface.mesh.vertices.iter().map(|&vertex| self.pose.point_to_world(vertex));
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    }

    /// Whether a whole sphere at `centre` [m, world] lies inside.
    pub fn holds(&self, centre: DVec3, radius: f64) -> bool {
        self.surface.holds(self.pose.point_to_body(centre), radius)
    }

    /// A place at random, all equally likely, if a whole sphere lies inside there.
    pub fn sample_centre(&self, radius: f64, stream: &mut RandomStream) -> Option<DVec3> {
        let number = (stream.between(0.0, 1.0) * self.boxes.len() as f64) as usize;
        let place = self.boxes.get(number)?.as_dvec3();
        let within = DVec3::from_array([0, 1, 2].map(|_| stream.between(0.0, 1.0)));
        let centre = self.pose.point_to_world(self.low + (place + within) * self.box_size);
        self.holds(centre, radius).then_some(centre)
    }

    /// Whether a place for a sphere is found at all.
    pub fn fits(&self, radius: f64) -> bool {
        let mut stream = RandomStream::new(0);
        radius <= self.radius_bound()
            && (0..FITTING_TRIES).any(|_| self.sample_centre(radius, &mut stream).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};

    /// The block [0, 2] × [0, 1] × [0, 1] as six rectangles.
    fn block() -> Arc<MeshSurface> {
        let corner = |i: u32| DVec3::new(2.0 * f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        let sides: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let polygons: Vec<Vec<u32>> = sides.iter().map(|side| side.to_vec()).collect();
        let corners = (0..8).map(corner).collect();
        let mesh = PolygonMesh::from_polygons(corners, &polygons, &[], false, DOUBLE_PRECISION).unwrap();
        Arc::new(MeshSurface::new("block", mesh, vec![crate::model::MaterialId(0)]))
    }

    #[test]
    fn spheres_fill_a_turned_block_evenly_and_stay_inside() {
        let quarter = Pose::from_turn(DVec3::ZERO, DVec3::Z, std::f64::consts::FRAC_PI_2);
        let region =
            MeshRegion::new("block", block(), Pose { translation: DVec3::new(3.0, 0.0, 0.0), ..quarter })
                .unwrap();
        assert!((region.volume() - 2.0).abs() < 1e-12);
        let (low, high) = region.bounds();
        assert!((low - DVec3::new(2.0, 0.0, 0.0)).length() < 1e-12, "{low}");
        assert!((high - DVec3::new(3.0, 2.0, 1.0)).length() < 1e-12, "{high}");
        let mut stream = RandomStream::new(3);
        let radius = 0.2;
        let centres: Vec<DVec3> =
            (0..40_000).filter_map(|_| region.sample_centre(radius, &mut stream)).collect();
        assert!((centres.len() as f64 / 40_000.0 - 1.6 * 0.36 / 2.0).abs() < 0.01, "{}", centres.len());
        let reach = DVec3::splat(radius - 1e-12);
        assert!(centres.iter().all(|c| c.cmpge(low + reach).all() && c.cmple(high - reach).all()));
        let mean = centres.iter().copied().sum::<DVec3>() / centres.len() as f64;
        assert!((mean - DVec3::new(2.5, 1.0, 0.5)).length() < 0.02, "{mean}");
    }

    #[test]
    fn what_fits_is_found_and_what_does_not_is_not() {
        let region = MeshRegion::new("block", block(), Pose::IDENTITY).unwrap();
        assert!((region.radius_bound() - 0.5).abs() < 1e-12);
        assert!(region.fits(0.45) && !region.fits(0.51));
    }

    #[test]
    fn an_open_mesh_has_no_inside() {
        let mut open = PolygonMesh::clone(&block().mesh);
        open.elements.pop();
        let surface = MeshSurface::new("open", open, vec![crate::model::MaterialId(0)]);
        assert!(MeshRegion::new("open", Arc::new(surface), Pose::IDENTITY).is_none());
    }
}
