//! Which spheres stand close enough to darken one another: a grid per class of sizes.

use super::raster::ViewSphere;
use glam::{DVec3, I64Vec3};
use std::collections::BTreeMap;

/// Reach of a sphere's darkening, from its centre, in radii.
pub(super) const REACH: f64 = 2.5;

/// Smaller spheres than this part of a sphere do not darken it noticeably.
const SMALLEST: f64 = 0.2;

/// Grids of spheres, one per power of two of the radius.
pub(super) struct Neighbourhood<'a> {
    spheres: &'a [ViewSphere],
    grids: BTreeMap<i32, Grid>,
}

struct Grid {
    cell_size: f64,
    /// Cells with their spheres, sorted.
    members: Vec<([i64; 3], u32)>,
}

impl<'a> Neighbourhood<'a> {
    pub(super) fn new(spheres: &'a [ViewSphere]) -> Self {
        let mut classes: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
        for (item, sphere) in spheres.iter().enumerate() {
            classes.entry(libm::ilogb(sphere.radius)).or_default().push(item as u32);
        }
        let grid = |(class, items): (i32, Vec<u32>)| (class, Grid::new(spheres, class, &items));
        Self { spheres, grids: classes.into_iter().map(grid).collect() }
    }

    /// Spheres that can darken a point of the surface of `item`, in a fixed order.
    pub(super) fn of(&self, item: u32) -> Vec<u32> {
        let sphere = &self.spheres[item as usize];
        let smallest = libm::ilogb(SMALLEST * sphere.radius);
        let mut found = Vec::new();
        for (_, grid) in self.grids.range(smallest..) {
            grid.visit(sphere.centre, sphere.radius, |other| {
                let candidate = &self.spheres[other as usize];
                let reach = sphere.radius + REACH * candidate.radius;
                let near = candidate.centre.distance_squared(sphere.centre) < reach * reach;
                if near && other != item && candidate.radius >= SMALLEST * sphere.radius {
                    found.push(other);
                }
            });
        }
        found
    }
}

impl Grid {
    fn new(spheres: &[ViewSphere], class: i32, items: &[u32]) -> Self {
        // Radii of a class are below 2^(class + 1).
        let cell_size = REACH * libm::ldexp(1.0, class + 1);
        let cell = |item: &u32| (cell_of(spheres[*item as usize].centre, cell_size).to_array(), *item);
        let mut members: Vec<_> = items.iter().map(cell).collect();
        members.sort_unstable();
        Self { cell_size, members }
    }

    /// Visits at least the members within `radius` plus their own reach of `centre`.
    fn visit(&self, centre: DVec3, radius: f64, mut visit: impl FnMut(u32)) {
        let range = DVec3::splat(radius + self.cell_size);
        let low = cell_of(centre - range, self.cell_size);
        let high = cell_of(centre + range, self.cell_size);
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                let start = self.members.partition_point(|(cell, _)| *cell < [x, y, low.z]);
                let row = self.members[start..].iter().take_while(|(cell, _)| *cell <= [x, y, high.z]);
                row.for_each(|&(_, item)| visit(item));
            }
        }
    }
}

fn cell_of(point: DVec3, size: f64) -> I64Vec3 {
    (point / size).floor().as_i64vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_equal_brute_force_for_mixed_sizes() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut sphere = |index| {
            let centre = 4.0 * DVec3::new(random(), random(), random());
            ViewSphere { centre, radius: 0.02 + 0.8 * random() * random() * random(), index }
        };
        let spheres: Vec<_> = (0..500).map(&mut sphere).collect();
        let neighbourhood = Neighbourhood::new(&spheres);
        for (item, a) in spheres.iter().enumerate() {
            let darkens = |b: &&ViewSphere| {
                let reach = a.radius + REACH * b.radius;
                b.index != item && b.radius >= SMALLEST * a.radius && a.centre.distance(b.centre) < reach
            };
            let expected: Vec<u32> = spheres.iter().filter(darkens).map(|b| b.index as u32).collect();
            let mut found = neighbourhood.of(item as u32);
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
