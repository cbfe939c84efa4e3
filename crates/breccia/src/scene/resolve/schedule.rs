//! Time, phases, loads, events and output.

use super::{Names, Notes, check};
use crate::model::{AppliedLoad, StepChoice, TimeSettings, WallId};
use crate::scene::file::{ActionTable, EventTable, LoadTable, OutputTable, PhaseTable, SceneFile, TimeTable};
use crate::scene::plan::{Action, Event, FlowPlane, OutputSettings, Phase, Scene};
use crate::scene::read::{Located, OffOr};
use crate::simulation::{StepLimits, StepVerdict};
use glam::DVec3;

/// Defaults of [time].
const RAYLEIGH_FRACTION: f64 = 0.2;
const STEPS_PER_CONTACT: f64 = 40.0;

/// Defaults of [output], in shares of the run and seconds.
const FRAMES: f64 = 50.0;
const TABLE_ROWS: f64 = 1000.0;
const CHECKPOINT_SECONDS: f64 = 60.0;

/// Time settings, phases and their names.
pub(super) fn resolve_time(file: &SceneFile, notes: &mut Notes) -> (TimeSettings, Vec<Phase>, Names) {
    let (phases, names) = resolve_phases(&file.phase, notes);
    let table = file.time.as_ref();
    let number =
        |given: Option<&crate::scene::read::Quantity<crate::scene::read::Number>>,
         key: &str,
         default: f64,
         notes: &mut Notes| given.map_or(default, |value| check::positive(key, value, notes));
    let fraction = table.and_then(|time| time.rayleigh_fraction.as_ref());
    let steps = table.and_then(|time| time.steps_per_contact.as_ref());
    let speed = table.and_then(|time| time.expected_speed.as_ref());
    let time = TimeSettings {
        duration: resolve_duration(file, &phases, notes),
        step: resolve_step(table, notes),
        rayleigh_fraction: number(fraction, "rayleigh_fraction", RAYLEIGH_FRACTION, notes),
        steps_per_contact: number(steps, "steps_per_contact", STEPS_PER_CONTACT, notes),
        expected_speed: speed.map(|speed| check::positive("expected_speed", speed, notes)),
    };
    check_step_fits(table, &time, notes);
    (time, phases, names)
}

fn resolve_phases(tables: &[PhaseTable], notes: &mut Notes) -> (Vec<Phase>, Names) {
    let mut names = Names::new("phase");
    let phases = tables
        .iter()
        .map(|table| {
            names.add(&table.name.value, &table.name.span, notes);
            let energy = table.until_kinetic_energy.as_ref();
            Phase {
                name: table.name.value.clone(),
                duration: check::positive("duration", &table.duration, notes),
                until_kinetic_energy: energy
                    .map(|energy| check::positive("until_kinetic_energy", energy, notes)),
                until_porosity: table
                    .until_porosity
                    .as_ref()
                    .map(|porosity| check::positive("until_porosity", porosity, notes)),
            }
        })
        .collect();
    (phases, names)
}

fn resolve_duration(file: &SceneFile, phases: &[Phase], notes: &mut Notes) -> f64 {
    let sum: f64 = phases.iter().map(|phase| phase.duration).sum();
    let given = file.time.as_ref().and_then(|time| time.duration.as_ref());
    match given {
        Some(duration) => {
            let value = check::positive("duration", duration, notes);
            if !phases.is_empty() && (value - sum).abs() > 1e-9 * sum {
                let message = format!("`duration` is {value} s, but the phases take {sum} s");
                let help = "leave `duration` out: with phases it is their sum";
                notes.error_with_help(duration.span.clone(), message, "not the sum of the phases", help);
            }
            value
        }
        None if phases.is_empty() => {
            let span = file.time.as_ref().map_or(0..0, |time| time.span.clone());
            let help = "add `duration = \"2 s\"` to [time], or [[phase]] tables";
            notes.error_with_help(span, "missing key `duration`", "how long is the run?", help);
            1.0
        }
        None => sum,
    }
}

fn resolve_step(table: Option<&TimeTable>, notes: &mut Notes) -> StepChoice {
    match table.and_then(|time| time.step.as_ref()).and_then(|step| step.0.as_ref()) {
        Some(step) => StepChoice::Fixed(check::positive("step", step, notes)),
        None => StepChoice::Auto,
    }
}

fn check_step_fits(table: Option<&TimeTable>, time: &TimeSettings, notes: &mut Notes) {
    let given = table.and_then(|time| time.step.as_ref()).and_then(|step| step.0.as_ref());
    if let Some(step) = given.filter(|step| step.value > time.duration) {
        let message = format!("`step` ({} s) is longer than the run ({} s)", step.value, time.duration);
        notes.error(step.span.clone(), message, "too long");
    }
}

/// A step beyond what is run at all is a mistake of the scene.
pub(super) fn refuse_long_step(table: Option<&TimeTable>, scene: &Scene, notes: &mut Notes) {
    let given = table.and_then(|time| time.step.as_ref()).and_then(|step| step.0.as_ref());
    let limits = StepLimits::of(scene);
    let Some(step) = given.filter(|_| limits.judge(&scene.model) == StepVerdict::Refused) else { return };
    let message = format!(
        "the time step is too long: at most {:.3e} s can be run, {:.3e} s is recommended",
        limits.refusal(),
        limits.automatic(&scene.model)
    );
    let (stiffest, help) = if limits.bonds_refuse() {
        (
            "bond",
            "write `step = \"auto\"`, or make the bonds softer: `young_modulus` or `stiffness` of [[bond]]",
        )
    } else {
        ("contact", "write `step = \"auto\"`, or lower `young_modulus`: softer contacts allow longer steps")
    };
    notes.error_with_help(step.span.clone(), message, format!("too long for the stiffest {stiffest}"), help);
}

