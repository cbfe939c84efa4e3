//! The published cases: single spheres and clusters, as relaxed random packings in a box.
//!
//! Four distributions (numbers of singles and clusters, tight or loose) times six clusters (number and size of
//! spheres). Solid fractions count a cluster as its bounding sphere. Packings are relaxed at 96 % of the radii, so that
//! bounding spheres overlap a little and clusters touch, as they do in a bed.

use breccia::broad_phase::{BoundsTable, BroadPhase, CellGrid};
use breccia::model::Domain;
use breccia::scene::RandomStream;
use breccia::shapes::sphere_volume;
use glam::{DQuat, DVec3};

/// Radius of single spheres [m].
pub const SINGLE: f64 = 10e-3;
/// Radius into which clusters are packed [m].
const CLUSTER: f64 = 20e-3;
/// Part of the radii that relaxing keeps apart.
const KEPT: f64 = 0.96;
/// Largest overlap inside a cluster, as a part of the diameter.
const OVERLAP: f64 = 0.02;
/// Solid fractions of tight and loose packings.
pub const TIGHT: f64 = 0.60;
/// See [`TIGHT`].
pub const LOOSE: f64 = 0.25;

/// Names, numbers of spheres and their radii [m] of the clusters.
pub const CLUSTERS: [(char, usize, f64); 6] = [
    ('A', 6, 8.28e-3),
    ('B', 10, 7.50e-3),
    ('C', 25, 5.80e-3),
    ('D', 50, 4.70e-3),
    ('E', 75, 4.10e-3),
    ('F', 100, 3.73e-3),
];

/// A distribution: singles, clusters, solid fraction.
#[derive(Clone, Copy)]
pub struct Distribution {
    /// Number of single spheres.
    pub singles: usize,
    /// Number of clusters.
    pub clusters: usize,
    /// Solid fraction [–].
    pub fraction: f64,
}

/// The four distributions.
pub fn distributions() -> [Distribution; 4] {
    let of = |singles, clusters, fraction| Distribution { singles, clusters, fraction };
    [of(10_000, 1000, TIGHT), of(10_000, 1000, LOOSE), of(5500, 5500, TIGHT), of(5500, 5500, LOOSE)]
}

/// A cluster: centres of equal spheres around the origin.
#[derive(Clone)]
pub struct Template {
    /// Centres [m].
    pub centres: Vec<DVec3>,
    /// Radius of the spheres [m].
    pub radius: f64,
    /// Radius of the ball they were packed into [m].
    pub ball: f64,
}

/// Packs `count` spheres into a ball as small as relaxing gets it.
pub fn pack(count: usize, radius: f64, dice: &mut RandomStream) -> Template {
    let mut ball = CLUSTER;
    loop {
        for _ in 0..6 {
            let mut centres: Vec<DVec3> = (0..count).map(|_| (ball - radius) * in_unit_ball(dice)).collect();
            if relax_in_ball(&mut centres, radius, ball) <= OVERLAP * 2.0 * radius {
                return Template { centres, radius, ball };
            }
        }
        ball *= 1.005;
    }
}

/// Pushes spheres apart inside a ball; gives the largest overlap left [m].
fn relax_in_ball(centres: &mut [DVec3], radius: f64, ball: f64) -> f64 {
    let mut worst = f64::INFINITY;
    for _ in 0..1500 {
        worst = 0.0_f64;
        for a in 0..centres.len() {
            for b in 0..a {
                let d = centres[a] - centres[b];
                let overlap = 2.0 * radius - d.length();
                if overlap > 0.0 {
                    worst = worst.max(overlap);
                    let push = 0.5 * overlap * d.normalize_or(DVec3::X);
                    centres[a] += push;
                    centres[b] -= push;
                }
            }
        }
        for centre in centres.iter_mut() {
            *centre = centre.clamp_length_max(ball - radius);
        }
        if worst < 0.5 * OVERLAP * radius {
            break;
        }
    }
    // Pushing back into the ball may have made overlaps of its own.
    let pairs = (0..centres.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    worst.max(pairs.map(|(a, b)| 2.0 * radius - centres[a].distance(centres[b])).fold(0.0, f64::max))
}

fn in_unit_ball(dice: &mut RandomStream) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| dice.between(-1.0, 1.0)));
        if v.length_squared() <= 1.0 {
            return v;
        }
    }
}

