//! Newton's method with a line search.

use super::body::{BodyFactor, OwnFactor};
use super::coupling::{self, ContactBlock};
use super::reference::{ReferenceFactor, turn_of};
use super::residual::{Residual, StepInput, start_momenta};
use crate::deformable::contact::{Candidate, Evaluated};
use crate::deformable::model::Refactor;
use crate::deformable::setup::SolidSetup;
use glam::DVec2;
use rayon::prelude::*;
use std::sync::Arc;

/// Halvings of a correction that does not lessen the residual.
const TRIALS: u32 = 5;

/// Share of the residual that must go per unit of correction.
const LEAST_GAIN: f64 = 1e-4;

/// A residual that shrinks less than this per iteration asks for new factors.
const SLOW: f64 = 0.3;

/// Iterations after which old factors are no longer trusted: from then on Newton's method proper.
const PATIENCE: u32 = 9;

/// Share of a residual left by an iteration that is not worth another on the floor of round-off.
const FLOOR_GAIN: f64 = 0.1;

/// Iterations near the goal without progress after which a step is accepted.
const STALLS: u32 = 3;

/// A step that converged.
pub struct Converged {
    /// Positions at the end [m].
    pub x1: Vec<DVec2>,
    /// Contacts.
    pub contacts: Vec<Evaluated>,
    /// Forces of supports at prescribed nodes, the rest of the equations elsewhere; per body [N].
    pub residuals: Vec<Vec<DVec2>>,
    /// What it took.
    pub effort: Effort,
}

/// Why a step did not converge, and where.
pub struct NotConverged {
    /// Body with the largest residual.
    pub body: usize,
    /// What went wrong.
    pub why: &'static str,
}

/// What a step took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Iterations.
    pub iterations: u32,
    /// Halvings of corrections.
    pub halvings: u32,
    /// Bodies factored.
    pub factorings: u32,
    /// Products with the matrix that couples bodies.
    pub products: u32,
    /// Whether points were no longer allowed to change segments.
    pub frozen: bool,
}

struct Newton<'a> {
    setup: &'a SolidSetup,
    input: &'a StepInput<'a>,
    momenta: Vec<Vec<DVec2>>,
    candidates: Vec<Candidate>,
    references: Vec<Option<Arc<ReferenceFactor>>>,
    factors: Vec<Option<BodyFactor>>,
    effort: Effort,
}

/// Solves the equations of one step.
pub fn solve_step(
    setup: &SolidSetup,
    input: &StepInput,
    candidates: Vec<Candidate>,
    references: Vec<Option<Arc<ReferenceFactor>>>,
) -> Result<Converged, NotConverged> {
    let mut newton = Newton {
        setup,
        input,
        momenta: start_momenta(setup, input),
        candidates,
        references,
        factors: setup.bodies.iter().map(|_| None).collect(),
        effort: Effort::default(),
    };
    newton.run(first_guess(setup, input))
}

/// Positions if velocities of the step before went on, prescribed ones as prescribed [m].
fn first_guess(setup: &SolidSetup, input: &StepInput) -> Vec<DVec2> {
    let ahead = |(x, v): (&DVec2, &DVec2)| *x + input.time_step * *v;
    let mut x1: Vec<DVec2> = input.x0.iter().zip(input.guess).map(ahead).collect();
    for guided in &setup.guided {
        let node = guided.node as usize;
        let body = setup.body_of(node);
        let start = setup.bodies[body].positions[node - setup.first_node[body]];
        let place = guided.motion.position(start, input.time + input.time_step);
        (0..2).filter(|&axis| guided.axes[axis]).for_each(|axis| x1[node][axis] = place[axis]);
    }
    x1
}

