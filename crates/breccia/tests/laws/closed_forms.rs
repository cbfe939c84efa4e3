//! Forces of single contacts, written out by hand.

use crate::encounters::{Case, glam};
use breccia::laws::{
    ElasticRolling, Hertz, History, Linear, NoRolling, NormalLaw, Response, RollingLaw, damping_constant,
    evaluate,
};
use breccia::model::{Material, PairProperties};
use glam::DVec3;

const STEP: f64 = 1e-6;

/// Two spheres of radius 2 and 3 mm of soft material that touch with 10 µm.
fn case() -> Case {
    Case {
        normal: DVec3::Z,
        overlap: 1e-5,
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        turn_rate: 0.0,
        masses: [3e-5, 1e-5, 2e-11],
        radius: 1.2e-3,
        scale: 2e5,
        damping_scale: 0.0,
        ratios: [0.8, 0.7],
        friction: 0.5,
        rolling_friction: 0.1,
        tangential: DVec3::ZERO,
        depth: 0.0,
        rolling: DVec3::ZERO,
        dashpots: [DVec3::ZERO; 3],
    }
}

fn respond<N: NormalLaw, O: RollingLaw>(case: &Case) -> (Response<f64>, History<f64>) {
    let mut history = case.history();
    let (response, _) = evaluate::<f64, N, O>(&case.encounter(), &case.coefficients(), &mut history, STEP);
    (response, history)
}

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-13 * expected.abs(), "{value} instead of {expected}");
}

#[test]
fn hertz_and_linear_force_at_rest() {
    let case = case();
    assert_near(respond::<Hertz, NoRolling>(&case).0.normal_force, 2e5 * libm::pow(1e-5, 1.5));
    assert_near(respond::<Linear, NoRolling>(&case).0.normal_force, 2e5 * 1e-5);
}

#[test]
fn moduli_of_two_materials_and_of_a_rigid_wall() {
    let soft = Material { name: "a".into(), density: 1.0, young_modulus: 1e7, poisson_ratio: 0.25 };
    let other = Material { name: "b".into(), density: 1.0, young_modulus: 3e6, poisson_ratio: 0.4 };
    let rigid = Material { young_modulus: f64::INFINITY, ..other.clone() };
    let pair = PairProperties {
        restitution: 0.5,
        friction: 0.0,
        rolling_friction: 0.0,
        normal_stiffness: Some(7.0),
        tangential_ratio: 0.3,
    };
    // 1/E* = (1−ν²)/E + …, 1/G* = (2−ν)/G + …, k_t/k_n = 8 G*/(4/3 E*).
    let stiff = 1.0 / (0.9375 / 1e7 + 0.84 / 3e6);
    let shear = 1.0 / (1.75 / 4e6 + 1.6 * 2.8 / 3e6);
    assert_near(Hertz::modulus(&soft, &other, &pair), 4.0 / 3.0 * stiff);
    assert_near(Hertz::tangential_ratio(&soft, &other, &pair), 6.0 * shear / stiff);
    assert_near(Hertz::modulus(&soft, &rigid, &pair), 4.0 / 3.0 * 1e7 / 0.9375);
    assert_near(Hertz::tangential_ratio(&soft, &rigid, &pair), 6.0 * (4e6 / 1.75) / (1e7 / 0.9375));
    assert_eq!(
        (Linear::modulus(&soft, &rigid, &pair), Linear::tangential_ratio(&soft, &rigid, &pair)),
        (7.0, 0.3)
    );
}

#[test]
fn the_dashpot_is_centred_and_never_pulls() {
    let (mass, stiffness, restitution) = (3e-5, 2e5, 0.5);
    let damping = damping_constant::<Hertz>(restitution) * f64::sqrt(mass * stiffness);
    let mut case = Case { damping_scale: damping, velocity: DVec3::new(0.0, 0.0, -0.3), ..case() };
    let dashpot = damping * f64::sqrt(f64::sqrt(1e-5));
    let expected =
        (stiffness * 1e-5 * f64::sqrt(1e-5) + dashpot * 0.3) / (1.0 + dashpot * STEP / (2.0 * mass));
    assert_near(respond::<Hertz, NoRolling>(&case).0.normal_force, expected);
    case.velocity.z = 50.0;
    assert_eq!(respond::<Hertz, NoRolling>(&case).0.normal_force, 0.0);
}

#[test]
fn a_sticking_contact_is_a_spring() {
    let case = Case { velocity: DVec3::new(1e-3, 0.0, 0.0), ..case() };
    let (response, history) = respond::<Linear, NoRolling>(&case);
    assert_near(response.tangential.x, -0.8 * 2e5 * 1e-3 * STEP);
    assert_eq!((response.tangential.x, response.tangential.y), (history.tangential.x, 0.0));
}

