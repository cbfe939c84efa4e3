//! The default solver: a primal–dual interior point with the contacts eliminated onto the bodies.
//!
//! ```text
//! unknowns  U (bodies), z > 0, s > 0 (rays of the contacts, see cone.rs)
//! r1 = f̄0 + HBz − M̄U,   r2 = s − ((HB)ᵀU + Ez + c),   ν = zᵀs / rays
//! S  = M̄ + HB K⁻¹ (HB)ᵀ          three unknowns per body however many contacts: sparse, positive definite
//! predictor: target 0;  corrector: σν − Δz_aff Δs_aff with σ = (ν_aff/ν)³;   rc = target − sz,  r3 = r2 + rc/z
//!   S ΔU = r1 + HB K⁻¹ r3,   Δz = K⁻¹(r3 − (HB)ᵀΔU),   Δs = (rc − sΔz)/z
//! ```
//! Everything is dimensionless: forces by the reference force, lengths by the reference length. Sums over the
//! contacts of a body run in the order of the graph, so that the bits do not depend on the number of threads.

use super::block_matrix::{Block, BlockMatrix};
use super::cone::{Cone, Rays, Response};
use super::graph::Graph;
use super::schur_sums::{Contacts, fill_blocks, gather};
use super::{ConeSolver, SolveError};
use crate::implicit::problem::{ContactForce, ContactProblem, Solution, SolveReport};
use rayon::prelude::*;

/// Most iterations of one solve.
const MOST_ITERATIONS: u32 = 60;
/// Share of the way to the boundary that a step may go.
const TO_BOUNDARY: f64 = 0.995;
/// Step length below which a step is replaced by one towards the central path, and the mean product it aims for.
const SHORT: f64 = 0.1;
const CENTRING: f64 = 0.8;
/// Residuals over the mean product s z beyond which the products must wait: where they vanish first, steps stay short for
/// ever.
const OUTRUN: f64 = 1e3;
/// Magnitudes of forces and slacks an iteration starts with, in reference forces and lengths. The first is right where
/// bodies move by about the reference length; a packing that collapses moves much farther, and from too small a start
/// every step soon hits the boundary.
const STARTS: [f64; 2] = [1.0, 30.0];
const LAST_START: f64 = 1000.0;
/// Short steps in a row after which an iteration starts anew with the next magnitude.
const MOST_SHORT: u32 = 8;
/// Parts of itself that the diagonal of an indefinite matrix gets in addition, one after the other.
const REINFORCEMENTS: [f64; 4] = [1e-13, 1e-11, 1e-9, 1e-7];
/// Contacts one task takes at least.
const TASK: usize = 256;

/// The body-Schur interior point. Keeps the symbolic analysis while the contact graph keeps its pattern.
#[derive(Default)]
pub struct BodySchur {
    matrix: Option<BlockMatrix>,
    analyses: u64,
}

/// Where an iteration stands.
#[derive(Clone)]
struct Iterate {
    displacement: Vec<[f64; 3]>,
    rays: Vec<Rays>,
}

/// What one contact needs between the passes of an iteration.
#[derive(Clone, Copy, Default)]
struct Work {
    /// r2.
    residual: [f64; 2],
    /// K⁻¹.
    response: Response,
    /// Product Δz Δs of the predictor.
    second_order: [f64; 2],
    /// Changes of force and slack of the step last computed.
    force_change: [f64; 2],
    slack_change: [f64; 2],
}

impl ConeSolver for BodySchur {
    fn solve(&mut self, problem: &ContactProblem) -> Result<Solution, SolveError> {
        let graph = Graph::of(problem);
        if !self.matrix.as_ref().is_some_and(|matrix| matrix.fits(problem.bodies.len(), &graph)) {
            self.matrix = None;
            self.analyses += 1;
        }
        let matrix = match &mut self.matrix {
            Some(matrix) => matrix,
            none => none.insert(BlockMatrix::new(problem.bodies.len(), &graph)?),
        };
        let mut iteration = Iteration::new(problem, graph, matrix);
        let (iterate, report) = iteration.run()?;
        Ok(iteration.solution(&iterate, report))
    }
}

impl BodySchur {
    /// How often the pattern had to be analysed so far.
    pub fn analyses(&self) -> u64 {
        self.analyses
    }
}

/// A solve under way.
struct Iteration<'a> {
    problem: &'a ContactProblem,
    matrix: &'a mut BlockMatrix,
    contacts: Contacts,
    resistance: Vec<[f64; 3]>,
    force: Vec<[f64; 3]>,
    work: Vec<Work>,
    /// Per contact: a force that is to be gathered on the bodies.
    push: Vec<ContactForce>,
    /// Per body: residual of the balance.
    balance: Vec<[f64; 3]>,
    ray_count: f64,
}

