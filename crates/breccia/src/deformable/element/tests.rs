use super::*;
use proptest::prelude::*;

const MATERIAL: ElasticMaterial =
    ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.0 };

fn law(rule: StressRule) -> StepLaw {
    StepLaw { material: MATERIAL, rule }
}

fn mesh() -> SolidMesh {
    let points = [(0.0, 0.0), (1.1, 0.1), (0.9, 1.2), (-0.1, 0.8), (2.0, 0.5)];
    SolidMesh {
        points: points.map(|(x, y)| dvec2(x, y)).to_vec(),
        cells: vec![Cell::Quad([0, 1, 2, 3]), Cell::Triangle([1, 4, 2])],
    }
}

fn elements() -> Vec<FiniteElement> {
    let mesh = mesh();
    mesh.cells.iter().map(|cell| FiniteElement::new(&mesh, cell, 1.0)).collect()
}

/// Nodes of the test mesh moved by up to 5 %.
fn places() -> impl Strategy<Value = Vec<DVec2>> {
    prop::collection::vec((-0.05..0.05_f64, -0.05..0.05_f64), 5).prop_map(|moves| {
        mesh().points.iter().zip(moves).map(|(&point, (x, y))| point + dvec2(x, y)).collect()
    })
}

fn largest(blocks: &CornerBlocks) -> f64 {
    let size = |block: &DMat2| block.to_cols_array().iter().fold(0.0_f64, |top, part| top.max(part.abs()));
    blocks.iter().flatten().map(size).fold(0.0, f64::max)
}

/// Largest difference between the tangent and central differences of the forces, relative to the largest entry.
fn tangent_error(element: &FiniteElement, x0: &[DVec2], x1: &[DVec2], law: &StepLaw) -> f64 {
    let blocks = element.tangent(x0, x1, law);
    let corners = element.points()[0].shares.iter().filter(|&&share| share != 0.0).count();
    let step = 1e-5;
    let mut worst = 0.0_f64;
    for b in 0..corners {
        for axis in 0..2 {
            let moved = |way: f64| {
                let mut x = x1.to_vec();
                x[element.nodes[b] as usize][axis] += way * step;
                element.forces(x0, &x, law).0
            };
            let (plus, minus) = (moved(1.0), moved(-1.0));
            for a in 0..corners {
                let difference = (plus[a] - minus[a]) / (2.0 * step) - blocks[a][b].col(axis);
                worst = worst.max(difference.abs().max_element());
            }
        }
    }
    worst / largest(&blocks)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_tangent_is_the_derivative_of_the_forces(x0 in places(), x1 in places()) {
        for rule in [StressRule::MeanStrain, StressRule::MidpointStrain] {
            for element in elements() {
                let error = tangent_error(&element, &x0, &x1, &law(rule));
                prop_assert!(error <= 1e-8, "{rule:?}: {error:e}");
            }
        }
    }

    #[test]
    fn the_work_of_a_step_is_the_change_of_energy_and_momenta_are_kept(x0 in places(), x1 in places()) {
        for element in elements() {
            let (forces, sound) = element.forces(&x0, &x1, &law(StressRule::MeanStrain));
            prop_assert!(sound);
            let [mut work, mut moment, mut size] = [0.0; 3];
            let mut sum = DVec2::ZERO;
            for (node, force) in element.nodes.map(|node| node as usize).into_iter().zip(forces) {
                work += force.dot(x1[node] - x0[node]);
                sum += force;
                moment += (0.5 * (x0[node] + x1[node])).perp_dot(force);
                size += force.length();
            }
            let (before, after) = (element.energy(&x0, &MATERIAL), element.energy(&x1, &MATERIAL));
            prop_assert!((work - (after - before)).abs() <= 1e-13 * before.max(after));
            prop_assert!(sum.length() <= 1e-13 * size && moment.abs() <= 1e-13 * size);
        }
    }

    #[test]
    fn turning_and_shifting_leaves_no_stress(angle in -3.0..3.0_f64, x in -9.0..9.0_f64, y in -9.0..9.0_f64) {
        let turned = mesh().placed(angle, dvec2(x, y)).points;
        for element in elements() {
            let forces = element.forces(&turned, &turned, &law(StressRule::MeanStrain)).0;
            prop_assert!(forces.iter().all(|force| force.length() <= 1e-9), "{forces:?}");
            prop_assert!(element.energy(&turned, &MATERIAL) <= 1e-20);
        }
    }
}

#[test]
fn volume_shares_add_up_to_the_area() {
    let total: f64 = elements().iter().flat_map(|element| element.volume_shares()).flatten().sum();
    assert!((total - mesh().area()).abs() < 1e-14);
}

#[test]
fn uniaxial_stretch_has_the_stress_of_plane_strain() {
    let stretch = 1.01;
    let x: Vec<DVec2> = mesh().points.iter().map(|point| dvec2(stretch * point.x, point.y)).collect();
    let green = 0.5 * (stretch * stretch - 1.0);
    for element in elements() {
        let [xx, yy, xy, zz] = element.cauchy_stress(&x, &MATERIAL);
        assert!((xx - 4000.0 * green * stretch).abs() < 1e-9, "{xx}");
        assert!((yy - 2000.0 * green / stretch).abs() < 1e-9 && (zz - yy).abs() < 1e-9);
        assert!(xy.abs() < 1e-10);
    }
}

#[test]
fn an_element_turned_inside_out_is_noticed() {
    let mirrored: Vec<DVec2> = mesh().points.iter().map(|point| dvec2(-point.x, point.y)).collect();
    for element in elements() {
        assert!(!element.forces(&mirrored, &mirrored, &law(StressRule::MeanStrain)).1);
    }
}
