//! Scenes with meshes, and a sphere that is put where an experiment wants it.

use super::shape::Shape;
use crate::verify::VerifyError;
use crate::verify::rig::{Rig, Stuff, ball, load};
use breccia::contacts::SurfaceContact;
use breccia::model::{MaterialId, MeshSurface, Surface, Wall};
use breccia::motion::{MotionKind, MotionPart, PrescribedMotion};
use breccia::narrow_phase::StageCounts;
use breccia::scene::Scene;
use glam::DVec3;
use std::sync::Arc;

/// The balls' own material: a wall as soft as they are.
pub const SOFT: MaterialId = MaterialId(0);
/// The rigid material of walls.
pub const RIGID: MaterialId = MaterialId(1);

/// A wall made of a shape.
pub fn wall(name: &str, shape: &Shape, material: MaterialId) -> Result<Wall, VerifyError> {
    let surface = Surface::Mesh(Arc::new(MeshSurface::new(name, shape.mesh()?, vec![material])));
    Ok(Wall { name: name.into(), surface, material, motion: PrescribedMotion::default() })
}

/// A rigid wall at rest.
pub fn rigid(shape: &Shape) -> Result<Wall, VerifyError> {
    wall("mesh", shape, RIGID)
}

/// A rigid wall at rest whose facets fade in and out beside concave edges.
pub fn blended(shape: &Shape) -> Result<Wall, VerifyError> {
    let mut surface = MeshSurface::new("mesh", shape.mesh()?, vec![RIGID]);
    surface.concave_blend = true;
    Ok(Wall { surface: Surface::Mesh(Arc::new(surface)), ..rigid(shape)? })
}

/// A rigid wall that moves from the beginning to the end.
pub fn moving(shape: &Shape, kind: MotionKind) -> Result<Wall, VerifyError> {
    let part = MotionPart { kind, start: 0.0, stop: f64::INFINITY };
    Ok(Wall { motion: PrescribedMotion { parts: vec![part] }, ..rigid(shape)? })
}

/// A scene from its text and walls; overlaps up to the radius are meant.
pub fn stage(text: &str, walls: impl IntoIterator<Item = Wall>) -> Result<Scene, VerifyError> {
    let mut scene = load(text)?;
    scene.model.walls.extend(walls);
    scene.model.limits.overlap = 1.0;
    Ok(scene)
}

/// A group of balls of one radius [m], each with its centre [m] and velocity [m/s].
pub fn balls(radius: f64, places: &[(DVec3, DVec3)]) -> String {
    let vector = |v: &DVec3| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z);
    let row = |(place, velocity): &(DVec3, DVec3)| {
        format!("  {{ position = {}, velocity = {} }},\n", vector(place), vector(velocity))
    };
    let rows: String = places.iter().map(row).collect();
    format!(
        "\n[[bodies]]\nname = \"balls\"\nkind = \"list\"\nmaterial = \"ball\"\nradius = {radius:?}\nspheres = [\n{rows}]\n"
    )
}

/// Contacts with walls that were touching in the last step.
pub fn wall_contacts(rig: &Rig) -> Vec<SurfaceContact> {
    let (setup, state) = (&rig.run.setup, &rig.run.state);
    let walls = setup.walls_at(state, state.step.saturating_sub(1));
    let (chunks, places) = (state.lists.chunks.iter(), &state.bodies.last_places);
    chunks.flat_map(|chunk| chunk.surface.spelled_out(places, &walls, &setup.laws)).collect()
}

/// Sum of the forces of walls on all spheres in the last step [N].
pub fn wall_force(rig: &Rig) -> DVec3 {
    wall_contacts(rig).iter().map(|contact| contact.force).sum()
}

/// Elements by stage of the search in the last step.
pub fn stage_counts(rig: &Rig) -> StageCounts {
    let mut counts = StageCounts::default();
    rig.run.state.lists.chunks.iter().for_each(|chunk| counts += chunk.report.surfaces.stages);
    counts
}

/// A ball that is put anywhere, to see what touches it there.
///
/// Every look is a step of the engine with new lists: search, hierarchy, memory and law are those of a run.
pub struct Probe {
    rig: Rig,
}

impl Probe {
    /// A ball among walls.
    pub fn new(
        stuff: &Stuff,
        radius: f64,
        walls: impl IntoIterator<Item = Wall>,
    ) -> Result<Self, VerifyError> {
        let (ball, stuff) = (ball("probe", radius, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO), stuff.toml());
        let text = format!("gravity = [0, 0, 0]\n{stuff}{ball}\n[time]\nduration = 1\nstep = 1e-6\n");
        Ok(Self { rig: Rig::of(&stage(&text, walls)?) })
    }

    /// The contacts of the ball at rest with its centre at a place [m].
    pub fn contacts_at(&mut self, centre: DVec3) -> Result<Vec<SurfaceContact>, VerifyError> {
        self.contacts_moving(centre, DVec3::ZERO)
    }

    /// The contacts of the ball with its centre at a place [m], on its way there by `stride` [m] since the last look.
    pub fn contacts_moving(
        &mut self,
        centre: DVec3,
        stride: DVec3,
    ) -> Result<Vec<SurfaceContact>, VerifyError> {
        let velocity = (stride / self.rig.time_step()).to_array();
        let state = &mut self.rig.run.state;
        (state.bodies.places[0].position, state.bodies.places[0].velocity) = (centre.to_array(), velocity);
        state.bodies.spins[0].spin = [0.0; 3];
        state.lists_stale = true;
        self.rig.step()?;
        Ok(wall_contacts(&self.rig))
    }

    /// The force of all walls on the ball with its centre at a place [m].
    pub fn force_at(&mut self, centre: DVec3) -> Result<DVec3, VerifyError> {
        Ok(self.contacts_at(centre)?.iter().map(|contact| contact.force).sum())
    }

    /// Elements by stage of the search in the last look.
    pub fn counts(&self) -> StageCounts {
        stage_counts(&self.rig)
    }
}

/// Force of the Hertz law at an overlap [m] with a rigid wall [N].
pub fn hertz_force(stuff: &Stuff, radius: f64, overlap: f64) -> f64 {
    let modulus = stuff.effective_modulus(crate::verify::rig::Partner::Wall);
    4.0 / 3.0 * modulus * radius.sqrt() * overlap * overlap.sqrt()
}
