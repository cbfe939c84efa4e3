//! Mass properties of the solid that overlapping spheres make together: what two of them share counts once.

use glam::{DMat3, DQuat, DVec3};

/// Columns across the smallest radius: volume and moments of one sphere are then right to 1e-4.
const COLUMNS_PER_RADIUS: f64 = 48.0;
/// Most columns of a solid; large ones get wider columns.
const MOST_COLUMNS: f64 = 4e6;
/// Sweeps of Jacobi's method; three or four suffice.
const MOST_SWEEPS: usize = 50;

/// Volume and moments of a solid of unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Volume [m³].
    pub volume: f64,
    /// Centre of mass [m, frame of the spheres].
    pub centre: DVec3,
    /// Principal moments of inertia about the centre [m⁵].
    pub inertia: DVec3,
    /// Principal axes: spheres_from_principal.
    pub axes: DQuat,
}

impl Solid {
    /// The union of spheres, centres [m] and radii [m].
    ///
    /// Along z the union of intervals is exact; across, columns of equal width are summed.
    pub fn of_spheres(spheres: &[(DVec3, f64)]) -> Self {
        let moments = Moments::of_spheres(spheres);
        let volume = moments.volume;
        if volume <= 0.0 {
            return Self { volume: 0.0, centre: DVec3::ZERO, inertia: DVec3::ZERO, axes: DQuat::IDENTITY };
        }
        let centre = moments.first / volume;
        let about_centre = |second: f64, a: f64, b: f64| second - volume * a * b;
        let squares = DVec3::new(
            about_centre(moments.squares.x, centre.x, centre.x),
            about_centre(moments.squares.y, centre.y, centre.y),
            about_centre(moments.squares.z, centre.z, centre.z),
        );
        // Products yz, zx, xy.
        let products = DVec3::new(
            about_centre(moments.products.x, centre.y, centre.z),
            about_centre(moments.products.y, centre.z, centre.x),
            about_centre(moments.products.z, centre.x, centre.y),
        );
        let total = squares.element_sum();
        let tensor = DMat3::from_cols(
            DVec3::new(total - squares.x, -products.z, -products.y),
            DVec3::new(-products.z, total - squares.y, -products.x),
            DVec3::new(-products.y, -products.x, total - squares.z),
        );
        let (inertia, axes) = principal(tensor);
        Self { volume, centre, inertia, axes }
    }
}

/// Integrals over a solid about the origin.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    volume: f64,
    first: DVec3,
    squares: DVec3,
    products: DVec3,
}

impl Moments {
    fn of_spheres(spheres: &[(DVec3, f64)]) -> Self {
        let mut sum = Self::default();
        let smallest = spheres.iter().map(|&(_, radius)| radius).fold(f64::INFINITY, f64::min);
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for &(centre, radius) in spheres {
            low = low.min(centre - radius);
            high = high.max(centre + radius);
        }
        if spheres.is_empty() {
            return sum;
        }
        let extent = high - low;
        let width = (smallest / COLUMNS_PER_RADIUS).max((extent.x * extent.y / MOST_COLUMNS).sqrt());
        let count = |length: f64| (length / width).ceil().max(1.0) as usize;
        let (lines, columns) = (count(extent.x), count(extent.y));
        let (dx, dy) = (extent.x / lines as f64, extent.y / columns as f64);
        let mut line: Vec<Vec<(f64, f64)>> = vec![Vec::new(); columns];
        for i in 0..lines {
            let x = low.x + (i as f64 + 0.5) * dx;
            gather_line(spheres, x, low.y, dy, &mut line);
            for (j, intervals) in line.iter_mut().enumerate() {
                let y = low.y + (j as f64 + 0.5) * dy;
                visit_union(intervals, |from, to| sum.add_column(x, y, from, to, dx * dy));
                intervals.clear();
            }
        }
        sum
    }

    /// Adds a piece of a column from z = `from` to `to` [m] with a cross-section [m²].
    fn add_column(&mut self, x: f64, y: f64, from: f64, to: f64, area: f64) {
        let volume = area * (to - from);
        let middle = 0.5 * (from + to);
        let length = to - from;
        self.volume += volume;
        self.first += volume * DVec3::new(x, y, middle);
        self.squares += volume * DVec3::new(x * x, y * y, middle * middle + length * length / 12.0);
        self.products += volume * DVec3::new(y * middle, middle * x, x * y);
    }
}

/// Stretches of z that spheres cover over each column of the line at `x`.
fn gather_line(spheres: &[(DVec3, f64)], x: f64, low: f64, width: f64, line: &mut [Vec<(f64, f64)>]) {
    for &(centre, radius) in spheres {
        let squared = radius * radius - (x - centre.x) * (x - centre.x);
        if squared <= 0.0 {
            continue;
        }
        let half = squared.sqrt();
        let column = |y: f64| ((y - low) / width).max(0.0) as usize;
        let (first, last) = (column(centre.y - half), column(centre.y + half).min(line.len() - 1));
        for (j, intervals) in line.iter_mut().enumerate().take(last + 1).skip(first) {
            let y = low + (j as f64 + 0.5) * width;
            let squared = squared - (y - centre.y) * (y - centre.y);
            if squared > 0.0 {
                let half = squared.sqrt();
                intervals.push((centre.z - half, centre.z + half));
            }
        }
    }
}

