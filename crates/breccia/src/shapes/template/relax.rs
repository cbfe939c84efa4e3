//! Filling a closed surface with more equal spheres than a lattice has room for.
//!
//! Beginning with the fullest lattice, spheres are put into the roomiest gaps and pushed apart together with their
//! neighbours, none of them ever leaving the surface. A sphere for which there is no room is taken out again.

use super::Template;
use super::fill::{FillLattice, TooManyPoints, fill_lattice};
use glam::DVec3;

/// Deepest overlap allowed, as a part of the diameter.
const OVERLAP: f64 = 0.02;
/// Places looked at for a new sphere.
const PLACES: u32 = 300;
/// New spheres in a row that found no room before the surface counts as full.
const FAILURES: u32 = 25;
/// Distance from the new sphere within which others give way, in radii.
const YIELDING: f64 = 7.0;
/// Sweeps in which they do.
const SWEEPS: u32 = 150;
/// Spheres farther from all others than this part of the radii hold on to nothing.
const LOOSE: f64 = 0.1;

/// Equal spheres of a radius [m] in a box [m], wherever `holds(centre, radius)` lets them be.
///
/// `random` gives numbers between 0 and 1. Spheres that touch no other are left out.
pub fn fill_relaxed(
    bounds: (DVec3, DVec3),
    radius: f64,
    holds: &dyn Fn(DVec3, f64) -> bool,
    random: &mut dyn FnMut() -> f64,
) -> Result<Vec<(DVec3, f64)>, TooManyPoints> {
    let lattice = fill_lattice(bounds, radius, FillLattice::Fcc, holds)?;
    let mut centres: Vec<DVec3> = lattice.into_iter().map(|(centre, _)| centre).collect();
    let keeps = |centre: DVec3| holds(centre, radius);
    let mut failures = 0;
    while failures < FAILURES {
        let Some(place) = roomiest(&centres, bounds, &keeps, random) else { break };
        match with_one_more(&centres, place, radius, &keeps) {
            Some(fuller) => (centres, failures) = (fuller, 0),
            None => failures += 1,
        }
    }
    Ok(largest_part(centres, radius))
}

/// Of some places at random the one farthest from all centres.
fn roomiest(
    centres: &[DVec3],
    (low, high): (DVec3, DVec3),
    keeps: &dyn Fn(DVec3) -> bool,
    random: &mut dyn FnMut() -> f64,
) -> Option<DVec3> {
    let nearest = |place: DVec3| {
        centres.iter().map(|centre| centre.distance_squared(place)).fold(f64::INFINITY, f64::min)
    };
    let mut best: Option<(f64, DVec3)> = None;
    for _ in 0..PLACES {
        let place = low + (high - low) * DVec3::from_array([0; 3].map(|_| random()));
        let room = nearest(place);
        if best.is_none_or(|(most, _)| room > most) && keeps(place) {
            best = Some((room, place));
        }
    }
    best.map(|(_, place)| place)
}

/// The spheres and a new one, pushed apart; none if overlaps stay.
fn with_one_more(
    centres: &[DVec3],
    place: DVec3,
    radius: f64,
    keeps: &dyn Fn(DVec3) -> bool,
) -> Option<Vec<DVec3>> {
    let reach = YIELDING * radius;
    let mut moved = centres.to_vec();
    moved.push(place);
    let yielding = |k: usize| moved[k].distance_squared(place) < reach * reach;
    let near: Vec<usize> = (0..moved.len()).filter(|&k| yielding(k)).collect();
    // Those just beyond stand fast, but nothing may be pushed into them.
    let outer = reach + 2.0 * radius;
    let fast = |k: usize| (reach * reach..outer * outer).contains(&moved[k].distance_squared(place));
    let fixed: Vec<usize> = (0..moved.len()).filter(|&k| fast(k)).collect();
    for _ in 0..SWEEPS {
        // Pushing apart one pair may press another: room is left for that.
        let deepest = sweep(&mut moved, &near, &fixed, radius, keeps);
        if deepest <= 0.75 * OVERLAP * 2.0 * radius {
            return Some(moved);
        }
    }
    None
}

/// Pushes every pair of near spheres apart once; the deepest overlap there was [m].
fn sweep(
    centres: &mut [DVec3],
    near: &[usize],
    fixed: &[usize],
    radius: f64,
    keeps: &dyn Fn(DVec3) -> bool,
) -> f64 {
    let mut deepest = 0.0_f64;
    for (number, &i) in near.iter().enumerate() {
        let partners = near[..number].iter().map(|&j| (j, 0.5)).chain(fixed.iter().map(|&j| (j, 1.0)));
        for (j, share) in partners {
            let apart = centres[i] - centres[j];
            let distance = apart.length();
            let overlap = 2.0 * radius - distance;
            if overlap <= 0.0 {
                continue;
            }
            deepest = deepest.max(overlap);
            let push = share * overlap * if distance > 0.0 { apart / distance } else { DVec3::X };
            shift(&mut centres[i], push, keeps);
            if share < 1.0 {
                shift(&mut centres[j], -push, keeps);
            }
        }
    }
    deepest
}

/// Moves a centre as far as it may go: all the way, or half of it.
fn shift(centre: &mut DVec3, push: DVec3, keeps: &dyn Fn(DVec3) -> bool) {
    if let Some(part) = [1.0, 0.5].into_iter().find(|part| keeps(*centre + push * *part)) {
        *centre += push * part;
    }
}

/// The spheres that hang together with most others.
fn largest_part(centres: Vec<DVec3>, radius: f64) -> Vec<(DVec3, f64)> {
    let template = Template { spheres: centres.into_iter().map(|centre| (centre, radius)).collect() };
    let mut parent: Vec<usize> = (0..template.spheres.len()).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for [i, j] in template.pairs_within(LOOSE) {
        let (a, b) = (root(&mut parent, i as usize), root(&mut parent, j as usize));
        parent[a.max(b)] = a.min(b);
    }
    let roots: Vec<usize> = (0..parent.len()).map(|at| root(&mut parent, at)).collect();
    let size = |part: usize| roots.iter().filter(|&&other| other == part).count();
    let largest = (0..parent.len()).filter(|&at| roots[at] == at).max_by_key(|&part| (size(part), part));
    let kept = template.spheres.iter().zip(&roots).filter(|(_, part)| Some(**part) == largest);
    kept.map(|(&sphere, _)| sphere).collect()
}
