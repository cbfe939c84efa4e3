//! What a scene file means, in SI units and indices: the hand-over from reader to engine.

use super::cluster::ClusterUse;
use super::generate::MeshRegion;
use crate::deformable::SolidPlan;
use crate::implicit::GrainPlan;
use crate::model::{BondKindId, MaterialId, Model, Surface, WallId};
use crate::shapes::WallShape;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A sphere to be put into the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodySeed {
    /// Centre [m, world].
    pub position: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Velocity [m/s, world].
    pub velocity: DVec3,
    /// Angular velocity [rad/s, world].
    pub spin: DVec3,
    /// Material.
    pub material: MaterialId,
    /// Index of the `[[bodies]]` entry it came from.
    pub group: u16,
}

/// A bond between two spheres of [`Scene::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BondSeed {
    /// Place of the first sphere in the list of bodies.
    pub a: u32,
    /// Place of the second.
    pub b: u32,
    /// Kind.
    pub kind: BondKindId,
    /// Radius of the section [m].
    pub radius: f64,
    /// Strength over that of the kind [–].
    pub strength: f64,
}

/// Two spheres of [`Scene::bodies`] whose overlap at the start counts as none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OffsetSeed {
    /// Place of the first sphere in the list of bodies.
    pub a: u32,
    /// Place of the second.
    pub b: u32,
}

/// Spheres of [`Scene::bodies`] that move as one rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClumpSeed {
    /// Place of the first sphere in the list of bodies; the others follow.
    pub first: u32,
    /// Centres of the spheres [m, principal frame].
    pub arms: Vec<DVec3>,
    /// Centre of mass [m, world].
    pub centre: DVec3,
    /// world_from_principal.
    pub orientation: DQuat,
    /// Velocity of the centre [m/s, world].
    pub velocity: DVec3,
    /// Angular velocity [rad/s, world].
    pub spin: DVec3,
    /// Volume [m³].
    pub volume: f64,
    /// Principal moments of inertia at unit density [m⁵].
    pub inertia: DVec3,
}

/// A region that spheres are generated in; whole spheres stay inside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Region {
    /// Axis-aligned box.
    Box {
        /// Lower corner [m].
        min: DVec3,
        /// Upper corner [m].
        max: DVec3,
    },
    /// Circular cylinder.
    Cylinder {
        /// Centre of the first end [m].
        start: DVec3,
        /// Unit axis.
        axis: DVec3,
        /// Length [m].
        length: f64,
        /// Radius [m].
        radius: f64,
    },
    /// Sphere.
    Sphere {
        /// Centre [m].
        centre: DVec3,
        /// Radius [m].
        radius: f64,
    },
    /// Inside of a closed mesh.
    Mesh(MeshRegion),
}

/// One class of a sieve curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SieveStep {
    /// Sieve opening [m, diameter].
    pub diameter: f64,
    /// Mass fraction passing this sieve [–], 0 to 1, not decreasing.
    pub passing: f64,
}

/// Distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SizeDistribution {
    /// One radius [m].
    Single(f64),
    /// Radii equally likely between two bounds [m].
    Uniform {
        /// Smallest radius [m].
        min: f64,
        /// Largest radius [m].
        max: f64,
    },
    /// Normal distribution of radii cut off at two bounds [m].
    TruncatedNormal {
        /// Mean radius before cutting [m].
        mean: f64,
        /// Standard deviation before cutting [m].
        deviation: f64,
        /// Smallest radius [m].
        min: f64,
        /// Largest radius [m].
        max: f64,
    },
    /// Cumulative curve by mass, log-linear between sieves.
    Sieve(Vec<SieveStep>),
}

/// How much an inlet delivers per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum InletAmount {
    /// Mass rate [kg/s].
    Mass(f64),
    /// Number rate [1/s].
    Count(f64),
}

