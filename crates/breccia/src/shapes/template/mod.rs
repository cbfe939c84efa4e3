//! Bodies made of several spheres: built-in shapes, and what follows from any of them.

mod built_in;
mod fill;
mod packing;
mod relax;
mod solid;

pub use fill::{FillLattice, TooManyPoints, fill_lattice};
pub use relax::fill_relaxed;
pub use solid::Solid;

use super::sphere_volume;
use glam::DVec3;

/// Spheres that make up a body, about their common centre of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Centres [m, body] and radii [m].
    pub spheres: Vec<(DVec3, f64)>,
}

impl Template {
    /// Spheres moved so that their centre of mass is the origin; every sphere counts by its volume.
    pub fn new(mut spheres: Vec<(DVec3, f64)>) -> Self {
        let volume: f64 = spheres.iter().map(|&(_, radius)| sphere_volume(radius)).sum();
        let moment: DVec3 = spheres.iter().map(|&(centre, radius)| centre * sphere_volume(radius)).sum();
        if volume > 0.0 {
            spheres.iter_mut().for_each(|(centre, _)| *centre -= moment / volume);
        }
        Self { spheres }
    }

    /// Radius of the ball about the centre of mass that holds all spheres [m].
    pub fn bounding_radius(&self) -> f64 {
        self.spheres.iter().map(|(centre, radius)| centre.length() + radius).fold(0.0, f64::max)
    }

    /// Volume of all spheres [m³], overlaps counted twice: what the mass of a bonded cluster follows from.
    pub fn volume(&self) -> f64 {
        self.spheres.iter().map(|&(_, radius)| sphere_volume(radius)).sum()
    }

    /// Smallest and largest radius [m].
    pub fn radii(&self) -> (f64, f64) {
        self.spheres
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(least, most), &(_, r)| (least.min(r), most.max(r)))
    }

    /// Pairs of spheres (i < j, ascending) whose centres are no farther apart than (r_i + r_j)(1 + `gap`).
    pub fn pairs_within(&self, gap: f64) -> Vec<[u32; 2]> {
        let mut order: Vec<u32> = (0..self.spheres.len() as u32).collect();
        let at = |number: u32| self.spheres[number as usize];
        order.sort_by(|&i, &j| at(i).0.x.total_cmp(&at(j).0.x));
        let largest = self.radii().1;
        let mut pairs = Vec::new();
        for (place, &i) in order.iter().enumerate() {
            let (centre, radius) = at(i);
            let reach = (radius + largest) * (1.0 + gap);
            for &j in order[place + 1..].iter().take_while(|&&j| at(j).0.x - centre.x <= reach) {
                let (other, other_radius) = at(j);
                let reach = (radius + other_radius) * (1.0 + gap);
                if centre.distance_squared(other) <= reach * reach {
                    pairs.push([i.min(j), i.max(j)]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Pairs of overlapping spheres that are not among `bonded`, which ascends.
    pub fn overlapping_unbonded(&self, bonded: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let mut pairs = self.pairs_within(0.0);
        pairs.retain(|pair| bonded.binary_search(pair).is_err());
        pairs
    }

    /// Number of parts that `bonds` leave the spheres in: 1 for a body that hangs together.
    pub fn parts(&self, bonds: &[[u32; 2]]) -> usize {
        let mut parent: Vec<usize> = (0..self.spheres.len()).collect();
        fn root(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        let mut parts = self.spheres.len();
        for &[i, j] in bonds {
            let (a, b) = (root(&mut parent, i as usize), root(&mut parent, j as usize));
            if a != b {
                parent[a.max(b)] = a.min(b);
                parts -= 1;
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests;
