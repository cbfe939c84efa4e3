//! Points of lattices.

use crate::scene::file::Arrangement;
use glam::DVec3;

/// Centres of a lattice of `count` cells from `origin`, x fastest.
pub(in crate::scene) fn lattice_points(
    arrangement: Arrangement,
    origin: DVec3,
    spacing: DVec3,
    count: [u64; 3],
) -> Vec<DVec3> {
    let mut points = Vec::new();
    for k in 0..count[2] {
        for j in 0..count[1] {
            for i in 0..count[0] {
                let cell = DVec3::new(i as f64, j as f64, k as f64);
                match arrangement {
                    Arrangement::Cubic => points.push(origin + cell * spacing),
                    Arrangement::Fcc => points.extend(FCC.map(|offset| origin + (cell + offset) * spacing)),
                    Arrangement::Hex => points.push(origin + hex_point([i, j, k]) * spacing),
                }
            }
        }
    }
    points
}

/// Places in a face-centred cubic cell of unit edge.
const FCC: [DVec3; 4] =
    [DVec3::ZERO, DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.0, 0.5, 0.5)];

/// Point of the hexagonal close packing with neighbours at distance 1: layers A, B, A, B … along z.
fn hex_point([i, j, k]: [u64; 3]) -> DVec3 {
    let half_row = 0.75_f64.sqrt();
    let layer = (2.0_f64 / 3.0).sqrt();
    let odd_layer = (k % 2) as f64;
    DVec3::new(
        i as f64 + 0.5 * ((j + k) % 2) as f64,
        half_row * (j as f64 + odd_layer / 3.0),
        layer * k as f64,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(points: &[DVec3], of: usize) -> (f64, usize) {
        let distances: Vec<f64> =
            (0..points.len()).filter(|&i| i != of).map(|i| points[i].distance(points[of])).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        (nearest, distances.iter().filter(|&&d| d < nearest * (1.0 + 1e-9)).count())
    }

    #[test]
    fn close_packings_have_twelve_neighbours_and_cubic_six() {
        for (arrangement, distance, number, cells) in [
            (Arrangement::Cubic, 1.0, 6, [5, 5, 5]),
            (Arrangement::Fcc, 0.5_f64.sqrt(), 12, [3, 3, 3]),
            (Arrangement::Hex, 1.0, 12, [5, 5, 5]),
        ] {
            let points = lattice_points(arrangement, DVec3::ZERO, DVec3::ONE, cells);
            let middle = points.iter().copied().sum::<DVec3>() / points.len() as f64;
            let centre = (0..points.len())
                .min_by(|&a, &b| points[a].distance(middle).total_cmp(&points[b].distance(middle)))
                .unwrap();
            let (nearest, count) = neighbours(&points, centre);
            assert!((nearest - distance).abs() < 1e-12, "{arrangement:?} {nearest}");
            assert_eq!(count, number, "{arrangement:?}");
        }
    }
}
