//! A scene as it was understood: SI units, defaults filled in, bodies counted.

use super::plan::{Event, Inlet, OutputSettings, Phase, Scene};
use crate::model::Model;
use serde::Serialize;

/// The parts of a scene that are written beside a run.
#[derive(Serialize)]
struct Resolved<'a> {
    title: &'a str,
    seed: u64,
    threads: usize,
    spheres_at_start: usize,
    bonds_at_start: usize,
    solids_at_start: usize,
    groups: Vec<Group<'a>>,
    model: &'a Model,
    inlets: &'a [Inlet],
    phases: &'a [Phase],
    events: &'a [Event],
    output: &'a OutputSettings,
}

#[derive(Serialize)]
struct Group<'a> {
    name: &'a str,
    spheres_at_start: usize,
}

/// The scene in SI units as TOML, without its list of bodies.
///
/// An error tells that a value has no form in TOML, such as a whole number above 2⁶³.
pub fn resolved_toml(scene: &Scene) -> Result<String, toml::ser::Error> {
    let mut spheres = vec![0; scene.groups.len()];
    for body in &scene.bodies {
        spheres[usize::from(body.group)] += 1;
    }
    let groups = scene.groups.iter().zip(spheres);
    toml::to_string(&Resolved {
        title: &scene.title,
        seed: scene.seed,
        threads: scene.threads,
        spheres_at_start: scene.bodies.len(),
        bonds_at_start: scene.bonds.len(),
        solids_at_start: scene.solids.as_ref().map_or(0, |solids| solids.bodies.len()),
        groups: groups.map(|(name, spheres_at_start)| Group { name, spheres_at_start }).collect(),
        model: &scene.model,
        inlets: &scene.inlets,
        phases: &scene.phases,
        events: &scene.events,
        output: &scene.output,
    })
}
