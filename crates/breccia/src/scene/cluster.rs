//! Clusters of spheres, bonded or rigid, as scenes place them.

use super::plan::{BodySeed, BondSeed, ClumpSeed, OffsetSeed};
use super::random::RandomStream;
use crate::model::{BondKindId, Domain};
use crate::shapes::template::{Solid, Template};
use glam::{DQuat, DVec3};
use serde::Serialize;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A template held together by bonds, or rigid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cluster {
    /// Name of the template.
    pub name: String,
    /// Centres [m, body] and radii [m].
    pub spheres: Vec<(DVec3, f64)>,
    /// Bonded pairs of spheres.
    pub bonds: Vec<[u32; 2]>,
    /// Pairs that overlap without being bonded.
    pub offsets: Vec<[u32; 2]>,
    /// Radius of the ball around it [m].
    pub radius: f64,
    /// Volume its mass follows from [m³]: of all its spheres, or of their union if it is rigid.
    pub volume: f64,
    /// Its union, about the origin, if it is rigid; it then has no bonds.
    pub rigid: Option<Rigid>,
    /// Kind of its bonds.
    pub kind: BondKindId,
    /// Radius of a bond over that of its smaller sphere [–].
    pub radius_factor: f64,
    /// Scatter of strength; none where all bonds have that of their kind.
    pub weibull_modulus: Option<f64>,
}

/// Mass properties of a rigid cluster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rigid {
    /// Principal moments of inertia at unit density [m⁵].
    pub inertia: DVec3,
    /// body_from_principal.
    pub axes: DQuat,
}

/// How clusters of a group are turned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Orientation {
    /// Each at random.
    Random,
    /// All by this rotation, world_from_body.
    Fixed(DQuat),
}

/// Clusters of a group: what they are and how they are turned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterUse {
    /// The cluster.
    pub cluster: Arc<Cluster>,
    /// How it is turned.
    pub orientation: Orientation,
}

/// Spheres, bonds and offsets put together; places count from the first sphere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    /// The spheres.
    pub bodies: Vec<BodySeed>,
    /// Bonds among them.
    pub bonds: Vec<BondSeed>,
    /// Pairs among them that may overlap at the start.
    pub offsets: Vec<OffsetSeed>,
    /// Which of them move as one.
    pub clumps: Vec<ClumpSeed>,
}

impl Assembly {
    /// Appends another, whose places are moved on.
    pub fn append(&mut self, other: Self) {
        let first = self.bodies.len() as u32;
        let bond = |seed: BondSeed| BondSeed { a: first + seed.a, b: first + seed.b, ..seed };
        let offset = |seed: OffsetSeed| OffsetSeed { a: first + seed.a, b: first + seed.b };
        let clump = |seed: ClumpSeed| ClumpSeed { first: first + seed.first, ..seed };
        self.clumps.extend(other.clumps.into_iter().map(clump));
        self.bodies.extend(other.bodies);
        self.bonds.extend(other.bonds.into_iter().map(bond));
        self.offsets.extend(other.offsets.into_iter().map(offset));
    }
}

impl Cluster {
    /// A template bonded where centres are no farther apart than (1 + `gap`) times the radii.
    pub fn new(name: String, template: Template, gap: f64, kind: BondKindId) -> Self {
        let bonds = template.pairs_within(gap);
        Self {
            name,
            offsets: template.overlapping_unbonded(&bonds),
            bonds,
            radius: template.bounding_radius(),
            volume: template.volume(),
            spheres: template.spheres,
            rigid: None,
            kind,
            radius_factor: 1.0,
            weibull_modulus: None,
        }
    }

