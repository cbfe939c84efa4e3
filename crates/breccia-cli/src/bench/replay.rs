//! Finer parts of the mesh work than the step's own clock tells.
//!
//! Clocks inside the loops over elements would cost more than what they measure. Instead a few states of the run are
//! kept, and the engine's own functions are timed on them: lists with meshes and without, the search of contacts with
//! all candidates and with those alone that meet their sphere. Differences give the parts.

use super::measure::Row;
use breccia::contacts::{ListInput, SurfaceContacts};
use breccia::diagnostics::Phase;
use breccia::model::{Surface, WallId};
use breccia::narrow_phase::{SurfaceInput, WallNow, find_surface_contacts, intersects};
use breccia::simulation::{Setup, Simulation};
use breccia::state::State;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;

/// Repetitions, of which the fastest counts: it is the least disturbed.
const REPEATS: usize = 12;

/// Times of parts, as means over the samples taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replay {
    samples: usize,
    rebuild: f64,
    rebuild_without_surfaces: f64,
    search: f64,
    search_of_hits: f64,
}

/// Seconds of the parts of the work at surfaces, over a measurement.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceParts {
    /// Finding candidates, when all lists are rebuilt and when near walls alone are looked for.
    pub bins: f64,
    /// Sorting out elements that do not meet their sphere.
    pub fast_test: f64,
    /// Closest points, hierarchy, matching of memories.
    pub hierarchy: f64,
    /// Laws and forces.
    pub forces: f64,
}

impl Replay {
    /// Times the parts on the present state of a run, with the threads of the present pool.
    pub fn sample(&mut self, run: &Simulation) {
        let (setup, state) = (&run.setup, &run.state);
        let walls = setup.walls_at(state, state.step);
        let mut absent = walls.clone();
        absent.iter_mut().for_each(|wall| wall.present = false);
        let chunks = || state.lists.chunks.iter().map(|chunk| chunk.surface.clone()).collect::<Vec<_>>();
        let hits = hits_of(state, &walls);
        self.samples += 1;
        let [rebuild, without] =
            fastest([&mut || rebuild(setup, state, &walls), &mut || rebuild(setup, state, &absent)]);
        let [search, of_hits] = fastest([&mut || search(setup, state, &walls, chunks()), &mut || {
            search(setup, state, &walls, hits.clone())
        }]);
        self.rebuild += rebuild;
        self.rebuild_without_surfaces += without;
        self.search += search;
        self.search_of_hits += of_hits;
    }

    /// The parts of the work at surfaces in a measurement [s]. The sum of search and forces is that of the step's
    /// clock.
    pub fn parts(&self, row: &Row) -> SurfaceParts {
        let samples = self.samples.max(1) as f64;
        // What disturbed the measurement is shared out evenly.
        let slowed =
            row.processor_share().filter(|_| row.threads == 1).map_or(1.0, |share| 1.0 / share.max(0.01));
        let over_all = |seconds: f64| seconds / samples * row.steps as f64 * slowed.max(1.0);
        let (search, hits) = (over_all(self.search), over_all(self.search_of_hits));
        let listing = (self.rebuild - self.rebuild_without_surfaces).max(0.0) / samples * slowed.max(1.0);
        let surfaces = row.timers.seconds(Phase::Surfaces);
        let search = search.min(surfaces);
        let hierarchy = hits.min(search);
        SurfaceParts {
            bins: listing * (row.timers.rebuilds + row.timers.surface_rebuilds) as f64,
            fast_test: search - hierarchy,
            hierarchy,
            forces: surfaces - search,
        }
    }

    /// The parts as shares of the whole, in words.
    pub fn in_words(&self, row: &Row) -> String {
        let parts = self.parts(row);
        let percent = |seconds: f64| 100.0 * seconds / row.seconds;
        format!(
            "mesh work {:.1}: lists {:.1} (of rebuild and refresh), fast test {:.1}, hierarchy {:.1}, forces {:.1} (replayed)",
            percent(parts.total()),
            percent(parts.bins),
            percent(parts.fast_test),
            percent(parts.hierarchy),
            percent(parts.forces)
        )
    }

