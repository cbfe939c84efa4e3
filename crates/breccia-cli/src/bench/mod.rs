//! `breccia bench`: throughput, measured.

mod bed;
pub mod clusters;
mod cubes;
mod drum;
mod export;
mod flow;
mod grain;
mod grains;
mod growth;
mod measure;
mod mixer;
mod processor;
mod replay;
mod report;
mod sizes;
mod sorting;

use crate::cli::{BenchName, BenchOptions, BenchRolling};
use crate::problem::Failure;
use breccia::scene::Scene;
use std::process::ExitCode;

/// Time of a measurement [s].
const SECONDS: f64 = 5.0;

/// Runs a bench.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    match options.name {
        BenchName::Bed => bed::bench(options),
        BenchName::Flow => flow::bench(options),
        BenchName::Cubes => cubes::bench(options),
        BenchName::Growth => growth::bench(options),
        BenchName::Drum => drum::bench(options),
        BenchName::Mixer => mixer::bench(options),
        BenchName::Sizes => sizes::bench(options),
        BenchName::Clusters => clusters::bench(options),
        BenchName::Sorting => sorting::bench(options),
        BenchName::Grains => grains::bench(options),
    }
}

impl BenchOptions {
    /// Number of spheres asked for, or what the bench is meant for.
    fn spheres(&self, usual: usize) -> usize {
        self.n.unwrap_or(usual)
    }

    /// The scene to be measured: with losses followed, or not.
    fn measured(&self, mut scene: Scene) -> Scene {
        scene.model.follow_losses = !self.no_losses;
        scene
    }

    /// How long to measure, unless the bench knows better.
    fn window(&self) -> measure::Window {
        match self.steps {
            Some(steps) => measure::Window::Steps(steps),
            None => measure::Window::Seconds(self.seconds.unwrap_or(SECONDS)),
        }
    }
}

impl BenchRolling {
    /// As scenes call it.
    fn word(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::ALimited => "a-limited",
            Self::None => "none",
        }
    }
}
