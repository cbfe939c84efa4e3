//! `breccia verify`: experiments with known answers, and how close the engine comes.
//!
//! An experiment is a function that runs scenes and fills a [`Report`]: checks for the table, series for CSV files,
//! plots for SVG files. It never touches the disk. Add one by writing it and naming it in [`SPHERES`],
//! [`h2::EXPERIMENTS`], [`bonded::EXPERIMENTS`], [`fem::EXPERIMENTS`] or [`gem::EXPERIMENTS`].

mod bonded;
mod budget;
mod collisions;
mod fem;
mod gem;
mod h2;
mod impact;
mod integrator;
mod oblique;
mod oracle;
mod periodic;
mod report;
mod restitution;
mod rig;
mod rolling;
mod spin;
mod statics;

use crate::problem::Failure;
use crate::tell;
use breccia::output::OutputError;
use breccia::scene::SceneError;
use breccia::simulation::StepError;
use clap::Args;
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use thiserror::Error;

/// What to verify.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit code: 0 when all checks passed, 1 otherwise.")]
pub struct VerifyOptions {
    /// Experiments (spheres.free_fall) or families (spheres, h2, bonded, gem, fem) [default: all].
    pub names: Vec<String>,
    /// Shorter experiments where there is a choice.
    #[arg(long)]
    pub quick: bool,
    /// Folder that gets a sub-folder of tables and plots per experiment.
    #[arg(short, long, default_value = "out/verify")]
    pub out: PathBuf,
}

