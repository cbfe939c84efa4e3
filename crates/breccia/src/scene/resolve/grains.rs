//! Scenes of grains: implicit response in the plane.

mod outlines;
mod places;

use super::{Names, Notes, check, materials, pairs, schedule, walls};
use crate::implicit::{
    DynamicStep, GrainPlan, GrainSettings, Press, StaticStep, StepKind, Stiffness, StiffnessMeaning,
};
use crate::model::{
    Domain, LawChoice, Limits, Model, MotionSettings, SearchSettings, SearchTrigger, StepChoice, Surface,
    Wall,
};
use crate::motion::MotionKind;
use crate::narrow_phase::grains::KnotSettings;
use crate::scene::error::Span;
use crate::scene::file::{ActionTable, GrainMode, ImplicitTable, PressTable, SceneFile, WallTable};
use crate::scene::plan::Scene;
use crate::shapes::WallShape;
use crate::shapes::nurbs::CONTACT_KNOTS;
use glam::DVec3;
use outlines::Outlines;
use std::path::Path;

/// Gravity unless given [m/s²].
const EARTH_GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// Automatic step of dynamic runs, in √(d/g).
const AUTOMATIC_STEP: f64 = 0.05;

/// Contact knots of an outline, at least and at most.
const KNOTS: (u64, u64) = (8, 2000);

/// The scene of a file with implicit response; nothing when `notes` has errors.
pub(super) fn resolve(file: &SceneFile, name: &str, folder: &Path, notes: &mut Notes) -> Option<Scene> {
    refuse_foreign(file, notes);
    let seed = file.seed.unwrap_or(1);
    let (materials, material_names) = materials::resolve(&file.material, false, notes);
    let domain = Domain::unbounded();
    let (mut walls, wall_names) = walls::resolve(&file.wall, &material_names, &domain, folder, notes);
    let presses = resolve_walls(&file.wall, &mut walls, &wall_names, notes);
    let (time, phases, phase_names) = schedule::resolve_time(file, notes);
    let choices = file.implicit.as_ref();
    let contact_knots = resolve_knots(choices, notes);
    let outlines = Outlines::resolve(&file.outline, contact_knots, folder, notes);
    let (grains, groups) = places::resolve(&file.grains, &outlines, &material_names, seed, notes);
    let gravity = file.gravity.as_ref().map_or(EARTH_GRAVITY, |gravity| gravity.value);
    if let Some(given) = file.gravity.as_ref().filter(|given| given.value.z != 0.0) {
        let help = "write for instance `gravity = [0, -9.81, 0]`";
        notes.error_with_help(
            given.span.clone(),
            "grains move in the plane of x and y",
            "out of the plane",
            help,
        );
    }
    let events = schedule::resolve_events(file, &wall_names, &groups, &phase_names, &time, &phases, notes);
    let diameter = outlines.mean_diameter(&grains);
    let step = resolve_step(file, time.step, choices, diameter, gravity, notes);
    let plan = GrainPlan {
        settings: resolve_settings(choices, step, notes),
        outlines: outlines.plans(),
        contact_knots,
        grains,
        groups: groups.into_strings(),
        presses,
    };
    check_packing(file, &plan.settings.kind, &plan.presses, notes);
    let output = schedule::resolve_output(file.output.as_ref(), time.duration, notes);
    let threads = super::resolve_threads(file, notes);
    let pairs = pairs::resolve_friction(file, &materials, &material_names, notes);
    let title = file.title.as_ref().map_or_else(|| name.to_owned(), |title| title.value.clone());
    if notes.has_errors() {
        return None;
    }
    let search = SearchSettings {
        skin: None,
        trigger: SearchTrigger::Displacement,
        fast_test: true,
        whole_bodies: true,
    };
    let motion = MotionSettings { loads: Vec::new(), damping_rate: 0.0, track_orientation: false };
    let limits = Limits { overlap: super::OVERLAP_LIMIT };
    let laws = LawChoice::default();
    let model = Model {
        gravity,
        domain,
        materials,
        pairs,
        laws,
        walls,
        bonds: Vec::new(),
        time,
        search,
        motion,
        limits,
        follow_losses: schedule::resolve_losses(file.output.as_ref(), false, notes),
    };
    let scene = Scene {
        title,
        model,
        bodies: Vec::new(),
        bonds: Vec::new(),
        offsets: Vec::new(),
        clumps: Vec::new(),
        grains: Some(plan),
        solids: None,
        groups: Vec::new(),
        inlets: Vec::new(),
        phases,
        events,
        output,
        threads,
        seed,
    };
    check_start(&scene, notes);
    (!notes.has_errors()).then_some(scene)
}

