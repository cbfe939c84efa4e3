//! `breccia check`: what a scene means, without running it.

use crate::cli::CheckOptions;
use crate::problem::{Failure, show_warnings};
use crate::say;
use breccia::model::{NormalKind, StepChoice};
use breccia::scene::{InletAmount, Scene};
use breccia::simulation::{Setup, StepLimits, StepVerdict};
use std::process::ExitCode;

/// Bytes per sphere in a dense bed, lists and memories included (measured by `breccia bench bed`).
const BYTES_PER_SPHERE: f64 = 600.0;

/// Loads a scene and tells what it found.
pub fn check(options: &CheckOptions) -> Result<ExitCode, Failure> {
    let loaded = breccia::scene::load(&options.scene)?;
    show_warnings(&loaded.warnings);
    let scene = &loaded.scene;
    println!("{}\n", scene.title);
    print_contents(scene);
    let verdict = print_time(scene);
    println!(
        "memory       about {} at rest in a dense bed",
        say::bytes(final_count(scene) * BYTES_PER_SPHERE)
    );
    match verdict {
        StepVerdict::Refused => Err(refused(scene)),
        _ => {
            println!("\nThe scene can be run.");
            Ok(ExitCode::SUCCESS)
        }
    }
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
        "set [time] step = \"auto\", or lower young_modulus (softer contacts allow longer steps)",
    )
}

/// The warning for a step longer than recommended.
pub fn long_step_warning(scene: &Scene) -> Option<String> {
    let limits = StepLimits::of(scene);
    let StepChoice::Fixed(step) = scene.model.time.step else { return None };
    (limits.judge(&scene.model) == StepVerdict::Long).then(|| {
        format!(
            "the time step {} is longer than the recommended {} ({:.0} % of the Rayleigh time, {:.0} steps in the \
             shortest contact at {:.2} m/s): restitution and energies will be less exact",
            say::seconds(step),
            say::seconds(limits.automatic(&scene.model)),
            100.0 * step / limits.rayleigh,
            limits.contact / step,
            limits.speed
        )
    })
}

fn print_contents(scene: &Scene) {
    let mass: f64 = scene
        .bodies
        .iter()
        .map(|b| scene.model.material(b.material).density * breccia::shapes::sphere_volume(b.radius))
        .sum();
    let radii = scene.bodies.iter().map(|b| b.radius);
    let (least, most) = radii.fold((f64::INFINITY, 0.0_f64), |(l, m), r| (l.min(r), m.max(r)));
    if scene.bodies.is_empty() {
        println!("spheres      none at the start");
    } else {
        println!(
            "spheres      {} at the start, {mass:.4} kg, radii {:.4} to {:.4} mm",
            say::count(scene.bodies.len() as u64),
            least * 1e3,
            most * 1e3
        );
    }
    for inlet in &scene.inlets {
        let rate = match inlet.rate {
            InletAmount::Mass(rate) => format!("{rate} kg/s"),
            InletAmount::Count(rate) => format!("{rate} spheres/s"),
        };
        println!("inlet        \"{}\": {rate} from {} s", scene.groups[inlet.group as usize], inlet.start);
    }
    let names = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    println!("materials    {}", names(scene.model.materials.iter().map(|m| m.name.as_str()).collect()));
    println!("walls        {}", names(scene.model.walls.iter().map(|w| w.name.as_str()).collect()));
    let (low, high) = scene.extent();
    println!("extent       {low} to {high} m");
}

fn print_time(scene: &Scene) -> StepVerdict {
    let limits = StepLimits::of(scene);
    let setup = Setup::new(scene);
    let step = setup.time_step;
    println!(
        "time         {} in {} steps of {}",
        say::seconds(scene.model.time.duration),
        say::count(setup.last_step),
        say::seconds(step)
    );
    if scene.model.laws.normal == NormalKind::Hertz {
        println!(
            "             {:.1} % of the Rayleigh time {} (recommended: up to {:.0} %, refused above 50 %)",
            100.0 * step / limits.rayleigh,
            say::seconds(limits.rayleigh),
            100.0 * scene.model.time.rayleigh_fraction
        );
    }
    println!(
        "             {:.0} steps in the shortest contact, {} at {:.3} m/s (recommended: {:.0} or more)",
        limits.contact / step,
        say::seconds(limits.contact),
        limits.speed,
        scene.model.time.steps_per_contact
    );
    if let Some(warning) = long_step_warning(scene) {
        println!("warning      {warning}");
    }
    limits.judge(&scene.model)
}

fn final_count(scene: &Scene) -> f64 {
    let poured: f64 = scene
        .inlets
        .iter()
        .map(|inlet| {
            let time = inlet.stop.min(scene.model.time.duration) - inlet.start;
            let density = scene.model.material(inlet.material).density;
            let each = density * breccia::shapes::sphere_volume(inlet.sizes.smallest_radius());
            let by_rate = match inlet.rate {
                InletAmount::Mass(rate) => rate * time / each,
                InletAmount::Count(rate) => rate * time,
            };
            inlet.max_count.map_or(by_rate, |most| by_rate.min(most as f64))
        })
        .sum();
    scene.bodies.len() as f64 + poured
}