/// Why an experiment gave no answer.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A name that nothing goes by.
    #[error("there is no experiment or family `{name}`\nhelp: choose from {known}")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The experiment's own scene is wrong.
    #[error("{0}")]
    Scene(#[from] SceneError),
    /// The run had to stop.
    #[error("{0}")]
    Step(#[from] StepError),
    /// A run with deformable bodies had to stop.
    #[error("{0}")]
    Solid(#[from] breccia::deformable::SolidError),
    /// The experiment's own mesh is wrong.
    #[error("{0}")]
    Mesh(#[from] breccia::deformable::mesh::MeshError),
    /// A run of grains had to stop.
    #[error("{0}")]
    Grains(#[from] breccia::implicit::GrainError),
    /// A run did not get where the experiment needs it.
    #[error("{0}")]
    Course(String),
    /// Tables or plots could not be written.
    #[error("{0}")]
    Output(#[from] OutputError),
    /// Threads could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] rayon::ThreadPoolBuildError),
}

/// An experiment with a known answer.
struct Experiment {
    /// `family.name`; names its folder, too.
    name: &'static str,
    /// One line for people.
    about: &'static str,
    run: fn(&mut Report) -> Result<(), VerifyError>,
}

/// Experiments with spheres and analytic walls in the order they are run.
#[rustfmt::skip]
const SPHERES: &[Experiment] = &[
    Experiment { name: "spheres.free_fall", about: "throw without contact", run: impact::free_fall },
    Experiment { name: "spheres.hertz_impact", about: "elastic impact, Hertz law", run: impact::hertz },
    Experiment { name: "spheres.linear_impact", about: "elastic impact, linear law", run: impact::linear },
    Experiment { name: "spheres.restitution", about: "rebound speed, mean over contact phases", run: restitution::sweep },
    Experiment { name: "spheres.oblique_sliding", about: "oblique impact in gross sliding", run: oblique::sliding },
    Experiment { name: "spheres.oblique_sticking", about: "oblique impact without sliding, linear law", run: oblique::sticking },
    Experiment { name: "spheres.oblique_angles", about: "oblique impact over all angles, Hertz law", run: oblique::angles },
    Experiment { name: "spheres.sliding_to_rolling", about: "a sliding ball begins to roll", run: rolling::sliding_to_rolling },
    Experiment { name: "spheres.rolling_decay", about: "rolling resistance stops a ball", run: rolling::decay },
    Experiment { name: "spheres.spin", about: "spinning balls and moving plates", run: spin::spin },
    Experiment { name: "spheres.belt", about: "a ball laid on a belt", run: spin::belt },
    Experiment { name: "spheres.column", about: "ten spheres on top of each other", run: statics::column },
    Experiment { name: "spheres.unequal_collision", about: "central collision of unequal spheres", run: collisions::unequal },
    Experiment { name: "spheres.angular_momentum", about: "off-centre pair with friction", run: collisions::angular_momentum },
    Experiment { name: "spheres.order", about: "order of accuracy of the integrator", run: integrator::order },
    Experiment { name: "spheres.periodic", about: "a periodic scene and its shifted copy", run: periodic::shifted },
    Experiment { name: "spheres.elastic_box", about: "energy of an elastic gas in a box", run: budget::elastic_box },
    Experiment { name: "spheres.damped_heap", about: "energy budget of a heap coming to rest", run: budget::damped_heap },
];

/// `breccia verify`.
pub fn verify(options: &VerifyOptions) -> Result<ExitCode, Failure> {
    Ok(if run(options)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the experiments asked for and tells whether all passed.
///
/// Everything runs on one thread: the bodies are few, and no result depends on the number of threads.
fn run(options: &VerifyOptions) -> Result<bool, Failure> {
    let chosen = choose(&options.names)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(VerifyError::from)?;
    let (mut passed, mut failed) = (0, 0);
    for experiment in chosen {
        let begin = Instant::now();
        let mut report = Report::new(options.quick);
        let outcome = pool.install(|| (experiment.run)(&mut report));
        let mut text = format!(
            "{} — {} ({:.1} s)\n{}",
            experiment.name,
            experiment.about,
            begin.elapsed().as_secs_f64(),
            report.table()
        );
        report.write(&options.out.join(experiment.name))?;
        passed += report.passed();
        failed += report.failed();
        if let Err(error) = outcome {
            text += &format!("  stopped: {error}\n");
            failed += 1;
        }
        tell::out(&(text + "\n"))?;
    }
    let folder = options.out.display();
    tell::out(&format!("tables and plots: {folder}\n{passed} passed, {failed} failed\n"))?;
    Ok(failed == 0)
}

/// All experiments in the order they are run.
fn experiments() -> impl Iterator<Item = &'static Experiment> {
    SPHERES
        .iter()
        .chain(h2::EXPERIMENTS)
        .chain(bonded::EXPERIMENTS)
        .chain(fem::EXPERIMENTS)
        .chain(gem::EXPERIMENTS)
}

fn choose(names: &[String]) -> Result<Vec<&'static Experiment>, VerifyError> {
    let goes_by = |experiment: &Experiment, name: &str| {
        experiment.name == name || experiment.name.split('.').next() == Some(name)
    };
    for name in names {
        if !experiments().any(|experiment| goes_by(experiment, name)) {
            let known = experiments().map(|experiment| experiment.name);
            let families = ["spheres", "h2", "bonded", "gem", "fem"].into_iter();
            let known = families.chain(known).collect::<Vec<_>>().join(", ");
            return Err(VerifyError::UnknownName { name: name.clone(), known });
        }
    }
    let wanted =
        |experiment: &&Experiment| names.is_empty() || names.iter().any(|name| goes_by(experiment, name));
    Ok(experiments().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|name| name.to_string()).collect();
        choose(&asked).unwrap().iter().map(|experiment| experiment.name).collect()
    }

    #[test]
    fn families_and_single_experiments_are_found() {
        let families = ["spheres", "h2", "bonded", "gem", "fem"];
        let each = families.iter().map(|family| names(&[family]).len());
        assert_eq!(names(&[]).len(), each.sum::<usize>());
        assert_eq!(names(&["bonded"]).len(), bonded::EXPERIMENTS.len());
        assert_eq!(names(&["gem"]).len(), gem::EXPERIMENTS.len());
        assert_eq!(names(&["spheres"]).len(), SPHERES.len());
        assert_eq!(names(&["h2"]).len(), h2::EXPERIMENTS.len());
        assert_eq!(names(&["fem"]).len(), fem::EXPERIMENTS.len());
        assert_eq!(names(&["spheres.order", "spheres.free_fall"]), ["spheres.free_fall", "spheres.order"]);
    }

    #[test]
    fn an_unknown_name_is_refused_with_what_there_is() {
        let error = choose(&["spheres.fall".to_string()]).err().unwrap().to_string();
        assert!(error.contains("`spheres.fall`") && error.contains("spheres.free_fall"), "{error}");
    }
}
