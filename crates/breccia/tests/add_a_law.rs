//! The worked example of docs/add-a-law.md, kept true: a normal law written outside the engine, tested as a law
//! should be, and the same text as on the page.

use breccia::laws::{
    Coefficients, Dashpots, Encounter, History, Losses, NoRolling, NormalLaw, NormalResponse, Response,
    damping_constant, evaluate,
};
use breccia::math::{LANES, Lanes, Real, Vec3};
use breccia::model::{Material, PairProperties};
use glam::DVec3;

// example
/// Pointed asperities: F = S δ² − c v_n, S = (2/π) E* tan θ, c = A √(m* S δ), k_t = 8 (G*/E*) S δ.
///
/// θ is the half opening angle of the cone. Source: Sneddon 1965; Mindlin 1949 for k_t over dF/dδ.
#[derive(Clone, Copy, Debug)]
pub struct Conical;

/// tan θ for θ = 70°.
const SLOPE: f64 = 2.747_477_419_454_622;

impl NormalLaw for Conical {
    fn modulus(a: &Material, b: &Material, _: &PairProperties) -> f64 {
        2.0 * SLOPE / (std::f64::consts::PI * compliance(a, b))
    }

    fn tangential_ratio(a: &Material, b: &Material, _: &PairProperties) -> f64 {
        8.0 * compliance(a, b) / shear_compliance(a, b)
    }

    /// c_t/c_n = √(k_t/(dF/dδ)), and dF/dδ is twice the stiffness F/δ.
    fn tangential_damping_ratio(tangential_ratio: f64) -> f64 {
        (0.5 * tangential_ratio).sqrt()
    }

    fn scale(modulus: f64, _: f64) -> f64 {
        modulus
    }

    #[inline(always)]
    fn respond<R: Real>(overlap: R, scale: R, damping_scale: R) -> NormalResponse<R> {
        let stiffness = scale * overlap;
        NormalResponse {
            depth: overlap,
            elastic_force: stiffness * overlap,
            stiffness,
            damping: damping_scale * overlap.sqrt(),
        }
    }

    #[inline(always)]
    fn stiffness<R: Real>(depth: R, scale: R) -> R {
        scale * depth
    }

    fn energy(depth: f64, scale: f64) -> f64 {
        scale * depth * depth * depth / 3.0
    }

    fn overlap(depth: f64) -> f64 {
        depth
    }

    fn approach(x: f64) -> (f64, f64) {
        (x * x, x.sqrt())
    }
}
// end of example

fn compliance(a: &Material, b: &Material) -> f64 {
    let side = |m: &Material| (1.0 - m.poisson_ratio * m.poisson_ratio) / m.young_modulus;
    side(a) + side(b)
}

fn shear_compliance(a: &Material, b: &Material) -> f64 {
    let side = |m: &Material| (2.0 - m.poisson_ratio) / m.shear_modulus();
    side(a) + side(b)
}

fn glass() -> Material {
    Material { name: "glass".into(), density: 2500.0, young_modulus: 1e7, poisson_ratio: 0.25 }
}

fn pair(restitution: f64) -> PairProperties {
    PairProperties {
        restitution,
        friction: 0.3,
        rolling_friction: 0.0,
        normal_stiffness: None,
        tangential_ratio: 0.3,
    }
}

const REDUCED_MASS: f64 = 1e-3;
const SPEED: f64 = 0.5;

fn scale() -> f64 {
    Conical::scale(Conical::modulus(&glass(), &glass(), &pair(1.0)), 1e-3)
}

fn coefficients<R: Real>(restitution: f64) -> Coefficients<R> {
    let ratio = Conical::tangential_ratio(&glass(), &glass(), &pair(restitution));
    Coefficients {
        scale: R::splat(scale()),
        scale_before: R::splat(scale()),
        damping_scale: R::splat(damping_constant::<Conical>(restitution) * (REDUCED_MASS * scale()).sqrt()),
        tangential_ratio: R::splat(ratio),
        inverse_tangential_ratio: R::splat(1.0 / ratio),
        tangential_damping_ratio: R::splat(Conical::tangential_damping_ratio(ratio)),
        friction: R::splat(0.3),
        rolling_friction: R::splat(0.0),
    }
}

fn untouched<R: Real>() -> History<R> {
    let (zero, none) = (R::splat(0.0), Vec3::splat(DVec3::ZERO));
    let dashpots = Dashpots { normal: zero, tangential: none, rolling: none };
    History { tangential: none, depth: zero, rolling: none, dashpots }
}