    /// A template that moves as one rigid body, with the mass properties of the union of its spheres.
    pub fn rigid(name: String, template: Template) -> Self {
        let solid = Solid::of_spheres(&template.spheres);
        let spheres: Vec<_> =
            template.spheres.into_iter().map(|(centre, radius)| (centre - solid.centre, radius)).collect();
        Self {
            name,
            radius: spheres.iter().map(|(centre, radius)| centre.length() + radius).fold(0.0, f64::max),
            spheres,
            bonds: Vec::new(),
            offsets: Vec::new(),
            volume: solid.volume,
            rigid: Some(Rigid { inertia: solid.inertia, axes: solid.axes }),
            kind: BondKindId(0),
            radius_factor: 1.0,
            weibull_modulus: None,
        }
    }

    /// Smallest and largest radius of its spheres [m].
    pub fn radii(&self) -> (f64, f64) {
        let radii = || self.spheres.iter().map(|&(_, radius)| radius);
        (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max))
    }

    /// Radius of the section of a bond [m].
    pub fn bond_radius(&self, [a, b]: [u32; 2]) -> f64 {
        self.radius_factor * self.spheres[a as usize].1.min(self.spheres[b as usize].1)
    }

    /// The rigid body it becomes in the place of `pattern`; none if it is bonded.
    fn clump(&self, pattern: &BodySeed, turn: DQuat) -> Option<ClumpSeed> {
        let rigid = self.rigid?;
        let back = rigid.axes.conjugate();
        Some(ClumpSeed {
            first: 0,
            arms: self.spheres.iter().map(|&(centre, _)| back * centre).collect(),
            centre: pattern.position,
            orientation: turn * rigid.axes,
            velocity: pattern.velocity,
            spin: pattern.spin,
            volume: self.volume,
            inertia: rigid.inertia,
        })
    }

    /// Strength of the next bond over that of its kind [–]: Weibull distributed with mean 1.
    fn strength(&self, random: &mut RandomStream) -> f64 {
        /// Keeps the logarithm away from zero, which no bond should have as strength.
        const HALF_A_STEP: f64 = 0.5 / (1_u64 << 53) as f64;
        self.weibull_modulus.map_or(1.0, |modulus| {
            let chance = random.unit() + HALF_A_STEP;
            libm::pow(-libm::log1p(-chance), 1.0 / modulus) / libm::tgamma(1.0 + 1.0 / modulus)
        })
    }
}

impl ClusterUse {
    /// The cluster in the place of `pattern`, moving as a rigid body with its velocity and spin.
    ///
    /// Spheres beyond a periodic side come in at the other.
    pub fn place(&self, pattern: &BodySeed, domain: &Domain, random: &mut RandomStream) -> Assembly {
        let cluster = &*self.cluster;
        let turn = match self.orientation {
            Orientation::Random => random_rotation(random),
            Orientation::Fixed(turn) => turn,
        };
        let sphere = |&(centre, radius): &(DVec3, f64)| {
            let arm = turn * centre;
            BodySeed {
                position: wrapped(pattern.position + arm, domain),
                radius,
                velocity: pattern.velocity + pattern.spin.cross(arm),
                ..pattern.clone()
            }
        };
        let bonds = cluster.bonds.iter().map(|&[a, b]| BondSeed {
            a,
            b,
            kind: cluster.kind,
            radius: cluster.bond_radius([a, b]),
            strength: cluster.strength(random),
        });
        Assembly {
            bonds: bonds.collect(),
            bodies: cluster.spheres.iter().map(sphere).collect(),
            offsets: cluster.offsets.iter().map(|&[a, b]| OffsetSeed { a, b }).collect(),
            clumps: cluster.clump(pattern, turn).into_iter().collect(),
        }
    }
}

fn wrapped(mut position: DVec3, domain: &Domain) -> DVec3 {
    for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
        let (min, max) = (domain.min[axis], domain.max[axis]);
        let x = &mut position[axis];
        if !(min..max).contains(x) {
            *x -= ((*x - min) / (max - min)).floor() * (max - min);
            // min − ε + (max − min) may round to max.
            if *x >= max {
                *x = min;
            }
        }
    }
    position
}