impl<'a> Iteration<'a> {
    fn new(problem: &'a ContactProblem, graph: Graph, matrix: &'a mut BlockMatrix) -> Self {
        let scale = &problem.scale;
        let softness = scale.length / scale.force;
        let cones: Vec<Cone> = graph
            .order
            .iter()
            .map(|&contact| Cone::scaled(&problem.contacts[contact as usize], scale))
            .collect();
        let ray_count = cones.iter().map(Cone::rays).sum::<usize>() as f64;
        Self {
            resistance: problem.bodies.iter().map(|body| body.resistance.map(|it| it * softness)).collect(),
            force: problem.bodies.iter().map(|body| body.force.map(|it| it / scale.force)).collect(),
            work: vec![Work::default(); cones.len()],
            push: vec![ContactForce::default(); cones.len()],
            balance: vec![[0.0; 3]; problem.bodies.len()],
            contacts: Contacts { graph, cones },
            problem,
            matrix,
            ray_count,
        }
    }

    /// Iterates to the end, from larger starts where a smaller one leads nowhere.
    fn run(&mut self) -> Result<(Iterate, SolveReport), SolveError> {
        let mut spent = 0;
        for magnitude in STARTS {
            match self.run_from(magnitude, false) {
                Err(error) => spent += error.iterations(),
                Ok((iterate, report)) => return Ok((iterate, report.after(spent))),
            }
        }
        let (iterate, report) = self.run_from(LAST_START, true)?;
        Ok((iterate, report.after(spent)))
    }

    /// Iterates from a start; gives the last iterate that meets the first stop rule, if the second cannot be met. Gives up
    /// early where steps stay short, unless there is no other start to try.
    fn run_from(&mut self, magnitude: f64, is_last: bool) -> Result<(Iterate, SolveReport), SolveError> {
        let scale = self.problem.scale;
        let goal = scale.complementarity.map(|energy| energy / (scale.force * scale.length));
        let mut iterate = Iterate {
            displacement: vec![[0.0; 3]; self.problem.bodies.len()],
            rays: self.contacts.cones.iter().map(|cone| Rays::start(cone, magnitude)).collect(),
        };
        let mut accepted: Option<(Iterate, SolveReport)> = None;
        let mut short = 0;
        for iterations in 0..=MOST_ITERATIONS {
            let mut report = self.residuals(&iterate, iterations);
            let worst = report.balance_residual.max(report.gap_residual).max(report.complementarity);
            let is_finite =
                report.balance_residual.is_finite() && report.gap_residual.is_finite() && worst.is_finite();
            if !is_finite && accepted.is_none() {
                return Err(SolveError::NotFinite { iteration: iterations });
            }
            let is_stuck = accepted.as_ref().is_some_and(|(_, before)| {
                !is_finite
                    || worst >= scale.tolerance
                    || report.complementarity > 0.5 * before.complementarity
            });
            if is_stuck {
                break;
            }
            if worst < scale.tolerance {
                report.is_tight = goal.is_none_or(|goal| report.complementarity < goal);
                if report.is_tight {
                    return Ok((iterate, report));
                }
                accepted = Some((iterate.clone(), report));
            }
            let is_lost = !is_last && accepted.is_none() && short >= MOST_SHORT;
            if iterations == MOST_ITERATIONS || is_lost {
                return accepted.ok_or(SolveError::NotConverged { report, wanted: scale.tolerance });
            }
            let outrun = report.balance_residual.max(report.gap_residual) > OUTRUN * report.complementarity;
            match self.advance(&mut iterate, report.complementarity, outrun) {
                Ok(length) => short = if length < SHORT { short + 1 } else { 0 },
                Err(_) if accepted.is_some() => break,
                Err(column) => return Err(SolveError::NotPositive { iteration: iterations + 1, column }),
            }
        }
        accepted.ok_or(SolveError::NotFinite { iteration: MOST_ITERATIONS })
    }

    /// r1 and r2, kept for the step, and how large they are.
    fn residuals(&mut self, iterate: &Iterate, iterations: u32) -> SolveReport {
        let (contacts, displacement) = (&self.contacts, &iterate.displacement);
        (&mut self.work, &mut self.push, &iterate.rays, &contacts.cones)
            .into_par_iter()
            .with_min_len(TASK)
            .for_each(|(work, push, rays, cone)| {
                work.residual = cone.slack_residual(rays, cone.motion(displacement));
                work.response = cone.response(rays);
                *push = cone.force(rays.force);
            });
        gather(contacts, &self.push, &mut self.balance);
        for (balance, ((force, resistance), moved)) in
            self.balance.iter_mut().zip(self.force.iter().zip(&self.resistance).zip(displacement))
        {
            for axis in 0..3 {
                balance[axis] += force[axis] - resistance[axis] * moved[axis];
            }
        }
        let products = iterate.rays.iter().zip(&contacts.cones).map(|(rays, cone)| rays.product(cone));
        SolveReport {
            iterations,
            balance_residual: largest(self.balance.iter().flatten().copied()),
            gap_residual: largest(self.work.iter().flat_map(|work| work.residual)),
            complementarity: products.sum::<f64>() / self.ray_count.max(1.0),
            is_tight: false,
        }
    }

