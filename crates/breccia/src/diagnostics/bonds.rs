//! Bonds and fragments in numbers.

use crate::contacts::bonds::{Bond, FailureMode};
use crate::laws::bond_stresses;
use crate::model::BondKind;
use crate::simulation::Setup;
use crate::state::State;
use glam::DVec3;

/// Bonds and fragments of one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BondStatistics {
    /// Bonds that hold.
    pub holding: u64,
    /// Bonds that tension broke.
    pub broken_tension: u64,
    /// Bonds that shear broke.
    pub broken_shear: u64,
    /// Broken bonds over all ever made [–]; those that went with removed bodies count as unbroken.
    pub broken_share: f64,
    /// Fragments of clusters: parts of what was bonded once, down to single spheres.
    pub fragments: u64,
    /// Mass of the heaviest fragment [kg].
    pub largest_mass: f64,
}

/// Looks at the bonds of a state.
pub fn bond_statistics(state: &State) -> BondStatistics {
    let by = |mode: FailureMode| state.broken.iter().filter(|broken| broken.mode == mode).count() as u64;
    let made = state.fragments.bond_count();
    let masses = fragment_masses(state);
    BondStatistics {
        holding: state.fragments.live_count() as u64,
        broken_tension: by(FailureMode::Tension),
        broken_shear: by(FailureMode::Shear),
        broken_share: if made > 0 { state.broken.len() as f64 / made as f64 } else { 0.0 },
        fragments: masses.len() as u64,
        largest_mass: masses.iter().map(|fragment| fragment.mass).fold(0.0, f64::max),
    }
}

/// A part of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FragmentMass {
    /// Number of its component.
    pub component: u32,
    /// Its spheres.
    pub spheres: u32,
    /// Its mass [kg].
    pub mass: f64,
}

/// All fragments of what was bonded once, by the number of their component.
pub fn fragment_masses(state: &State) -> Vec<FragmentMass> {
    let fragments = &state.fragments;
    let mut all = vec![FragmentMass::default(); fragments.labels()];
    if fragments.bond_count() == 0 {
        return Vec::new();
    }
    // By body number, so that sums do not depend on the order of rows.
    let mut rows: Vec<(u32, usize)> = state.bodies.id.iter().copied().zip(0..).collect();
    rows.retain(|&(id, _)| fragments.was_bonded(id));
    rows.sort_unstable();
    for (id, row) in rows {
        let component = fragments.component_of(id);
        let fragment = &mut all[component as usize];
        fragment.component = component;
        fragment.spheres += 1;
        fragment.mass += 1.0 / state.bodies.places[row].inverse_mass;
    }
    all.retain(|fragment| fragment.spheres > 0);
    all
}

/// A live bond of the last instant, spelled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondLoad {
    /// The bond; its sides are rows.
    pub bond: Bond,
    /// Its kind.
    pub kind: u16,
    /// From the centre of a to that of b [m, world].
    pub separation: DVec3,
    /// Axial force [N], tension positive, dashpot included.
    pub normal_force: f64,
    /// Shear force on a [N, world], dashpot included.
    pub shear_force: DVec3,
    /// Twisting moment on a about the axis [N m], dashpot included.
    pub twisting_moment: f64,
    /// Bending moment on a [N m, world], dashpot included.
    pub bending_moment: DVec3,
    /// Tensile stress over its strength [–]; negative in compression.
    pub tension: f64,
    /// Shear stress over its strength [–].
    pub shear: f64,
}

/// All live bonds at the instant of the last forces, by number.
pub fn bond_loads(setup: &Setup, state: &State) -> Vec<BondLoad> {
    let period = setup.model.domain.period();
    let mut loads = Vec::new();
    for chunk in &state.lists.chunks {
        for group in &chunk.bonds {
            let shift = group.image.shift(period);
            for bond in group.bonds() {
                let [a, b] = [bond.a, bond.b].map(|row| state.bodies.last_places[row as usize].centre());
                let kind = &setup.model.bonds[usize::from(group.kind.0)];
                loads.push(BondLoad { kind: group.kind.0, ..load_of(bond, kind, b - a + shift) });
            }
        }
    }
    loads.sort_unstable_by_key(|load| load.bond.id);
    loads
}

fn load_of(bond: Bond, kind: &BondKind, separation: DVec3) -> BondLoad {
    let (coefficients, history, memory) = (bond.coefficients(kind), bond.history(), &bond.memory);
    let length = separation.length();
    let (tension, shear) = bond_stresses(length, &coefficients, &history);
    let elastic = coefficients.normal * coefficients.area * (length - bond.rest_length);
    BondLoad {
        bond,
        kind: 0,
        separation,
        normal_force: elastic + memory.normal_dashpot,
        shear_force: memory.shear + memory.shear_dashpot,
        twisting_moment: memory.twist + memory.twist_dashpot,
        bending_moment: memory.bending + memory.bending_dashpot,
        tension: tension / (bond.strength * kind.tensile_strength),
        shear: shear / (bond.strength * kind.shear_strength),
    }
}
