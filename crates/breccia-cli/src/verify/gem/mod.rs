//! NURBS grains with implicit steps: closed forms, packings, and the experiments of the paper.
//!
//! Lim, Krabbenhoft, Andrade, "On the contact treatment of non-convex particles in the granular element method",
//! Comp. Part. Mech. 1 (2014). The paper gives neither shapes nor units: shapes are the sixteen built-in ones, lengths
//! are in mean diameters.

mod biaxial;
mod column;
mod disc;
mod grain;
mod packing;
mod seams;
mod stage;

use super::Experiment;

/// The experiments with grains in the order they are run.
#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "gem.rest", about: "a disc at rest, rigid and elastic, and sheared", run: disc::rest },
    Experiment { name: "gem.sliding", about: "a disc slides, sticks, begins to roll", run: disc::sliding },
    Experiment { name: "gem.restitution", about: "head-on impacts by θ and by the gap inside the step", run: disc::restitution },
    Experiment { name: "gem.feet", about: "dropped grains come to rest on two feet", run: grain::feet },
    Experiment { name: "gem.rolling", about: "a circle of knots on a slope, refined and fixed knots", run: grain::rolling },
    Experiment { name: "gem.seams", about: "seam, kink, doubled contacts, discs on grains", run: seams::seams },
    Experiment { name: "gem.statics", about: "100 discs compressed: pressure held, resistance, both solvers", run: packing::statics },
    Experiment { name: "gem.safety", about: "a tall box: common motion is no reason to redo a step", run: packing::tall_box },
    Experiment { name: "gem.halving", about: "64 non-convex grains compressed in whole and half strain steps", run: packing::halving },
    Experiment { name: "gem.collapse", about: "64 grains: discs without friction, non-convex grains with", run: packing::collapse },
    Experiment { name: "gem.biaxial", about: "biaxial compression: three assemblies, stiffness, friction (12.1)", run: biaxial::biaxial },
    Experiment { name: "gem.column", about: "column drop: three assemblies, with friction and without (12.2)", run: column::column },
    Experiment { name: "gem.many_discs", about: "10,000 discs, 30 quasi-static increments", run: packing::many_discs },
];