/// Spheres or clusters poured into a region over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inlet {
    /// Index of the `[[bodies]]` entry.
    pub group: u16,
    /// Where spheres appear.
    pub region: Region,
    /// Sizes; for clusters that of the ball around them.
    pub sizes: SizeDistribution,
    /// Clusters that are poured in the place of spheres.
    pub cluster: Option<ClusterUse>,
    /// Material.
    pub material: MaterialId,
    /// Velocity given to each sphere [m/s, world].
    pub velocity: DVec3,
    /// Rate.
    pub rate: InletAmount,
    /// First instant [s].
    pub start: f64,
    /// Last instant [s].
    pub stop: f64,
    /// Stop after so many spheres or clusters.
    pub max_count: Option<u64>,
    /// Stop after so much mass [kg].
    pub max_mass: Option<f64>,
    /// Seed of this inlet's own random stream.
    pub seed: u64,
}

impl Inlet {
    /// Smallest and largest radius of the spheres it delivers [m].
    pub fn radii(&self) -> (f64, f64) {
        match &self.cluster {
            Some(used) => used.cluster.radii(),
            None => (self.sizes.smallest_radius(), self.sizes.largest_radius()),
        }
    }
}

/// Something that happens at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Take a wall away (open a gate).
    RemoveWall(WallId),
    /// Remove all bodies of a group.
    RemoveBodies(u16),
    /// Give all bodies of a group a velocity [m/s, world].
    SetVelocity {
        /// Group.
        group: u16,
        /// New velocity [m/s, world].
        velocity: DVec3,
    },
    /// Change gravity [m/s², world].
    SetGravity(DVec3),
    /// Change the global damping rate [1/s].
    SetDamping(f64),
    /// End the run.
    Stop,
}

/// An action and its time: at an instant, or when a phase begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Instant [s] after the start of its phase, or of the run when it has none.
    pub at: f64,
    /// Phase whose start the instant counts from.
    pub phase: Option<usize>,
    /// What happens.
    pub action: Action,
}

/// A stretch of a run with a name and an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Name shown in progress and output.
    pub name: String,
    /// Longest duration [s].
    pub duration: f64,
    /// Ends earlier once the kinetic energy falls below this [J] (looked at every 100 steps after the first tenth).
    pub until_kinetic_energy: Option<f64>,
    /// Grains: ends once the porosity between the walls is no more than this [–]; friction gives way until then.
    pub until_porosity: Option<f64>,
}

/// A plane through which mass flow is recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowPlane {
    /// Column name.
    pub name: String,
    /// A point of the plane [m, world].
    pub point: DVec3,
    /// Unit normal; flow along it counts positive.
    pub normal: DVec3,
}

impl FlowPlane {
    /// Which side of the plane a point is on: −1 behind, 0 before it. A plane across a periodic axis repeats, and sides
    /// count on: bodies run past the side of the domain before they are wrapped.
    #[inline(always)]
    pub fn side(&self, point: DVec3, period: DVec3) -> f64 {
        let across = self.normal.abs().max_element() == 1.0;
        let period = if across { self.normal.abs().dot(period) } else { 0.0 };
        let distance = (point - self.point).dot(self.normal);
        if period > 0.0 {
            (distance / period).floor()
        } else if distance >= 0.0 {
            0.0
        } else {
            -1.0
        }
    }
}

/// What the places of a heap profile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProfileAxis {
    /// Distances from an upright axis.
    Radius,
    /// Places along an axis of the world.
    Axis(usize),
}

/// When something is measured: at the end of a run in any case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Occasions {
    /// Instants [s].
    pub times: Vec<f64>,
    /// Time between two measurements [s].
    pub every: Option<f64>,
}

/// The upper edge of a heap, to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfilePlan {
    /// Name of its files.
    pub name: String,
    /// What its places are.
    pub along: ProfileAxis,
    /// Point from which places and heights are measured [m, world]; none for the foot below the centre of mass.
    pub centre: Option<DVec3>,
    /// Distance up to which it is measured [m]; none for that of the farthest body.
    pub reach: Option<f64>,
    /// Number of places.
    pub bins: usize,
    /// Group of bodies; none for all.
    pub group: Option<u16>,
    /// When.
    pub occasions: Occasions,
}

