//! Which spheres are near: cells per size class, hashed into buckets.
//!
//! Used while spheres are placed and to check the ones a scene gives. A sphere belongs to the class whose
//! cells are at least its diameter wide (widths double from class to class), so few cells are looked at
//! whatever the spread of sizes. Buckets may be shared by cells: the distance decides, never the bucket.

use crate::model::Domain;
use glam::DVec3;

/// End of a bucket's chain.
const NONE: u32 = u32::MAX;

/// A set of spheres that can be asked for the neighbours of another.
pub(in crate::scene) struct SphereGrid {
    domain: Domain,
    spheres: Vec<(DVec3, f64)>,
    classes: Vec<Class>,
}

/// Spheres of one class of sizes.
struct Class {
    octave: i32,
    largest: f64,
    cells: [AxisCells; 3],
    heads: Vec<u32>,
    members: Vec<u32>,
    next: Vec<u32>,
}

/// Cells along an axis: their width and, if periodic, their number.
#[derive(Clone, Copy)]
struct AxisCells {
    origin: f64,
    width: f64,
    count: Option<i64>,
}

impl AxisCells {
    fn new(domain: &Domain, axis: usize, width: f64) -> Self {
        if !domain.periodic[axis] {
            return Self { origin: 0.0, width, count: None };
        }
        let period = domain.max[axis] - domain.min[axis];
        let count = (period / width).floor().clamp(1.0, 1e6);
        Self { origin: domain.min[axis], width: period / count, count: Some(count as i64) }
    }

    /// Cells that reach from `low` to `high`, each once.
    fn range(&self, low: f64, high: f64) -> (i64, i64) {
        let first = self.cell(low);
        let last = self.cell(high);
        match self.count {
            Some(count) => (first, last.min(first + count - 1)),
            None => (first, last),
        }
    }

    fn cell(&self, x: f64) -> i64 {
        // Far beyond any real scene, but sums of two cells must not overflow.
        ((x - self.origin) / self.width).floor().clamp(-1e15, 1e15) as i64
    }

    fn wrap(&self, cell: i64) -> i64 {
        self.count.map_or(cell, |count| cell.rem_euclid(count))
    }
}

impl Class {
    fn new(domain: &Domain, octave: i32, width: f64) -> Self {
        let cells = [0, 1, 2].map(|axis| AxisCells::new(domain, axis, width));
        Self { octave, largest: 0.0, cells, heads: vec![NONE; 64], members: Vec::new(), next: Vec::new() }
    }

    fn bucket(&self, cell: [i64; 3]) -> usize {
        let mut hash = 0_u64;
        for (axis, &index) in cell.iter().enumerate() {
            let wrapped = self.cells[axis].wrap(index) as u64;
            hash = (hash ^ wrapped).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        hash as usize & (self.heads.len() - 1)
    }

    fn insert(&mut self, sphere: u32, centre: DVec3, spheres: &[(DVec3, f64)]) {
        if self.members.len() >= self.heads.len() {
            self.heads = vec![NONE; 4 * self.heads.len()];
            for slot in 0..self.members.len() {
                self.link(slot, spheres[self.members[slot] as usize].0);
            }
        }
        self.members.push(sphere);
        self.next.push(NONE);
        self.link(self.members.len() - 1, centre);
    }

    fn link(&mut self, slot: usize, centre: DVec3) {
        let cell = [0, 1, 2].map(|axis| self.cells[axis].cell(centre[axis]));
        let bucket = self.bucket(cell);
        self.next[slot] = self.heads[bucket];
        self.heads[bucket] = slot as u32;
    }

    /// Calls `visit` with the slots in all cells within `reach`; stops when it answers true.
    fn any_near(&self, centre: DVec3, reach: f64, mut visit: impl FnMut(u32) -> bool) -> bool {
        let ranges = [0, 1, 2].map(|axis| self.cells[axis].range(centre[axis] - reach, centre[axis] + reach));
        let cells = ranges.iter().map(|(first, last)| (last - first + 1) as f64).product::<f64>();
        if cells > self.members.len() as f64 {
            return self.members.iter().any(|&sphere| visit(sphere));
        }
        for x in ranges[0].0..=ranges[0].1 {
            for y in ranges[1].0..=ranges[1].1 {
                for z in ranges[2].0..=ranges[2].1 {
                    let mut slot = self.heads[self.bucket([x, y, z])];
                    while slot != NONE {
                        if visit(self.members[slot as usize]) {
                            return true;
                        }
                        slot = self.next[slot as usize];
                    }
                }
            }
        }
        false
    }
}

impl SphereGrid {
    /// No spheres yet, in a domain whose periodic axes count for distances.
    pub(in crate::scene) fn new(domain: &Domain) -> Self {
        Self { domain: domain.clone(), spheres: Vec::new(), classes: Vec::new() }
    }