fn encounter<R: Real>(overlap: R, velocity: Vec3<R>) -> Encounter<R> {
    Encounter {
        normal: Vec3::splat(DVec3::Z),
        overlap,
        velocity,
        inverse_mass: R::splat(1.0 / REDUCED_MASS),
        inverse_tangential_mass: R::splat(3.5 / REDUCED_MASS),
        inverse_inertia: R::splat(1.0),
        relative_spin: Vec3::splat(DVec3::ZERO),
        turn_rate: R::splat(0.0),
        reduced_radius: R::splat(1e-3),
    }
}

/// A head-on impact: rebound speed over impact speed, largest overlap [m], energy lost [J].
fn impact(restitution: f64, steps_per_contact: f64) -> (f64, f64, f64) {
    // Half a period of the elastic impact is near 1.8 times this.
    let duration = libm::cbrt(REDUCED_MASS / (scale() * SPEED));
    let dt = duration / steps_per_contact;
    let (mut gap, mut velocity, mut deepest, mut lost) = (0.25 * SPEED * dt, -SPEED, 0.0_f64, 0.0);
    let (coefficients, mut history) = (coefficients(restitution), untouched());
    loop {
        gap += velocity * dt;
        let overlap = (-gap).max(0.0);
        let met = encounter(overlap, Vec3::splat(DVec3::Z * velocity));
        let (response, losses): (Response<f64>, Losses<f64>) =
            evaluate::<f64, Conical, NoRolling>(&met, &coefficients, &mut history, dt);
        velocity += response.normal_force / REDUCED_MASS * dt;
        lost += losses.normal_damping;
        deepest = deepest.max(overlap);
        if gap > 0.0 && velocity > 0.0 {
            return (velocity / SPEED, deepest, lost);
        }
    }
}

#[test]
fn an_elastic_impact_reaches_the_depth_of_the_closed_form() {
    let (rebound, deepest, _) = impact(1.0, 2000.0);
    let expected = libm::cbrt(1.5 * REDUCED_MASS * SPEED * SPEED / scale());
    assert!((deepest / expected - 1.0).abs() < 1e-4, "{deepest} instead of {expected}");
    assert!((rebound - 1.0).abs() < 1e-4, "{rebound}");
}

#[test]
fn the_restitution_asked_for_comes_out_and_its_energy_is_booked() {
    for restitution in [0.2, 0.5, 0.8] {
        let (rebound, _, lost) = impact(restitution, 2000.0);
        assert!((rebound - restitution).abs() < 2e-3, "{rebound} instead of {restitution}");
        let expected = 0.5 * REDUCED_MASS * SPEED * SPEED * (1.0 - rebound * rebound);
        assert!((lost / expected - 1.0).abs() < 2e-3, "lost {lost} J instead of {expected} J");
    }
}

#[test]
fn energy_is_the_integral_of_the_force() {
    let (step, depth) = (1e-8, 1e-4);
    let difference = Conical::energy(depth + step, scale()) - Conical::energy(depth - step, scale());
    let force = Conical::elastic_force(depth, scale());
    assert!((difference / (2.0 * step) / force - 1.0).abs() < 1e-6);
}

#[test]
fn eight_lanes_give_the_bits_of_one() {
    let overlap = |k: usize| if k == 3 { 0.0 } else { 1e-5 * (k + 1) as f64 };
    let slip = |k: usize| DVec3::new(0.1 * k as f64, 0.02, -0.3);
    let velocity = Vec3::<Lanes>::from_fn(slip);
    let mut history = untouched::<Lanes>();
    let dt = 1e-6;
    let met = encounter(Lanes::from_fn(overlap), velocity);
    let (eight, _) =
        evaluate::<Lanes, Conical, NoRolling>(&met, &coefficients(0.5), &mut history, Lanes::splat(dt));
    for k in 0..LANES {
        let mut history = untouched::<f64>();
        let met = encounter(overlap(k), Vec3::splat(slip(k)));
        let (one, _) = evaluate::<f64, Conical, NoRolling>(&met, &coefficients(0.5), &mut history, dt);
        assert_eq!(one.normal_force.to_bits(), eight.normal_force.0[k].to_bits(), "lane {k}");
        assert_eq!(one.tangential.x.to_bits(), eight.tangential.x.0[k].to_bits(), "lane {k}");
    }
}

#[test]
fn the_page_shows_this_code() {
    let (code, page) = (include_str!("add_a_law.rs"), include_str!("../../../docs/add-a-law.md"));
    let (_, rest) = code.split_once("// example\n").expect("a beginning");
    let (example, _) = rest.split_once("// end of example").expect("an end");
    assert!(page.contains(example.trim()), "docs/add-a-law.md and this test have drifted apart");
}
