//! The matrix of one body: factored, and how its surface gives under forces.

use crate::deformable::model::SolidBody;
use crate::deformable::pattern::BlockPattern;
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut};
use glam::DVec2;

/// How the matrix of a shape is factored: found once, used by all bodies of the shape.
#[derive(Clone, Debug)]
pub struct BodyMatrix {
    columns: Vec<u32>,
    rows: Vec<u32>,
    symbolic: Option<SymbolicLu<u32>>,
}

impl BodyMatrix {
    /// Analyses a pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        let (columns, rows) = (pattern.column_starts(), pattern.rows());
        let mut matrix = Self { columns, rows, symbolic: None };
        matrix.symbolic = SymbolicLu::try_new(matrix.symbolic()).ok();
        matrix
    }

    fn symbolic(&self) -> SymbolicSparseColMatRef<'_, u32> {
        let size = self.columns.len() - 1;
        SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows)
    }

    /// Factors values over the pattern; nothing if the matrix is singular.
    pub fn factor(&self, values: &[f64]) -> Option<Lu<u32, f64>> {
        let matrix = SparseColMatRef::new(self.symbolic(), values);
        Lu::try_new_with_symbolic(self.symbolic.clone()?, matrix).ok()
    }
}

/// A factored body.
pub struct BodyFactor {
    factor: Lu<u32, f64>,
    /// Place of each node among those with columns below, or `u32::MAX`.
    place: Vec<u32>,
    /// Nodes with columns, in the order they were asked for.
    nodes: Vec<u32>,
    /// Displacements of outline nodes [m/N]: two columns per node of `nodes`, a pair of numbers per outline node.
    columns: Vec<f64>,
}

impl BodyFactor {
    /// Factors the matrix of a body's step; nothing if it is singular.
    pub fn new(body: &SolidBody, held: &[[bool; 2]], mut values: Vec<f64>) -> Option<Self> {
        let shape = body.shape()?;
        if held.iter().any(|axes| axes[0] || axes[1]) {
            shape.pattern.isolate(&mut values, held);
        }
        let factor = shape.matrix.factor(&values)?;
        Some(Self { factor, place: vec![u32::MAX; held.len()], nodes: Vec::new(), columns: Vec::new() })
    }

    /// Solves for displacements [m] under forces [N], in place.
    pub fn solve(&self, field: &mut [DVec2]) {
        let mut flat: Vec<f64> = field.iter().flat_map(|vector| vector.to_array()).collect();
        self.solve_columns(&mut flat, 1);
        for (vector, parts) in field.iter_mut().zip(flat.chunks_exact(2)) {
            *vector = DVec2::new(parts[0], parts[1]);
        }
    }

    fn solve_columns(&self, flat: &mut [f64], count: usize) {
        let size = flat.len() / count;
        let right_side = MatMut::from_column_major_slice_mut(flat, size, count);
        self.factor.solve_in_place_with_conj(Conj::No, right_side);
    }

    /// Makes sure that the compliances of nodes are known; `outline` lists the body's outline nodes.
    pub fn prepare(&mut self, nodes: &[u32], outline: &[u32]) {
        let missing: Vec<u32> =
            nodes.iter().copied().filter(|&node| self.place[node as usize] == u32::MAX).collect();
        if missing.is_empty() {
            return;
        }
        let size = 2 * self.place.len();
        let mut flat = vec![0.0; 2 * missing.len() * size];
        for (k, &node) in missing.iter().enumerate() {
            for axis in 0..2 {
                flat[(2 * k + axis) * size + 2 * node as usize + axis] = 1.0;
            }
        }
        self.solve_columns(&mut flat, 2 * missing.len());
        for column in flat.chunks_exact(size) {
            let kept = outline.iter().flat_map(|&node| {
                let place = 2 * node as usize;
                [column[place], column[place + 1]]
            });
            self.columns.extend(kept);
        }
        for node in missing {
            self.place[node as usize] = self.nodes.len() as u32;
            self.nodes.push(node);
        }
    }

    /// Compliances between prepared nodes, as rows of 2·count numbers [m/N]; `rank` gives their places in the outline.
    pub fn compliances(&self, nodes: &[u32], rank: &[u32], outline_count: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; 4 * nodes.len() * nodes.len()];
        let width = 2 * nodes.len();
        for (column, &node) in nodes.iter().enumerate() {
            for axis in 0..2 {
                let first = (2 * self.place[node as usize] as usize + axis) * 2 * outline_count;
                let values = &self.columns[first..first + 2 * outline_count];
                for (row, &other) in nodes.iter().enumerate() {
                    let from = 2 * rank[other as usize] as usize;
                    matrix[2 * row * width + 2 * column + axis] = values[from];
                    matrix[(2 * row + 1) * width + 2 * column + axis] = values[from + 1];
                }
            }
        }
        matrix
    }
}