    /// Adds a sphere; the first has index 0.
    pub(in crate::scene) fn insert(&mut self, centre: DVec3, radius: f64) {
        let octave = libm::ilogb(radius);
        let class = match self.classes.iter().position(|class| class.octave == octave) {
            Some(class) => class,
            None => {
                // All radii of an octave are below 2^(octave + 1).
                let width = 2.0 * libm::scalbn(1.0, octave + 1);
                self.classes.push(Class::new(&self.domain, octave, width));
                self.classes.len() - 1
            }
        };
        let sphere = self.spheres.len() as u32;
        self.classes[class].insert(sphere, centre, &self.spheres);
        self.classes[class].largest = self.classes[class].largest.max(radius);
        self.spheres.push((centre, radius));
    }

    /// Radius of a sphere [m].
    pub(in crate::scene) fn radius(&self, index: usize) -> f64 {
        self.spheres[index].1
    }

    /// Whether a sphere has every other one at least `gap` away.
    pub(in crate::scene) fn is_free(&self, centre: DVec3, radius: f64, gap: f64) -> bool {
        !self.any_within(centre, radius, gap, |_, _| true)
    }

    /// Calls `visit(index, distance between surfaces)` for every sphere closer than `gap`.
    pub(in crate::scene) fn for_each_within(
        &self,
        centre: DVec3,
        radius: f64,
        gap: f64,
        mut visit: impl FnMut(usize, f64),
    ) {
        let mut seen = Vec::new();
        self.any_within(centre, radius, gap, |sphere, distance| {
            // Cells that share a bucket meet the same sphere more than once.
            if !seen.contains(&sphere) {
                seen.push(sphere);
                visit(sphere, distance);
            }
            false
        });
    }

    fn any_within(
        &self,
        centre: DVec3,
        radius: f64,
        gap: f64,
        mut stop: impl FnMut(usize, f64) -> bool,
    ) -> bool {
        self.classes.iter().any(|class| {
            class.any_near(centre, radius + class.largest + gap, |sphere| {
                let (other, other_radius) = self.spheres[sphere as usize];
                let separation = self.domain.minimum_image(other - centre);
                let limit = radius + other_radius + gap;
                separation.length_squared() < limit * limit
                    && stop(sphere as usize, separation.length() - radius - other_radius)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ExitPolicy;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_brute_force(
            periodic in any::<[bool; 3]>(),
            spheres in prop::collection::vec(([0.0..1.0f64, 0.0..1.0, 0.0..1.0], 0.002..0.2f64), 1..120),
            gap in 0.0..0.05f64,
        ) {
            let domain = Domain { min: DVec3::ZERO, max: DVec3::ONE, periodic, on_exit: ExitPolicy::Stop };
            let mut grid = SphereGrid::new(&domain);
            let mut placed: Vec<(DVec3, f64)> = Vec::new();
            for (centre, radius) in spheres {
                let centre = DVec3::from(centre);
                let mut found = Vec::new();
                grid.for_each_within(centre, radius, gap, |index, _| found.push(index));
                found.sort_unstable();
                let expected: Vec<usize> = (0..placed.len())
                    .filter(|&i| {
                        let (other, r) = placed[i];
                        domain.minimum_image(other - centre).length_squared() < (radius + r + gap) * (radius + r + gap)
                    })
                    .collect();
                prop_assert_eq!(grid.is_free(centre, radius, gap), expected.is_empty());
                prop_assert_eq!(found, expected);
                grid.insert(centre, radius);
                placed.push((centre, radius));
            }
        }
    }
}