#[test]
fn a_sliding_contact_gives_coulomb() {
    for velocity in [DVec3::new(30.0, 0.0, 0.0), DVec3::new(0.0, -400.0, 0.0), DVec3::new(1e3, 1e3, 0.0)] {
        let case = Case { velocity, ..case() };
        let (response, history) = respond::<Hertz, NoRolling>(&case);
        let expected = -velocity.normalize() * (0.5 * response.normal_force);
        assert!((glam(response.tangential) - expected).length() < 1e-14 * expected.length());
        assert!((glam(history.tangential) - expected).length() < 1e-14 * expected.length());
    }
}

#[test]
fn unloading_shrinks_the_remembered_force_and_loading_does_not() {
    let remembered = DVec3::new(1e-3, 2e-3, 0.0);
    let at = |old_overlap: f64| {
        let case = Case { tangential: remembered, depth: f64::sqrt(old_overlap), ..case() };
        glam(respond::<Hertz, NoRolling>(&case).0.tangential)
    };
    // k_t goes with √δ: from 40 to 10 µm it halves.
    assert!((at(4e-5) - remembered * 0.5).length() < 1e-15);
    assert!((at(0.25e-5) - remembered).length() < 1e-15);
    // The linear law's stiffness does not change while it touches.
    let case = Case { tangential: remembered, depth: 4e-5, ..case() };
    assert!((glam(respond::<Linear, NoRolling>(&case).0.tangential) - remembered).length() < 1e-15);
}

#[test]
fn rolling_is_a_spring_under_a_cap() {
    let (lever, stiffness) = (0.1 * 1.2e-3, 2e5);
    let rolling_stiffness = 2.25 * stiffness * lever * lever;
    let slow = Case { spin: DVec3::new(0.0, 1e-2, 5.0), ..case() };
    let (response, history) = respond::<Linear, ElasticRolling>(&slow);
    let spring = -rolling_stiffness * 1e-2 * STEP;
    assert_near(history.rolling.y, spring);
    // 2·0.3 √(k_r I); spin about the normal is not rolling.
    let dashpot = -0.6 * f64::sqrt(rolling_stiffness * 2e-11) * 1e-2;
    assert_near(response.rolling_torque.y, spring + dashpot);
    assert_eq!(response.rolling_torque.z, 0.0);
    let fast = Case { spin: DVec3::new(0.0, 1e6, 0.0), ..case() };
    let (response, _) = respond::<Linear, ElasticRolling>(&fast);
    assert_near(response.rolling_torque.y, -lever * response.normal_force);
}

#[test]
fn with_torsion_spin_about_the_normal_works_the_same_spring() {
    let (lever, stiffness) = (0.1 * 1.2e-3, 2e5);
    let rolling_stiffness = 2.25 * stiffness * lever * lever;
    let slow = Case { spin: DVec3::new(0.0, 3e-3, -4e-3), ..case() };
    let (response, history) = respond::<Linear, ElasticRolling<true>>(&slow);
    let spring = -rolling_stiffness * STEP;
    let dashpot = -0.6 * f64::sqrt(rolling_stiffness * 2e-11);
    for (rate, elastic, torque) in [
        (3e-3, history.rolling.y, response.rolling_torque.y),
        (-4e-3, history.rolling.z, response.rolling_torque.z),
    ] {
        assert_near(elastic, spring * rate);
        assert_near(torque, (spring + dashpot) * rate);
    }
    // Rolling and torsion share one cap.
    let fast = Case { spin: DVec3::new(0.0, 3e6, -4e6), ..case() };
    let (response, _) = respond::<Linear, ElasticRolling<true>>(&fast);
    assert_near(response.rolling_torque.y, -0.6 * lever * response.normal_force);
    assert_near(response.rolling_torque.z, 0.8 * lever * response.normal_force);
}

/// A ball dropped on itself: the constant A gives the restitution, step by step through the law.
#[test]
fn an_impact_gives_the_restitution_asked_for() {
    fn rebound<N: NormalLaw>(restitution: f64) -> f64 {
        let (mass, scale) = (3e-5, 2e5);
        let damping = damping_constant::<N>(restitution) * f64::sqrt(mass * scale);
        let mut case = Case { damping_scale: damping, overlap: 0.0, masses: [mass; 3], ..case() };
        let mut velocity = -1.0;
        let dt = 4e-9;
        let mut history = case.history();
        for _ in 0..1_000_000 {
            case.velocity.z = velocity;
            let (response, _) =
                evaluate::<f64, N, NoRolling>(&case.encounter(), &case.coefficients(), &mut history, dt);
            velocity += response.normal_force / mass * dt;
            case.overlap = (case.overlap - velocity * dt).max(0.0);
            if case.overlap == 0.0 {
                return velocity;
            }
        }
        f64::NAN
    }
    for restitution in [0.1, 0.3, 0.5, 0.8, 0.95, 1.0] {
        let (hertz, linear) = (rebound::<Hertz>(restitution), rebound::<Linear>(restitution));
        assert!((hertz - restitution).abs() < 1e-3 * restitution, "Hertz {restitution}: {hertz}");
        assert!((linear - restitution).abs() < 1e-3 * restitution, "linear {restitution}: {linear}");
    }
}
