//! The matrix of one body: factored, and how its surface gives under forces.

use super::reference::ReferenceFactor;
use crate::deformable::model::SolidBody;
use crate::deformable::pattern::BlockPattern;
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Side};
use glam::DVec2;
use std::sync::Arc;

/// How the matrix of a shape is factored: found once, used by all bodies of the shape.
#[derive(Clone, Debug)]
pub struct BodyMatrix {
    columns: Vec<u32>,
    rows: Vec<u32>,
    general: Option<SymbolicLu<u32>>,
    symmetric: Option<SymbolicLlt<u32>>,
}

impl BodyMatrix {
    /// Analyses a pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        let (columns, rows) = (pattern.column_starts(), pattern.rows());
        let mut matrix = Self { columns, rows, general: None, symmetric: None };
        matrix.general = SymbolicLu::try_new(matrix.pattern()).ok();
        matrix.symmetric = SymbolicLlt::try_new(matrix.pattern(), Side::Lower).ok();
        matrix
    }

    fn pattern(&self) -> SymbolicSparseColMatRef<'_, u32> {
        let size = self.columns.len() - 1;
        SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows)
    }

    /// Factors values over the pattern; nothing if the matrix is singular.
    fn factor(&self, values: &[f64]) -> Option<Lu<u32, f64>> {
        let matrix = SparseColMatRef::new(self.pattern(), values);
        Lu::try_new_with_symbolic(self.general.clone()?, matrix).ok()
    }

    /// Factors values over the pattern of a symmetric matrix; nothing if it is not positive definite.
    pub fn factor_symmetric(&self, values: &[f64]) -> Option<Llt<u32, f64>> {
        let matrix = SparseColMatRef::new(self.pattern(), values);
        Llt::try_new_with_symbolic(self.symmetric.clone()?, matrix, Side::Lower).ok()
    }
}

/// Solves for columns of `flat`, in place.
pub fn solve_columns(factor: &impl SolveCore<f64>, flat: &mut [f64], count: usize) {
    let size = flat.len() / count;
    factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(flat, size, count));
}

/// A factored body.
pub enum BodyFactor {
    /// Factored where it is.
    Own(Box<OwnFactor>),
    /// The factor of its reference state, turned as the body is: nearly right while strains are small.
    Turned {
        /// Factor of the reference state.
        reference: Arc<ReferenceFactor>,
        /// Cosine and sine of the turn.
        turn: DVec2,
    },
}

impl BodyFactor {
    /// Solves for displacements [m] under forces [N], in place.
    pub fn solve(&self, field: &mut [DVec2]) {
        match self {
            Self::Own(own) => solve_field(&own.factor, DVec2::X, field),
            Self::Turned { reference, turn } => solve_field(&reference.factor, *turn, field),
        }
    }

    /// Makes sure that the compliances of nodes are known; `outline` lists the body's outline nodes.
    pub fn prepare(&mut self, nodes: &[u32], outline: &[u32]) {
        if let Self::Own(own) = self {
            own.prepare(nodes, outline);
        }
    }

    /// Compliances between prepared nodes, as rows of 2·count numbers [m/N]; `rank` gives their places in the outline.
    pub fn compliances(&self, nodes: &[u32], rank: &[u32]) -> Vec<f64> {
        let mut matrix = vec![0.0; 4 * nodes.len() * nodes.len()];
        let width = 2 * nodes.len();
        for (column, &node) in nodes.iter().enumerate() {
            let (values, turn) = match self {
                Self::Own(own) => (own.columns_of(node), DVec2::X),
                Self::Turned { reference, turn } => {
                    (reference.columns_of(rank[node as usize] as usize), *turn)
                }
            };
            let half = values.len() / 2;
            for (row, &other) in nodes.iter().enumerate() {
                let from = 2 * rank[other as usize] as usize;
                // R G Rᵀ, block by block.
                let along_x = turn.rotate(DVec2::new(values[from], values[from + 1]));
                let along_y = turn.rotate(DVec2::new(values[half + from], values[half + from + 1]));
                let first = along_x * turn.x - along_y * turn.y;
                let second = along_x * turn.y + along_y * turn.x;
                matrix[2 * row * width + 2 * column] = first.x;
                matrix[2 * row * width + 2 * column + 1] = second.x;
                matrix[(2 * row + 1) * width + 2 * column] = first.y;
                matrix[(2 * row + 1) * width + 2 * column + 1] = second.y;
            }
        }
        matrix
    }
}

fn solve_field(factor: &impl SolveCore<f64>, turn: DVec2, field: &mut [DVec2]) {
    let back = DVec2::new(turn.x, -turn.y);
    let mut flat: Vec<f64> = field.iter().flat_map(|vector| back.rotate(*vector).to_array()).collect();
    solve_columns(factor, &mut flat, 1);
    for (vector, parts) in field.iter_mut().zip(flat.chunks_exact(2)) {
        *vector = turn.rotate(DVec2::new(parts[0], parts[1]));
    }
}

/// A body factored where it is.
pub struct OwnFactor {
    factor: Lu<u32, f64>,
    /// Place of each node among those with columns below, or `u32::MAX`.
    place: Vec<u32>,
    /// Nodes with columns so far.
    known: u32,
    /// Displacements of outline nodes [m/N]: two columns per known node, a pair of numbers per outline node.
    columns: Vec<f64>,
    outline_count: usize,
}

impl OwnFactor {
    /// Factors the matrix of a body's step; nothing if it is singular.
    pub fn new(body: &SolidBody, held: &[[bool; 2]], mut values: Vec<f64>) -> Option<Self> {
        let shape = body.shape()?;
        if held.iter().any(|axes| axes[0] || axes[1]) {
            shape.pattern.isolate(&mut values, held);
        }
        let factor = shape.matrix.factor(&values)?;
        let outline_count = shape.outline.segments.len();
        Some(Self { factor, place: vec![u32::MAX; held.len()], known: 0, columns: Vec::new(), outline_count })
    }

    fn prepare(&mut self, nodes: &[u32], outline: &[u32]) {
        let missing: Vec<u32> =
            nodes.iter().copied().filter(|&node| self.place[node as usize] == u32::MAX).collect();
        if missing.is_empty() {
            return;
        }
        for column in
            unit_responses(&self.factor, self.place.len(), &missing).chunks_exact(2 * self.place.len())
        {
            self.columns.extend(outline_part(column, outline));
        }
        for node in missing {
            self.place[node as usize] = self.known;
            self.known += 1;
        }
    }

    fn columns_of(&self, node: u32) -> &[f64] {
        let length = 4 * self.outline_count;
        &self.columns[self.place[node as usize] as usize * length..][..length]
    }
}

/// Displacements of all nodes under unit forces on some: two columns per node.
pub fn unit_responses(factor: &impl SolveCore<f64>, count: usize, nodes: &[u32]) -> Vec<f64> {
    let size = 2 * count;
    let mut flat = vec![0.0; 2 * nodes.len() * size];
    for (k, &node) in nodes.iter().enumerate() {
        for axis in 0..2 {
            flat[(2 * k + axis) * size + 2 * node as usize + axis] = 1.0;
        }
    }
    solve_columns(factor, &mut flat, 2 * nodes.len());
    flat
}

/// The part of a column that belongs to the outline.
pub fn outline_part(column: &[f64], outline: &[u32]) -> impl Iterator<Item = f64> {
    outline.iter().flat_map(|&node| [column[2 * node as usize], column[2 * node as usize + 1]])
}