/// Hands over the separate stretches that intervals cover.
fn visit_union(intervals: &mut [(f64, f64)], mut visit: impl FnMut(f64, f64)) {
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut open: Option<(f64, f64)> = None;
    for &(from, to) in intervals.iter() {
        open = Some(match open {
            Some((start, end)) if from <= end => (start, end.max(to)),
            Some((start, end)) => {
                visit(start, end);
                (from, to)
            }
            None => (from, to),
        });
    }
    if let Some((start, end)) = open {
        visit(start, end);
    }
}

/// Eigenvalues of a symmetric tensor and the rotation to its axes, by Jacobi's method.
fn principal(mut tensor: DMat3) -> (DVec3, DQuat) {
    let mut axes = DMat3::IDENTITY;
    let size = tensor.to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for _ in 0..MOST_SWEEPS {
        let mut largest = 0.0_f64;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = tensor.col(q)[p];
            largest = largest.max(off.abs());
            if off.abs() <= 1e-15 * size {
                continue;
            }
            let theta = (tensor.col(q)[q] - tensor.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (t * t + 1.0).sqrt();
            let sine = t * cosine;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            tensor = turn.transpose() * tensor * turn;
            axes *= turn;
        }
        if largest <= 1e-15 * size {
            break;
        }
    }
    let inertia = DVec3::new(tensor.x_axis.x, tensor.y_axis.y, tensor.z_axis.z);
    (inertia, DQuat::from_mat3(&axes).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::sphere_volume;
    use std::f64::consts::PI;

    fn close(measured: f64, expected: f64, tolerance: f64) {
        assert!((measured / expected - 1.0).abs() < tolerance, "{measured} {expected}");
    }

    #[test]
    fn one_sphere_is_a_sphere() {
        let solid = Solid::of_spheres(&[(DVec3::new(1.0, 2.0, 3.0), 0.3)]);
        let volume = sphere_volume(0.3);
        close(solid.volume, volume, 1e-3);
        assert!((solid.centre - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-4);
        solid.inertia.to_array().iter().for_each(|&i| close(i, 0.4 * volume * 0.09, 1e-3));
    }

    /// Two caps cut by the plane between two equal spheres: their volume and moments are polynomials.
    #[test]
    fn two_overlapping_spheres_are_two_caps() {
        let (radius, half) = (0.01_f64, 0.006_f64);
        let axis = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let solid = Solid::of_spheres(&[(axis * half, radius), (axis * -half, radius)]);
        // Slices at s from the sphere's centre, −half ≤ s ≤ R, area π (R² − s²).
        let power = |n: i32| (radius.powi(n) - (-half).powi(n)) / f64::from(n);
        let r2 = radius * radius;
        let volume = 2.0 * PI * (r2 * power(1) - power(3));
        // ∫ (half + s)² dA and ∫ ρ²/2 dA, twice.
        let along = half * half * (r2 * power(1) - power(3))
            + 2.0 * half * (r2 * power(2) - power(4))
            + (r2 * power(3) - power(5));
        let across = 0.25 * (r2 * r2 * power(1) - 2.0 * r2 * power(3) + power(5));
        let (axial, transverse) = (4.0 * PI * across, 2.0 * PI * (across + along));
        close(solid.volume, volume, 1e-3);
        let mut inertia = solid.inertia.to_array();
        inertia.sort_by(f64::total_cmp);
        close(inertia[0], axial, 2e-3);
        close(inertia[1], transverse, 2e-3);
        close(inertia[2], transverse, 2e-3);
        assert!(solid.centre.length() < 1e-6);
        let least = (0..3).min_by(|&a, &b| solid.inertia[a].total_cmp(&solid.inertia[b]));
        let long = solid.axes * DVec3::AXES[least.unwrap_or(0)];
        assert!(long.cross(axis).length() < 1e-3, "{long}");
    }

    #[test]
    fn spheres_apart_add_up() {
        let spheres = [(DVec3::ZERO, 0.02), (DVec3::new(0.1, 0.0, 0.0), 0.01)];
        let solid = Solid::of_spheres(&spheres);
        let [a, b] = [sphere_volume(0.02), sphere_volume(0.01)];
        close(solid.volume, a + b, 1e-3);
        close(solid.centre.x, 0.1 * b / (a + b), 1e-3);
        let own = 0.4 * (a * 4e-4 + b * 1e-4);
        let between = a * b / (a + b) * 0.01;
        let mut inertia = solid.inertia.to_array();
        inertia.sort_by(f64::total_cmp);
        close(inertia[0], own, 1e-3);
        close(inertia[1], own + between, 1e-3);
        close(inertia[2], own + between, 1e-3);
    }

    #[test]
    fn a_sphere_inside_another_adds_nothing() {
        let alone = Solid::of_spheres(&[(DVec3::ZERO, 0.02)]);
        let with = Solid::of_spheres(&[(DVec3::ZERO, 0.02), (DVec3::new(0.005, 0.0, 0.0), 0.01)]);
        close(with.volume, alone.volume, 1e-3);
        assert!(with.centre.length() < 1e-6);
    }

    #[test]
    fn principal_axes_give_the_tensor_back() {
        let turn = DMat3::from_quat(DQuat::from_xyzw(0.3, -0.2, 0.5, 0.8).normalize());
        let moments = DVec3::new(1.0, 2.5, 3.0);
        let tensor = turn * DMat3::from_diagonal(moments) * turn.transpose();
        let (found, axes) = principal(tensor);
        let axes = DMat3::from_quat(axes);
        let back = axes * DMat3::from_diagonal(found) * axes.transpose();
        assert!(back.abs_diff_eq(tensor, 1e-12), "{back}");
    }
}
