//! The contact element: one point against one segment or wall over one step.

use super::friction::{Friction, Grip};
use super::pressure::{Pressure, PressureRule};
use crate::narrow_phase::node_segment::{SegmentGeometry, Triple, dot};
use glam::DVec2;

/// What a point meets, measured at the middle of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opposite {
    /// A segment of a body.
    Segment(SegmentGeometry),
    /// A straight wall; only the point takes part.
    Wall {
        /// Unit normal of the wall, towards the bodies.
        normal: DVec2,
    },
}

impl Opposite {
    /// Unit normal, towards the point.
    pub fn normal(&self) -> DVec2 {
        match self {
            Self::Segment(geometry) => geometry.normal,
            Self::Wall { normal } => *normal,
        }
    }

    /// Whether it is a wall.
    pub fn is_wall(&self) -> bool {
        matches!(self, Self::Wall { .. })
    }

    /// N: derivative of the gap by the points.
    pub fn gap_gradient(&self) -> Triple {
        match self {
            Self::Segment(geometry) => geometry.gap_gradient(),
            Self::Wall { normal } => [*normal, DVec2::ZERO, DVec2::ZERO],
        }
    }

    fn slip_gradient(&self) -> Triple {
        match self {
            Self::Segment(geometry) => geometry.slip_gradient(),
            Self::Wall { normal } => [normal.perp(), DVec2::ZERO, DVec2::ZERO],
        }
    }

    fn gradient_change(&self, moves: &Triple) -> Triple {
        match self {
            Self::Segment(geometry) => geometry.gradient_change(moves),
            Self::Wall { .. } => [DVec2::ZERO; 3],
        }
    }
}

/// What a contact starts a step with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStart {
    /// Dynamic gap at the start [m].
    pub gap: f64,
    /// Normal stiffness κ [N/m].
    pub stiffness: f64,
    /// Friction, with the elastic slip at the start.
    pub friction: Friction,
    /// How pressure follows from the gap.
    pub rule: PressureRule,
}

/// A contact after a step, and the forces during it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStep {
    /// Dynamic gap at the end [m].
    pub gap: f64,
    /// Normal force and its slope.
    pub pressure: Pressure,
    /// Friction.
    pub grip: Grip,
    /// Forces on the point and on the ends of the segment [N].
    pub forces: Triple,
}

/// −∂f/∂x₁: rows and columns x, y of the point, of the segment's start, of its end [N/m].
pub type ContactStiffness = [[f64; 6]; 6];

impl ContactStart {
    /// The step of a contact whose points move by `moves` [m].
    pub fn advance(&self, opposite: &Opposite, moves: &Triple) -> ContactStep {
        let normal = opposite.gap_gradient();
        let gap = self.gap + dot(&normal, moves);
        let pressure = self.rule.pressure(self.gap, gap, self.stiffness);
        let mut forces = normal.map(|part| pressure.force * part);
        let mut grip = Grip::default();
        if self.friction.coefficient > 0.0 {
            let slip = opposite.slip_gradient();
            grip = self.friction.grip(dot(&slip, moves), pressure.force);
            for (force, part) in forces.iter_mut().zip(slip) {
                *force -= grip.force * part;
            }
        }
        ContactStep { gap, pressure, grip, forces }
    }

    /// Stiffness of a step: exact for the normal part; friction with its directions kept.
    pub fn stiffness(&self, opposite: &Opposite, moves: &Triple, step: &ContactStep) -> ContactStiffness {
        let normal = opposite.gap_gradient();
        let change = opposite.gradient_change(moves);
        let gap_slope: Triple = std::array::from_fn(|k| normal[k] + 0.5 * change[k]);
        let Pressure { force, slope } = step.pressure;
        let mut stiffness = [[0.0; 6]; 6];
        add_outer(&mut stiffness, -slope, &normal, &gap_slope);
        if let Opposite::Segment(geometry) = opposite {
            for column in 0..6 {
                let unit = unit_triple(column);
                let turned = geometry.gradient_change(&unit);
                for (row, entries) in stiffness.iter_mut().enumerate() {
                    entries[column] -= 0.5 * force * turned[row / 2][row % 2];
                }
            }
        }
        if self.friction.coefficient > 0.0 && force > 0.0 {
            let slip = opposite.slip_gradient();
            if step.grip.slides {
                let factor = self.friction.coefficient * step.grip.force.signum() * slope;
                add_outer(&mut stiffness, factor, &slip, &gap_slope);
            } else {
                add_outer(&mut stiffness, self.friction.stiffness, &slip, &slip);
            }
        }
        stiffness
    }
}

fn unit_triple(place: usize) -> Triple {
    let mut unit = [DVec2::ZERO; 3];
    unit[place / 2][place % 2] = 1.0;
    unit
}

fn add_outer(matrix: &mut ContactStiffness, factor: f64, rows: &Triple, columns: &Triple) {
    for (row, entries) in matrix.iter_mut().enumerate() {
        for (column, entry) in entries.iter_mut().enumerate() {
            *entry += factor * rows[row / 2][row % 2] * columns[column / 2][column % 2];
        }
    }
}

#[cfg(test)]
mod tests;
