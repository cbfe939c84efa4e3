//! Which nodes of a body share elements: where its matrices have entries.

use super::element::{CornerBlocks, FiniteElement};
use glam::DVec2;

/// Entries of a matrix with a 2×2 block per pair of nodes that share an element, column by column.
///
/// Unknown 2·node + axis; the two columns of a node follow each other, each with the same rows in ascending order.
#[derive(Clone, Debug)]
pub struct BlockPattern {
    /// First neighbour of each node, and the end.
    starts: Vec<u32>,
    /// Nodes that share an element with a node, itself included, ascending.
    neighbours: Vec<u32>,
    /// Per element and pair of corners (row, column): where its block lies.
    places: Vec<[[BlockPlace; 4]; 4]>,
}

/// Where a 2×2 block lies among the values: its first column, and how far the second is behind it.
#[derive(Clone, Copy, Debug, Default)]
struct BlockPlace {
    first: u32,
    stride: u32,
}

impl BlockPattern {
    /// Pattern of elements over `count` nodes.
    pub fn new(count: usize, elements: &[FiniteElement]) -> Self {
        let mut adjacent = vec![Vec::new(); count];
        for element in elements {
            for node in element.nodes {
                adjacent[node as usize].extend(element.nodes);
            }
        }
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        for list in &mut adjacent {
            list.sort_unstable();
            list.dedup();
            neighbours.append(list);
            starts.push(neighbours.len() as u32);
        }
        let mut pattern = Self { starts, neighbours, places: Vec::new() };
        let place = |row: u32, column: u32| pattern.place(row, column);
        let of_element =
            |element: &FiniteElement| element.nodes.map(|row| element.nodes.map(|column| place(row, column)));
        pattern.places = elements.iter().map(of_element).collect();
        pattern
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of scalar entries of the matrix of blocks.
    pub fn entries(&self) -> usize {
        4 * self.neighbours.len()
    }

    /// Number of pairs of nodes with entries.
    pub fn pairs(&self) -> usize {
        self.neighbours.len()
    }

    /// Neighbours of a node and the numbers of its pairs with them.
    pub fn neighbours(&self, node: usize) -> impl Iterator<Item = (usize, usize)> {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        range.map(|pair| (pair, self.neighbours[pair] as usize))
    }

    /// Starts of the columns of the matrix, and the end.
    pub fn column_starts(&self) -> Vec<u32> {
        let mut starts = Vec::with_capacity(2 * self.nodes() + 1);
        for node in 0..self.nodes() {
            let degree = self.starts[node + 1] - self.starts[node];
            starts.extend([4 * self.starts[node], 4 * self.starts[node] + 2 * degree]);
        }
        starts.push(self.entries() as u32);
        starts
    }

    /// Rows of the entries of the matrix, column by column.
    pub fn rows(&self) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.entries());
        for node in 0..self.nodes() {
            for _ in 0..2 {
                let range = self.starts[node] as usize..self.starts[node + 1] as usize;
                rows.extend(self.neighbours[range].iter().flat_map(|&row| [2 * row, 2 * row + 1]));
            }
        }
        rows
    }

    /// Adds the blocks of an element to the values of the matrix.
    pub fn add_blocks(&self, values: &mut [f64], element: usize, blocks: &CornerBlocks) {
        for (places, row) in self.places[element].iter().zip(blocks) {
            for (place, block) in places.iter().zip(row) {
                let (first, second) = (place.first as usize, (place.first + place.stride) as usize);
                values[first] += block.x_axis.x;
                values[first + 1] += block.x_axis.y;
                values[second] += block.y_axis.x;
                values[second + 1] += block.y_axis.y;
            }
        }
    }

    /// Sets values to `factor` times a matrix with one number per pair of nodes, the same for both axes.
    pub fn set_scaled(&self, values: &mut [f64], per_pair: &[f64], factor: f64) {
        values.fill(0.0);
        for node in 0..self.nodes() {
            let (start, end) = (self.starts[node] as usize, self.starts[node + 1] as usize);
            let stride = 2 * (end - start);
            for (place, value) in per_pair[start..end].iter().enumerate() {
                let first = 4 * start + 2 * place;
                values[first] = factor * value;
                values[first + stride + 1] = factor * value;
            }
        }
    }

    /// Product of a symmetric matrix with one number per pair of nodes and a field of vectors.
    pub fn multiply(&self, per_pair: &[f64], field: &[DVec2], product: &mut [DVec2]) {
        for (node, out) in product.iter_mut().enumerate() {
            let range = self.starts[node] as usize..self.starts[node + 1] as usize;
            let terms = per_pair[range.clone()].iter().zip(&self.neighbours[range]);
            *out = terms.map(|(&factor, &other)| factor * field[other as usize]).sum();
        }
    }

    /// Makes unknowns stand alone: rows and columns of the marked ones become those of the identity.
    pub fn isolate(&self, values: &mut [f64], marked: &[[bool; 2]]) {
        for node in 0..self.nodes() {
            let (start, end) = (self.starts[node] as usize, self.starts[node + 1] as usize);
            let stride = 2 * (end - start);
            for axis in 0..2 {
                for pair in start..end {
                    let other = self.neighbours[pair] as usize;
                    for row in 0..2 {
                        let entry = 4 * start + axis * stride + 2 * (pair - start) + row;
                        if marked[node][axis] || marked[other][row] {
                            values[entry] = f64::from(u8::from(other == node && row == axis));
                        }
                    }
                }
            }
        }
    }

    /// The number of a pair of nodes.
    pub fn pair(&self, row: u32, column: u32) -> usize {
        let (start, end) = (self.starts[column as usize] as usize, self.starts[column as usize + 1] as usize);
        start + self.neighbours[start..end].partition_point(|&other| other < row)
    }

    fn place(&self, row: u32, column: u32) -> BlockPlace {
        let (start, end) = (self.starts[column as usize], self.starts[column as usize + 1]);
        let rank = self.pair(row, column) as u32 - start;
        BlockPlace { first: 4 * start + 2 * rank, stride: 2 * (end - start) }
    }
}
