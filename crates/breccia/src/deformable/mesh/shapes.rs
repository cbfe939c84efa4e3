//! Meshes built in: disks, rings, rectangles, blocks.

use super::{Cell, SolidMesh};
use glam::{DVec2, dvec2};
use std::f64::consts::{PI, SQRT_2, TAU};

/// Half the diagonal of a disk's core relative to its radius.
const CORE: f64 = 0.55;

/// Bulge of the core's sides.
const BULGE: f64 = 0.15;

impl SolidMesh {
    /// A disk of quads about the origin: a core of `core`×`core` and `layers` layers around it; 4·`core` points on
    /// the rim.
    ///
    /// # Panics
    /// If `core` or `layers` is 0.
    pub fn disk(radius: f64, core: usize, layers: usize) -> Self {
        assert!(core > 0 && layers > 0, "a disk needs a core and a layer around it");
        let mut mesh = core_grid(core);
        let perimeter = core_perimeter(core);
        let mut inner: Vec<u32> = perimeter.clone();
        for layer in 1..=layers {
            let share = layer as f64 / layers as f64;
            let first = mesh.points.len() as u32;
            for (place, &corner) in perimeter.iter().enumerate() {
                let angle = -0.75 * PI + TAU * place as f64 / perimeter.len() as f64;
                let rim = dvec2(libm::cos(angle), libm::sin(angle));
                mesh.points.push((1.0 - share) * mesh.points[corner as usize] + share * rim);
            }
            let outer: Vec<u32> = (first..first + perimeter.len() as u32).collect();
            join_rings(&mut mesh.cells, &inner, &outer);
            inner = outer;
        }
        mesh.points.iter_mut().for_each(|point| *point *= radius);
        mesh
    }

    /// A ring of quads about the origin between two radii [m]: `around` by `across` elements.
    ///
    /// # Panics
    /// If `around` is below 3 or `across` is 0.
    pub fn ring(inner_radius: f64, outer_radius: f64, around: usize, across: usize) -> Self {
        assert!(around >= 3 && across > 0, "a ring needs three elements around and one across");
        let mut mesh = Self::default();
        let mut last: Option<Vec<u32>> = None;
        for layer in 0..=across {
            let share = layer as f64 / across as f64;
            let radius = inner_radius + share * (outer_radius - inner_radius);
            let first = mesh.points.len() as u32;
            for place in 0..around {
                let angle = TAU * place as f64 / around as f64;
                mesh.points.push(radius * dvec2(libm::cos(angle), libm::sin(angle)));
            }
            let ring: Vec<u32> = (first..first + around as u32).collect();
            if let Some(inner) = last {
                join_rings(&mut mesh.cells, &inner, &ring);
            }
            last = Some(ring);
        }
        mesh
    }

    /// A rectangle of quads centred on the origin, `size` [m] wide and high, `counts` elements along x and y.
    ///
    /// # Panics
    /// If a count is 0.
    pub fn rectangle(size: DVec2, counts: [usize; 2]) -> Self {
        let half = 0.5 * size;
        Self::block([-half, dvec2(half.x, -half.y), half, dvec2(-half.x, half.y)], counts)
    }

    /// A block of quads with four given corners [m], counter-clockwise: `counts` elements along the first and the
    /// second side.
    ///
    /// # Panics
    /// If a count is 0.
    pub fn block(corners: [DVec2; 4], counts: [usize; 2]) -> Self {
        let [along, up] = counts;
        assert!(along > 0 && up > 0, "a block needs an element each way");
        let mut mesh = Self::default();
        for row in 0..=up {
            for column in 0..=along {
                let (u, v) = (column as f64 / along as f64, row as f64 / up as f64);
                let bottom = (1.0 - u) * corners[0] + u * corners[1];
                let top = (1.0 - u) * corners[3] + u * corners[2];
                mesh.points.push((1.0 - v) * bottom + v * top);
            }
        }
        mesh.cells = grid_cells(along, up);
        mesh
    }
}

/// Quads of a grid whose points are numbered row by row.
fn grid_cells(along: usize, up: usize) -> Vec<Cell> {
    let at = |column: usize, row: usize| (row * (along + 1) + column) as u32;
    let quad = |row: usize, column: usize| {
        Cell::Quad([at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)])
    };
    (0..up).flat_map(|row| (0..along).map(move |column| quad(row, column))).collect()
}

