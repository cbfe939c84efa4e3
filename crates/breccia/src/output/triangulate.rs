//! Polygons cut into triangles, for drawing.

use glam::{DVec2, DVec3};

/// Cuts a polygon into triangles of places in `corners`. Convex or not, in any plane, either way round; a polygon of
/// n corners gives n − 2 triangles. Outlines that cross themselves give triangles, too, but not sensible ones.
pub fn triangulate(corners: &[DVec3]) -> Vec<[usize; 3]> {
    let flat = flatten(corners);
    if is_convex(&flat) {
        return (1..flat.len().saturating_sub(1)).map(|i| [0, i, i + 1]).collect();
    }
    clip_ears(&flat)
}

/// Corners in the polygon's plane, anticlockwise.
fn flatten(corners: &[DVec3]) -> Vec<DVec2> {
    let next = |i: usize| corners[(i + 1) % corners.len()];
    let normal: DVec3 =
        (0..corners.len()).map(|i| (corners[i] - corners[0]).cross(next(i) - corners[0])).sum();
    let normal = normal.try_normalize().unwrap_or(DVec3::Z);
    let (u, v) = normal.any_orthonormal_pair();
    corners.iter().map(|&corner| DVec2::new(u.dot(corner - corners[0]), v.dot(corner - corners[0]))).collect()
}

fn is_convex(flat: &[DVec2]) -> bool {
    let n = flat.len();
    n < 4 || (0..n).all(|i| turn(flat[i], flat[(i + 1) % n], flat[(i + 2) % n]) >= 0.0) && winds_once(flat)
}

/// Whether directions of the sides turn round once: a star turns left everywhere as well.
fn winds_once(flat: &[DVec2]) -> bool {
    let n = flat.len();
    let sign_changes = |part: fn(DVec2) -> f64| {
        let signs: Vec<bool> = (0..n)
            .map(|i| part(flat[(i + 1) % n] - flat[i]))
            .filter(|x| *x != 0.0)
            .map(|x| x > 0.0)
            .collect();
        (0..signs.len()).filter(|&i| signs[i] != signs[(i + 1) % signs.len()]).count()
    };
    sign_changes(|side| side.x) <= 2 && sign_changes(|side| side.y) <= 2
}

/// Twice the area of a triangle, positive anticlockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Cuts off one ear after the other. Where rounding leaves none, the sharpest left turn counts as one.
fn clip_ears(flat: &[DVec2]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..flat.len()).collect();
    let mut triangles = Vec::with_capacity(flat.len().saturating_sub(2));
    let mut start = 0;
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i % n], left[(i + 1) % n]];
        let place = (0..n).map(|i| (start + i) % n).find(|&i| is_ear(flat, &left, corner(i)));
        let place = place.unwrap_or(0);
        triangles.push(corner(place));
        left.remove(place);
        // Going on from here gives better triangles than fans from the first corner.
        start = place;
    }
    triangles.extend(<[usize; 3]>::try_from(left).ok());
    triangles
}

fn is_ear(flat: &[DVec2], left: &[usize], ear: [usize; 3]) -> bool {
    let [a, b, c] = ear.map(|i| flat[i]);
    let inside = |p: DVec2| turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
    turn(a, b, c) > 0.0 && !left.iter().any(|&i| !ear.contains(&i) && inside(flat[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn area(corners: &[DVec3], triangles: &[[usize; 3]]) -> f64 {
        let one = |t: &[usize; 3]| {
            0.5 * (corners[t[1]] - corners[t[0]]).cross(corners[t[2]] - corners[t[0]]).length()
        };
        triangles.iter().map(one).sum()
    }

    #[test]
    fn triangles_cover_the_polygon_once() {
        // A comb, a star and a square: the sum of the triangles' areas is the polygon's only if none overlap.
        let comb = [
            [0., 0.],
            [4., 0.],
            [4., 3.],
            [3., 3.],
            [3., 1.],
            [2., 1.],
            [2., 3.],
            [1., 3.],
            [1., 1.],
            [0., 1.],
        ];
        let star: Vec<[f64; 2]> = (0..14)
            .map(|i| {
                let (sine, cosine) = libm::sincos(f64::from(i) * std::f64::consts::PI / 7.0);
                let r = if i % 2 == 0 { 1.0 } else { 0.4 };
                [r * cosine, r * sine]
            })
            .collect();
        let square = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
        for shape in [&comb[..], &star, &square] {
            for turned in [DQuat::IDENTITY, DQuat::from_rotation_x(1.0), DQuat::from_rotation_y(3.0)] {
                for mirrored in [false, true] {
                    let mut corners: Vec<DVec3> =
                        shape.iter().map(|p| turned * DVec3::new(p[0], p[1], 0.3)).collect();
                    if mirrored {
                        corners.reverse();
                    }
                    let twice: f64 = (0..shape.len())
                        .map(|i| {
                            let (a, b) = (shape[i], shape[(i + 1) % shape.len()]);
                            a[0] * b[1] - a[1] * b[0]
                        })
                        .sum();
                    let triangles = triangulate(&corners);
                    assert_eq!(triangles.len(), shape.len() - 2);
                    assert!((area(&corners, &triangles) - 0.5 * twice.abs()).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn odd_polygons_are_survived() {
        for corners in [vec![], vec![DVec3::X], vec![DVec3::X, DVec3::Y]] {
            assert!(triangulate(&corners).is_empty());
        }
        let flat = vec![DVec3::ZERO; 6];
        assert_eq!(triangulate(&flat).len(), 4);
        let bow = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
        assert_eq!(triangulate(&bow).len(), 2);
        let broken = [DVec3::NAN, DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
        assert_eq!(triangulate(&broken).len(), 3);
    }
}
