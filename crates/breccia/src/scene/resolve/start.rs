//! Spheres that start behind a wall or a mesh, or overlap one.

use super::Notes;
use crate::contacts::{NearWall, SurfaceContacts};
use crate::model::{Model, Surface, Wall, WallId};
use crate::narrow_phase::{SurfaceInput, WallNow, find_surface_contacts};
use crate::scene::file::BodiesTable;
use crate::scene::plan::{Action, BodySeed, Scene};
use crate::state::PlaceRow;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Spheres looked at together.
const CHUNK: usize = 4096;

/// Overlap as a part of the radius that is not worth a warning.
const SLIGHT: f64 = 0.01;

/// Overlap as a part of the radius from which the centre is on the surface or behind it.
const PASSED: f64 = 1.0 - 1e-9;

const BEHIND_MESH: &str = "bodies belong on the side the normals point to: move them there, turn the normals by `facing`, \
                           or write two_sided = true";

const BEHIND_WALL: &str = "move them to the side of the bodies, or give the wall another `side` or `normal`";

const OUTSIDE: &str = "they do not feel it until they meet it, which stops the run: move them inside, or write \
                       facing = \"outwards\" or two_sided = true if they belong there";

/// What is wrong with a sphere at a wall, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// It overlaps the surface.
    Overlapping,
    /// It lies outside all containers.
    Outside,
    /// It overlaps the surface by more than the limit.
    TooDeep,
    /// Its centre is on the wrong side.
    Behind,
}

/// A sphere, a wall and how deep it is in it.
#[derive(Clone, Copy, Debug)]
struct Finding {
    body: usize,
    wall: u16,
    fault: Fault,
    /// Overlap as a part of the radius.
    share: f64,
}

/// Notes spheres that are not where they can be at the start of the run.
pub(super) fn check(tables: &[BodiesTable], scene: &Scene, notes: &mut Notes) {
    let walls: Vec<WallNow> = (0_u16..)
        .zip(&scene.model.walls)
        .map(|(number, wall)| WallNow::at(wall, !is_removed_at_once(WallId(number), scene), 0.0, 0.0))
        .collect();
    let inspection = Inspection { model: &scene.model, walls: WallsAtStart::of(walls) };
    let chunks = scene.bodies.par_chunks(CHUNK).enumerate();
    let found: Vec<Finding> =
        chunks.flat_map_iter(|(chunk, seeds)| inspection.findings(chunk * CHUNK, seeds)).collect();
    let mut kinds: BTreeMap<(u16, Fault), Vec<Finding>> = BTreeMap::new();
    for finding in found {
        kinds.entry((finding.wall, finding.fault)).or_default().push(finding);
    }
    for findings in kinds.values() {
        report(findings, tables, scene, notes);
    }
}

fn is_removed_at_once(wall: WallId, scene: &Scene) -> bool {
    scene.events.iter().any(|event| {
        event.at == 0.0
            && event.phase.is_none_or(|phase| phase == 0)
            && event.action == Action::RemoveWall(wall)
    })
}

/// Walls and meshes where they are at the start of the run.
pub(super) struct WallsAtStart<'a> {
    walls: Vec<WallNow<'a>>,
    insides: Vec<Inside>,
}

impl<'a> WallsAtStart<'a> {
    /// All walls.
    pub(super) fn new(walls: &'a [Wall]) -> Self {
        Self::of(walls.iter().map(|wall| WallNow::at(wall, true, 0.0, 0.0)).collect())
    }

    fn of(walls: Vec<WallNow<'a>>) -> Self {
        let insides = insides(&walls);
        Self { walls, insides }
    }

    /// Whether a sphere at `centre` [m, world] meets no wall and lies in no obstacle.
    pub(super) fn are_clear_of(&self, centre: DVec3, radius: f64) -> bool {
        !self.walls.iter().any(|wall| wall.present && wall.is_near(centre, radius))
            && !self
                .insides
                .iter()
                .any(|inside| inside.role == Role::Obstacle && self.has_inside(inside, centre, radius))
    }

