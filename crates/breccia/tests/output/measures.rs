//! Heap profiles and distributions of speed against closed forms.

use breccia::output::SphereFrame;
use breccia::output::measures::{
    HeapProfile, Sighting, heap_profile, histogram_rows, profile_rows, speed_histogram,
};
use breccia::scene::{HistogramPlan, Occasions, ProfileAxis, ProfilePlan, RandomStream};
use glam::{DVec3, dvec3};
use std::f64::consts::{PI, TAU};

const RADIUS: f64 = 2e-3;

fn spheres(positions: Vec<DVec3>) -> SphereFrame {
    let count = positions.len();
    SphereFrame {
        radii: vec![RADIUS; count],
        velocities: vec![DVec3::ZERO; count],
        groups: vec![0; count],
        positions,
        ..SphereFrame::default()
    }
}

fn plan(along: ProfileAxis) -> ProfilePlan {
    ProfilePlan {
        name: "heap".into(),
        along,
        centre: None,
        reach: None,
        bins: 80,
        group: None,
        occasions: Occasions::default(),
    }
}

fn profile_of(plan: &ProfilePlan, up: DVec3, frame: &SphereFrame) -> HeapProfile {
    heap_profile(plan, &Sighting { time: 0.0, up, spheres: frame })
}

/// Spheres with their centres on a cone, close enough to hide the dips between them.
fn cone(angle: f64, foot: DVec3) -> Vec<DVec3> {
    let (wide, spacing) = (0.1, 0.25 * RADIUS);
    let height = wide * angle.tan();
    let mut centres = vec![foot + height * DVec3::Z];
    let mut distance = spacing;
    while distance < wide {
        let around = (TAU * distance / spacing).ceil();
        let at = |k: u32| {
            let turn = TAU * f64::from(k) / around;
            dvec3(distance * turn.cos(), distance * turn.sin(), height * (1.0 - distance / wide))
        };
        centres.extend((0..around as u32).map(|k| foot + at(k)));
        distance += spacing;
    }
    centres
}

#[test]
fn a_cone_of_spheres_has_its_angle() {
    for degrees in [8.0_f64, 21.0, 35.0] {
        let foot = dvec3(0.3, -0.2, 0.7);
        let frame = spheres(cone(degrees.to_radians(), foot));
        let profile = profile_of(&plan(ProfileAxis::Radius), DVec3::Z, &frame);
        let angle = profile.angle().expect("a flank").to_degrees();
        println!("{degrees}: {angle}");
        assert!((angle - degrees).abs() < 0.25, "{degrees}: {angle}");
        // Tops are a radius above the tip; heights count from the lowest sphere.
        let highest = profile.heights.iter().copied().fold(0.0, f64::max);
        let expected = 0.1 * degrees.to_radians().tan() + 2.0 * RADIUS;
        assert!((highest - expected).abs() < 0.5 * RADIUS, "{highest} {expected}");
        // Its silhouette has two flanks of the same angle.
        let side = profile_of(&plan(ProfileAxis::Axis(1)), DVec3::Z, &frame);
        assert_eq!(side.flanks.len(), 2);
        for flank in &side.flanks {
            assert!((flank.angle().to_degrees() - degrees).abs() < 0.25, "{degrees}: {flank:?}");
        }
        assert!(side.flanks[0].slope > 0.0 && side.flanks[1].slope < 0.0);
    }
}

#[test]
fn the_vertical_is_where_gravity_says() {
    let frame = spheres(cone(0.4, DVec3::ZERO));
    let turned = spheres(frame.positions.iter().map(|p| dvec3(p.z, p.x, p.y)).collect());
    let upright = profile_of(&plan(ProfileAxis::Radius), DVec3::Z, &frame);
    let lying = profile_of(&plan(ProfileAxis::Radius), DVec3::X, &turned);
    assert!((upright.angle().expect("a flank") - lying.angle().expect("a flank")).abs() < 0.01);
}

#[test]
fn the_upper_edge_of_one_sphere_is_a_semicircle() {
    let mut plan = plan(ProfileAxis::Axis(0));
    (plan.centre, plan.reach) = (Some(DVec3::ZERO), Some(2.0 * RADIUS));
    let centre = dvec3(0.5 * RADIUS, 3.0, RADIUS);
    let profile = profile_of(&plan, DVec3::Z, &spheres(vec![centre]));
    for (place, height) in profile.places.iter().zip(&profile.heights) {
        let rest = RADIUS * RADIUS - (place - centre.x) * (place - centre.x);
        let expected = if rest > 0.0 { RADIUS + rest.sqrt() } else { 0.0 };
        assert!((height - expected).abs() < 1e-15, "{place}: {height} {expected}");
    }
    // Around the axis through its centre it is one, too.
    plan.along = ProfileAxis::Radius;
    plan.centre = Some(dvec3(centre.x, centre.y, 0.0));
    let profile = profile_of(&plan, DVec3::Z, &spheres(vec![centre]));
    for (place, height) in profile.places.iter().zip(&profile.heights) {
        let rest = RADIUS * RADIUS - place * place;
        let expected = if rest > 0.0 { RADIUS + rest.sqrt() } else { 0.0 };
        assert!((height - expected).abs() < 1e-12, "{place}: {height} {expected}");
    }
}