/// Places of singles and clusters: singles first.
pub struct Packing {
    places: Vec<DVec3>,
    singles: usize,
}

/// A relaxed random packing.
pub fn packing(distribution: Distribution, ball: f64, dice: &mut RandomStream) -> Packing {
    let Distribution { singles, clusters, fraction } = distribution;
    let volume = singles as f64 * sphere_volume(SINGLE) + clusters as f64 * sphere_volume(ball);
    let side = (volume / fraction).cbrt();
    let radius: Vec<f64> = (0..singles + clusters).map(|k| if k < singles { SINGLE } else { ball }).collect();
    let place = |r: &f64| DVec3::from_array(std::array::from_fn(|_| dice.between(*r, side - r)));
    let centre = radius.iter().map(place).collect();
    let mut bounds = BoundsTable { centre, radius, owner: Vec::new() };
    for _ in 0..150 {
        if !push_apart(&mut bounds, side) {
            break;
        }
    }
    Packing { places: bounds.centre, singles }
}

/// One sweep; false when nothing overlapped.
fn push_apart(bounds: &mut BoundsTable, side: f64) -> bool {
    let mut grid = CellGrid::default();
    grid.rebuild(bounds, 0.0, &Domain::unbounded());
    let mut pairs = Vec::new();
    for a in 0..bounds.len() as u32 {
        grid.visit_near(bounds, a, &mut |pair| pairs.push((pair.a as usize, pair.b as usize)));
    }
    let mut moved = false;
    for (a, b) in pairs {
        let d = bounds.centre[a] - bounds.centre[b];
        let overlap = KEPT * (bounds.radius[a] + bounds.radius[b]) - d.length();
        if overlap > 0.0 {
            moved = true;
            let push = 0.5 * overlap * d.normalize_or(DVec3::X);
            bounds.centre[a] += push;
            bounds.centre[b] -= push;
        }
    }
    for (centre, &radius) in bounds.centre.iter_mut().zip(&bounds.radius) {
        *centre = centre.clamp(DVec3::splat(radius), DVec3::splat(side - radius));
    }
    moved
}

/// Polydisperse random-walk bodies and single spheres.
pub fn random_walks(dice: &mut RandomStream) -> BoundsTable {
    let mut bounds = BoundsTable::default();
    let ratio = [1.0, 2.0, 8.0][(dice.unit() * 3.0) as usize];
    let side = dice.between(4.0, 20.0);
    for owner in 0..dice.between(1.0, 30.0) as u32 {
        let mut at = DVec3::from_array(std::array::from_fn(|_| dice.between(-side, side)));
        let count = if dice.unit() < 0.4 { 1 } else { dice.between(2.0, 30.0) as usize };
        for _ in 0..count {
            let radius = dice.between(1.0, ratio);
            bounds.centre.push(at);
            bounds.radius.push(radius);
            bounds.owner.push(2 * owner);
            let step = DVec3::from_array(std::array::from_fn(|_| dice.between(-1.0, 1.0)));
            at += 1.8 * radius * step.normalize_or(DVec3::X);
        }
    }
    bounds
}

impl Packing {
    /// The spheres of the packing, each cluster turned at random.
    pub fn spheres(&self, template: &Template, dice: &mut RandomStream) -> BoundsTable {
        let mut bounds = BoundsTable::default();
        for (owner, &place) in (0_u32..).zip(&self.places) {
            if (owner as usize) < self.singles {
                bounds.centre.push(place);
                bounds.radius.push(SINGLE);
                bounds.owner.push(owner);
                continue;
            }
            let axis = in_unit_ball(dice).normalize_or(DVec3::Z);
            let turn = DQuat::from_axis_angle(axis, dice.between(0.0, std::f64::consts::TAU));
            bounds.centre.extend(template.centres.iter().map(|&centre| place + turn * centre));
            bounds.radius.extend(template.centres.iter().map(|_| template.radius));
            bounds.owner.extend(template.centres.iter().map(|_| owner));
        }
        bounds
    }
}
