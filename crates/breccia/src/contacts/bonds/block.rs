//! Eight bonds side by side, with what they remember.

use crate::laws::{BondCoefficients, BondDashpots, BondHistory};
use crate::math::{LANES, Lanes, NarrowLanes, Real, Simd, Vec3};
use crate::model::BondKind;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A bond taken out of its lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bond {
    /// Stable number, ascending in the order of formation.
    pub id: u32,
    /// Row of side a.
    pub a: u32,
    /// Row of side b.
    pub b: u32,
    /// Distance of the centres without force [m].
    pub rest_length: f64,
    /// Radius of the section [m].
    pub radius: f64,
    /// Normal stiffness per area k_n [N/m³].
    pub stiffness: f64,
    /// Normal dashpot c_n = 2ζ√(m* k_n A) [N s/m].
    pub damping: f64,
    /// Strength over that of its kind [–].
    pub strength: f64,
    /// What it remembers.
    pub memory: BondMemory,
}

/// What one bond remembers, spelled out; forces and moments act on a.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BondMemory {
    /// Elastic shear force [N, world].
    pub shear: DVec3,
    /// Elastic bending moment [N m, world].
    pub bending: DVec3,
    /// Elastic twisting moment [N m].
    pub twist: f64,
    /// Dashpots' axial force [N].
    pub normal_dashpot: f64,
    /// Dashpots' shear force [N, world].
    pub shear_dashpot: DVec3,
    /// Dashpots' twisting moment [N m].
    pub twist_dashpot: f64,
    /// Dashpots' bending moment [N m, world].
    pub bending_dashpot: DVec3,
}

/// Eight bonds of one kind, seen through one periodic image.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct BondBlock {
    /// Stable numbers.
    pub id: [u32; LANES],
    /// Rows of side a; unused lanes point at the first dummy row.
    pub a: [u32; LANES],
    /// Rows of side b; unused lanes point at the second dummy row.
    pub b: [u32; LANES],
    rest_length: Lanes,
    radius: Lanes,
    stiffness: Lanes,
    damping: Lanes,
    /// Strength over that of the kind [–].
    pub strength: Lanes,
    shear: Vec3<Lanes>,
    bending: Vec3<Lanes>,
    twist: Lanes,
    normal_dashpot: NarrowLanes,
    shear_dashpot: Vec3<NarrowLanes>,
    twist_dashpot: NarrowLanes,
    bending_dashpot: Vec3<NarrowLanes>,
}

impl BondBlock {
    /// A block without bonds; `dummy` is the first dummy row. Unused lanes have no section, hence no force.
    pub fn unused(dummy: u32) -> Self {
        Self {
            id: [u32::MAX; LANES],
            a: [dummy; LANES],
            b: [dummy + 1; LANES],
            rest_length: Lanes::splat(1.0),
            radius: Lanes::splat(0.0),
            stiffness: Lanes::splat(0.0),
            damping: Lanes::splat(0.0),
            strength: Lanes::splat(f64::INFINITY),
            shear: Vec3::splat(DVec3::ZERO),
            bending: Vec3::splat(DVec3::ZERO),
            twist: Lanes::splat(0.0),
            normal_dashpot: NarrowLanes::ZERO,
            shear_dashpot: Vec3::<NarrowLanes>::ZERO,
            twist_dashpot: NarrowLanes::ZERO,
            bending_dashpot: Vec3::<NarrowLanes>::ZERO,
        }
    }

    /// Puts a bond into a lane.
    pub fn set_lane(&mut self, lane: usize, bond: &Bond) {
        (self.id[lane], self.a[lane], self.b[lane]) = (bond.id, bond.a, bond.b);
        self.rest_length.0[lane] = bond.rest_length;
        self.radius.0[lane] = bond.radius;
        self.stiffness.0[lane] = bond.stiffness;
        self.damping.0[lane] = bond.damping;
        self.strength.0[lane] = bond.strength;
        self.shear.set_lane(lane, bond.memory.shear);
        self.bending.set_lane(lane, bond.memory.bending);
        self.twist.0[lane] = bond.memory.twist;
        self.normal_dashpot.0[lane] = bond.memory.normal_dashpot as f32;
        self.shear_dashpot.set_lane(lane, bond.memory.shear_dashpot);
        self.twist_dashpot.0[lane] = bond.memory.twist_dashpot as f32;
        self.bending_dashpot.set_lane(lane, bond.memory.bending_dashpot);
    }