impl Newton<'_> {
    fn run(&mut self, mut x1: Vec<DVec2>) -> Result<Converged, NotConverged> {
        let settings = &self.setup.settings;
        let mut now = self.residual(&x1);
        let (mut last, mut stalls) = (f64::INFINITY, 0);
        loop {
            let goal = self.goal(&now);
            let floor = self.round_off(&x1);
            stalls = if now.norm <= 10.0 * goal && now.norm > 0.5 * last { stalls + 1 } else { 0 };
            // At the floor of round-off a residual that still shrinks is worth another iteration.
            let on_floor = now.norm <= floor && (self.effort.iterations == 0 || now.norm > FLOOR_GAIN * last);
            if now.sound && (now.norm <= goal || on_floor || stalls >= STALLS) {
                let Residual { bodies, contacts, .. } = now;
                return Ok(Converged { x1, contacts, residuals: bodies, effort: self.effort });
            }
            if self.effort.iterations >= settings.iterations {
                return Err(not_converged(&now, "too many iterations"));
            }
            if !now.sound {
                return Err(not_converged(&now, "an element was turned inside out"));
            }
            let slow = now.norm > SLOW * last || self.effort.iterations >= PATIENCE;
            self.refactor(&now, &x1, slow, goal.max(floor))?;
            let correction = self.correction(&now);
            last = now.norm;
            self.effort.iterations += 1;
            (x1, now) = self.search(&x1, &correction, last);
            self.remember_segments(&now);
        }
    }

    fn residual(&mut self, x1: &[DVec2]) -> Residual {
        let project = self.effort.iterations < self.setup.settings.projections;
        self.effort.frozen |= !project;
        Residual::new(self.setup, self.input, &self.momenta, &self.candidates, x1, project)
    }

    /// Residual at which a step is accepted [N].
    fn goal(&self, now: &Residual) -> f64 {
        // Newton's last iteration overshoots the goal by far; with old factors residuals end just below it.
        let share = match self.setup.settings.refactor {
            Refactor::EveryIteration => 1.0,
            Refactor::WhenSlow => 0.1,
        };
        share * self.setup.settings.tolerance * now.scale
    }

    /// Residual that round-off of positions leaves [N].
    fn round_off(&self, x1: &[DVec2]) -> f64 {
        let farthest = x1.iter().map(|place| place.length_squared()).fold(0.0, f64::max).sqrt();
        let nodes = self.setup.node_count() as f64;
        4.0 * f64::EPSILON * self.setup.stiffest * farthest * nodes.sqrt()
    }

    /// Factors bodies: those without factor that need one, and all whose residual counts where factors are to be new.
    fn refactor(&mut self, now: &Residual, x1: &[DVec2], slow: bool, goal: f64) -> Result<(), NotConverged> {
        let (setup, input) = (self.setup, self.input);
        let anew = setup.settings.refactor == Refactor::EveryIteration || slow;
        let mut touched = vec![false; setup.bodies.len()];
        for contact in now.contacts.iter().filter(|contact| contact.step.pressure.slope != 0.0) {
            contact.nodes.iter().for_each(|&node| touched[setup.body_of(node as usize)] = true);
        }
        let largest = now.squares.iter().copied().fold(0.0, f64::max);
        let quiet = 1e-4 * goal * goal / setup.bodies.len() as f64;
        let references = &self.references;
        let factor = |(body, factor): (usize, &mut Option<BodyFactor>)| {
            let Some(shape) = setup.bodies[body].shape() else { return Ok(0) };
            let needed = touched[body] || now.squares[body] > quiet;
            let counts = touched[body] || now.squares[body] > 1e-2 * largest;
            if !needed || (factor.is_some() && !(anew && counts)) {
                return Ok(0);
            }
            let range = setup.nodes(body);
            let (x0, x1) = (&input.x0[range.clone()], &x1[range.clone()]);
            if let (None, Some(reference)) = (&factor, &references[body]) {
                let turn = turn_of(shape, x1);
                *factor = Some(BodyFactor::Turned { reference: Arc::clone(reference), turn });
                return Ok(0);
            }
            let values = shape.step_matrix(x0, x1, setup.settings.stress, input.time_step);
            *factor = OwnFactor::new(&setup.bodies[body], &setup.held[range], values)
                .map(|own| BodyFactor::Own(Box::new(own)));
            if factor.is_some() { Ok(1) } else { Err(NotConverged { body, why: "a singular matrix" }) }
        };
        let counts: Result<Vec<u32>, NotConverged> =
            self.factors.par_iter_mut().enumerate().map(factor).collect();
        self.effort.factorings += counts?.iter().sum::<u32>();
        Ok(())
    }

    /// Solves for the correction of all nodes [m].
    fn correction(&mut self, now: &Residual) -> Vec<DVec2> {
        let setup = self.setup;
        let acts = |contact: &&Evaluated| contact.step.pressure.slope != 0.0;
        let block = |contact: &Evaluated| ContactBlock {
            nodes: contact.nodes,
            count: if contact.opposite.is_wall() { 1 } else { 3 },
            stiffness: contact.start.stiffness(&contact.opposite, &contact.moves, &contact.step),
        };
        let blocks = now.contacts.iter().filter(acts).map(block).collect();
        let right_side = |(body, residual): (usize, &Vec<DVec2>)| -> Vec<DVec2> {
            let held = &setup.held[setup.nodes(body)];
            let free = |(vector, held): (&DVec2, &[bool; 2])| {
                DVec2::new(if held[0] { 0.0 } else { -vector.x }, if held[1] { 0.0 } else { -vector.y })
            };
            residual.iter().zip(held).map(free).collect()
        };
        let right_side = now.bodies.iter().enumerate().map(right_side).collect();
        let (corrections, products) = coupling::solve(setup, &mut self.factors, blocks, right_side);
        self.effort.products += products;
        corrections.concat()
    }

    /// Goes along a correction as far as the residual shrinks; the last trial is taken anyway.
    fn search(&mut self, x1: &[DVec2], correction: &[DVec2], last: f64) -> (Vec<DVec2>, Residual) {
        let mut share = 1.0;
        let mut trial = 1;
        loop {
            let next: Vec<DVec2> = x1.iter().zip(correction).map(|(x, d)| *x + share * *d).collect();
            let residual = self.residual(&next);
            let better = residual.sound && residual.norm < (1.0 - LEAST_GAIN * share) * last;
            if better || trial == TRIALS {
                return (next, residual);
            }
            trial += 1;
            share *= 0.5;
            self.effort.halvings += 1;
        }
    }

    fn remember_segments(&mut self, now: &Residual) {
        for contact in &now.contacts {
            self.candidates[contact.candidate as usize].segment = contact.segment;
        }
    }
}

fn not_converged(now: &Residual, why: &'static str) -> NotConverged {
    let mut body = 0;
    for (number, square) in now.squares.iter().enumerate() {
        if *square > now.squares[body] {
            body = number;
        }
    }
    NotConverged { body, why }
}
