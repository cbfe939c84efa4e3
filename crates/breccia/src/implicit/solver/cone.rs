//! One contact inside the interior-point method.
//!
//! The Coulomb cone in the plane is spanned by two rays: p = a + b, q = µ (a − b) with a, b ≥ 0 (without friction by
//! one, p = a). With z = (a, b), B the map from z to (p, q), C = diag(C_N, C_T), s the slacks:
//! ```text
//! s = (HB)ᵀU + BᵀCB z + Bᵀ(g, g_t − C_T q0),    K = BᵀCB + diag(s/z)
//! ```
//! Both K⁻¹ and B K⁻¹ Bᵀ are written so that nothing cancels.

use crate::implicit::problem::{Columns, ConeContact, ContactForce, NO_BODY, Scale, dot};

/// A contact of the program made dimensionless, its sides ordered by the numbers of their bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// Body with the lower number.
    low_body: u32,
    /// Body with the higher number, or [`NO_BODY`].
    high_body: u32,
    /// H on the body with the lower number.
    pub low: Columns,
    /// H on the body with the higher number.
    pub high: Columns,
    /// Gap.
    pub gap: f64,
    /// g_t − C_T q0.
    pub slide: f64,
    pub friction: f64,
    pub normal_compliance: f64,
    pub tangential_compliance: f64,
}

/// Forces z along the rays and their slacks s. Without friction only the first of each counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rays {
    pub force: [f64; 2],
    pub slack: [f64; 2],
}

/// K⁻¹ of a contact, and what it makes of displacements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Response {
    /// K⁻¹: (a,a), (a,b), (b,b).
    inverse: [f64; 3],
    /// B K⁻¹ Bᵀ: (n,n), (n,t), (t,t).
    pub stiffness: [f64; 3],
}

impl Cone {
    /// Makes a contact dimensionless.
    pub fn scaled(contact: &ConeContact, scale: &Scale) -> Self {
        let stiffness = scale.force / scale.length;
        let slide = contact.slide - contact.tangential_compliance * contact.carried;
        let slave_is_low = contact.slave <= contact.master;
        let (low, high) = if slave_is_low {
            (contact.on_slave, contact.on_master)
        } else {
            (contact.on_master, contact.on_slave)
        };
        Self {
            low_body: contact.slave.min(contact.master),
            high_body: contact.slave.max(contact.master),
            low,
            high,
            gap: contact.gap / scale.length,
            slide: slide / scale.length,
            friction: contact.friction,
            normal_compliance: contact.normal_compliance * stiffness,
            tangential_compliance: contact.tangential_compliance * stiffness,
        }
    }

    /// Number of rays.
    #[inline(always)]
    pub fn rays(&self) -> usize {
        if self.friction > 0.0 { 2 } else { 1 }
    }

    /// HᵀU: opening and slip that displacements of the bodies make.
    #[inline(always)]
    pub fn motion(&self, displacement: &[[f64; 3]]) -> (f64, f64) {
        let low = &displacement[self.low_body as usize];
        let (mut opening, mut slip) = (dot(&self.low.normal, low), dot(&self.low.tangential, low));
        if self.high_body != NO_BODY {
            let high = &displacement[self.high_body as usize];
            opening += dot(&self.high.normal, high);
            slip += dot(&self.high.tangential, high);
        }
        (opening, slip)
    }

    /// B: (p, q) of amounts along the rays.
    #[inline(always)]
    pub fn force(&self, along: [f64; 2]) -> ContactForce {
        if self.friction > 0.0 {
            ContactForce { normal: along[0] + along[1], tangential: self.friction * (along[0] - along[1]) }
        } else {
            ContactForce { normal: along[0], tangential: 0.0 }
        }
    }

    /// Bᵀ: amounts along the rays of a (normal, tangential) motion.
    #[inline(always)]
    fn along_rays(&self, (normal, tangential): (f64, f64)) -> [f64; 2] {
        [normal + self.friction * tangential, normal - self.friction * tangential]
    }

    /// r2 = s − ((HB)ᵀU + E z + c), for the motion HᵀU.
    #[inline(always)]
    pub fn slack_residual(&self, rays: &Rays, (opening, slip): (f64, f64)) -> [f64; 2] {
        let force = self.force(rays.force);
        let gap = opening + self.gap + self.normal_compliance * force.normal;
        let slide = slip + self.slide + self.tangential_compliance * force.tangential;
        let along = self.along_rays((gap, slide));
        if self.rays() == 1 { [rays.slack[0] - along[0], 0.0] } else { sub(rays.slack, along) }
    }

