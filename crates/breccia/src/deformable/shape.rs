//! The elastic shape of bodies: mesh, elements, mass, outline. Bodies of one shape share it.

use super::element::{FiniteElement, StepLaw, StressRule};
use super::material::ElasticMaterial;
use super::mesh::{MeshError, SolidMesh, boundary_loops};
use super::pattern::BlockPattern;
use super::solver::BodyMatrix;
use crate::narrow_phase::node_segment::Outline;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// How mass is spread over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MassKind {
    /// From the shape functions: nodes of an element share mass.
    #[default]
    Consistent,
    /// All mass of a row in the node itself.
    Lumped,
}

/// An elastic shape in its reference state.
#[derive(Clone, Debug)]
pub struct ElasticShape {
    /// The mesh.
    pub mesh: SolidMesh,
    /// The material.
    pub material: ElasticMaterial,
    /// Depth across the plane [m].
    pub thickness: f64,
    /// Elements in the order of the mesh's cells.
    pub elements: Vec<FiniteElement>,
    /// Boundary segments.
    pub outline: Outline,
    /// Mass [kg] per pair of nodes.
    pub mass: Vec<f64>,
    /// Where matrices have entries.
    pub pattern: BlockPattern,
    /// How systems of equations over the nodes are factored.
    pub(super) matrix: BodyMatrix,
}

impl ElasticShape {
    /// A shape of a mesh [m], `thickness` [m] deep.
    pub fn new(
        mesh: SolidMesh,
        material: ElasticMaterial,
        thickness: f64,
        mass: MassKind,
    ) -> Result<Self, MeshError> {
        mesh.check()?;
        let outline = Outline::new(boundary_loops(&mesh)?.into_iter().map(|found| found.nodes));
        let elements: Vec<_> =
            mesh.cells.iter().map(|cell| FiniteElement::new(&mesh, cell, thickness)).collect();
        let pattern = BlockPattern::new(mesh.points.len(), &elements);
        let mass = mass_per_pair(&pattern, &elements, material.density, mass);
        let matrix = BodyMatrix::new(&pattern);
        Ok(Self { mesh, material, thickness, elements, outline, mass, pattern, matrix })
    }

    /// Mass [kg].
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().sum()
    }

    /// Stored energy [J] at positions x.
    pub fn energy(&self, x: &[DVec2]) -> f64 {
        self.elements.iter().map(|element| element.energy(x, &self.material)).sum()
    }

    /// Adds the elastic forces of a step to `forces` [N]; whether no element is turned inside out at x₁.
    pub fn add_forces(&self, x0: &[DVec2], x1: &[DVec2], rule: StressRule, forces: &mut [DVec2]) -> bool {
        let law = StepLaw { material: self.material, rule };
        let mut all_sound = true;
        for element in &self.elements {
            let (corner_forces, sound) = element.forces(x0, x1, &law);
            all_sound &= sound;
            for (node, force) in element.nodes.into_iter().zip(corner_forces) {
                forces[node as usize] += force;
            }
        }
        all_sound
    }

    /// Matrix (2/Δt²) M + ∂f/∂x₁ of a step, as values over the pattern [N/m].
    pub fn step_matrix(&self, x0: &[DVec2], x1: &[DVec2], rule: StressRule, time_step: f64) -> Vec<f64> {
        let law = StepLaw { material: self.material, rule };
        let mut values = vec![0.0; self.pattern.entries()];
        self.pattern.set_scaled(&mut values, &self.mass, 2.0 / (time_step * time_step));
        for (number, element) in self.elements.iter().enumerate() {
            self.pattern.add_blocks(&mut values, number, &element.tangent(x0, x1, &law));
        }
        values
    }

    /// Half of the larger side of the bounding box of the reference state [m].
    pub fn half_extent(&self) -> f64 {
        let (low, high) = crate::broad_phase::extent(self.mesh.points.iter().copied());
        0.5 * (high - low).max_element()
    }
}

fn mass_per_pair(
    pattern: &BlockPattern,
    elements: &[FiniteElement],
    density: f64,
    kind: MassKind,
) -> Vec<f64> {
    let mut mass = vec![0.0; pattern.pairs()];
    for element in elements {
        for (row, shares) in element.nodes.into_iter().zip(element.volume_shares()) {
            for (column, share) in element.nodes.into_iter().zip(shares) {
                let column = if kind == MassKind::Lumped { row } else { column };
                mass[pattern.pair(row, column)] += density * share;
            }
        }
    }
    mass
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATERIAL: ElasticMaterial =
        ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.5 };

    #[test]
    fn both_kinds_of_mass_weigh_the_same_and_lumped_mass_is_diagonal() {
        for kind in [MassKind::Consistent, MassKind::Lumped] {
            let shape = ElasticShape::new(SolidMesh::disk(1.0, 4, 2), MATERIAL, 0.2, kind).unwrap();
            let expected = 1.5 * 0.2 * shape.mesh.area();
            assert!((shape.total_mass() / expected - 1.0).abs() < 1e-14);
            let mut product = vec![DVec2::ZERO; 57];
            shape.pattern.multiply(&shape.mass, &vec![DVec2::X; 57], &mut product);
            assert!((product.iter().map(|part| part.x).sum::<f64>() / expected - 1.0).abs() < 1e-14);
            let beside: f64 = (0..57)
                .flat_map(|node| shape.pattern.neighbours(node).filter(move |&(_, other)| other != node))
                .map(|(pair, _)| shape.mass[pair])
                .sum();
            assert_eq!(beside == 0.0, kind == MassKind::Lumped);
        }
    }
}
