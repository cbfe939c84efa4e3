//! Sparse symmetric matrix of 3 × 3 blocks, one per body and coupled pair, and its Cholesky factorisation.

use super::{SolveError, graph::Graph};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

/// A block, row by row.
pub(super) type Block = [[f64; 3]; 3];

/// Pattern of a matrix, its symbolic analysis and memory for its factors. Reused while the pattern stays.
pub(super) struct BlockMatrix {
    /// Number of bodies.
    bodies: usize,
    /// Lower and higher body of each off-diagonal block, ascending.
    pattern: Vec<(u32, u32)>,
    columns: SymbolicSparseColMat<usize>,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    factor: Vec<f64>,
    scratch: MemBuffer,
}

impl BlockMatrix {
    /// Analyses the pattern of a graph.
    pub fn new(bodies: usize, graph: &Graph) -> Result<Self, SolveError> {
        let pattern = pattern_of(graph);
        let columns = lower_columns(bodies, &pattern);
        let setup = |reason: &dyn std::fmt::Debug| SolveError::Setup { reason: format!("{reason:?}") };
        let symbolic = factorize_symbolic_cholesky(
            columns.as_ref(),
            Side::Lower,
            SymmetricOrdering::Amd,
            Default::default(),
        )
        .map_err(|error| setup(&error))?;
        let request =
            symbolic
                .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
                .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let scratch = MemBuffer::try_new(request).map_err(|error| setup(&error))?;
        let values = vec![0.0; columns.row_idx().len()];
        let factor = vec![0.0; symbolic.len_val()];
        Ok(Self { bodies, pattern, columns, symbolic, values, factor, scratch })
    }

    /// Whether a graph has this pattern.
    pub fn fits(&self, bodies: usize, graph: &Graph) -> bool {
        self.bodies == bodies
            && graph.coupled().map(|pair| (pair.low, pair.high)).eq(self.pattern.iter().copied())
    }

    /// Factorises the matrix with the given diagonal blocks and blocks (row `high`, column `low`) of the pattern.
    /// On failure gives the column.
    pub fn factorise(&mut self, diagonal: &[Block], coupling: &[Block]) -> Result<(), usize> {
        self.fill(diagonal, coupling);
        let matrix = SparseColMatRef::new(self.columns.as_ref(), &self.values[..]);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.scratch),
                Spec::default(),
            )
            .map(|_| ())
            .map_err(|LltError::NonPositivePivot { index }| index)
    }

    /// Solves with the last factors, in place.
    pub fn solve(&mut self, right_side: &mut [[f64; 3]]) {
        let unknowns = 3 * right_side.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right_side.as_flattened_mut(), unknowns, 1),
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
    }

    /// Writes the blocks where the column-wise storage has them.
    fn fill(&mut self, diagonal: &[Block], coupling: &[Block]) {
        let mut place = 0;
        let mut next = 0;
        for (low, own) in diagonal.iter().enumerate() {
            let first = next;
            while next < self.pattern.len() && self.pattern[next].0 as usize == low {
                next += 1;
            }
            for column in 0..3 {
                for row in own.iter().skip(column) {
                    self.values[place] = row[column];
                    place += 1;
                }
                for block in &coupling[first..next] {
                    for row in block {
                        self.values[place] = row[column];
                        place += 1;
                    }
                }
            }
        }
    }
}

fn pattern_of(graph: &Graph) -> Vec<(u32, u32)> {
    graph.coupled().map(|pair| (pair.low, pair.high)).collect()
}

/// Lower triangle, column by column.
fn lower_columns(bodies: usize, pattern: &[(u32, u32)]) -> SymbolicSparseColMat<usize> {
    let mut starts = vec![0];
    let mut rows = Vec::new();
    let mut next = 0;
    for low in 0..bodies {
        let first = next;
        while next < pattern.len() && pattern[next].0 as usize == low {
            next += 1;
        }
        for column in 0..3 {
            rows.extend((column..3).map(|row| 3 * low + row));
            for &(_, high) in &pattern[first..next] {
                rows.extend((0..3).map(|row| 3 * high as usize + row));
            }
            starts.push(rows.len());
        }
    }
    SymbolicSparseColMat::new_checked(3 * bodies, 3 * bodies, starts, None, rows)
}
