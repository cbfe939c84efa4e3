//! Where exactly two near things touch.

mod hierarchy;
mod sphere_sphere;
mod sphere_surface;
mod sphere_wall;
mod wall_now;

pub use hierarchy::{Candidate, survivors};
pub use sphere_sphere::{PairEncounter, meet};
pub use sphere_surface::{SurfaceInput, SurfaceScratch, find_surface_contacts};
pub use sphere_wall::{FeatureKind, Touches, WallTouch, touches};
pub use wall_now::{WallNow, WorldTouch};