/// Notes tables of grains in a scene of spheres.
pub(super) fn refuse_in_explicit(file: &SceneFile, notes: &mut Notes) {
    let help = "write `response = \"implicit\"` for a scene of grains";
    let mut refuse = |span: &Span, what: &str| {
        notes.error_with_help(span.clone(), format!("{what} need implicit response"), "no effect", help);
    };
    file.grains.iter().for_each(|table| refuse(&table.span, "grains"));
    file.outline.iter().for_each(|table| refuse(&table.span, "outlines of grains"));
    file.implicit.iter().for_each(|table| refuse(&table.span, "these choices"));
    file.wall
        .iter()
        .filter_map(|wall| wall.press.as_ref())
        .for_each(|press| refuse(&press.span, "pressed walls"));
    file.phase
        .iter()
        .filter_map(|phase| phase.until_porosity.as_ref())
        .for_each(|porosity| refuse(&porosity.span, "phases that pack grains"));
}

/// Notes phases that pack grains in a scene where nothing presses, or in one with inertia.
fn check_packing(file: &SceneFile, mode: &StepKind, presses: &[Option<Press>], notes: &mut Notes) {
    for porosity in file.phase.iter().filter_map(|phase| phase.until_porosity.as_ref()) {
        let mut refuse = |message: &str, help: &str| {
            notes.error_with_help(porosity.span.clone(), message, "cannot be reached", help);
        };
        if porosity.value >= 1.0 {
            refuse(
                "a porosity is a part of the box, below 1",
                "dense packings in the plane have 0.1 to 0.25",
            );
        }
        if !matches!(mode, StepKind::QuasiStatic(_)) {
            refuse("packing needs quasi-static steps", "write `mode = \"quasi-static\"` in [implicit]");
        }
        if presses.iter().all(Option::is_none) {
            refuse("packing needs walls that press", "give two walls a `press = { … }`");
        }
    }
}

/// Notes tables of spheres in a scene of grains.
fn refuse_foreign(file: &SceneFile, notes: &mut Notes) {
    let help = "leave it out, or leave out `response` for a scene of spheres";
    let mut refuse = |span: &Span, what: &str| {
        let message = format!("{what} cannot be combined with implicit response");
        notes.error_with_help(span.clone(), message, "for spheres", help);
    };
    file.bodies.iter().for_each(|table| refuse(&table.span, "[[bodies]]"));
    file.mesh.iter().for_each(|table| refuse(&table.span, "[[mesh]]"));
    file.bond.iter().for_each(|table| refuse(&table.span, "[[bond]]"));
    file.template.iter().for_each(|table| refuse(&table.span, "[[template]]"));
    file.load.iter().for_each(|table| refuse(&table.span, "[[load]]"));
    file.solid.iter().for_each(|table| refuse(&table.span, "[[solid]]"));
    file.motion.iter().for_each(|table| refuse(&table.span, "[motion]"));
    file.search.iter().for_each(|table| refuse(&table.span, "[search]"));
    file.domain.iter().for_each(|table| refuse(&table.span, "[domain]"));
    for event in &file.event {
        if matches!(event.action, ActionTable::RemoveBodies(_) | ActionTable::SetDamping(_)) {
            refuse(&event.span, "this action");
        }
    }
    if file.grains.is_empty() {
        let help = "add a [[grains]] table";
        notes.error_with_help(0..0, "the scene has no grains", "nothing to move", help);
    }
}

/// Checks that walls are planes that do not turn; gives what presses them.
fn resolve_walls(
    tables: &[WallTable],
    walls: &mut [Wall],
    names: &Names,
    notes: &mut Notes,
) -> Vec<Option<Press>> {
    let mut presses = Vec::new();
    for (table, wall) in tables.iter().zip(walls) {
        match &mut wall.surface {
            Surface::Analytic(WallShape::Plane { normal, .. }) if normal.z == 0.0 => {}
            _ => {
                let help = "write shape = \"plane\" with a normal in the plane of x and y";
                let message = "walls of grains are planes across the plane of x and y";
                notes.error_with_help(table.span.clone(), message, "not supported", help);
            }
        }
        let turns = wall.motion.parts.iter().any(|part| {
            !matches!(part.kind, MotionKind::Translation { .. } | MotionKind::Oscillation { .. })
        });
        if turns {
            let message = "walls of grains can move along, but not turn";
            let help = "use translations and oscillations";
            notes.error_with_help(table.span.clone(), message, "not supported", help);
        }
        presses.push(table.press.as_ref().map(|press| resolve_press(press, names, notes)));
    }
    presses
}