/// A rotation, all equally likely (Shoemake 1992).
fn random_rotation(random: &mut RandomStream) -> DQuat {
    let [part, first, second] = [0, 1, 2].map(|_| random.unit());
    let (a, b) = ((1.0 - part).sqrt(), part.sqrt());
    let ((sin_1, cos_1), (sin_2, cos_2)) = (libm::sincos(TAU * first), libm::sincos(TAU * second));
    DQuat::from_xyzw(a * sin_1, a * cos_1, b * sin_2, b * cos_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(weibull_modulus: Option<f64>) -> Cluster {
        let template = Template::cube(3, 1e-3);
        Cluster { weibull_modulus, ..Cluster::new("cube".into(), template, 0.05, BondKindId(0)) }
    }

    #[test]
    fn strengths_scatter_about_one() {
        let mut random = RandomStream::new(3);
        for modulus in [1.5_f64, 4.0, 20.0] {
            let cluster = cluster(Some(modulus));
            let drawn: Vec<f64> = (0..200_000).map(|_| cluster.strength(&mut random)).collect();
            let count = drawn.len() as f64;
            let mean = drawn.iter().sum::<f64>() / count;
            let deviation = (drawn.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / count).sqrt();
            let gamma = |k: f64| libm::tgamma(1.0 + k / modulus);
            let expected = (gamma(2.0) / (gamma(1.0) * gamma(1.0)) - 1.0).sqrt();
            assert!((mean - 1.0).abs() < 0.01, "{modulus}: {mean}");
            assert!((deviation / expected - 1.0).abs() < 0.02, "{modulus}: {deviation} {expected}");
            assert!(drawn.iter().all(|&strength| strength > 0.0));
        }
        assert_eq!(cluster(None).strength(&mut random), 1.0);
    }

    #[test]
    fn random_turns_favour_no_direction() {
        let mut random = RandomStream::new(5);
        let mut sums = [DVec3::ZERO; 2];
        for _ in 0..50_000 {
            let turn = random_rotation(&mut random);
            assert!((turn.length() - 1.0).abs() < 1e-12);
            let axis = turn * DVec3::Z;
            sums[0] += axis;
            sums[1] += axis * axis;
        }
        let [mean, square] = sums.map(|sum| sum / 50_000.0);
        assert!(mean.length() < 0.02 && (square - 1.0 / 3.0).length() < 0.01, "{mean} {square}");
    }

    #[test]
    fn placed_clusters_move_as_rigid_bodies_and_wrap() {
        let pattern = BodySeed {
            position: DVec3::new(0.0995, 0.0, 0.0),
            radius: 0.0,
            velocity: DVec3::new(1.0, 0.0, 0.0),
            spin: DVec3::new(0.0, 0.0, 10.0),
            material: crate::model::MaterialId(0),
            group: 3,
        };
        let mut domain = Domain::unbounded();
        (domain.min.x, domain.max.x, domain.periodic[0]) = (0.0, 0.1, true);
        let used = ClusterUse { cluster: Arc::new(cluster(None)), orientation: Orientation::Random };
        let placed = used.place(&pattern, &domain, &mut RandomStream::new(1));
        assert_eq!((placed.bodies.len(), placed.bonds.len(), placed.offsets.len()), (27, 54, 0));
        for body in &placed.bodies {
            let arm = domain.minimum_image(body.position - pattern.position);
            assert!((body.velocity - DVec3::X - DVec3::new(0.0, 0.0, 10.0).cross(arm)).length() < 1e-12);
            assert!((0.0..0.1).contains(&body.position.x) && body.group == 3);
        }
        for bond in &placed.bonds {
            let [a, b] = [bond.a, bond.b].map(|place| placed.bodies[place as usize].position);
            assert!((domain.minimum_image(a - b).length() - 2e-3).abs() < 1e-12);
        }
        assert!(placed.bodies.iter().any(|body| body.position.x < 0.01));
    }
}