pub(super) fn resolve_loads(tables: &[LoadTable], groups: &Names, notes: &mut Notes) -> Vec<AppliedLoad> {
    let mut loads = Vec::new();
    for table in tables {
        let group = groups.find(&table.group, notes);
        let (start, stop) = check::start_and_stop(table.start.as_ref(), table.stop.as_ref(), notes);
        if table.force.is_none() && table.torque.is_none() {
            let message = "this load has neither `force` nor `torque`";
            notes.error(table.span.clone(), message, "no load");
        }
        loads.push(AppliedLoad {
            group: group.unwrap_or(0) as u16,
            force: table.force.as_ref().map_or(DVec3::ZERO, |force| force.value),
            torque: table.torque.as_ref().map_or(DVec3::ZERO, |torque| torque.value),
            start,
            stop,
        });
    }
    loads
}

pub(super) fn resolve_events(
    file: &SceneFile,
    walls: &Names,
    groups: &Names,
    phase_names: &Names,
    time: &TimeSettings,
    phases: &[Phase],
    notes: &mut Notes,
) -> Vec<Event> {
    file.event
        .iter()
        .map(|table| {
            let phase = table.phase.as_ref().and_then(|name| phase_names.find(name, notes));
            let at = table.at.as_ref().map_or(0.0, |at| check::not_negative("at", at, notes));
            let end = phase.map_or(time.duration, |phase| phases[phase].duration);
            check_before_end(table, at, end, notes);
            Event { at, phase, action: resolve_action(&table.action, walls, groups, notes) }
        })
        .collect()
}

fn check_before_end(table: &EventTable, at: f64, end: f64, notes: &mut Notes) {
    if let Some(given) = table.at.as_ref().filter(|_| at > end) {
        let whole = if table.phase.is_some() { "phase" } else { "run" };
        let message = format!("this event would never happen: the {whole} ends after {end} s");
        notes.error(given.span.clone(), message, "after the end");
    }
}

fn resolve_action(table: &ActionTable, walls: &Names, groups: &Names, notes: &mut Notes) -> Action {
    match table {
        ActionTable::RemoveWall(table) => {
            Action::RemoveWall(WallId(walls.find(&table.wall, notes).unwrap_or(0) as u16))
        }
        ActionTable::RemoveBodies(table) => {
            Action::RemoveBodies(groups.find(&table.group, notes).unwrap_or(0) as u16)
        }
        ActionTable::SetVelocity(table) => Action::SetVelocity {
            group: groups.find(&table.group, notes).unwrap_or(0) as u16,
            velocity: table.velocity.value,
        },
        ActionTable::SetGravity(table) => Action::SetGravity(table.gravity.value),
        ActionTable::SetDamping(table) => {
            Action::SetDamping(check::not_negative("damping_rate", &table.damping_rate, notes))
        }
        ActionTable::Stop(_) => Action::Stop,
    }
}

pub(super) fn resolve_output(
    table: Option<&OutputTable>,
    duration: f64,
    notes: &mut Notes,
) -> OutputSettings {
    let mut interval = |key: &str, given: Option<&OffOr>, default: f64| match given {
        Some(OffOr(Some(interval))) => check::positive(key, interval, notes),
        Some(OffOr(None)) => f64::INFINITY,
        None => default,
    };
    let frame_interval =
        interval("frames", table.and_then(|output| output.frames.as_ref()), duration / FRAMES);
    let table_interval =
        interval("table", table.and_then(|output| output.table.as_ref()), duration / TABLE_ROWS);
    let checkpoint = table.and_then(|output| output.checkpoint.as_ref());
    OutputSettings {
        frame_interval,
        table_interval,
        checkpoint_interval: checkpoint
            .map_or(CHECKPOINT_SECONDS, |interval| check::positive("checkpoint", interval, notes)),
        contacts: table.and_then(|output| output.contacts).unwrap_or(false),
        bonds: table.and_then(|output| output.bonds).unwrap_or(true),
        picture: table.and_then(|output| output.picture).unwrap_or(true),
        flow_planes: table.map_or_else(Vec::new, |output| resolve_flow_planes(output, notes)),
        profiles: Vec::new(),
        histograms: Vec::new(),
    }
}

/// Whether losses of contacts are followed, in scenes of spheres or others.
pub(super) fn resolve_losses(table: Option<&OutputTable>, are_spheres: bool, notes: &mut Notes) -> bool {
    let Some(Located { value: false, span }) = table.and_then(|output| output.losses.as_ref()) else {
        return true;
    };
    if !are_spheres {
        let message = "only runs of spheres can go without following losses";
        notes.error_with_help(span.clone(), message, "not with these bodies", "leave `losses` out");
    }
    if table.and_then(|output| output.contacts).unwrap_or(false) {
        let message = "contacts cannot be written without following losses";
        let help = "leave out `losses` or `contacts`: the forces of dashpots are kept for both";
        notes.error_with_help(span.clone(), message, "forces are not kept", help);
    }
    false
}

fn resolve_flow_planes(output: &OutputTable, notes: &mut Notes) -> Vec<FlowPlane> {
    let mut names = Names::new("flow plane");
    output
        .flow_planes
        .iter()
        .map(|plane| {
            names.add(&plane.name.value, &plane.name.span, notes);
            FlowPlane {
                name: plane.name.value.clone(),
                point: plane.point.value,
                normal: check::direction("normal", &plane.normal, notes),
            }
        })
        .collect()
}
