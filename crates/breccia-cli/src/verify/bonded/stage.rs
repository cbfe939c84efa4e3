//! Clusters for the experiments: spheres of one size, held together by one cement.

use crate::verify::VerifyError;
use crate::verify::rig::load;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::DVec3;
use std::f64::consts::PI;

/// Radius of the spheres [m].
pub const RADIUS: f64 = 3.3e-3;
/// Density of the spheres [kg/m³].
pub const DENSITY: f64 = 4800.0;
/// Young's modulus of the bonds [Pa].
pub const MODULUS: f64 = 5e7;
/// Normal over shear stiffness of the bonds [–].
pub const RATIO: f64 = 2.5;
/// Length of a bond between touching spheres [m].
pub const LENGTH: f64 = 2.0 * RADIUS;

/// What holds a cluster together.
#[derive(Clone, Copy, Debug)]
pub struct Cement {
    /// Young's modulus [Pa].
    pub modulus: f64,
    /// Tensile strength [Pa].
    pub tensile: f64,
    /// Shear strength [Pa].
    pub shear: f64,
    /// Damping ratio [–].
    pub damping: f64,
}

impl Default for Cement {
    /// Undamped and unbreakable.
    fn default() -> Self {
        Self { modulus: MODULUS, tensile: f64::INFINITY, shear: f64::INFINITY, damping: 0.0 }
    }
}

/// A scene without gravity of steps of `step` [s]: rock, a cement, and `rest`. It ends when its experiment does.
pub fn cemented(cement: &Cement, step: f64, rest: &str) -> Result<Scene, VerifyError> {
    let Cement { modulus, tensile, shear, damping } = cement;
    let mut scene = load(&format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1000
step = {step:?}
[[material]]
name = "rock"
density = {DENSITY}
young_modulus = 2.3e7
poisson_ratio = 0.21
[pair_default]
restitution = 0.35
friction = 0.44
[[bond]]
name = "cement"
young_modulus = {modulus:?}
stiffness_ratio = {RATIO}
tensile_strength = {tensile:?}
shear_strength = {shear:?}
damping_ratio = {damping:?}
{rest}
"#
    ))?;
    scene.model.limits.overlap = 1.0;
    Ok(scene)
}

/// Tables of one cluster at the origin; `template` holds the keys of its kind.
pub fn one(template: &str) -> String {
    one_at(DVec3::ZERO, template)
}

/// Tables of one cluster with its centre at a place [m].
pub fn one_at(DVec3 { x, y, z }: DVec3, template: &str) -> String {
    format!(
        r#"
[[template]]
name = "cluster"
bond = "cement"
{template}
[[bodies]]
kind = "list"
material = "rock"
template = "cluster"
positions = [[{x:?}, {y:?}, {z:?}]]
"#
    )
}

/// Keys of a row of touching spheres along x.
pub fn rod(count: u32) -> String {
    format!("kind = \"rod\"\nn = {count}\nradius = {RADIUS}")
}

/// Keys of a lattice of 27.
pub fn cube() -> String {
    format!("kind = \"cube\"\nn = 3\nradius = {RADIUS}")
}

/// Mass of a sphere [kg].
pub fn mass() -> f64 {
    DENSITY * breccia::shapes::sphere_volume(RADIUS)
}

/// Area of a bond's section [m²].
pub fn area() -> f64 {
    PI * RADIUS * RADIUS
}

/// Makes a sphere too heavy for anything to move or turn it.
pub fn hold(run: &mut Simulation, id: u32) {
    let bodies = &mut run.state.bodies;
    for row in (0..bodies.len()).filter(|&row| bodies.id[row] == id).collect::<Vec<_>>() {
        for places in [&mut bodies.places, &mut bodies.last_places] {
            places[row].inverse_mass = 1e-30;
        }
        for spins in [&mut bodies.spins, &mut bodies.last_spins] {
            spins[row].inverse_inertia = 1e-30;
        }
    }
}

/// Lets all spheres of a scene turn together about the origin [rad/s].
pub fn spin_about_origin(scene: &mut Scene, spin: DVec3) {
    for body in &mut scene.bodies {
        body.velocity = spin.cross(body.position);
        body.spin = spin;
    }
}
