//! Elastic finite elements whose forces conserve energy and momenta over a step (Simo and Tarnow).
//!
//! Over a step from x₀ to x₁ the force of node a is f_a = Σ w F̄ S̄ ∇N_a, with the mean deformation gradient F̄ and the
//! stress S̄ of the **mean of the two strains**. For a quadratic stored energy f·Δx is then exactly the change of energy,
//! the forces add up to nothing, and so do their moments about the midpoints.

use super::material::ElasticMaterial;
use super::mesh::{Cell, SolidMesh};
use glam::{DMat2, DVec2, dvec2};
use serde::{Deserialize, Serialize};

/// Which strain gives the stress of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StressRule {
    /// Mean of the strains at both ends: conserves energy.
    #[default]
    MeanStrain,
    /// Strain of the mean position, as a contrast: gains energy and blows up at large steps.
    MidpointStrain,
}

/// A point of numerical integration.
#[derive(Clone, Copy, Debug)]
pub struct GaussPoint {
    /// Gradients of the shape functions in the reference state [1/m]; nothing for a missing fourth corner.
    pub gradients: [DVec2; 4],
    /// Shape functions at the point.
    pub shares: [f64; 4],
    /// Reference volume it stands for [m³].
    pub weight: f64,
}

/// An element with its integration points. A triangle names its first corner again as a fourth without share.
#[derive(Clone, Debug)]
pub struct FiniteElement {
    /// Corners, numbers within the body.
    pub nodes: [u32; 4],
    points: [GaussPoint; 4],
    point_count: usize,
}

/// Stress and deformation of a step at an integration point.
struct StepStrain {
    /// Mean deformation gradient F̄.
    mean: DMat2,
    /// Deformation gradient whose change changes the stress: F(x₁), or F̄ under [`StressRule::MidpointStrain`].
    end: DMat2,
    /// Second Piola–Kirchhoff stress S̄ [Pa].
    stress: DMat2,
    /// Determinant of F(x₁).
    volume_ratio: f64,
}

/// A block per pair of corners: rows of the first, columns of the second [N/m].
pub type CornerBlocks = [[DMat2; 4]; 4];

impl FiniteElement {
    /// The element of a cell of a checked mesh, `thickness` [m] deep.
    pub fn new(mesh: &SolidMesh, cell: &Cell, thickness: f64) -> Self {
        let at = |k: u32| mesh.points[k as usize];
        match *cell {
            Cell::Triangle([a, b, c]) => {
                let point = triangle_point([at(a), at(b), at(c)], thickness);
                Self { nodes: [a, b, c, a], points: [point; 4], point_count: 1 }
            }
            Cell::Quad(nodes) => {
                Self { nodes, points: quad_points(nodes.map(at), thickness), point_count: 4 }
            }
        }
    }

    /// Integration points.
    pub fn points(&self) -> &[GaussPoint] {
        &self.points[..self.point_count]
    }

    /// Shares of the nodes in mass, per unit density [m³].
    pub fn volume_shares(&self) -> [[f64; 4]; 4] {
        let mut shares = [[0.0; 4]; 4];
        if self.point_count == 1 {
            // One point would leave a triangle without resistance to turning; this is the exact integral.
            for (a, row) in shares.iter_mut().enumerate().take(3) {
                for (b, share) in row.iter_mut().enumerate().take(3) {
                    *share = self.points[0].weight * if a == b { 1.0 / 6.0 } else { 1.0 / 12.0 };
                }
            }
            return shares;
        }
        for point in self.points() {
            for (row, a) in shares.iter_mut().zip(point.shares) {
                for (share, b) in row.iter_mut().zip(point.shares) {
                    *share += point.weight * a * b;
                }
            }
        }
        shares
    }

    /// Stored energy [J] at positions x of the body's nodes.
    pub fn energy(&self, x: &[DVec2], material: &ElasticMaterial) -> f64 {
        let corners = self.corners(x);
        let density = |point: &GaussPoint| {
            let strain = strain(gradient(&corners, point));
            let trace = strain.x_axis.x + strain.y_axis.y;
            let squares = strain.x_axis.length_squared() + strain.y_axis.length_squared();
            0.5 * material.lame_lambda * trace * trace + material.shear_modulus * squares
        };
        self.points().iter().map(|point| point.weight * density(point)).sum()
    }

    /// Forces of a step on the corners [N] (the resistance f, not −f) and whether no point is turned inside out at x₁.
    pub fn forces(&self, x0: &[DVec2], x1: &[DVec2], law: &StepLaw) -> ([DVec2; 4], bool) {
        let (start, end) = (self.corners(x0), self.corners(x1));
        let mut forces = [DVec2::ZERO; 4];
        let mut sound = true;
        for point in self.points() {
            let step = step_strain(&start, &end, point, law);
            sound &= step.volume_ratio > 0.0;
            let piola = step.mean * step.stress * point.weight;
            for (force, gradient) in forces.iter_mut().zip(point.gradients) {
                *force += piola * gradient;
            }
        }
        (forces, sound)
    }

    /// Derivative of the forces by x₁ [N/m].
    pub fn tangent(&self, x0: &[DVec2], x1: &[DVec2], law: &StepLaw) -> CornerBlocks {
        let (start, end) = (self.corners(x0), self.corners(x1));
        let mut blocks = [[DMat2::ZERO; 4]; 4];
        for point in self.points() {
            add_point_tangent(&mut blocks, point, &step_strain(&start, &end, point, law), law);
        }
        blocks
    }

