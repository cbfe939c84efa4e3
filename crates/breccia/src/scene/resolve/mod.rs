//! From the tables of a file to a scene in SI units and indices, with every check that needs more than one key.
//!
//! Checks note what is wrong and go on with the value they were given; a scene comes out only if nothing was.

mod bodies;
mod check;
mod clusters;
mod domain;
mod entries;
mod grains;
mod materials;
mod measures;
mod meshes;
mod names;
mod pairs;
mod regions;
mod schedule;
mod sizes;
mod solids;
mod start;
mod walls;

use super::LoadedMesh;
use super::file::{BodiesTable, Response, SceneFile};
use super::plan::Scene;
use super::read::Notes;
use crate::model::{
    LawChoice, Limits, Model, MotionSettings, RollingKind, SearchSettings, SearchTrigger, Wall,
};
use glam::DVec3;
use names::Names;
use std::path::Path;

/// Largest number of spheres a scene may start with.
const MOST_SPHERES: u64 = 200_000_000;

/// Gravity unless given [m/s²].
const EARTH_GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Largest overlap unless given, as a fraction of the smaller radius [–].
const OVERLAP_LIMIT: f64 = 0.5;

/// The scene of a file; nothing when `notes` has errors.
pub(super) fn resolve(
    file: &SceneFile,
    name: &str,
    folder: &Path,
    notes: &mut Notes,
) -> Option<(Scene, Vec<LoadedMesh>)> {
    if file.response.as_ref().is_some_and(|response| response.value == Response::Implicit) {
        return grains::resolve(file, name, folder, notes).map(|scene| (scene, Vec::new()));
    }
    grains::refuse_in_explicit(file, notes);
    let seed = file.seed.unwrap_or(1);
    // Deformable bodies may have Lamé constants of their own.
    let (materials, material_names) = materials::resolve(&file.material, file.solid.is_empty(), notes);
    let domain = domain::resolve(file.domain.as_ref(), notes);
    let limits = resolve_limits(file, notes);
    let (mut walls, mut wall_names) = walls::resolve(&file.wall, &material_names, &domain, folder, notes);
    let mesh_context = meshes::MeshContext { materials: &material_names, domain: &domain, folder };
    let meshes = meshes::resolve(&file.mesh, &mesh_context, &mut walls, &mut wall_names, notes);
    let laws = resolve_laws(file, notes);
    let (time, phases, phase_names) = schedule::resolve_time(file, notes);
    let bonds = clusters::resolve_bonds(&file.bond, notes);
    let templates = clusters::resolve_templates(&file.template, &bonds, folder, seed, notes);
    let context = bodies::Context {
        templates: &templates,
        materials: &materials,
        material_names: &material_names,
        domain: &domain,
        walls: &walls,
        wall_names: &wall_names,
        folder,
        seed,
        duration: time.duration,
        overlap_limit: limits.overlap,
    };
    let population = bodies::resolve(file, &context, notes);
    meshes::warn_sizes(&file.mesh, &meshes, &walls, &population, notes);
    let is_used = |material: usize| {
        population.spheres_of_material.contains_key(&material)
            || walls.iter().flat_map(Wall::materials).any(|id| usize::from(id.0) == material)
            || file.solid.iter().any(|solid| solid.material.value == materials[material].name)
    };
    let uses = |bodies: &BodiesTable, name: &str| {
        bodies::template_of(&bodies.kind).0.is_some_and(|template| template.value == name)
    };
    templates.warn_unused(|name| file.bodies.iter().any(|bodies| uses(bodies, name)), notes);
    materials::warn_unused(&file.material, is_used, notes);
    let pairs = pairs::resolve(file, &materials, &material_names, &population, &walls, laws, notes);
    let loads = schedule::resolve_loads(&file.load, &population.names, notes);
    let events =
        schedule::resolve_events(file, &wall_names, &population.names, &phase_names, &time, &phases, notes);
    let mut output = schedule::resolve_output(file.output.as_ref(), time.duration, notes);
    let gravity = file.gravity.as_ref().map_or(EARTH_GRAVITY, |gravity| gravity.value);
    output.profiles = measures::resolve_profiles(&file.profile, &population.names, gravity, notes);
    output.histograms = measures::resolve_histograms(&file.histogram, &population.names, notes);
    let search = resolve_search(file, notes);
    let solid_context = solids::SolidContext {
        materials: &materials,
        material_names: &material_names,
        walls: &walls,
        gravity,
        time: &time,
        folder,
    };
    let solids = solids::resolve(file, &solid_context, notes);
    let motion = resolve_motion(file, loads, notes);
    let model = Model {
        gravity,
        domain,
        materials,
        pairs,
        laws,
        walls,
        bonds: bonds.kinds,
        time,
        search,
        motion,
        limits,
        follow_losses: schedule::resolve_losses(file.output.as_ref(), solids.is_none(), notes),
    };
    let title = file.title.as_ref().map_or_else(|| name.to_owned(), |title| title.value.clone());
    let threads = resolve_threads(file, notes);
    if notes.has_errors() {
        return None;
    }
    let scene = Scene {
        title,
        model,
        bodies: population.placed.bodies,
        bonds: population.placed.bonds,
        offsets: population.placed.offsets,
        clumps: population.placed.clumps,
        grains: None,
        groups: population.names.into_strings(),
        inlets: population.inlets,
        phases,
        events,
        output,
        threads,
        seed,
        solids,
    };
    if scene.solids.is_none() {
        schedule::refuse_long_step(file.time.as_ref(), &scene, notes);
    }
    start::check(&file.bodies, &scene, notes);
    (!notes.has_errors()).then_some((scene, meshes))
}