fn resolve_press(table: &PressTable, names: &Names, notes: &mut Notes) -> Press {
    let [first, second] = table.between.as_slice() else {
        let message = format!("`between` must name two walls, not {}", table.between.len());
        let help =
            "the walls whose distance is the pressed length, such as [\"floor\", \"lid\"] for a side wall";
        notes.error_with_help(table.span.clone(), message, "two walls", help);
        return Press { pressure: 1.0, between: [0, 0], mass: 0.0, until: f64::INFINITY };
    };
    let between = [first, second].map(|name| names.find(name, notes).unwrap_or(0) as u32);
    let mass = table.mass.as_ref();
    Press {
        pressure: check::positive("pressure", &table.pressure, notes),
        between,
        mass: mass.map_or(0.0, |mass| check::positive("mass", mass, notes)),
        until: table.until.as_ref().map_or(f64::INFINITY, |until| check::positive("until", until, notes)),
    }
}

fn resolve_knots(choices: Option<&ImplicitTable>, notes: &mut Notes) -> usize {
    let Some(knots) = choices.and_then(|choices| choices.knots.as_ref()) else { return CONTACT_KNOTS };
    if !(KNOTS.0..=KNOTS.1).contains(&knots.value) {
        let message = format!("`knots` must be between {} and {}", KNOTS.0, KNOTS.1);
        notes.error(knots.span.clone(), message, "out of range");
        return CONTACT_KNOTS;
    }
    knots.value as usize
}

fn resolve_step(
    file: &SceneFile,
    step: StepChoice,
    choices: Option<&ImplicitTable>,
    diameter: f64,
    gravity: DVec3,
    notes: &mut Notes,
) -> f64 {
    match step {
        StepChoice::Fixed(step) => step,
        StepChoice::Auto => {
            let is_dynamic = choices.is_none_or(|choices| choices.mode != Some(GrainMode::QuasiStatic));
            if is_dynamic && gravity != DVec3::ZERO {
                return AUTOMATIC_STEP * (diameter / gravity.length()).sqrt();
            }
            let span = file.time.as_ref().map_or(0..0, |time| time.span.clone());
            let message = "quasi-static runs and runs without gravity need a time step";
            let help = "write `step` in [time]; velocities of walls times the step are the increments";
            notes.error_with_help(span, message, "no `step`", help);
            1.0
        }
    }
}

fn resolve_settings(choices: Option<&ImplicitTable>, step: f64, notes: &mut Notes) -> GrainSettings {
    let Some(table) = choices else {
        return GrainSettings::new(StepKind::Dynamic(DynamicStep::default()), step);
    };
    let iterations = table.saxce_iterations.as_ref();
    if let Some(given) = iterations.filter(|given| given.value > 100) {
        notes.error(given.span.clone(), "`saxce_iterations` must be at most 100", "too many");
    }
    let saxce_iterations = iterations.map_or(0, |given| given.value.min(100) as u32);
    let kind = match table.mode.unwrap_or(GrainMode::Dynamic) {
        GrainMode::Dynamic => {
            let theta = table.theta.as_ref();
            let theta = theta.map_or(0.7, |theta| check::within("theta", theta, 0.5, 1.0, notes));
            StepKind::Dynamic(DynamicStep { theta, saxce_iterations, ..DynamicStep::default() })
        }
        GrainMode::QuasiStatic => {
            if let Some(given) = iterations.filter(|given| given.value > 0) {
                let message = "this iteration does not converge in quasi-static steps";
                notes.error_with_help(given.span.clone(), message, "must be 0", "leave it out");
            }
            let usual = StaticStep::default();
            let resistance = table.resistance.as_ref();
            let resistance =
                resistance.map_or(usual.resistance, |it| check::within("resistance", it, 1e-9, 1.0, notes));
            let wall = table.wall_resistance.as_ref();
            let wall_resistance =
                wall.map_or(10.0 * resistance, |it| check::positive("wall_resistance", it, notes));
            StepKind::QuasiStatic(StaticStep { resistance, wall_resistance, ..usual })
        }
    };
    let mut settings = GrainSettings::new(kind, step);
    settings.knots = KnotSettings {
        double_pass: table.double_pass.unwrap_or(true),
        refine_minima: !table.paper_knots.unwrap_or(false),
    };
    if let Some(stiffness) = &table.normal_stiffness {
        let ratio = table.tangential_ratio.as_ref();
        settings.stiffness = Stiffness::Elastic {
            normal: check::positive("normal_stiffness", stiffness, notes),
            tangential_ratio: ratio.map_or(2.0 / 3.0, |it| check::positive("tangential_ratio", it, notes)),
            meaning: table.stiffness_per.unwrap_or(StiffnessMeaning::PerKnot),
        };
    }
    if let Some(tolerance) = &table.tolerance {
        settings.tolerance = check::within("tolerance", tolerance, 1e-13, 1e-4, notes);
    }
    settings
}

/// Notes what the set-up refuses.
fn check_start(scene: &Scene, notes: &mut Notes) {
    if let Err(error) = crate::implicit::ScheduledGrains::new(scene) {
        notes.error(0..0, error.to_string(), "refused");
    }
}