    /// One predictor and corrector; the length of the step. Products s z that have `outrun` the residuals are kept as large as
    /// they are. Fails with the column where the factorisation broke down.
    fn advance(&mut self, iterate: &mut Iterate, complementarity: f64, outrun: bool) -> Result<f64, usize> {
        let responses: Vec<[f64; 3]> = self.work.iter().map(|work| work.response.stiffness).collect();
        let (mut diagonal, coupling) = fill_blocks(&self.contacts, &self.resistance, &responses);
        factorise(self.matrix, &mut diagonal, &coupling)?;

        self.work.iter_mut().for_each(|work| work.second_order = [0.0; 2]);
        self.solve_for(iterate, 0.0);
        let length = self.step_length(iterate, 1.0);
        let reached = self.complementarity_after(iterate, length) / self.ray_count.max(1.0);
        let ratio = if outrun { 1.0 } else { reached / complementarity };
        for work in &mut self.work {
            for ray in 0..2 {
                work.second_order[ray] = work.force_change[ray] * work.slack_change[ray];
            }
        }
        let mut displacement_change = self.solve_for(iterate, ratio * ratio * ratio * complementarity);
        let mut length = self.step_length(iterate, TO_BOUNDARY);
        if length < SHORT {
            // Some products s z lag far behind the mean and block the way: bring them together first.
            self.work.iter_mut().for_each(|work| work.second_order = [0.0; 2]);
            displacement_change = self.solve_for(iterate, CENTRING * complementarity);
            length = self.step_length(iterate, TO_BOUNDARY);
        }
        for (moved, change) in iterate.displacement.iter_mut().zip(&displacement_change) {
            for axis in 0..3 {
                moved[axis] += length * change[axis];
            }
        }
        for (rays, work) in iterate.rays.iter_mut().zip(&self.work) {
            for ray in 0..2 {
                rays.force[ray] += length * work.force_change[ray];
                rays.slack[ray] += length * work.slack_change[ray];
            }
        }
        Ok(length)
    }

    /// Solves for the changes that lead to products s z = `target` − second-order term.
    fn solve_for(&mut self, iterate: &Iterate, target: f64) -> Vec<[f64; 3]> {
        let contacts = &self.contacts;
        (&mut self.push, &self.work, &iterate.rays, &contacts.cones)
            .into_par_iter()
            .with_min_len(TASK)
            .for_each(|(push, work, rays, cone)| {
                let (r3, _) = right_sides(cone, rays, work, target);
                *push = cone.force(work.response.invert(r3));
            });
        let mut change = vec![[0.0; 3]; self.problem.bodies.len()];
        gather(contacts, &self.push, &mut change);
        for (right_side, balance) in change.iter_mut().zip(&self.balance) {
            for axis in 0..3 {
                right_side[axis] += balance[axis];
            }
        }
        self.matrix.solve(&mut change);
        (&mut self.work, &iterate.rays, &contacts.cones).into_par_iter().with_min_len(TASK).for_each(
            |(work, rays, cone)| {
                let (r3, rc) = right_sides(cone, rays, work, target);
                work.force_change = cone.force_change(&work.response, r3, cone.motion(&change));
                for (ray, target) in rc.iter().enumerate().take(cone.rays()) {
                    work.slack_change[ray] =
                        (target - rays.slack[ray] * work.force_change[ray]) / rays.force[ray];
                }
                if cone.rays() == 1 {
                    work.force_change[1] = 0.0;
                }
            },
        );
        change
    }

    /// Longest common step that keeps forces and slacks positive, times `share`, at most 1.
    fn step_length(&self, iterate: &Iterate, share: f64) -> f64 {
        let mut longest = 1.0 / share;
        for ((rays, work), cone) in iterate.rays.iter().zip(&self.work).zip(&self.contacts.cones) {
            for ray in 0..cone.rays() {
                for (value, change) in
                    [(rays.force[ray], work.force_change[ray]), (rays.slack[ray], work.slack_change[ray])]
                {
                    if value + longest * change < 0.0 {
                        longest = -value / change;
                    }
                }
            }
        }
        share * longest
    }