impl ProfilePlan {
    /// Labels of the axes of its plot.
    pub fn labels(&self) -> (&'static str, &'static str) {
        match self.along {
            ProfileAxis::Radius => ("distance from the axis [m]", "mean height of the surface [m]"),
            ProfileAxis::Axis(_) => ("place along the axis [m]", "height of the silhouette [m]"),
        }
    }
}

/// A distribution of speeds, to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramPlan {
    /// Name of its files.
    pub name: String,
    /// Number of bins.
    pub bins: usize,
    /// Upper end of the last bin [m/s]; none for the speed of the fastest body.
    pub max: Option<f64>,
    /// Group of bodies; none for all.
    pub group: Option<u16>,
    /// When.
    pub occasions: Occasions,
}

/// What is written and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputSettings {
    /// Simulated time between frames [s]; infinite for first and last only.
    pub frame_interval: f64,
    /// Simulated time between table rows [s].
    pub table_interval: f64,
    /// Wall-clock time between checkpoints [s].
    pub checkpoint_interval: f64,
    /// Write contacts as lines with each frame.
    pub contacts: bool,
    /// Write bonds as lines with each frame.
    pub bonds: bool,
    /// Write a picture at the end.
    pub picture: bool,
    /// Planes whose mass flow is tabled.
    pub flow_planes: Vec<FlowPlane>,
    /// Heap profiles to be measured.
    pub profiles: Vec<ProfilePlan>,
    /// Distributions of speed to be measured.
    pub histograms: Vec<HistogramPlan>,
}

/// Everything a run needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Title shown in output.
    pub title: String,
    /// The problem.
    pub model: Model,
    /// Bodies present at the start.
    pub bodies: Vec<BodySeed>,
    /// Bonds among them, at rest where they are placed.
    pub bonds: Vec<BondSeed>,
    /// Pairs among them that may overlap at the start.
    pub offsets: Vec<OffsetSeed>,
    /// Which of them move as one.
    pub clumps: Vec<ClumpSeed>,
    /// Grains in the plane, in a scene with implicit response; it then has no bodies.
    pub grains: Option<GrainPlan>,
    /// Names of the body groups, indexed by `group`.
    pub groups: Vec<String>,
    /// Bodies poured in later.
    pub inlets: Vec<Inlet>,
    /// Phases in order; empty for one nameless phase of the whole duration.
    pub phases: Vec<Phase>,
    /// Events.
    pub events: Vec<Event>,
    /// Output.
    pub output: OutputSettings,
    /// Threads; 0 for all.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Deformable bodies: a scene of these has no spheres.
    pub solids: Option<SolidPlan>,
}

impl Scene {
    /// Whether contacts answer by laws, integrated explicitly: spheres, neither grains nor deformable bodies.
    pub fn is_explicit(&self) -> bool {
        self.grains.is_none() && self.solids.is_none()
    }

    /// Box around the domain where it is bounded, and around bodies, inlets and bounded walls [m].
    pub fn extent(&self) -> (DVec3, DVec3) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut include = |min: DVec3, max: DVec3| {
            low = low.min(min);
            high = high.max(max);
        };
        for body in &self.bodies {
            include(body.position - body.radius, body.position + body.radius);
        }
        for inlet in &self.inlets {
            let (min, max) = inlet.region.bounds();
            include(min, max);
        }
        for (min, max) in self.model.walls.iter().filter_map(|wall| wall.surface.bounding_box()) {
            include(min, max);
        }
        for wall in &self.model.walls {
            if let Surface::Analytic(WallShape::Plane { point, .. }) = wall.surface {
                include(point, point);
            }
        }
        if low.x > high.x {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        (low, high)
    }
}