    /// Whether a sphere that does not touch a closed mesh lies inside it.
    fn has_inside(&self, inside: &Inside, centre: DVec3, radius: f64) -> bool {
        let wall = &self.walls[usize::from(inside.wall)];
        let Surface::Mesh(mesh) = wall.surface else { return false };
        let centre = wall.local(centre);
        let (low, high) = inside.bounds;
        centre.cmpge(low).all() && centre.cmple(high).all() && mesh.is_inside(centre, radius)
    }
}

/// Where the bodies of a closed mesh belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Outside.
    Obstacle,
    /// Inside.
    Container,
    /// Anywhere: it is two-sided.
    Shell,
}

/// A closed mesh.
struct Inside {
    wall: u16,
    /// Box around it [m, mesh frame].
    bounds: (DVec3, DVec3),
    role: Role,
}

fn insides(walls: &[WallNow]) -> Vec<Inside> {
    let closed = (0_u16..).zip(walls).filter(|(_, wall)| wall.present).filter_map(|(number, wall)| {
        let Surface::Mesh(mesh) = wall.surface else { return None };
        let bounds = mesh.mesh.bounding_box()?;
        let role = match mesh.mesh.volume() {
            _ if mesh.mesh.two_sided => Role::Shell,
            volume if volume < 0.0 => Role::Container,
            _ => Role::Obstacle,
        };
        mesh.mesh.is_closed().then_some(Inside { wall: number, bounds, role })
    });
    closed.collect()
}

/// What spheres are held against.
struct Inspection<'a> {
    model: &'a Model,
    walls: WallsAtStart<'a>,
}

impl Inspection<'_> {
    /// Faults of a stretch of bodies, of which the first is number `first`.
    fn findings(&self, first: usize, seeds: &[BodySeed]) -> Vec<Finding> {
        let mut found: BTreeMap<(usize, u16), Finding> = BTreeMap::new();
        for (body, wall, share) in self.contacts(seeds) {
            let fault = if share > PASSED {
                Fault::Behind
            } else if share > self.model.limits.overlap {
                Fault::TooDeep
            } else {
                Fault::Overlapping
            };
            let entry = found.entry((body, wall)).or_insert(Finding { body, wall, fault, share });
            if share > entry.share {
                *entry = Finding { body, wall, fault, share };
            }
        }
        for (body, seed) in seeds.iter().enumerate() {
            for (wall, fault) in self.misplaced(seed, |wall| found.contains_key(&(body, wall))) {
                found.insert((body, wall), Finding { body, wall, fault, share: 0.0 });
            }
        }
        let worth = found
            .into_values()
            .filter(|finding| finding.fault != Fault::Overlapping || finding.share > SLIGHT);
        worth.map(|finding| Finding { body: first + finding.body, ..finding }).collect()
    }

    /// Bodies, walls they touch and overlaps as parts of their radii, found as in a step of the run.
    fn contacts(&self, seeds: &[BodySeed]) -> Vec<(usize, u16, f64)> {
        let mut contacts = SurfaceContacts::default();
        let mut found = Vec::new();
        for (row, seed) in (0_u32..).zip(seeds) {
            for (number, wall) in (0_u16..).zip(&self.walls.walls).filter(|(_, wall)| wall.present) {
                found.clear();
                let near = match wall.surface {
                    Surface::Analytic(_) => wall.is_near(seed.position, seed.radius),
                    Surface::Mesh(mesh) => {
                        mesh.elements_near(wall.local(seed.position), seed.radius, &mut found);
                        !found.is_empty()
                    }
                };
                if near {
                    let walls = &mut contacts.watched;
                    let (first, count) = (walls.elements.len() as u32, found.len() as u32);
                    walls.near.push(NearWall { row, wall: WallId(number), first, count });
                    walls.elements.extend_from_slice(&found);
                }
            }
        }
        let places: Vec<PlaceRow> = seeds.iter().map(place).collect();
        let materials: Vec<_> = seeds.iter().map(|seed| seed.material).collect();
        let input = SurfaceInput {
            places: &places,
            materials: &materials,
            walls: &self.walls.walls,
            pairs: &self.model.pairs,
            time_step: 0.0,
            fast_test: true,
            torsion: false,
        };
        find_surface_contacts(&mut contacts, &input);
        let share = |row: u32, overlap: f64| overlap / seeds[row as usize].radius;
        contacts.now.iter().map(|c| (c.row as usize, c.wall.0, share(c.row, c.overlap))).collect()
    }

    /// Meshes whose surface a sphere does not touch, but on whose wrong side it is.
    fn misplaced(&self, seed: &BodySeed, touches: impl Fn(u16) -> bool) -> Vec<(u16, Fault)> {
        let mut faults = Vec::new();
        let mut is_contained = false;
        let mut missed = None;
        for inside in &self.walls.insides {
            let touched = touches(inside.wall);
            let lies_inside = !touched && self.walls.has_inside(inside, seed.position, seed.radius);
            match inside.role {
                Role::Obstacle if lies_inside => faults.push((inside.wall, Fault::Behind)),
                Role::Obstacle => {}
                // One that touches a container is in it, or has been found to be behind it.
                Role::Container | Role::Shell => is_contained |= lies_inside || touched,
            }
            if inside.role == Role::Container {
                missed = missed.or(Some(inside.wall));
            }
        }
        faults.extend(missed.filter(|_| !is_contained).map(|wall| (wall, Fault::Outside)));
        faults
    }
}

