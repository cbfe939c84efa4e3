//! Phase 6: loud failure, and bodies that leave.

use super::Setup;
use crate::contacts::Partner;
use crate::diagnostics::visit_contacts;
use crate::implicit::GrainError;
use crate::model::{ExitPolicy, WallId};
use crate::narrow_phase::{NO_ELEMENT, Passage};
use crate::state::State;
use glam::DVec3;
use thiserror::Error;

/// Why a run had to stop.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepError {
    /// A step of grains was not made.
    #[error(transparent)]
    Grains(#[from] GrainError),
    /// Deformable bodies could not be moved on.
    #[error("{0}")]
    Solid(#[from] crate::deformable::SolidError),
    /// A deformable body cannot be made of its mesh.
    #[error("{0}")]
    SolidMesh(#[from] crate::deformable::mesh::MeshError),
    /// A number is not one any more.
    #[error(
        "body {body} has a velocity that is not a number, at step {step} (t = {time:.6e} s), position {position}\n\
         help: the time step is too long for some contact, or two bodies started at the same place; \
         halve [time] step or use \"auto\", and look at the frames before this instant"
    )]
    NotANumber {
        /// Stable id.
        body: u32,
        /// Step.
        step: u64,
        /// Time [s].
        time: f64,
        /// Last good position [m].
        position: DVec3,
    },
    /// Two things overlap too much.
    #[error(
        "{what} overlap by {overlap:.4e} m, {share:.1} % of the smaller radius, at step {step} (t = {time:.6e} s), \
         near {point}; the limit is {limit:.1} %\n\
         help: the material is too soft or the time step too long for this load or speed, a body started inside \
         another, or a wall moved through bodies; raise young_modulus, shorten [time] step, or raise [limits] overlap \
         if such overlaps are meant. A body that flew over the rim and came down behind a wall with side = \"inside\" \
         counts as pressed through it: give such a wall side = \"both\""
    )]
    Overlap {
        /// Who.
        what: String,
        /// Overlap [m].
        overlap: f64,
        /// In percent of the smaller radius.
        share: f64,
        /// Allowed percentage.
        limit: f64,
        /// Where [m].
        point: DVec3,
        /// Step.
        step: u64,
        /// Time [s].
        time: f64,
    },
    /// The centre of a sphere is on the wrong side of a surface.
    #[error(
        "the centre of body {body} has passed the surface of {wall}, at step {step} (t = {time:.6e} s), near {point}\n\
         help: if it began there, move it to the side the normals point to, or turn them by `facing`; if it was pressed \
         or shot through, raise young_modulus or shorten [time] step; if bodies may be on both sides, write \
         two_sided = true"
    )]
    CentrePassed {
        /// Stable id.
        body: u32,
        /// The wall or mesh and, on a mesh, the element.
        wall: String,
        /// Where [m].
        point: DVec3,
        /// Step.
        step: u64,
        /// Time [s].
        time: f64,
    },
    /// A body left the domain and the scene says to stop then.
    #[error(
        "body {body} left the domain at step {step} (t = {time:.6e} s), position {position}\n\
         help: close the gap it escaped through, enlarge [domain], or set [domain] on_exit = \"remove\" to let bodies go"
    )]
    LeftDomain {
        /// Stable id.
        body: u32,
        /// Step.
        step: u64,
        /// Time [s].
        time: f64,
        /// Position [m].
        position: DVec3,
    },
    /// A bonded body could meet its own periodic image.
    #[error(
        "the bonded body of sphere {body} is {length:.4e} m long along {axis}, more than half the period of {period:.4e} m\n\
         help: lengthen the periodic [domain] along {axis} or make the bodies shorter; a body that reaches its own image \
         cannot be told from it"
    )]
    BodyTooLong {
        /// Stable id of one of its spheres.
        body: u32,
        /// The axis.
        axis: &'static str,
        /// Length along it [m].
        length: f64,
        /// Period along it [m].
        period: f64,
    },
    /// Bodies moved farther between two fixed rebuilds than the skin allows.
    #[error(
        "bodies moved farther than the skin between two searches (every {interval} steps), noticed at step {step}\n\
         help: lower [search] every_steps, enlarge [search] skin, or leave both out so that breccia decides"
    )]
    ListOutrun {
        /// Step.
        step: u64,
        /// Interval between searches.
        interval: u64,
    },
}

