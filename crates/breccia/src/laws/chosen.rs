//! The laws of a run, chosen once; steps and lists call them through here.

use super::{
    BrakedRolling, ElasticRolling, Hertz, Linear, NoRolling, NormalLaw, PairCoefficients, RollingLaw,
    Unfollowed, pair_coefficients,
};
use crate::broad_phase::FindNeighbours;
use crate::contacts::{FindNear, Remembered};
use crate::dispatch::{Compiled, chunk_kernels, compiled};
use crate::model::{Model, NormalKind, RollingKind};
use crate::narrow_phase::{ElementLook, ElementTest};
use crate::step::ChunkKernels;

/// Laws and constants of a run.
#[derive(Clone)]
pub struct ChosenLaws {
    /// Constants of every pair of materials.
    pub pairs: Vec<PairCoefficients>,
    /// Stiffness and dashpot scale from reduced radius [m] and reduced mass [kg].
    pub scales: fn(&PairCoefficients, f64, f64) -> (f64, f64),
    /// Elastic normal energy [J] of a remembered depth and a stiffness scale.
    pub normal_energy: fn(f64, f64) -> f64,
    /// Elastic normal force [N] of a remembered depth and a stiffness scale.
    pub elastic_force: fn(f64, f64) -> f64,
    /// Normal stiffness [N/m] of a remembered depth and a stiffness scale.
    pub stiffness: fn(f64, f64) -> f64,
    /// Overlap [m] of a remembered depth.
    pub overlap: fn(f64) -> f64,
    /// What contacts remember besides their springs.
    pub remembered: Remembered,
    /// The quick look at near elements, compiled for this processor.
    pub element_test: Compiled<ElementTest>,
    /// The look at elements within a reach of spheres.
    pub element_look: Compiled<ElementLook>,
    /// The search for near pairs among waiting ones, compiled for this processor.
    pub find_near: Compiled<FindNear>,
    /// The search for neighbours in cells, compiled for this processor.
    pub find_neighbours: Compiled<FindNeighbours>,
    /// The step of one chunk, compiled for these laws and this processor.
    pub chunk: ChunkKernels,
}

impl ChosenLaws {
    /// The laws a model asks for.
    pub fn new(model: &Model) -> Self {
        match model.laws.normal {
            NormalKind::Hertz => Self::with_normal::<Hertz>(model),
            NormalKind::Linear => Self::with_normal::<Linear>(model),
        }
    }

    fn with_normal<N: NormalLaw>(model: &Model) -> Self {
        match model.laws.rolling {
            RollingKind::None => Self::with_rolling::<N, NoRolling>(model),
            RollingKind::ALimited => Self::with_rolling::<N, BrakedRolling>(model),
            RollingKind::C if model.laws.torsion => Self::with_rolling::<N, ElasticRolling<true>>(model),
            RollingKind::C => Self::with_rolling::<N, ElasticRolling>(model),
        }
    }

    fn with_rolling<N: NormalLaw, O: RollingLaw>(model: &Model) -> Self {
        if model.follow_losses { Self::with::<N, O>(model) } else { Self::with::<N, Unfollowed<O>>(model) }
    }

    fn with<N: NormalLaw, O: RollingLaw>(model: &Model) -> Self {
        Self {
            pairs: pair_coefficients::<N>(model),
            scales: PairCoefficients::scales::<N>,
            normal_energy: N::energy,
            elastic_force: N::elastic_force,
            stiffness: N::stiffness::<f64>,
            overlap: N::overlap,
            remembered: Remembered::by::<O>(),
            element_look: compiled::<ElementLook>(),
            element_test: compiled::<ElementTest>(),
            find_near: compiled::<FindNear>(),
            find_neighbours: compiled::<FindNeighbours>(),
            chunk: chunk_kernels::<N, O>(),
        }
    }
}
