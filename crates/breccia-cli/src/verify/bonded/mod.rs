//! Bonded clusters: acceptance tests of bonds, breaking and searching, and the experiments of the paper.
//!
//! Huang, Ding, Miao, Sang, Jia, "An improved contact detection algorithm for bonded particles based on multi-level grid
//! and bounding box in DEM simulation", Powder Technology (2020).

mod built_in;
mod components;
mod elastic;
mod failure;
mod hopper;
mod mill;
mod release;
mod search;
mod stage;

use super::Experiment;

/// The experiments with clusters in the order they are run.
#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "bonded.periods", about: "two spheres and a bond oscillate", run: elastic::periods },
    Experiment { name: "bonded.cantilever", about: "a row of bonds bends as a beam", run: elastic::cantilever },
    Experiment { name: "bonded.spinning", about: "a spinning cube keeps energy and angular momentum", run: elastic::spinning },
    Experiment { name: "bonded.strengths", about: "bonds fail at their strength", run: failure::strengths },
    Experiment { name: "bonded.cube_drop", about: "energy balance of a cube that breaks", run: failure::cube_drop },
    Experiment { name: "bonded.search", about: "searches against brute force on random bodies", run: search::random_scenes },
    Experiment { name: "bonded.cases", about: "searches against each other on the 24 published cases", run: search::cases },
    Experiment { name: "bonded.components", about: "fragments against union-find after every step", run: components::components },
    Experiment { name: "bonded.at_rest", about: "templates whose spheres overlap stay at rest", run: release::at_rest },
    Experiment { name: "bonded.let_go", about: "all bonds fail at once", run: release::let_go },
    Experiment { name: "bonded.same_bits", about: "same bits for both searches and any threads", run: components::same_bits },
    Experiment { name: "bonded.drums", about: "a drum with lifters as a mesh and as analytic walls", run: mill::drums },
    Experiment { name: "bonded.mill", about: "balls grind cubes for 8 s", run: mill::mill },
    Experiment { name: "bonded.hopper", about: "a heap left behind by a lifted hopper", run: hopper::hopper },
];