/// Stops the run on trouble; marks bodies that leave where the scene lets them go.
pub fn check(setup: &Setup, state: &mut State) -> Result<(), StepError> {
    if !state.fastest.is_finite() {
        return Err(not_a_number(setup, state));
    }
    let reports = || state.lists.chunks.iter().map(|chunk| &chunk.report);
    if let Some(passage) = reports().find_map(|report| report.surfaces.passage) {
        return Err(centre_passed(setup, state, &passage));
    }
    if reports().any(|report| report.overlap_excess > 0.0)
        && let Some(error) = worst_overlap(setup, state)
    {
        return Err(error);
    }
    if state.clumps.left_domain || reports().any(|report| report.left_domain) {
        return let_go(setup, state);
    }
    Ok(())
}

fn not_a_number(setup: &Setup, state: &State) -> StepError {
    let bad = |row: &usize| !state.bodies.places[*row].velocity().is_finite();
    let row = (0..state.bodies.len()).find(bad).unwrap_or(0);
    StepError::NotANumber {
        body: state.bodies.id[row],
        step: state.step - 1,
        time: setup.time_of(state.step - 1),
        position: state.bodies.last_places[row].centre(),
    }
}

fn wall_name(setup: &Setup, id: WallId) -> String {
    let wall = &setup.model.walls[usize::from(id.0)];
    let kind = if wall.mesh().is_some() { "mesh" } else { "wall" };
    format!("{kind} \"{}\"", wall.name)
}

fn centre_passed(setup: &Setup, state: &State, passage: &Passage) -> StepError {
    let mut wall = wall_name(setup, passage.wall);
    if passage.element != NO_ELEMENT {
        wall += &format!(" at element {}", passage.element);
    }
    StepError::CentrePassed {
        body: state.bodies.id[passage.row as usize],
        wall,
        point: passage.point,
        step: state.step - 1,
        time: setup.time_of(state.step - 1),
    }
}

fn worst_overlap(setup: &Setup, state: &State) -> Option<StepError> {
    let limit = setup.model.limits.overlap;
    let radius_of = |partner: Partner| match partner {
        Partner::Body(id) => {
            let row = state.bodies.id.iter().position(|&other| other == id);
            row.map_or(f64::INFINITY, |row| state.bodies.places[row].radius)
        }
        Partner::Wall(_) => f64::INFINITY,
    };
    let name_of = |partner: Partner| match partner {
        Partner::Body(id) => format!("body {id}"),
        Partner::Wall(wall) => wall_name(setup, wall),
    };
    let mut worst: Option<(f64, StepError)> = None;
    visit_contacts(setup, state, |record| {
        // Radii are looked up only for deep contacts: this runs once, but perhaps on a million of them.
        if worst.as_ref().is_some_and(|(overlap, _)| -record.gap <= *overlap) {
            return;
        }
        let radius = radius_of(record.key.a).min(radius_of(record.key.b));
        if -record.gap > limit * radius {
            let error = StepError::Overlap {
                what: format!("{} and {}", name_of(record.key.a), name_of(record.key.b)),
                overlap: -record.gap,
                share: -100.0 * record.gap / radius,
                limit: 100.0 * limit,
                point: record.point,
                step: state.step - 1,
                time: setup.time_of(state.step - 1),
            };
            worst = Some((-record.gap, error));
        }
    });
    worst.map(|(_, error)| error)
}

/// Bodies outside the domain leave, or stop the run.
fn let_go(setup: &Setup, state: &mut State) -> Result<(), StepError> {
    let domain = &setup.model.domain;
    for row in 0..state.bodies.len() {
        let position = state.bodies.places[row].centre();
        if !state.clumps.is_outside(row, position, domain) {
            continue;
        }
        if domain.on_exit == ExitPolicy::Stop {
            return Err(StepError::LeftDomain {
                body: state.bodies.id[row],
                step: state.step - 1,
                time: setup.time_of(state.step - 1),
                position,
            });
        }
        state.leaving.push(row as u32);
        state.lists_stale = true;
    }
    Ok(())
}