    /// The bond in a lane.
    pub fn lane(&self, lane: usize) -> Bond {
        Bond {
            id: self.id[lane],
            a: self.a[lane],
            b: self.b[lane],
            rest_length: self.rest_length.0[lane],
            radius: self.radius.0[lane],
            stiffness: self.stiffness.0[lane],
            damping: self.damping.0[lane],
            strength: self.strength.0[lane],
            memory: BondMemory {
                shear: self.shear.lane(lane),
                bending: self.bending.lane(lane),
                twist: self.twist.0[lane],
                normal_dashpot: f64::from(self.normal_dashpot.0[lane]),
                shear_dashpot: self.shear_dashpot.lane(lane),
                twist_dashpot: f64::from(self.twist_dashpot.0[lane]),
                bending_dashpot: self.bending_dashpot.lane(lane),
            },
        }
    }

    /// Empties a lane.
    pub fn clear_lane(&mut self, lane: usize, dummy: u32) {
        let empty = Self::unused(dummy).lane(lane);
        self.set_lane(lane, &empty);
    }

    /// Coefficients of the lanes from `at` on.
    #[inline(always)]
    pub fn coefficients<S: Simd>(&self, at: usize, kind: &KindFactors) -> BondCoefficients<S> {
        let (rest_length, radius) = (S::load(&self.rest_length, at), S::load(&self.radius, at));
        let (stiffness, damping) = (S::load(&self.stiffness, at), S::load(&self.damping, at));
        coefficients(kind, [rest_length, radius, stiffness, damping, S::load(&self.strength, at)])
    }

    /// Memory of the lanes from `at` on.
    #[inline(always)]
    pub fn history<S: Simd>(&self, at: usize) -> BondHistory<S> {
        BondHistory {
            shear: Vec3::load(&self.shear, at),
            bending: Vec3::load(&self.bending, at),
            twist: S::load(&self.twist, at),
            dashpots: BondDashpots {
                normal: S::load_narrow(&self.normal_dashpot, at),
                shear: Vec3::load_narrow(&self.shear_dashpot, at),
                twist: S::load_narrow(&self.twist_dashpot, at),
                bending: Vec3::load_narrow(&self.bending_dashpot, at),
            },
        }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember<S: Simd>(&mut self, at: usize, history: &BondHistory<S>) {
        history.shear.store(&mut self.shear, at);
        history.bending.store(&mut self.bending, at);
        history.twist.store(&mut self.twist, at);
        history.dashpots.normal.store_narrow(&mut self.normal_dashpot, at);
        history.dashpots.shear.store_narrow(&mut self.shear_dashpot, at);
        history.dashpots.twist.store_narrow(&mut self.twist_dashpot, at);
        history.dashpots.bending.store_narrow(&mut self.bending_dashpot, at);
    }
}

impl Bond {
    /// What the law needs of this bond.
    pub fn coefficients(&self, kind: &BondKind) -> BondCoefficients<f64> {
        coefficients(
            &KindFactors::of(kind),
            [self.rest_length, self.radius, self.stiffness, self.damping, self.strength],
        )
    }

    /// What the law remembers of this bond.
    pub fn history(&self) -> BondHistory<f64> {
        let memory = &self.memory;
        BondHistory {
            shear: components(memory.shear),
            bending: components(memory.bending),
            twist: memory.twist,
            dashpots: BondDashpots {
                normal: memory.normal_dashpot,
                shear: components(memory.shear_dashpot),
                twist: memory.twist_dashpot,
                bending: components(memory.bending_dashpot),
            },
        }
    }
}

fn components(v: DVec3) -> Vec3<f64> {
    Vec3 { x: v.x, y: v.y, z: v.z }
}

/// What the bonds of a kind have in common.
#[derive(Clone, Copy, Debug)]
pub struct KindFactors {
    /// Shear stiffness over the normal one [–].
    shear: f64,
    /// Shear dashpot over the normal one [–].
    shear_damping: f64,
    /// Tensile strength [Pa].
    tensile_strength: f64,
    /// Shear strength [Pa].
    shear_strength: f64,
}

impl KindFactors {
    /// Those of a kind.
    pub fn of(kind: &BondKind) -> Self {
        Self {
            shear: 1.0 / kind.stiffness_ratio,
            shear_damping: 1.0 / kind.stiffness_ratio.sqrt(),
            tensile_strength: kind.tensile_strength,
            shear_strength: kind.shear_strength,
        }
    }
}

/// What the law needs of bonds of a kind, from rest length, radius, stiffness, damping and relative strength.
#[inline(always)]
fn coefficients<R: Real>(kind: &KindFactors, bond: [R; 5]) -> BondCoefficients<R> {
    let [rest_length, radius, normal, normal_damping, strength] = bond;
    BondCoefficients {
        rest_length,
        radius,
        area: radius * radius * R::splat(PI),
        normal,
        shear: normal * R::splat(kind.shear),
        normal_damping,
        shear_damping: normal_damping * R::splat(kind.shear_damping),
        tensile_strength: strength * R::splat(kind.tensile_strength),
        shear_strength: strength * R::splat(kind.shear_strength),
    }
}
