//! What hangs together, looked at after every step of a run in which much breaks; and the same bits however it is searched.

use super::stage::{Cement, cemented, cube};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use crate::verify::rig::Rig;
use breccia::contacts::bonds::Fragments;
use breccia::output::checkpoint;
use breccia::scene::Scene;
use breccia::simulation::Simulation;

/// Cubes thrown on a floor and on each other, across a periodic axis.
fn breaking() -> Result<Scene, VerifyError> {
    let rest = format!(
        r#"
[domain]
min = [-0.075, -0.075, -0.02]
max = [0.075, 0.075, 0.3]
periodic = ["x"]
[[template]]
name = "cube"
bond = "cement"
{}
[[bodies]]
kind = "random"
material = "rock"
template = "cube"
count = 60
velocity = [0.5, 0, -5]
region = {{ shape = "box", min = [-0.075, -0.07, 0.005], max = [0.075, 0.07, 0.19] }}
[[wall]]
material = "rock"
shape = "box"
min = [-1, -0.075, 0]
max = [1, 0.075, 0.3]
open = ["-x", "+x"]
"#,
        cube()
    );
    let cement = Cement { tensile: 2e5, shear: 2e5, damping: 0.05, ..Cement::default() };
    cemented(&cement, 6e-6, &rest)
}

/// Components equal those of a union-find after every step.
pub fn components(report: &mut Report) -> Result<(), VerifyError> {
    let mut rig = Rig::of(&breaking()?);
    let (mut steps, mut wrong) = (0_u32, Wrong::default());
    while rig.run.state.broken.len() < 1000 && steps < 20_000 || steps < 2000 {
        rig.step()?;
        steps += 1;
        wrong.look(&rig.run.state.fragments, rig.run.state.bodies.next_id);
    }
    let state = &rig.run.state;
    report.at_least("bonds broken", "", 1000.0, state.broken.len() as f64);
    report.at_least("steps looked at", "", 1000.0, f64::from(steps));
    report.at_least("components at the end", "", 100.0, state.fragments.count() as f64);
    report.absolute("bodies in another component than by union-find", "", 0.0, wrong.labels, 0.0);
    report.absolute("components with members out of order", "", 0.0, wrong.order, 0.0);
    report.absolute("steps at which members do not sum to all bodies", "", 0.0, wrong.sums, 0.0);
    report.absolute("steps at which bonds do not sum to all bonds", "", 0.0, wrong.bonds, 0.0);
    Ok(())
}

/// Mistakes counted.
#[derive(Default)]
struct Wrong {
    labels: f64,
    order: f64,
    sums: f64,
    bonds: f64,
}

impl Wrong {
    fn look(&mut self, fragments: &Fragments, bodies: u32) {
        let mut live = 0;
        let mut parent: Vec<u32> = (0..bodies).collect();
        for bond in (0..fragments.bond_count() as u32).filter(|&bond| fragments.is_alive(bond)) {
            let ends = fragments.ends(bond);
            let (a, b) = (root(&mut parent, ends.a), root(&mut parent, ends.b));
            // The root is the lowest number of its tree.
            parent[a.max(b) as usize] = a.min(b);
            live += 1;
        }
        let mut total = 0;
        for component in 0..fragments.labels() as u32 {
            let members = fragments.members(component);
            total += members.len();
            self.order += f64::from(u8::from(!members.windows(2).all(|pair| pair[0] < pair[1])));
            for &body in members {
                let same = fragments.component_of(body) == component && root(&mut parent, body) == members[0];
                self.labels += f64::from(u8::from(!same));
            }
        }
        self.sums += f64::from(u8::from(total != bodies as usize));
        self.bonds += f64::from(u8::from(live != fragments.live_count()));
    }
}

fn root(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        parent[body as usize] = parent[parent[body as usize] as usize];
        body = parent[body as usize];
    }
    body
}

/// A run by whole bodies and one by single spheres, on one thread and on several, end in the same bits.
pub fn same_bits(report: &mut Report) -> Result<(), VerifyError> {
    let mut scene = breaking()?;
    let steps = if report.quick { 2000 } else { 8000 };
    let (expected, broken) = end_of(&scene, 1, steps)?;
    report.at_least("bonds broken", "", 200.0, broken as f64);
    report.at_least("bytes compared", "", 1e5, expected.len() as f64);
    for whole_bodies in [true, false] {
        scene.model.search.whole_bodies = whole_bodies;
        for threads in [1, 2, 3] {
            let differing = match end_of(&scene, threads, steps)?.0 {
                same if same.len() == expected.len() => {
                    same.iter().zip(&expected).filter(|(a, b)| a != b).count()
                }
                _ => expected.len(),
            };
            let by = if whole_bodies { "whole bodies" } else { "single spheres" };
            let name = format!("searched by {by}, {threads} threads: bytes that differ");
            report.absolute(name, "", 0.0, differing as f64, 0.0);
        }
    }
    Ok(())
}

/// The whole state after so many steps, packed, and the number of broken bonds.
fn end_of(scene: &Scene, threads: usize, steps: u32) -> Result<(Vec<u8>, usize), VerifyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut run = Simulation::new(scene);
    pool.install(|| (0..steps).try_for_each(|_| run.step()))?;
    let bytes = checkpoint::encode(&run.state).map_err(|error| VerifyError::Course(error.to_string()))?;
    Ok((bytes, run.state.broken.len()))
}