    /// K⁻¹ and B K⁻¹ Bᵀ at the present rays.
    #[inline(always)]
    pub fn response(&self, rays: &Rays) -> Response {
        let first = rays.slack[0] / rays.force[0];
        if self.rays() == 1 {
            let inverse = 1.0 / (self.normal_compliance + first);
            return Response { inverse: [inverse, 0.0, 0.0], stiffness: [inverse, 0.0, 0.0] };
        }
        let second = rays.slack[1] / rays.force[1];
        let friction_squared = self.friction * self.friction;
        let normal = self.normal_compliance;
        let tangential = friction_squared * self.tangential_compliance;
        let own = normal + tangential;
        let determinant = 4.0 * normal * tangential + own * (first + second) + first * second;
        let scale = 1.0 / determinant;
        Response {
            inverse: [(own + second) * scale, (tangential - normal) * scale, (own + first) * scale],
            stiffness: [
                (first + second + 4.0 * tangential) * scale,
                self.friction * (second - first) * scale,
                friction_squared * (4.0 * normal + first + second) * scale,
            ],
        }
    }

    /// Change of the rays' forces, K⁻¹ (r3 − (HB)ᵀΔU), for the motion HᵀΔU.
    #[inline(always)]
    pub fn force_change(&self, response: &Response, r3: [f64; 2], motion: (f64, f64)) -> [f64; 2] {
        response.invert(sub(r3, self.along_rays(motion)))
    }
}

impl Rays {
    /// Where the iteration starts: slacks of the reference length or, where a contact is farther open, of its gap, and
    /// forces that give the same product s z everywhere. Far candidates then neither begin infeasible nor lag behind.
    pub fn start(cone: &Cone) -> Self {
        let slack = cone.along_rays((cone.gap, cone.slide)).map(|open| open.max(1.0));
        let force = slack.map(|it| 1.0 / it);
        if cone.rays() == 2 {
            Self { force, slack }
        } else {
            Self { force: [force[0], 0.0], slack: [slack[0], 0.0] }
        }
    }

    /// s z, summed over the rays of a contact.
    #[inline(always)]
    pub fn product(&self, cone: &Cone) -> f64 {
        (0..cone.rays()).map(|ray| self.force[ray] * self.slack[ray]).sum()
    }
}

impl Response {
    /// K⁻¹ times a pair.
    #[inline(always)]
    pub fn invert(&self, pair: [f64; 2]) -> [f64; 2] {
        let [first, coupled, second] = self.inverse;
        [first * pair[0] + coupled * pair[1], coupled * pair[0] + second * pair[1]]
    }
}

#[inline(always)]
fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone(friction: f64, normal_compliance: f64, tangential_compliance: f64) -> Cone {
        let columns = Columns::default();
        let (low, high) = (columns, columns);
        let (low_body, high_body) = (0, NO_BODY);
        Cone {
            low_body,
            high_body,
            low,
            high,
            gap: 0.0,
            slide: 0.0,
            friction,
            normal_compliance,
            tangential_compliance,
        }
    }

    #[test]
    fn response_inverts_k() {
        let cone = cone(0.4, 0.3, 0.7);
        let rays = Rays { force: [2.0, 0.5], slack: [0.1, 3.0] };
        let response = cone.response(&rays);
        let (n, t) = (0.3, 0.16 * 0.7);
        let k = [[n + t + 0.05, n - t], [n - t, n + t + 6.0]];
        for pair in [[1.0, 0.0], [0.0, 1.0], [0.3, -2.0]] {
            let x = response.invert(pair);
            for row in 0..2 {
                assert!((k[row][0] * x[0] + k[row][1] * x[1] - pair[row]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn stiffness_is_the_inverse_seen_from_normal_and_tangent() {
        let cone = cone(0.4, 0.3, 0.7);
        let rays = Rays { force: [2.0, 0.5], slack: [0.1, 3.0] };
        let response = cone.response(&rays);
        let by_normal = cone.force(response.invert(cone.along_rays((1.0, 0.0))));
        let by_tangent = cone.force(response.invert(cone.along_rays((0.0, 1.0))));
        let [nn, nt, tt] = response.stiffness;
        for (have, want) in [
            (by_normal.normal, nn),
            (by_normal.tangential, nt),
            (by_tangent.normal, nt),
            (by_tangent.tangential, tt),
        ] {
            assert!((have - want).abs() < 1e-14, "{have} {want}");
        }
    }

    #[test]
    fn without_friction_there_is_one_ray() {
        let cone = cone(0.0, 0.25, 9.0);
        let rays = Rays { force: [2.0, 0.0], slack: [0.5, 0.0] };
        assert_eq!(cone.response(&rays).invert([1.0, 5.0]), [2.0, 0.0]);
        assert_eq!(cone.slack_residual(&rays, (0.25, 7.0)), [0.5 - 0.25 - 0.5, 0.0]);
    }
}