fn place(seed: &BodySeed) -> PlaceRow {
    PlaceRow {
        position: seed.position.to_array(),
        radius: seed.radius,
        velocity: seed.velocity.to_array(),
        inverse_mass: 0.0,
    }
}

/// Notes spheres with the same fault at the same wall.
fn report(findings: &[Finding], tables: &[BodiesTable], scene: &Scene, notes: &mut Notes) {
    let Some(&first) = findings.first() else { return };
    let deepest = findings.iter().copied().fold(first, |a, b| if b.share > a.share { b } else { a });
    let wall = &scene.model.walls[usize::from(first.wall)];
    let kind = if wall.mesh().is_some() { "mesh" } else { "wall" };
    let at = |finding: &Finding| {
        let p = scene.bodies[finding.body].position;
        format!("body {} at ({}, {}, {}) m", finding.body, p.x, p.y, p.z)
    };
    let (spheres, deepest_by) = match findings.len() {
        1 => ("a sphere starts".to_owned(), "by"),
        count => (format!("{count} spheres start"), "the deepest by"),
    };
    let name = format!("{kind} `{}`", wall.name);
    let depth = format!("{deepest_by} {:.3} of its radius: {}", deepest.share, at(&deepest));
    let message = match first.fault {
        Fault::Behind => format!("{spheres} on the wrong side of the {name}, the first is {}", at(&first)),
        Fault::TooDeep => format!("{spheres} deep in the {name}, {depth}"),
        Fault::Overlapping => format!("{spheres} in overlap with the {name}, {depth}"),
        Fault::Outside => {
            format!("{spheres} outside the {name}, which faces inwards; the first is {}", at(&first))
        }
    };
    let help = match first.fault {
        Fault::Behind if kind == "mesh" => BEHIND_MESH.to_owned(),
        Fault::Behind => BEHIND_WALL.to_owned(),
        Fault::TooDeep => format!(
            "the limit is {} (`overlap` in [limits]); move them away from it",
            scene.model.limits.overlap
        ),
        Fault::Overlapping => "overlapping spheres fly off".to_owned(),
        Fault::Outside => OUTSIDE.to_owned(),
    };
    let group = usize::from(scene.bodies[first.body].group);
    let span = tables.get(group).map_or(0..0, |table| table.span.clone());
    match first.fault {
        Fault::Behind | Fault::TooDeep => notes.error_with_help(span, message, "spheres of this group", help),
        Fault::Overlapping | Fault::Outside => notes.warn(span, message, "spheres of this group", help),
    }
}
