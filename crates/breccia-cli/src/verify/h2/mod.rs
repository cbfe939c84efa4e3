//! Spheres on meshes: the experiments of the Double Hierarchy paper, and what it promises in its Table 1.
//!
//! Santasusana, Irazábal, Oñate, Carbonell, "The Double Hierarchy Method", Comp. Part. Mech. (2016). Figures and tables
//! are those of the paper; published values are drawn as symbols.

mod bends;
mod bounce;
mod concave;
mod continuity;
mod drag;
mod hierarchy;
mod holes;
mod moving;
mod remedy;
mod restitution;
mod shape;
mod skin;
mod sliding;
mod stage;
mod table1;
mod weights;

use super::Experiment;

/// The experiments with meshes in the order they are run.
#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "h2.bounce", about: "bounce on a facet, an edge and a vertex (Figs. 18, 19)", run: bounce::bounce },
    Experiment { name: "h2.continuity", about: "a sphere guided over facet, edge, facet (Figs. 20, 21)", run: continuity::continuity },
    Experiment { name: "h2.holes", about: "three balls come to rest in three holes (Figs. 22, 23)", run: holes::holes },
    Experiment { name: "h2.sliding", about: "a sliding ball begins to roll on one quad and on 80 triangles (Figs. 24, 25)", run: sliding::sliding },
    Experiment { name: "h2.concave", about: "jump of force at concave edges, and its remedy (Figs. 31, 32)", run: concave::concave },
    Experiment { name: "h2.drag", about: "friction across elements, with memory and without (Eq. 43, Fig. 33)", run: drag::drag },
    Experiment { name: "h2.weights", about: "contact forces shared among nodes", run: weights::weights },
    Experiment { name: "h2.moving", about: "plates and belts of polygons that move", run: moving::moving },
    Experiment { name: "h2.hierarchy", about: "order and cutting of elements do not matter", run: hierarchy::hierarchy },
    Experiment { name: "h2.restitution", about: "rebound speed from facets, edges and vertices", run: restitution::restitution },
    Experiment { name: "h2.skin", about: "the reach of the search does not matter", run: skin::skin },
    Experiment { name: "h2.table1", about: "one check for each row of the paper's Table 1", run: table1::table1 },
];
