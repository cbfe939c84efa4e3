//! Where exactly two near things touch.

mod concave_blend;
mod contact_weights;
mod element_test;
pub mod grains;
mod hierarchy;
mod lone_facets;
pub mod node_segment;
mod sphere_mesh;
mod sphere_polygon;
mod sphere_sphere;
mod sphere_surface;
mod sphere_wall;
mod wall_now;

use concave_blend::ON_EDGE;
pub use concave_blend::{Carrier, FacetShare, facet_shares};
pub use contact_weights::{ContactWeights, polygon_weights};
pub use element_test::{ElementLook, ElementTest};
pub use hierarchy::{Candidate, survivors};
pub use sphere_mesh::{
    CentrePassed, FeatureKey, MeshQuery, MeshScratch, MeshTouch, StageCounts, coplanar_tolerance, intersects,
    local_minima, mesh_facet, mesh_touches,
};
pub use sphere_polygon::{Polygon, PolygonFeature, PolygonTouch};
pub use sphere_sphere::{Motion, Side, Touch, squared_gap};
pub use sphere_surface::{Passage, SearchReport, SurfaceInput, SurfaceScratch, find_surface_contacts};
pub use sphere_wall::{FaceSet, FeatureKind, Met, PlainFace, Touches, WallTouch, is_within, meet, touches};
pub use wall_now::{NO_ELEMENT, SurfaceTouch, WallNow};

use sphere_mesh::PASSED;
