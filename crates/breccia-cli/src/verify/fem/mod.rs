//! Deformable bodies: the experiments of Petőcz and Armero, "A sorting contact detection algorithm", UCB/SEMM-98/06
//! (1998), and the invariants its scheme promises.

mod box_of_disks;
mod element;
mod flight;
mod friction;
mod impact;
mod ratio;
mod sharp;
mod sorting;
mod stage;

use super::Experiment;

/// The experiments with deformable bodies in the order they are run.
#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "fem.element", about: "elements, pressure law and contact element against differences", run: element::element },
    Experiment { name: "fem.free_flight", about: "a tumbling disk, consistent and lumped mass", run: flight::free_flight },
    Experiment { name: "fem.stability", about: "a spinning disk with the mean of strains, and with the strain of the mean", run: flight::stability },
    Experiment { name: "fem.impact", about: "two disks: oblique, head-on, other steps, penalties and meshes", run: impact::impact },
    Experiment { name: "fem.pressure_rules", about: "pressure at other gaps does not conserve", run: impact::pressure_rules },
    Experiment { name: "fem.sharp", about: "corners, faces and a notch", run: sharp::sharp },
    Experiment { name: "fem.wall", about: "a disk off a wall", run: impact::wall },
    Experiment { name: "fem.step_lengths", about: "steps of changing length through an impact", run: impact::step_lengths },
    Experiment { name: "fem.friction", about: "friction: what is lost, what is kept, two surfaces of one body", run: friction::friction },
    Experiment { name: "fem.tree", about: "the tree of five particles; tree against brute force; counts of operations (Sec. 3, 4, Figs. 4, 5)", run: sorting::tree },
    Experiment { name: "fem.reach", about: "a list for many steps misses nothing (Remark 4.1)", run: sorting::reach },
    Experiment { name: "fem.ratio", about: "detection over solution as bodies become many (Table 3, Remark 7.1)", run: ratio::ratio },
    Experiment { name: "fem.disks", about: "elastic disks in a box to t = 85 (Figs. 8, 9)", run: box_of_disks::disks },
];
