//! What does not change during a run, made ready for steps.

use super::model::{
    BodyForm, Penalty, PlaneMotion, SolidBody, SolidSettings, StraightWall, SurfaceProperties,
};
use crate::broad_phase::PointNearBody;
use crate::narrow_phase::node_segment::Outline;
use glam::DVec2;
use std::ops::Range;

/// A node on the outline of a body: what is tested against other bodies.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// Number of the node over all bodies.
    pub node: u32,
    /// The body.
    pub body: u32,
    /// Segment of the body's outline that starts here; gives the surface.
    pub segment: u32,
    /// Normal stiffness of its surface [N/m].
    pub stiffness: f64,
}

/// A node with prescribed motion.
#[derive(Clone, Copy, Debug)]
pub struct Guided {
    /// Number of the node over all bodies.
    pub node: u32,
    /// Which axes are held.
    pub axes: [bool; 2],
    /// How it moves.
    pub motion: PlaneMotion,
}

/// Friction and stiffness of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairProperties {
    /// Coefficient of friction.
    pub friction: f64,
    /// Normal stiffness [N/m].
    pub stiffness: f64,
    /// Tangential stiffness [N/m].
    pub tangential: f64,
}

/// Bodies, walls and settings of a run.
#[derive(Clone, Debug)]
pub struct SolidSetup {
    /// Bodies.
    pub bodies: Vec<SolidBody>,
    /// Straight walls; in pairs they are numbered after the bodies.
    pub walls: Vec<StraightWall>,
    /// Gravity [m/s²].
    pub gravity: DVec2,
    /// How steps are taken.
    pub settings: SolidSettings,
    /// First node of each body, and the end.
    pub first_node: Vec<usize>,
    /// All outline nodes.
    pub particles: Vec<Particle>,
    /// Normal stiffness of each segment's surface, per body [N/m].
    segment_stiffness: Vec<Vec<f64>>,
    /// Nodes with prescribed motion.
    pub guided: Vec<Guided>,
    /// Which axes of each node are prescribed.
    pub held: Vec<[bool; 2]>,
    /// Constant forces on nodes, gravity included [N].
    pub loads: Vec<DVec2>,
    /// Gravity's part of the loads [N].
    pub weights: Vec<DVec2>,
    /// Largest λ + 2G times thickness [N/m].
    pub stiffest: f64,
    /// Largest half extent of a body [m].
    pub largest: f64,
}

impl SolidSetup {
    /// Makes bodies and walls ready.
    pub fn new(
        bodies: Vec<SolidBody>,
        walls: Vec<StraightWall>,
        gravity: DVec2,
        settings: SolidSettings,
    ) -> Self {
        let mut first_node = vec![0];
        for body in &bodies {
            first_node.push(first_node[first_node.len() - 1] + body.positions.len());
        }
        let shapes = || bodies.iter().filter_map(SolidBody::shape);
        let stiffest = shapes().map(|shape| shape.material.p_wave_modulus() * shape.thickness);
        let largest = shapes().map(|shape| shape.half_extent());
        let mut setup = Self {
            segment_stiffness: bodies.iter().map(segment_stiffness).collect(),
            stiffest: stiffest.fold(0.0, f64::max),
            largest: largest.fold(0.0, f64::max),
            bodies,
            walls,
            gravity,
            settings,
            first_node,
            particles: Vec::new(),
            guided: Vec::new(),
            held: Vec::new(),
            loads: Vec::new(),
            weights: Vec::new(),
        };
        setup.list_particles();
        setup.list_guided();
        setup.sum_loads();
        setup
    }

    /// Nodes of a body among those of all.
    pub fn nodes(&self, body: usize) -> Range<usize> {
        self.first_node[body]..self.first_node[body + 1]
    }

    /// Number of nodes of all bodies.
    pub fn node_count(&self) -> usize {
        self.first_node[self.bodies.len()]
    }

    /// The body a node belongs to.
    pub fn body_of(&self, node: usize) -> usize {
        self.first_node.partition_point(|&first| first <= node) - 1
    }

    /// Whether a body moves as prescribed as a whole.
    pub fn is_obstacle(&self, body: usize) -> bool {
        self.bodies.get(body).is_none_or(|body| body.shape().is_none())
    }

    /// Name of a body or, after the last body, of a wall.
    pub fn name(&self, partner: usize) -> &str {
        let count = self.bodies.len();
        if partner < count { &self.bodies[partner].name } else { &self.walls[partner - count].name }
    }

    /// Friction and stiffness of a particle against a segment of a body.
    pub fn pair_with_segment(&self, particle: &Particle, body: usize, segment: u32) -> PairProperties {
        let owner = &self.bodies[body];
        let surface = owner.surfaces[owner.surface_of_segment[segment as usize] as usize];
        self.pair(particle, surface, self.segment_stiffness[body][segment as usize])
    }

