//! `breccia check`: what a scene means, without running it.

use crate::cli::CheckOptions;
use crate::problem::{Failure, show_warnings};
use crate::{check_grains, check_meshes, check_solids};
use crate::{say, tell};
use breccia::model::{RollingKind, StepChoice};
use breccia::scene::{Inlet, InletAmount, Scene};
use breccia::simulation::{Setup, Simulation, StepLimits, StepVerdict};
use glam::DVec3;
use std::process::ExitCode;

/// Bytes per sphere in a dense bed at rest, lists and memories included, as `breccia bench bed` finds them (12 more where a side
/// is periodic): with memories of rolling, and without; of each, with losses followed, and not.
const BYTES_PER_SPHERE: [[f64; 2]; 2] = [[545.0, 475.0], [480.0, 400.0]];

/// Beyond this, a step number times the step is not exact.
const MOST_STEPS: u64 = 1 << 53;

/// Loads a scene and tells what it found.
pub fn check(options: &CheckOptions) -> Result<ExitCode, Failure> {
    let loaded = breccia::scene::load(&options.scene)?;
    show_warnings(&loaded.warnings);
    let scene = &loaded.scene;
    if let Some(plan) = &scene.grains {
        return check_grains::check(scene, plan);
    }
    if let Some(plan) = &scene.solids {
        return check_solids::check(scene, plan);
    }
    refuse_endless(scene)?;
    let refused_step = StepLimits::of(scene).judge(&scene.model) == StepVerdict::Refused;
    let mut lines = vec![scene.title.clone(), String::new()];
    lines.extend(contents(scene));
    lines.extend(loaded.meshes.iter().flat_map(|mesh| check_meshes::lines(scene, mesh)));
    lines.extend(time(scene));
    lines.push(output(scene));
    lines.push(memory(scene));
    tell::out(&(lines.join("\n") + "\n"))?;
    if refused_step {
        return Err(refused(scene));
    }
    // The first step finds bodies that start inside each other or behind walls.
    Simulation::new(scene).step()?;
    tell::out("\nThe scene can be run.\n")?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a run with more steps than time can be counted in.
pub fn refuse_endless(scene: &Scene) -> Result<(), Failure> {
    let setup = Setup::new(scene);
    if setup.last_step <= MOST_STEPS {
        return Ok(());
    }
    Err(Failure::other(
        format!(
            "the run would never end: {:e} s in steps of {}",
            scene.model.time.duration,
            say::seconds(setup.time_step)
        ),
        "shorten the duration; --restart goes on with a longer one",
    ))
}

/// The message for a step that is not run.
pub fn refused(scene: &Scene) -> Failure {
    let limits = StepLimits::of(scene);
    Failure::other(
        format!(
            "the time step is too long: at most {} can be run, {} is recommended",
            say::seconds(limits.refusal()),
            say::seconds(limits.automatic(&scene.model))
        ),
        "set [time] step = \"auto\", or lower young_modulus (softer contacts and bonds allow longer steps)",
    )
}

/// The warning for a step longer than recommended.
pub fn long_step_warning(scene: &Scene) -> Option<String> {
    let limits = StepLimits::of(scene);
    let StepChoice::Fixed(step) = scene.model.time.step else { return None };
    let bonds = if limits.bond.is_finite() {
        format!(", {:.0} % of the time of the stiffest bond", 100.0 * step / limits.bond)
    } else {
        String::new()
    };
    (limits.judge(&scene.model) == StepVerdict::Long).then(|| {
        format!(
            "the time step {} is longer than the recommended {} ({:.0} % of the Rayleigh time, {:.0} steps in the \
             shortest contact at {:.2} m/s{bonds}): restitution and energies will be less exact",
            say::seconds(step),
            say::seconds(limits.automatic(&scene.model)),
            100.0 * step / limits.rayleigh,
            limits.contact / step,
            limits.speed
        )
    })
}

fn contents(scene: &Scene) -> Vec<String> {
    let names = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    let (low, high) = scene.extent();
    let mut lines = vec![spheres(scene)];
    if !scene.bonds.is_empty() {
        lines.push(format!("bonds        {} at the start", say::count(scene.bonds.len() as u64)));
    }
    lines.extend(scene.inlets.iter().map(|inlet| inlet_line(scene, inlet)));
    lines.push(format!(
        "materials    {}",
        names(scene.model.materials.iter().map(|m| m.name.as_str()).collect())
    ));
    let walls = scene.model.walls.iter().filter(|wall| wall.mesh().is_none());
    lines.push(format!("walls        {}", names(walls.map(|wall| wall.name.as_str()).collect())));
    lines.push(format!("extent       {} to {} m", point(low), point(high)));
    lines
}

fn spheres(scene: &Scene) -> String {
    if scene.bodies.is_empty() {
        return "spheres      none at the start".to_owned();
    }
    let mass: f64 = scene
        .bodies
        .iter()
        .map(|b| scene.model.material(b.material).density * breccia::shapes::sphere_volume(b.radius))
        .sum();
    let radii = scene.bodies.iter().map(|b| b.radius);
    let (least, most) = radii.fold((f64::INFINITY, 0.0_f64), |(l, m), r| (l.min(r), m.max(r)));
    let radii = match least == most {
        true => format!("radius {} mm", say::number(least * 1e3)),
        false => format!("radii {} to {} mm", say::number(least * 1e3), say::number(most * 1e3)),
    };
    format!(
        "spheres      {} at the start, {} kg, {radii}",
        say::count(scene.bodies.len() as u64),
        say::number(mass)
    )
}

fn inlet_line(scene: &Scene, inlet: &Inlet) -> String {
    let what = if inlet.cluster.is_some() { "clusters" } else { "spheres" };
    let rate = match inlet.rate {
        InletAmount::Mass(rate) => format!("{} kg/s", say::number(rate)),
        InletAmount::Count(rate) => format!("{} {what}/s", say::number(rate)),
    };
    let mut line = format!(
        "inlet        \"{}\": {rate} from {} s",
        scene.groups[inlet.group as usize],
        say::number(inlet.start)
    );
    if inlet.stop.is_finite() {
        line += &format!(" to {} s", say::number(inlet.stop));
    }
    if let Some(most) = inlet.max_count {
        line += &format!(", at most {} {what}", say::count(most));
    }
    if let Some(most) = inlet.max_mass {
        line += &format!(", at most {} kg", say::number(most));
    }
    line
}

/// A point, in metres.
pub fn point(p: DVec3) -> String {
    format!("[{}, {}, {}]", say::number(p.x), say::number(p.y), say::number(p.z))
}

fn time(scene: &Scene) -> Vec<String> {
    let limits = StepLimits::of(scene);
    let setup = Setup::new(scene);
    let step = setup.time_step;
    let chosen = if scene.model.time.step == StepChoice::Auto { " (automatic)" } else { "" };
    let mut lines = vec![format!(
        "time         {} in {} steps of {}{chosen}",
        say::seconds(scene.model.time.duration),
        say::count(setup.last_step),
        say::seconds(step)
    )];
    if limits.rayleigh.is_finite() {
        lines.push(format!(
            "             {:.1} % of the Rayleigh time {} (recommended: up to {:.0} %, refused above 50 %)",
            100.0 * step / limits.rayleigh,
            say::seconds(limits.rayleigh),
            100.0 * scene.model.time.rayleigh_fraction
        ));
    }
    if limits.contact.is_finite() {
        lines.push(format!(
            "             {:.0} steps in the shortest contact, {} at {} m/s (recommended: {:.0} or more)",
            limits.contact / step,
            say::seconds(limits.contact),
            say::number(limits.speed),
            scene.model.time.steps_per_contact
        ));
    }
    if limits.bond.is_finite() {
        lines.push(format!(
            "             {:.0} % of the time of the stiffest bond, {} (recommended: up to 25 %, refused above 60 %)",
            100.0 * step / limits.bond,
            say::seconds(limits.bond)
        ));
    }
    lines.extend(long_step_warning(scene).map(|warning| format!("warning      {warning}")));
    lines
}

fn output(scene: &Scene) -> String {
    let times = |interval: f64| match interval.is_finite() {
        true => ((scene.model.time.duration / interval) as u64).saturating_add(1),
        false => 1,
    };
    format!(
        "output       {} frames, {} table rows, a checkpoint every {}",
        say::count(times(scene.output.frame_interval)),
        say::count(times(scene.output.table_interval)),
        say::wait(scene.output.checkpoint_interval)
    )
}

fn memory(scene: &Scene) -> String {
    let remembers_rolling = scene.model.laws.rolling == RollingKind::C;
    let each = BYTES_PER_SPHERE[usize::from(!remembers_rolling)][usize::from(!scene.model.follow_losses)];
    let spheres = most_spheres(scene);
    format!(
        "memory       about {} for {} spheres in a dense bed, {each} bytes each",
        say::bytes(spheres * each),
        say::count(spheres as u64)
    )
}

/// Spheres at the start and all that inlets may pour.
fn most_spheres(scene: &Scene) -> f64 {
    let poured: f64 = scene.inlets.iter().map(|inlet| most_poured(scene, inlet)).sum();
    scene.bodies.len() as f64 + poured.ceil()
}

fn most_poured(scene: &Scene, inlet: &Inlet) -> f64 {
    let time = (inlet.stop.min(scene.model.time.duration) - inlet.start).max(0.0);
    let density = scene.model.material(inlet.material).density;
    let (lightest, spheres) = match &inlet.cluster {
        Some(used) => (density * used.cluster.volume, used.cluster.spheres.len() as f64),
        None => (density * breccia::shapes::sphere_volume(inlet.sizes.smallest_radius()), 1.0),
    };
    let by_rate = match inlet.rate {
        InletAmount::Mass(rate) => rate * time / lightest,
        InletAmount::Count(rate) => rate * time,
    };
    let by_count = inlet.max_count.map_or(f64::INFINITY, |most| most as f64);
    let by_mass = inlet.max_mass.map_or(f64::INFINITY, |most| most / lightest);
    by_rate.min(by_count).min(by_mass) * spheres
}