fn resolve_limits(file: &SceneFile, notes: &mut Notes) -> Limits {
    let overlap = file.limits.as_ref().and_then(|limits| limits.overlap.as_ref());
    let overlap = overlap.map(|overlap| check::within("overlap", overlap, 1e-6, 1.0, notes));
    Limits { overlap: overlap.unwrap_or(OVERLAP_LIMIT) }
}

fn resolve_laws(file: &SceneFile, notes: &mut Notes) -> LawChoice {
    let Some(law) = &file.law else { return LawChoice::default() };
    let rolling = law.rolling.unwrap_or_default();
    let torsion = law.torsion.as_ref().filter(|torsion| torsion.value);
    if let Some(torsion) = torsion.filter(|_| rolling != RollingKind::C) {
        let message = "`torsion` needs the rolling resistance \"c\"";
        let help =
            "write `rolling = \"c\"` or leave `torsion` out; \"a-limited\" brakes every spin by itself";
        notes.error_with_help(torsion.span.clone(), message, "no spring that could resist it", help);
    }
    LawChoice {
        normal: law.normal.unwrap_or_default(),
        friction: law.friction.unwrap_or_default(),
        rolling,
        torsion: torsion.is_some(),
    }
}

fn resolve_search(file: &SceneFile, notes: &mut Notes) -> SearchSettings {
    let mut settings = SearchSettings {
        skin: None,
        trigger: SearchTrigger::Displacement,
        fast_test: true,
        whole_bodies: true,
    };
    let Some(search) = &file.search else { return settings };
    settings.fast_test = search.fast_test.unwrap_or(true);
    if let Some(skin) = search.skin.as_ref().and_then(|skin| skin.0.as_ref()) {
        settings.skin = Some(check::positive("skin", skin, notes));
    }
    if let Some(every) = &search.every_steps {
        if every.value == 0 {
            notes.error(every.span.clone(), "`every_steps` must be at least 1", "zero steps");
        }
        settings.trigger = SearchTrigger::EverySteps(every.value);
    }
    settings
}

fn resolve_motion(
    file: &SceneFile,
    loads: Vec<crate::model::AppliedLoad>,
    notes: &mut Notes,
) -> MotionSettings {
    let motion = file.motion.as_ref();
    let damping = motion.and_then(|motion| motion.damping_rate.as_ref());
    MotionSettings {
        loads,
        damping_rate: damping.map_or(0.0, |rate| check::not_negative("damping_rate", rate, notes)),
        track_orientation: motion.and_then(|motion| motion.track_orientation).unwrap_or(false),
    }
}

fn resolve_threads(file: &SceneFile, notes: &mut Notes) -> usize {
    const MOST: u64 = 4096;
    let Some(threads) = &file.threads else { return 0 };
    if threads.value > MOST {
        let message = format!("`threads` must be at most {MOST}");
        notes.error_with_help(threads.span.clone(), message, "too many", "0 uses all of the machine");
    }
    threads.value.min(MOST) as usize
}
