//! The tables of a scene file. Doc comments here are the descriptions of the JSON schema.

mod bodies;
mod clusters;
mod grains;
mod materials;
mod measures;
mod meshes;
mod run;
mod solids;
mod walls;

pub(super) use bodies::*;
pub(super) use clusters::*;
pub(super) use grains::*;
pub(super) use materials::*;
pub(super) use measures::*;
pub(super) use meshes::*;
pub(super) use run::*;
pub(super) use solids::*;
pub(super) use walls::*;

use super::read::{Acceleration, Located, Text, Vector, table, words};

/// How contacts answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// Forces from laws, integrated explicitly.
    Explicit,
    /// Contact dynamics solved for all contacts at once.
    Implicit,
}

words! { "response", Response { "explicit" => Response::Explicit, "implicit" => Response::Implicit, } }

table! {
    /// A breccia scene. Quantities are SI numbers or strings with units such as "3.5 mm", "10 MPa", "40 rpm".
    SceneFile {
        /// Title shown in output. Default: the file's name.
        title: Option<Text>,
        /// Seed of everything random, a whole number. Default 1.
        seed: Option<u64>,
        /// Threads to use; 0 for all of the machine. Results do not depend on it. Default 0.
        threads: Option<Located<u64>>,
        /// Acceleration of gravity [m/s²]. Default [0, 0, -9.81].
        gravity: Option<Vector<Acceleration>>,
        /// How contacts answer: "explicit" (default; spheres) or "implicit" (grains in the plane).
        response: Option<Located<Response>>,
        /// Length and step of the run.
        time: Option<TimeTable>,
        /// Region the bodies may occupy. Default: all of space.
        domain: Option<DomainTable>,
        /// Materials.
        material: Vec<MaterialTable>,
        /// Contact properties of pairs of materials.
        pair: Vec<PairTable>,
        /// Contact properties of all pairs, where a [[pair]] does not say otherwise.
        pair_default: Option<PairDefaultTable>,
        /// Laws that fill the slots of a contact.
        law: Option<LawTable>,
        /// Kinds of bonds that hold clusters together.
        bond: Vec<BondTable>,
        /// Clusters of spheres, bonded or rigid, that groups of bodies are made of.
        template: Vec<TemplateTable>,
        /// Groups of spheres or of clusters.
        bodies: Vec<BodiesTable>,
        /// Choices of the implicit method.
        implicit: Option<ImplicitTable>,
        /// Outlines of grains.
        outline: Vec<OutlineTable>,
        /// Groups of grains in the plane.
        grains: Vec<GrainsTable>,
        /// Analytic walls.
        wall: Vec<WallTable>,
        /// Meshes from files.
        mesh: Vec<MeshTable>,
        /// Deformable bodies in the x–y plane, instead of spheres.
        solid: Vec<SolidTable>,
        /// Outlines that move as prescribed and that deformable bodies meet.
        obstacle: Vec<ObstacleTable>,
        /// How deformable bodies are solved for.
        solids: Option<SolidsTable>,
        /// Constant forces and torques on groups of bodies.
        load: Vec<LoadTable>,
        /// How bodies move besides contact and gravity.
        motion: Option<MotionTable>,
        /// Neighbour search.
        search: Option<SearchTable>,
        /// When to stop loudly.
        limits: Option<LimitsTable>,
        /// Stretches of the run, one after the other.
        phase: Vec<PhaseTable>,
        /// Things that happen at an instant.
        event: Vec<EventTable>,
        /// What is written and how often.
        output: Option<OutputTable>,
        /// Heap profiles and angles of repose to be measured.
        profile: Vec<ProfileTable>,
        /// Distributions of speed to be measured.
        histogram: Vec<HistogramTable>,
    }
}