    /// The parts as JSON.
    pub fn to_json(self, row: &Row) -> Value {
        let parts = self.parts(row);
        json!({
            "surface_lists": parts.bins,
            "fast_test": parts.fast_test,
            "hierarchy": parts.hierarchy,
            "surface_forces": parts.forces,
            "surface_share": parts.total() / row.seconds,
        })
    }
}

impl SurfaceParts {
    /// All of it [s].
    pub fn total(&self) -> f64 {
        self.bins + self.fast_test + self.hierarchy + self.forces
    }
}

/// The least time of each of two tasks, which take turns so that both see the same disturbances.
fn fastest(mut tasks: [&mut dyn FnMut() -> f64; 2]) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..REPEATS {
        for (least, task) in least.iter_mut().zip(&mut tasks) {
            *least = least.min(task());
        }
    }
    least
}

fn rebuild(setup: &Setup, state: &State, walls: &[WallNow]) -> f64 {
    let (mut lists, mut bodies) = (state.lists.clone(), state.bodies.clone());
    let (fragments, flow_planes) = (&state.fragments, setup.flow_planes.len());
    let input = ListInput { model: &setup.model, laws: &setup.laws, walls, fragments, flow_planes };
    let begin = Instant::now();
    // Only bonded bodies can be refused, and the benches of meshes have none.
    let built = lists.rebuild(&mut bodies, &mut state.clumps.clone(), None, &input);
    debug_assert!(built.is_ok());
    begin.elapsed().as_secs_f64()
}

fn search(setup: &Setup, state: &State, walls: &[WallNow], mut chunks: Vec<SurfaceContacts>) -> f64 {
    let input = SurfaceInput {
        places: &state.bodies.places,
        materials: &state.bodies.material,
        walls,
        pairs: &setup.model.pairs,
        time_step: setup.time_step,
        fast_test: setup.model.search.fast_test,
        torsion: setup.model.laws.torsion,
    };
    let find = |chunk: &mut SurfaceContacts| {
        if input.fast_test {
            (setup.laws.element_test)((chunk, &input));
        }
        find_surface_contacts(chunk, &input);
    };
    // As the step does: the first round makes room in the buffers.
    chunks.par_iter_mut().for_each(find);
    let begin = Instant::now();
    chunks.par_iter_mut().for_each(find);
    begin.elapsed().as_secs_f64()
}

/// The near elements of every chunk, without those that do not meet their sphere.
fn hits_of(state: &State, walls: &[WallNow]) -> Vec<SurfaceContacts> {
    let hits = |surface: &SurfaceContacts| {
        let mut only = SurfaceContacts {
            lone: surface.lone.clone(),
            now: surface.now.clone(),
            ..SurfaceContacts::default()
        };
        let mut of_meshes = vec![Vec::new(); walls.len()];
        for near in &surface.watched.near {
            let wall = &walls[usize::from(near.wall.0)];
            let place = &state.bodies.places[near.row as usize];
            let elements = &surface.watched.elements[near.first as usize..(near.first + near.count) as usize];
            if let Surface::Mesh(mesh) = wall.surface {
                let centre = wall.local(place.centre());
                let meets = |element: &&u32| intersects(&mesh.mesh, **element, centre, place.radius);
                let hits = elements.iter().filter(meets).map(|&element| (near.row, element));
                of_meshes[usize::from(near.wall.0)].extend(hits);
            } else {
                only.watched.near.push(*near);
            }
        }
        for (pairs, number) in of_meshes.into_iter().zip(0_u16..) {
            only.watched.add_mesh(WallId(number), pairs.into_iter());
        }
        only.watched.sort();
        only
    };
    state.lists.chunks.iter().map(|chunk| hits(&chunk.surface)).collect()
}