#[test]
fn the_mean_over_directions_equals_brute_force() {
    let mut dice = RandomStream::new(4);
    let mut draw = |low: f64, high: f64| dice.between(low, high);
    let centres: Vec<DVec3> =
        (0..60).map(|_| dvec3(draw(-0.02, 0.02), draw(-0.02, 0.02), draw(0.002, 0.01))).collect();
    let mut frame = spheres(centres);
    frame.radii.iter_mut().for_each(|radius| *radius = draw(1e-3, 4e-3));
    let mut plan = plan(ProfileAxis::Radius);
    (plan.centre, plan.reach, plan.bins) = (Some(DVec3::ZERO), Some(0.025), 17);
    let profile = profile_of(&plan, DVec3::Z, &frame);
    // Fine sampling of directions: the profile has 180 of them.
    for (place, height) in profile.places.iter().zip(&profile.heights) {
        let at = |k: u32| {
            // The first horizontal direction is any; the mean does not depend on it but for sampling.
            let turn = TAU * f64::from(k) / 7200.0;
            let (x, y) = (place * turn.cos(), place * turn.sin());
            let edge = |(centre, radius): (&DVec3, &f64)| {
                let rest = radius * radius - (centre.x - x).powi(2) - (centre.y - y).powi(2);
                if rest > 0.0 { centre.z + rest.sqrt() } else { 0.0 }
            };
            frame.positions.iter().zip(&frame.radii).map(edge).fold(0.0, f64::max)
        };
        let expected = (0..7200).map(at).sum::<f64>() / 7200.0;
        assert!((height - expected).abs() < 2e-4, "{place}: {height} {expected}");
    }
}

#[test]
fn a_heap_without_flanks_has_no_angle() {
    let flat: Vec<DVec3> = (0..10).map(|k| dvec3(f64::from(k) * RADIUS, 0.0, 0.0)).collect();
    let mut few = plan(ProfileAxis::Axis(0));
    few.bins = 4;
    let profile = profile_of(&few, DVec3::Z, &spheres(flat));
    assert_eq!(profile.angle(), None);
    assert!(profile_rows(1.5, &profile).iter().all(|row| row[0] == 1.5 && row[3].is_nan()));
    let empty = profile_of(&few, DVec3::Z, &spheres(Vec::new()));
    assert_eq!((empty.places.len(), empty.angle()), (0, None));
}

/// Speeds of a gas: three normal components of deviation `spread`.
fn gas(count: usize, spread: f64) -> SphereFrame {
    let mut dice = RandomStream::new(9);
    let mut normal = || {
        let [a, b] = [0; 2].map(|_| dice.unit());
        spread * (-2.0 * (1.0 - a).ln()).sqrt() * (TAU * b).cos()
    };
    let mut frame = spheres(vec![DVec3::ZERO; count]);
    frame.velocities = (0..count).map(|_| dvec3(normal(), normal(), normal())).collect();
    frame
}

fn histogram_plan(bins: usize, max: Option<f64>) -> HistogramPlan {
    HistogramPlan { name: "speeds".into(), bins, max, group: None, occasions: Occasions::default() }
}

#[test]
fn speeds_of_a_gas_are_distributed_as_maxwell_says() {
    const COUNT: usize = 200_000;
    let (spread, bins) = (0.3, 40);
    let frame = gas(COUNT, spread);
    let plan = histogram_plan(bins, Some(5.0 * spread));
    let histogram = speed_histogram(&plan, &Sighting { time: 0.0, up: DVec3::Z, spheres: &frame });
    assert_eq!((histogram.total, histogram.counts.iter().sum::<u64>()), (COUNT as u64, COUNT as u64));
    assert!((histogram.mean_square / (3.0 * spread * spread) - 1.0).abs() < 0.01);
    // Maxwell's share of each bin by quadrature; counts scatter by their root.
    let density = |v: f64| (2.0 / PI).sqrt() * v * v / spread.powi(3) * (-0.5 * v * v / spread.powi(2)).exp();
    for bin in 0..bins - 1 {
        let (from, to) = histogram.bin(bin);
        let parts = 200;
        let middle = |k: i32| from + (to - from) * (f64::from(k) + 0.5) / f64::from(parts);
        let share = (0..parts).map(|k| density(middle(k))).sum::<f64>() * (to - from) / f64::from(parts);
        let expected = share * COUNT as f64;
        let counted = histogram.counts[bin] as f64;
        assert!((counted - expected).abs() < 4.0 * expected.sqrt() + 4.0, "bin {bin}: {counted} {expected}");
        let curve = histogram.maxwell(0.5 * (from + to)) * histogram.width;
        assert!((curve - share).abs() < 0.02 * share + 2e-4, "bin {bin}: {curve} {share}");
    }
}

#[test]
fn bins_reach_to_the_fastest_and_keep_what_is_faster_than_asked() {
    let mut frame = spheres(vec![DVec3::ZERO; 3]);
    frame.velocities = vec![DVec3::ZERO, dvec3(0.0, 3.0, 4.0), dvec3(2.0, 0.0, 0.0)];
    frame.groups = vec![0, 0, 1];
    let seen = Sighting { time: 2.0, up: DVec3::Z, spheres: &frame };
    let histogram = speed_histogram(&histogram_plan(5, None), &seen);
    assert_eq!((histogram.width, &histogram.counts[..]), (1.0, &[1, 0, 1, 0, 1][..]));
    let rows = histogram_rows(2.0, &histogram);
    assert_eq!(rows[2], [2.0, 2.0, 3.0, 1.0, 1.0 / 3.0, 1.0 / 3.0]);
    let mut cut = histogram_plan(2, Some(1.0));
    assert_eq!(speed_histogram(&cut, &seen).counts, [1, 2]);
    cut.group = Some(1);
    let group = speed_histogram(&cut, &seen);
    assert_eq!((group.total, &group.counts[..]), (1, &[0, 1][..]));
    let at_rest = spheres(vec![DVec3::ZERO; 4]);
    let still = Sighting { time: 0.0, up: DVec3::Z, spheres: &at_rest };
    assert_eq!(speed_histogram(&histogram_plan(3, None), &still).counts, [4, 0, 0]);
}