/// The bulged square in the middle of a disk of radius 1.
fn core_grid(count: usize) -> SolidMesh {
    let half = CORE / SQRT_2;
    let at = |k: usize| 2.0 * k as f64 / count as f64 - 1.0;
    let mut mesh = SolidMesh::default();
    for row in 0..=count {
        for column in 0..=count {
            let (u, v) = (at(column), at(row));
            let bulged = dvec2(u * (1.0 + BULGE * (1.0 - v * v)), v * (1.0 + BULGE * (1.0 - u * u)));
            mesh.points.push(half * bulged);
        }
    }
    mesh.cells = grid_cells(count, count);
    mesh
}

/// Points around the core, counter-clockwise from its lower left corner.
fn core_perimeter(count: usize) -> Vec<u32> {
    let at = |column: usize, row: usize| (row * (count + 1) + column) as u32;
    let bottom = (0..count).map(|k| at(k, 0));
    let right = (0..count).map(|k| at(count, k));
    let top = (0..count).map(|k| at(count - k, count));
    let left = (0..count).map(|k| at(0, count - k));
    bottom.chain(right).chain(top).chain(left).collect()
}

fn join_rings(cells: &mut Vec<Cell>, inner: &[u32], outer: &[u32]) {
    let count = inner.len();
    for k in 0..count {
        let next = (k + 1) % count;
        cells.push(Cell::Quad([inner[k], outer[k], outer[next], inner[next]]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::boundary_loops;
    use super::*;

    /// Smallest sine of the angle at a corner.
    fn smallest_sine(mesh: &SolidMesh) -> f64 {
        let mut smallest = 1.0_f64;
        for cell in &mesh.cells {
            let corners: Vec<DVec2> = cell.corners().iter().map(|&k| mesh.points[k as usize]).collect();
            for k in 0..4 {
                let (to, from) = (corners[(k + 1) % 4] - corners[k], corners[(k + 3) % 4] - corners[k]);
                smallest = smallest.min(to.perp_dot(from) / (to.length() * from.length()));
            }
        }
        smallest
    }

    #[test]
    fn the_disk_has_the_stated_counts_area_and_shape() {
        for (core, layers, rim, points, quads) in [(8, 3, 32, 177, 160), (4, 2, 16, 57, 48)] {
            let mesh = SolidMesh::disk(2.0, core, layers);
            assert_eq!(mesh.check(), Ok(()));
            assert_eq!((mesh.points.len(), mesh.cells.len()), (points, quads));
            let loops = boundary_loops(&mesh).unwrap();
            assert_eq!((loops.len(), loops[0].nodes.len()), (1, rim));
            let area = 2.0 * core as f64 * 4.0 * libm::sin(TAU / rim as f64);
            assert!((mesh.area() / area - 1.0).abs() < 1e-14);
        }
        let sine = smallest_sine(&SolidMesh::disk(1.0, 8, 3));
        assert!((sine - 0.86).abs() < 0.01, "{sine}");
        assert_eq!(boundary_loops(&SolidMesh::disk(1.0, 16, 6)).unwrap()[0].nodes.len(), 64);
    }

    #[test]
    fn a_ring_has_two_loops_and_the_area_of_its_polygons() {
        let mesh = SolidMesh::ring(0.5, 1.0, 24, 3);
        assert_eq!(mesh.check(), Ok(()));
        let area = 12.0 * libm::sin(TAU / 24.0) * (1.0 - 0.25);
        assert!((mesh.area() / area - 1.0).abs() < 1e-14);
        let loops = boundary_loops(&mesh).unwrap();
        assert_eq!(loops.iter().filter(|found| found.is_hole()).count(), 1);
    }

    #[test]
    fn rectangles_and_blocks_fill_their_outline() {
        let mesh = SolidMesh::rectangle(dvec2(2.0, 3.0), [4, 5]);
        assert_eq!((mesh.points.len(), mesh.cells.len()), (30, 20));
        assert!((mesh.area() - 6.0).abs() < 1e-14);
        let wedge = [dvec2(0.0, 0.0), dvec2(2.0, 0.0), dvec2(1.5, 1.0), dvec2(0.5, 1.0)];
        let block = SolidMesh::block(wedge, [3, 2]);
        assert_eq!(block.check(), Ok(()));
        assert!((block.area() - 1.5).abs() < 1e-14);
    }
}