    /// Friction and stiffness of a particle against a wall.
    pub fn pair_with_wall(&self, particle: &Particle, wall: usize) -> PairProperties {
        let surface = self.walls[wall].surface;
        let stiffness = match surface.penalty {
            Penalty::PerPoint(stiffness) => stiffness,
            // A wall has no areas of its own: the particle's count.
            Penalty::PerArea(_) => particle.stiffness,
        };
        self.pair(particle, surface, stiffness)
    }

    /// Real gap of a pair [m], negative when overlapping, and the segment faced, with nodes at `x` [m].
    pub fn real_gap(&self, pair: PointNearBody, x: &[DVec2]) -> Option<(f64, u32)> {
        let place = x[self.particles[pair.point as usize].node as usize];
        let body = pair.body as usize;
        match self.bodies.get(body) {
            Some(owner) => {
                let facing = owner.outline().face(place, &x[self.nodes(body)])?;
                Some((facing.gap, facing.segment))
            }
            None => {
                let wall = &self.walls[body - self.bodies.len()];
                Some((wall.normal.dot(place - wall.point), 0))
            }
        }
    }

    fn pair(&self, particle: &Particle, other: SurfaceProperties, stiffness: f64) -> PairProperties {
        let owner = &self.bodies[particle.body as usize];
        let own = owner.surfaces[owner.surface_of_segment[particle.segment as usize] as usize];
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        PairProperties {
            friction: mean(own.friction, other.friction),
            stiffness: mean(particle.stiffness, stiffness),
            tangential: mean(particle.stiffness * own.tangential_ratio, stiffness * other.tangential_ratio),
        }
    }

    fn list_particles(&mut self) {
        for (number, body) in self.bodies.iter().enumerate() {
            let (outline, stiffness) = (body.outline(), &self.segment_stiffness[number]);
            for (segment, node) in outline.nodes().enumerate() {
                // A point stands for half of both segments that meet in it.
                let before = stiffness[outline.before[segment] as usize];
                self.particles.push(Particle {
                    node: self.first_node[number] as u32 + node,
                    body: number as u32,
                    segment: segment as u32,
                    stiffness: match body.surfaces[body.surface_of_segment[segment] as usize].penalty {
                        Penalty::PerPoint(stiffness) => stiffness,
                        Penalty::PerArea(_) => 0.5 * (before + stiffness[segment]),
                    },
                });
            }
        }
    }

    fn list_guided(&mut self) {
        self.held = vec![[false; 2]; self.node_count()];
        for (number, body) in self.bodies.iter().enumerate() {
            let first = self.first_node[number] as u32;
            let mut hold = |node: u32, axes: [bool; 2], motion: PlaneMotion| {
                self.guided.push(Guided { node: first + node, axes, motion });
                let held = &mut self.held[(first + node) as usize];
                *held = [held[0] || axes[0], held[1] || axes[1]];
            };
            if let BodyForm::Obstacle { motion, .. } = body.form {
                (0..body.positions.len() as u32).for_each(|node| hold(node, [true; 2], motion));
            }
            for support in &body.supports {
                support.nodes.iter().for_each(|&node| hold(node, support.axes, support.motion));
            }
        }
    }

    fn sum_loads(&mut self) {
        self.weights = vec![DVec2::ZERO; self.node_count()];
        for (number, body) in self.bodies.iter().enumerate() {
            if let Some(shape) = body.shape() {
                let field = vec![self.gravity; body.positions.len()];
                let range = self.first_node[number]..self.first_node[number + 1];
                shape.pattern.multiply(&shape.mass, &field, &mut self.weights[range]);
            }
        }
        self.loads = self.weights.clone();
        for (number, body) in self.bodies.iter().enumerate() {
            for &(node, force) in &body.loads {
                self.loads[self.first_node[number] + node as usize] += force;
            }
        }
    }
}

/// Normal stiffness of the segments of a body [N/m].
fn segment_stiffness(body: &SolidBody) -> Vec<f64> {
    let outline: &Outline = body.outline();
    let (points, thickness) = match body.shape() {
        Some(shape) => (&shape.mesh.points, shape.thickness),
        None => (&body.positions, 1.0),
    };
    let of = |(&[from, to], &surface): (&[u32; 2], &u32)| match body.surfaces[surface as usize].penalty {
        Penalty::PerPoint(stiffness) => stiffness,
        Penalty::PerArea(stiffness) => {
            stiffness * thickness * points[from as usize].distance(points[to as usize])
        }
    };
    outline.segments.iter().zip(&body.surface_of_segment).map(of).collect()
}
