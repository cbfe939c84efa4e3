//! The two solvers on the same programs.

use breccia::implicit::problem::*;
use breccia::implicit::solver::{BodySchur, ConeSolver, Reference};
use proptest::prelude::*;

/// A random program: bodies on a line of contacts, each with its neighbours and a floor.
fn program(seed: &[f64], bodies: usize, has_friction: bool, is_elastic: bool) -> ContactProblem {
    let mut next = seed.iter().cycle().copied();
    let mut value = move || next.next().unwrap_or(0.5);
    let mut contacts = Vec::new();
    for body in 0..bodies as u32 {
        for other in [NO_BODY, body + 1, body + 2] {
            if other != NO_BODY && other as usize >= bodies {
                continue;
            }
            let angle = 6.0 * value() + f64::from(body);
            let (nx, ny) = (libm::cos(angle), libm::sin(angle));
            let (arm_slave, arm_master) = (value() - 0.5, value() - 0.5);
            contacts.push(ConeContact {
                slave: body,
                master: other,
                on_slave: Columns { normal: [nx, ny, arm_slave], tangential: [-ny, nx, value()] },
                on_master: Columns { normal: [-nx, -ny, arm_master], tangential: [ny, -nx, value()] },
                gap: 0.02 * (value() - 0.3),
                slide: 0.01 * (value() - 0.5),
                friction: if has_friction && value() > 0.3 { value() } else { 0.0 },
                normal_compliance: if is_elastic { 1e-4 * value() } else { 0.0 },
                tangential_compliance: if is_elastic { 1e-4 * value() } else { 0.0 },
                carried: 3.0 * (value() - 0.5),
            });
        }
    }
    let bodies = (0..bodies)
        .map(|_| Unknowns {
            resistance: [100.0 * (0.1 + value()), 100.0 * (0.1 + value()), 40.0],
            force: [10.0 * (value() - 0.5), 10.0 * (value() - 0.5), value() - 0.5],
        })
        .collect();
    let scale = Scale { force: 10.0, length: 0.01, tolerance: 1e-9, complementarity: None };
    ContactProblem { bodies, contacts, scale }
}

/// Objective of a solution [J].
fn objective(problem: &ContactProblem, solution: &Solution) -> f64 {
    let mut sum = 0.0;
    for (body, moved) in problem.bodies.iter().zip(&solution.displacement) {
        sum += (0..3).map(|axis| 0.5 * body.resistance[axis] * moved[axis] * moved[axis]).sum::<f64>();
    }
    for (contact, force) in problem.contacts.iter().zip(&solution.forces) {
        let stretched = force.tangential - contact.carried;
        sum += contact.gap * force.normal
            + contact.slide * force.tangential
            + 0.5 * contact.normal_compliance * force.normal * force.normal
            + 0.5
                * contact.tangential_compliance
                * (stretched * stretched - contact.carried * contact.carried);
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Acceptance test 21 on random programs.
    #[test]
    fn both_solvers_agree(
        seed in prop::collection::vec(0.0..1.0_f64, 97),
        bodies in 1..30_usize,
        has_friction: bool,
        is_elastic: bool,
    ) {
        let mut problem = program(&seed, bodies, has_friction, is_elastic);
        // Displacements differ by the root of what is left of the objective: leave little.
        problem.scale.complementarity = Some(1e-14);
        // Random gaps may contradict each other; then forces have no bound and neither solver ends.
        let reference = Reference { tolerance: 1e-11 }.solve(&problem);
        prop_assume!(reference.is_ok());
        let reference = reference.unwrap();
        let own = BodySchur::default().solve(&problem);
        // Only where gaps nearly contradict each other may the reference alone come to an end.
        let largest = reference.forces.iter().map(|force| force.normal).fold(0.0, f64::max);
        prop_assert!(own.is_ok() || largest > 1e3 * problem.scale.force, "{:?}, {largest}", own.err());
        prop_assume!(own.is_ok());
        let own = own.unwrap();
        let (a, b) = (objective(&problem, &own), objective(&problem, &reference));
        prop_assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} {b}");
        for (mine, theirs) in own.displacement.iter().flatten().zip(reference.displacement.iter().flatten()) {
            prop_assert!((mine - theirs).abs() < 1e-5, "{mine} {theirs}");
        }
    }

    /// The conditions of optimality, without another solver.
    #[test]
    fn solutions_obey_balance_and_cone(
        seed in prop::collection::vec(0.0..1.0_f64, 97),
        bodies in 1..30_usize,
        is_elastic: bool,
    ) {
        let problem = program(&seed, bodies, true, is_elastic);
        let solution = BodySchur::default().solve(&problem);
        prop_assume!(solution.is_ok() || is_elastic);
        let solution = solution.unwrap();
        let mut balance: Vec<[f64; 3]> = problem
            .bodies
            .iter()
            .zip(&solution.displacement)
            .map(|(body, moved)| std::array::from_fn(|axis| body.force[axis] - body.resistance[axis] * moved[axis]))
            .collect();
        for (contact, force) in problem.contacts.iter().zip(&solution.forces) {
            prop_assert!(force.normal >= 0.0 && force.tangential.abs() <= contact.friction * force.normal * (1.0 + 1e-12));
            let (opening, slip) = contact.relative_motion(&solution.displacement);
            let gap = opening + contact.gap + contact.normal_compliance * force.normal;
            let slide = slip + contact.slide + contact.tangential_compliance * (force.tangential - contact.carried);
            prop_assert!(gap - contact.friction * slide.abs() > -1e-9, "{gap} {slide}");
            let power = gap * force.normal + slide * force.tangential;
            prop_assert!(power.abs() < 1e-6, "{power}");
            for (body, columns) in [(contact.slave, contact.on_slave), (contact.master, contact.on_master)] {
                if body != NO_BODY {
                    for (axis, sum) in balance[body as usize].iter_mut().enumerate() {
                        *sum += columns.normal[axis] * force.normal + columns.tangential[axis] * force.tangential;
                    }
                }
            }
        }
        for rest in balance.iter().flatten() {
            prop_assert!(rest.abs() < 1e-7, "{rest}");
        }
    }
}

#[test]
fn nothing_finite_comes_of_nonsense() {
    let mut problem = program(&[0.2, 0.7, 0.4], 3, true, false);
    problem.bodies[1].force[0] = f64::NAN;
    let error = BodySchur::default().solve(&problem).unwrap_err();
    assert!(error.to_string().contains("not finite"), "{error}");
}

#[test]
fn one_analysis_serves_while_the_pattern_stays() {
    let mut solver = BodySchur::default();
    let first = program(&[0.2, 0.7, 0.4], 8, true, false);
    let second = program(&[0.3, 0.6, 0.1, 0.9], 8, true, true);
    solver.solve(&first).unwrap();
    let reused = solver.solve(&second).unwrap();
    assert_eq!(solver.analyses(), 1);
    assert_eq!(reused, BodySchur::default().solve(&second).unwrap());
    solver.solve(&program(&[0.2, 0.7], 9, true, false)).unwrap();
    assert_eq!(solver.analyses(), 2);
}