    /// Sum of products s z after a step.
    fn complementarity_after(&self, iterate: &Iterate, length: f64) -> f64 {
        let moved = iterate.rays.iter().zip(&self.work).zip(&self.contacts.cones);
        moved
            .map(|((rays, work), cone)| {
                (0..cone.rays())
                    .map(|ray| {
                        (rays.force[ray] + length * work.force_change[ray])
                            * (rays.slack[ray] + length * work.slack_change[ray])
                    })
                    .sum::<f64>()
            })
            .sum()
    }

    /// Back to units and the order of the program.
    fn solution(&self, iterate: &Iterate, report: SolveReport) -> Solution {
        let scale = &self.problem.scale;
        let mut forces = vec![ContactForce::default(); self.problem.contacts.len()];
        let sorted = self.contacts.graph.order.iter().zip(&self.contacts.cones).zip(&iterate.rays);
        for ((&contact, cone), rays) in sorted {
            let force = cone.force(rays.force);
            forces[contact as usize] = ContactForce {
                normal: force.normal * scale.force,
                tangential: force.tangential * scale.force,
            };
        }
        let displacement =
            iterate.displacement.iter().map(|moved| moved.map(|it| it * scale.length)).collect();
        Solution { displacement, forces, report }
    }
}

/// Factorises a matrix that is positive definite but for rounding: near the end stiffnesses differ by all digits there are. A
/// little more on the diagonal makes up for that; what it changes in the step shows in the residuals of the next iteration.
fn factorise(matrix: &mut BlockMatrix, diagonal: &mut [Block], coupling: &[Block]) -> Result<(), usize> {
    let mut outcome = matrix.factorise(diagonal, coupling);
    for part in REINFORCEMENTS {
        if outcome.is_ok() {
            break;
        }
        for block in diagonal.iter_mut() {
            for (axis, row) in block.iter_mut().enumerate() {
                row[axis] *= 1.0 + part;
            }
        }
        outcome = matrix.factorise(diagonal, coupling);
    }
    outcome
}

/// r3 = r2 + rc/z and rc = target − second order − s z.
#[inline(always)]
fn right_sides(cone: &Cone, rays: &Rays, work: &Work, target: f64) -> ([f64; 2], [f64; 2]) {
    let mut r3 = [0.0; 2];
    let mut rc = [0.0; 2];
    for ray in 0..cone.rays() {
        rc[ray] = target - work.second_order[ray] - rays.slack[ray] * rays.force[ray];
        r3[ray] = work.residual[ray] + rc[ray] / rays.force[ray];
    }
    (r3, rc)
}

/// Largest magnitude; a NaN wins.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, it| if it.is_nan() || it.abs() > most { it.abs() } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::problem::{Columns, ConeContact, Scale, Unknowns};

    /// Two bodies that hold on to nothing but each other: what is left of the second pivot is rounding.
    #[test]
    fn a_matrix_that_is_indefinite_by_rounding_is_reinforced() {
        let columns = Columns { normal: [1.0, 0.0, 0.0], tangential: [0.0, 1.0, 0.0] };
        let contact = ConeContact {
            slave: 0,
            master: 1,
            on_slave: columns,
            on_master: columns,
            gap: 0.0,
            slide: 0.0,
            friction: 0.0,
            normal_compliance: 0.0,
            tangential_compliance: 0.0,
            carried: 0.0,
        };
        let body = Unknowns { resistance: [1.0; 3], force: [0.0; 3] };
        let scale = Scale { force: 1.0, length: 1.0, tolerance: 1e-9, complementarity: None };
        let problem = ContactProblem { bodies: vec![body; 2], contacts: vec![contact], scale };
        let mut matrix = BlockMatrix::new(2, &Graph::of(&problem)).expect("a small matrix");
        let block =
            |value: f64| std::array::from_fn(|row| std::array::from_fn(|c| value * f64::from(row == c)));
        let stiff = 1e16;
        let (mut diagonal, coupling): ([Block; 2], [Block; 1]) = ([block(stiff); 2], [block(-stiff)]);
        assert!(matrix.factorise(&diagonal, &coupling).is_err());
        assert_eq!(factorise(&mut matrix, &mut diagonal, &coupling), Ok(()));
        let mut moved = [[1.0; 3], [-1.0; 3]];
        matrix.solve(&mut moved);
        // Pulled apart they yield as the bond between them does: 1/(2 k) each, but for rounding over the reinforcement.
        assert!((moved[0][0] * 2.0 * stiff - 1.0).abs() < 1e-2, "{moved:?}");
        // A matrix without any numbers in it stays refused.
        let mut nothing = [block(f64::NAN); 2];
        assert!(factorise(&mut matrix, &mut nothing, &coupling).is_err());
    }
}