    /// Cauchy stress in the plane and across it: [xx, yy, xy, zz] in Pa, mean over the element at positions x.
    pub fn cauchy_stress(&self, x: &[DVec2], material: &ElasticMaterial) -> [f64; 4] {
        let corners = self.corners(x);
        let (mut sum, mut volume) = ([0.0; 4], 0.0);
        for point in self.points() {
            let gradient = gradient(&corners, point);
            let strain = strain(gradient);
            let ratio = gradient.determinant();
            let cauchy = gradient * stress(strain, material) * gradient.transpose() * (1.0 / ratio);
            let across = material.lame_lambda * (strain.x_axis.x + strain.y_axis.y) / ratio;
            let parts = [cauchy.x_axis.x, cauchy.y_axis.y, cauchy.x_axis.y, across];
            for (total, part) in sum.iter_mut().zip(parts) {
                *total += point.weight * part;
            }
            volume += point.weight;
        }
        sum.map(|total| total / volume)
    }

    fn corners(&self, x: &[DVec2]) -> [DVec2; 4] {
        self.nodes.map(|node| x[node as usize])
    }
}

/// Material and rule of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepLaw {
    /// The material.
    pub material: ElasticMaterial,
    /// Which strain gives the stress.
    pub rule: StressRule,
}

fn gradient(corners: &[DVec2; 4], point: &GaussPoint) -> DMat2 {
    let mut columns = [DVec2::ZERO; 2];
    // Gradients add up to nothing: relative to a corner, round-off does not grow far from the origin.
    for (corner, gradient) in corners.iter().zip(point.gradients).skip(1) {
        let side = *corner - corners[0];
        columns[0] += side * gradient.x;
        columns[1] += side * gradient.y;
    }
    DMat2::from_cols(columns[0], columns[1])
}

/// Green–Lagrange strain ½(FᵀF − I).
fn strain(gradient: DMat2) -> DMat2 {
    let (x, y) = (gradient.x_axis, gradient.y_axis);
    let shear = 0.5 * x.dot(y);
    DMat2::from_cols(
        dvec2(0.5 * (x.length_squared() - 1.0), shear),
        dvec2(shear, 0.5 * (y.length_squared() - 1.0)),
    )
}

fn stress(strain: DMat2, material: &ElasticMaterial) -> DMat2 {
    let pressure = material.lame_lambda * (strain.x_axis.x + strain.y_axis.y);
    strain * (2.0 * material.shear_modulus) + DMat2::from_diagonal(DVec2::splat(pressure))
}

fn step_strain(start: &[DVec2; 4], end: &[DVec2; 4], point: &GaussPoint, law: &StepLaw) -> StepStrain {
    let (first, last) = (gradient(start, point), gradient(end, point));
    let mean = (first + last) * 0.5;
    let (end, strain) = match law.rule {
        StressRule::MeanStrain => (last, (strain(first) + strain(last)) * 0.5),
        StressRule::MidpointStrain => (mean, strain(mean)),
    };
    StepStrain { mean, end, stress: stress(strain, &law.material), volume_ratio: last.determinant() }
}

/// K_ab = ½w { λ h_a p_bᵀ + G [(∇N_a·∇N_b) B + h_b p_aᵀ] + (∇N_a·S̄∇N_b) I }, h = F̄∇N, p = F₁∇N, B = F̄F₁ᵀ.
fn add_point_tangent(blocks: &mut CornerBlocks, point: &GaussPoint, step: &StepStrain, law: &StepLaw) {
    let half = 0.5 * point.weight;
    let (lambda, shear) = (half * law.material.lame_lambda, half * law.material.shear_modulus);
    let levers = point.gradients.map(|gradient| step.mean * gradient);
    let ends = point.gradients.map(|gradient| step.end * gradient);
    let tractions = point.gradients.map(|gradient| step.stress * gradient * half);
    let turned = step.mean * step.end.transpose() * shear;
    for a in 0..4 {
        for b in 0..4 {
            let alike = point.gradients[a].dot(point.gradients[b]);
            let geometric = point.gradients[a].dot(tractions[b]);
            blocks[a][b] += outer(levers[a] * lambda, ends[b])
                + outer(levers[b] * shear, ends[a])
                + turned * alike
                + DMat2::from_diagonal(DVec2::splat(geometric));
        }
    }
}

fn outer(a: DVec2, b: DVec2) -> DMat2 {
    DMat2::from_cols(a * b.x, a * b.y)
}

fn triangle_point(corners: [DVec2; 3], thickness: f64) -> GaussPoint {
    let doubled = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]);
    let gradient = |k: usize| (corners[(k + 2) % 3] - corners[(k + 1) % 3]).perp() / doubled;
    let third = 1.0 / 3.0;
    GaussPoint {
        gradients: [gradient(0), gradient(1), gradient(2), DVec2::ZERO],
        shares: [third, third, third, 0.0],
        weight: 0.5 * doubled * thickness,
    }
}

fn quad_points(corners: [DVec2; 4], thickness: f64) -> [GaussPoint; 4] {
    const SIGNS: [DVec2; 4] =
        [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(1.0, 1.0), DVec2::new(-1.0, 1.0)];
    let place = 1.0 / 3.0_f64.sqrt();
    SIGNS.map(|sign| {
        let at = sign * place;
        let shares = SIGNS.map(|s| 0.25 * (1.0 + s.x * at.x) * (1.0 + s.y * at.y));
        let local = SIGNS.map(|s| 0.25 * dvec2(s.x * (1.0 + s.y * at.y), s.y * (1.0 + s.x * at.x)));
        let mut jacobian = DMat2::ZERO;
        for (corner, slope) in corners.iter().zip(local) {
            jacobian += outer(*corner, slope);
        }
        let to_global = jacobian.inverse().transpose();
        GaussPoint {
            gradients: local.map(|slope| to_global * slope),
            shares,
            weight: jacobian.determinant() * thickness,
        }
    })
}

#[cfg(test)]
mod tests;
