//! Factors of reference states: found once for a shape and a time step, used by all bodies of the shape, turned as they
//! are.

use super::body::{outline_part, unit_responses};
use crate::deformable::element::StressRule;
use crate::deformable::model::{BodyForm, SolidBody};
use crate::deformable::shape::ElasticShape;
use faer::sparse::linalg::solvers::Llt;
use glam::DVec2;
use std::sync::{Arc, OnceLock};

/// Most time steps whose factors are kept per run.
const MOST: usize = 64;

/// The matrix of a shape at rest, factored.
#[derive(Debug)]
pub struct ReferenceFactor {
    /// The factor.
    pub(super) factor: Llt<u32, f64>,
    outline: Vec<u32>,
    count: usize,
    /// Displacements of outline nodes under unit forces along x and y on each of them [m/N], found when asked for.
    columns: Vec<OnceLock<Vec<f64>>>,
}

impl ReferenceFactor {
    fn new(shape: &ElasticShape, time_step: f64) -> Option<Self> {
        let x = &shape.mesh.points;
        let values = shape.step_matrix(x, x, StressRule::MeanStrain, time_step);
        let outline: Vec<u32> = shape.outline.nodes().collect();
        let columns = outline.iter().map(|_| OnceLock::new()).collect();
        Some(Self { factor: shape.matrix.factor_symmetric(&values)?, outline, count: x.len(), columns })
    }

    /// Columns of the outline node at a place of the outline.
    pub(super) fn columns_of(&self, place: usize) -> &[f64] {
        self.columns[place].get_or_init(|| {
            let flat = unit_responses(&self.factor, self.count, &[self.outline[place]]);
            flat.chunks_exact(2 * self.count).flat_map(|column| outline_part(column, &self.outline)).collect()
        })
    }
}

/// Factors found so far in a run. No part of its state: they depend on shapes and time steps alone.
#[derive(Clone, Debug, Default)]
pub struct ReferenceFactors {
    known: Vec<(Arc<ElasticShape>, u64, Arc<ReferenceFactor>)>,
}

impl ReferenceFactors {
    /// Factors of all bodies for a time step [s]; nothing for obstacles and for bodies with prescribed nodes.
    pub fn of_bodies(&mut self, bodies: &[SolidBody], time_step: f64) -> Vec<Option<Arc<ReferenceFactor>>> {
        let one = |body: &SolidBody| match &body.form {
            BodyForm::Elastic(shape) if body.supports.is_empty() => self.find(shape, time_step),
            _ => None,
        };
        bodies.iter().map(one).collect()
    }

    fn find(&mut self, shape: &Arc<ElasticShape>, time_step: f64) -> Option<Arc<ReferenceFactor>> {
        let bits = time_step.to_bits();
        if let Some(found) = self.known.iter().find(|known| known.1 == bits && Arc::ptr_eq(&known.0, shape)) {
            return Some(Arc::clone(&found.2));
        }
        let factor = Arc::new(ReferenceFactor::new(shape, time_step)?);
        if self.known.len() == MOST {
            self.known.remove(0);
        }
        self.known.push((Arc::clone(shape), bits, Arc::clone(&factor)));
        Some(factor)
    }
}

/// Cosine and sine of the turn that brings the reference points nearest to `x` [m].
pub fn turn_of(shape: &ElasticShape, x: &[DVec2]) -> DVec2 {
    let points = &shape.mesh.points;
    let share = 1.0 / x.len() as f64;
    let (rest, centre) = (points.iter().sum::<DVec2>() * share, x.iter().sum::<DVec2>() * share);
    let sum = points.iter().zip(x).fold(DVec2::ZERO, |sum, (from, to)| {
        let (from, to) = (*from - rest, *to - centre);
        sum + DVec2::new(from.dot(to), from.perp_dot(to))
    });
    sum.normalize_or(DVec2::X)
}
