//! Closed forms and reference solutions, written without the engine's laws.

use super::rig::{Normal, Partner, Stuff};
use std::f64::consts::PI;

/// Duration of an elastic Hertz impact over δ_max/v: 2 ∫₀¹ dx/√(1 − x^{5/2}).
const HERTZ_DURATION: f64 = 2.943_275_2;
/// Mean overlap of an elastic Hertz impact, weighted by the force, over δ_max: B(7/5, 1/2)/2.
const HERTZ_MEAN_OVERLAP: f64 = 0.817_576_440;

/// An elastic impact along the normal.
#[derive(Clone, Copy, Debug)]
pub struct ElasticImpact {
    /// Largest overlap [m].
    pub overlap: f64,
    /// Largest force [N].
    pub force: f64,
    /// Duration [s].
    pub duration: f64,
    /// Mean overlap weighted by the force [m].
    pub mean_overlap: f64,
}

impl ElasticImpact {
    /// Closed form for balls of radius R that meet at `speed` [m/s], or one that meets the wall.
    pub fn of(stuff: &Stuff, radius: f64, partner: Partner, speed: f64) -> Self {
        let half = if partner == Partner::Ball { 0.5 } else { 1.0 };
        let (reduced_mass, reduced_radius) = (half * stuff.mass(radius), half * radius);
        match stuff.normal {
            Normal::Hertz => {
                let scale = 4.0 / 3.0 * stuff.effective_modulus(partner) * reduced_radius.sqrt();
                let overlap = libm::pow(1.25 * reduced_mass * speed * speed / scale, 0.4);
                Self {
                    overlap,
                    force: scale * overlap * overlap.sqrt(),
                    duration: HERTZ_DURATION * overlap / speed,
                    mean_overlap: HERTZ_MEAN_OVERLAP * overlap,
                }
            }
            Normal::Linear { stiffness, .. } => {
                let overlap = speed * (reduced_mass / stiffness).sqrt();
                Self {
                    overlap,
                    force: stiffness * overlap,
                    duration: PI * (reduced_mass / stiffness).sqrt(),
                    mean_overlap: 0.25 * PI * overlap,
                }
            }
        }
    }
}

/// A ball that has hit the floor obliquely.
#[derive(Clone, Copy, Debug)]
pub struct Rebound {
    /// Velocity away from the floor [m/s].
    pub normal: f64,
    /// Velocity along the floor [m/s].
    pub sliding: f64,
    /// Rotation about the axis that rolls it forwards [rad/s].
    pub spin: f64,
}

/// Hertz normal force and Mindlin's stiffness under Coulomb's cap, elastic, integrated with explicit midpoint steps
/// of 1/`resolution` of the contact: a ball without spin hits the floor at `normal` and `tangential` speed [m/s].
///
/// u'' = −S u^{3/2}/m;  T' = −k_t w, T ∝ k_t on unloading, |T| ≤ µ F;
/// m v' = T,  I ω' = −a T,  w = v − a ω,  a = R − u.
pub fn oblique_hertz(stuff: &Stuff, radius: f64, normal: f64, tangential: f64, resolution: u32) -> Rebound {
    let mass = stuff.mass(radius);
    let inertia = 0.4 * mass * radius * radius;
    let nu = stuff.poisson_ratio;
    let scale = 4.0 / 3.0 * stuff.effective_modulus(Partner::Wall) * radius.sqrt();
    let shear = stuff.young_modulus / (2.0 * (1.0 + nu) * (2.0 - nu));
    let stiffness = |u: f64| 8.0 * shear * (radius * u.max(0.0)).sqrt();
    let force = |u: f64| scale * u.max(0.0) * u.max(0.0).sqrt();
    let h = ElasticImpact::of(stuff, radius, Partner::Wall, normal).duration / f64::from(resolution);
    let (mut u, mut approach) = (0.0_f64, normal);
    let (mut v, mut spin, mut friction) = (tangential, 0.0_f64, 0.0_f64);
    while u > 0.0 || approach > 0.0 {
        let middle = u + 0.5 * h * approach;
        let middle_approach = approach - 0.5 * h * force(u) / mass;
        let next = u + h * middle_approach;
        approach -= h * force(middle) / mass;
        if next < u {
            friction *= (next.max(0.0) / u).sqrt();
        }
        let arm = radius - middle;
        let half_way = friction - 0.5 * h * stiffness(middle) * (v - arm * spin);
        let slip = v - arm * spin + 0.5 * h * half_way * (1.0 / mass + arm * arm / inertia);
        let before = friction;
        friction = (friction - h * stiffness(middle) * slip)
            .clamp(-stuff.friction * force(next), stuff.friction * force(next));
        let mean = 0.5 * (before + friction);
        v += h * mean / mass;
        spin -= h * arm * mean / inertia;
        u = next;
    }
    Rebound { normal: -approach, sliding: v, spin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_hertz_impact_match_quadrature() {
        // x = 1 − s² takes the singular end away; midpoint rule.
        let n = 200_000;
        let (mut time, mut impulse, mut moment) = (0.0, 0.0, 0.0);
        for k in 0..n {
            let s = (f64::from(k) + 0.5) / f64::from(n);
            let x = 1.0 - s * s;
            let dt = 2.0 * s / (1.0 - x * x * x.sqrt()).sqrt() / f64::from(n);
            time += dt;
            impulse += x * x.sqrt() * dt;
            moment += x * x * x.sqrt() * dt;
        }
        assert!((2.0 * time - HERTZ_DURATION).abs() < 1e-6, "{}", 2.0 * time);
        assert!((moment / impulse - HERTZ_MEAN_OVERLAP).abs() < 1e-6, "{}", moment / impulse);
    }

    #[test]
    fn the_oblique_reference_slides_as_coulomb_says() {
        let stuff = Stuff { friction: 0.1, ..Stuff::default() };
        let rebound = oblique_hertz(&stuff, 0.01, 0.1, 0.5, 100_000);
        assert!((rebound.sliding - (0.5 - 2.0 * 0.1 * 0.1)).abs() < 1e-5, "{rebound:?}");
    }
}
