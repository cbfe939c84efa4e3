//! Dense packings of equal spheres in a ball, by relaxation with restarts. Lengths are in radii.

use glam::DVec3;

/// Deepest overlap allowed, as a part of the diameter.
const OVERLAP: f64 = 0.02;
/// Distance at which spheres count as neighbours in the measure of a packing.
const NEAR: f64 = 2.2;
/// Volume fraction that a relaxation begins with.
const LOOSE: f64 = 0.4;
/// Part by which the ball shrinks from stage to stage, at first and at last.
const SHRINK: (f64, f64) = (0.02, 0.001);
/// Sweeps of one stage at most, and between two looks at the overlaps.
const SWEEPS: (u32, u32) = (400, 20);
/// Distance within which pairs are listed, renewed at every look.
const LISTED: f64 = 2.8;

/// Centres of the densest packing of several tries.
pub(super) fn densest(count: usize, random: &mut dyn FnMut() -> f64) -> Vec<DVec3> {
    let tries = (400 / count.max(1)).clamp(3, 20);
    let packings = (0..tries).map(|_| relaxed(count, random));
    // One that hangs together is better than one that is smaller.
    let best = packings.min_by(|a, b| {
        (a.lonely, a.ball).partial_cmp(&(b.lonely, b.ball)).unwrap_or(std::cmp::Ordering::Equal)
    });
    best.map(|packing| packing.centres).unwrap_or_default()
}

struct Packing {
    centres: Vec<DVec3>,
    /// Radius of the ball.
    ball: f64,
    /// Spheres with fewer than two neighbours.
    lonely: usize,
}

/// One packing: spheres at random in a loose ball, which shrinks as long as they give way.
fn relaxed(count: usize, random: &mut dyn FnMut() -> f64) -> Packing {
    let mut ball = libm::cbrt(count as f64 / LOOSE) + 0.5;
    let mut centres: Vec<DVec3> = (0..count).map(|_| in_ball(ball - 1.0, random)).collect();
    settle(&mut centres, ball);
    let (mut best, mut shrink) = (centres.clone(), SHRINK.0);
    while shrink >= SHRINK.1 {
        let smaller = ball * (1.0 - shrink);
        if smaller > 1.0 && settle(&mut centres, smaller) {
            (best, ball) = (centres.clone(), smaller);
        } else {
            centres.clone_from(&best);
            shrink *= 0.5;
        }
    }
    let neighbours = |a: &DVec3| best.iter().filter(|b| a.distance_squared(**b) <= NEAR * NEAR).count() - 1;
    let lonely = best.iter().filter(|centre| neighbours(centre) < 2.min(count - 1)).count();
    Packing { lonely, ball, centres: best }
}

fn in_ball(radius: f64, random: &mut dyn FnMut() -> f64) -> DVec3 {
    loop {
        let [x, y, z] = [0, 1, 2].map(|_| 2.0 * random() - 1.0);
        let point = DVec3::new(x, y, z);
        if point.length_squared() <= 1.0 {
            return point * radius;
        }
    }
}

/// Pushes overlapping spheres apart and stray ones into the ball; tells whether the overlaps became small enough.
fn settle(centres: &mut [DVec3], ball: f64) -> bool {
    for _ in 0..SWEEPS.0 / SWEEPS.1 {
        let near = near_pairs(centres);
        for _ in 0..SWEEPS.1 {
            near.iter().for_each(|&pair| push_apart(centres, pair));
            for centre in centres.iter_mut() {
                *centre = centre.clamp_length_max(ball - 1.0);
            }
        }
        if deepest(centres) <= OVERLAP {
            return true;
        }
    }
    false
}

fn near_pairs(centres: &[DVec3]) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for (i, a) in centres.iter().enumerate() {
        let near = centres[..i].iter().enumerate().filter(|(_, b)| a.distance_squared(**b) < LISTED * LISTED);
        pairs.extend(near.map(|(j, _)| [i, j]));
    }
    pairs
}

fn push_apart(centres: &mut [DVec3], [i, j]: [usize; 2]) {
    let apart = centres[i] - centres[j];
    let distance = apart.length();
    if distance < 2.0 {
        let direction = if distance > 0.0 { apart / distance } else { DVec3::X };
        let push = direction * (0.5 * (2.0 - distance));
        centres[i] += push;
        centres[j] -= push;
    }
}

/// Deepest overlap, as a part of the diameter.
fn deepest(centres: &[DVec3]) -> f64 {
    let pairs = centres.iter().enumerate().flat_map(|(i, a)| centres[..i].iter().map(|b| a.distance(*b)));
    1.0 - 0.5 * pairs.fold(2.0, f64::min)
}
