//! From the state of a run to frames, table rows and picture.
//!
//! All are for the instant t^n whose forces were evaluated last: positions x^n, velocities the mean of the half
//! steps around it, forces m (v^{n+½} − v^{n−½})/Δt.

use super::observe_bonds::bond_frame;
use super::{
    ClipBox, Column, ContactFrame, FrameSet, MeshFrame, MeshPiece, PictureOptions, PictureScene, SphereFrame,
    WallFrame, WallMesh, WallSurface, surface_polygons,
};
use crate::contacts::Partner;
use crate::diagnostics::{Sample, bond_statistics, mesh_loads, visit_contacts};
use crate::model::{Surface, Wall};
use crate::motion::{Pose, turned};
use crate::simulation::{Setup, Simulation};
use crate::state::{SpinRow, State};
use glam::DVec3;

/// Everything a frame shows. Loads on elements of meshes are means since the last
/// [`Simulation::begin_interval`].
pub fn frame_of(run: &Simulation, with_contacts: bool, with_bonds: bool) -> FrameSet {
    let (setup, state) = (&run.setup, &run.state);
    let is_mesh = |wall: &Wall| wall.mesh().is_some();
    let (has_meshes, has_walls) =
        (setup.model.walls.iter().any(is_mesh), !setup.model.walls.iter().all(is_mesh));
    let (meshes, walls) = wall_surfaces(setup, state)
        .into_iter()
        .partition(|surface| is_mesh(&setup.model.walls[usize::from(surface.id)]));
    FrameSet {
        time: setup.time_of(state.step.saturating_sub(1)),
        spheres: Some(sphere_frame(setup, state)),
        contacts: with_contacts.then(|| contact_frame(setup, state)),
        // Also where all have been taken away: ParaView would go on showing the last file.
        walls: has_walls.then_some(WallFrame { walls }),
        meshes: has_meshes.then(|| mesh_frame(setup, state, meshes)),
        bonds: (with_bonds && !setup.model.bonds.is_empty()).then(|| bond_frame(setup, state)),
        ..FrameSet::default()
    }
}

fn mesh_frame(setup: &Setup, state: &State, surfaces: Vec<WallSurface>) -> MeshFrame {
    let pieces = surfaces.into_iter().zip(mesh_loads(setup, state)).map(|(surface, (_, load))| {
        let wall = &setup.model.walls[usize::from(surface.id)];
        let elements = || wall.mesh().into_iter().flat_map(|surface| &surface.mesh.elements);
        MeshPiece {
            id: surface.id,
            name: surface.name,
            mesh: surface.mesh,
            groups: elements().map(|element| element.group).collect(),
            patches: elements().map(|element| element.patch).collect(),
            load,
        }
    });
    MeshFrame { meshes: pieces.collect() }
}

fn sphere_frame(setup: &Setup, state: &State) -> SphereFrame {
    let bodies = &state.bodies;
    let mut frame = SphereFrame {
        ids: bodies.id.clone(),
        materials: bodies.material.iter().map(|material| material.0).collect(),
        groups: bodies.group.clone(),
        ..SphereFrame::default()
    };
    if !bodies.orientation.is_empty() {
        // The step has turned them on already; turned back by the same angle they belong to this instant.
        let back = |spin: &SpinRow| DVec3::from_array(spin.spin) * -setup.time_step;
        let turns = bodies.orientation.iter().zip(&bodies.spins);
        frame.orientations = Some(turns.map(|(&now, spin)| turned(now, back(spin))).collect());
    }
    if !setup.model.bonds.is_empty() {
        let fragment = |&id: &u32| {
            let component = state.fragments.component_of(id);
            [component, state.fragments.members(component).len() as u32]
        };
        frame.fragments = Some(bodies.id.iter().map(fragment).collect());
    }
    let clumps = &state.clumps;
    if !clumps.is_empty() {
        let first_id = |row: usize| clumps.of_row(row).map_or(bodies.id[row], |k| clumps.clumps[k].first_id);
        frame.clumps = Some((0..bodies.len()).map(first_id).collect());
    }
    for row in 0..bodies.len() {
        let (before, after) = (&bodies.last_places[row], &bodies.places[row]);
        let (old_spin, new_spin) = (&bodies.last_spins[row], &bodies.spins[row]);
        let [old_turn, new_turn] = [old_spin.spin, new_spin.spin].map(DVec3::from_array);
        let kick = (after.velocity() - before.velocity()) / setup.time_step;
        frame.positions.push(before.centre());
        frame.radii.push(before.radius);
        frame.velocities.push((before.velocity() + after.velocity()) * 0.5);
        frame.spins.push((old_turn + new_turn) * 0.5);
        // Spheres of a clump show what acts on all of it.
        let (force, torque) = match clumps.of_row(row) {
            Some(clump) => {
                let (old, new) = (&clumps.before[clump], &clumps.now[clump]);
                let kick = (new.velocity - old.velocity) * (clumps.clumps[clump].mass / setup.time_step);
                (kick, (new.angular_momentum - old.angular_momentum) / setup.time_step)
            }
            None => {
                let turn = (new_turn - old_turn) / (setup.time_step * old_spin.inverse_inertia);
                (kick / before.inverse_mass, turn)
            }
        };
        frame.forces.push(force);
        frame.torques.push(torque);
    }
    frame
}

fn contact_frame(setup: &Setup, state: &State) -> ContactFrame {
    let mut frame = ContactFrame::default();
    visit_contacts(setup, state, |record| {
        let number = |partner: Partner| match partner {
            Partner::Body(id) => id,
            Partner::Wall(wall) => u32::from(wall.0),
        };
        let centre = |attachment: &crate::contacts::Attachment| match attachment {
            crate::contacts::Attachment::RigidArm(arm) => record.point - *arm,
            crate::contacts::Attachment::Prescribed(_) | crate::contacts::Attachment::Nodes { .. } => {
                record.point
            }
        };
        frame.ends.push([centre(&record.attachment_a), centre(&record.attachment_b)]);
        frame.keys.push([number(record.key.a), number(record.key.b)]);
        frame.walls.push(u8::from(matches!(record.key.b, Partner::Wall(_))));
        frame.normal_forces.push(record.force.normal);
        frame.tangential_forces.push(record.force.tangential);
        frame.overlaps.push(-record.gap);
    });
    frame
}

fn wall_surfaces(setup: &Setup, state: &State) -> Vec<WallSurface> {
    let walls = setup.walls_at(state, state.step.saturating_sub(1));
    let shapes: Vec<(&Surface, Pose)> = walls.iter().map(|wall| (wall.surface, wall.pose)).collect();
    let rows = state.bodies.rows();
    let centres: Vec<DVec3> = rows.iter().map(|row| row.centre()).collect();
    let radii: Vec<f64> = rows.iter().map(|row| row.radius).collect();
    let clip = ClipBox::around(&centres, &radii, &shapes);
    walls
        .iter()
        .zip(&setup.model.walls)
        .zip(0_u16..)
        .filter(|((now, _), _)| now.present)
        .map(|((now, wall), id)| WallSurface {
            id,
            name: wall.name.clone(),
            mesh: surface_polygons(now.surface, &now.pose, &clip),
        })
        .collect()
}

/// A picture coloured by speed, or by the size of fragments in a run with bonds.
pub fn picture_of(run: &Simulation, title: &str) -> (PictureScene, PictureOptions) {
    let frame = sphere_frame(&run.setup, &run.state);
    let walls: Vec<WallMesh> =
        wall_surfaces(&run.setup, &run.state).into_iter().map(|wall| wall.mesh).collect();
    let gravity = run.state.gravity;
    let time = run.setup.time_of(run.state.step.saturating_sub(1));
    let options = PictureOptions {
        up: if gravity == DVec3::ZERO { DVec3::Z } else { -gravity.normalize() },
        title: title.to_owned(),
        caption: format!("t = {time:.4} s, {} spheres", frame.ids.len()),
        legend: if frame.fragments.is_some() {
            "spheres of its fragment".into()
        } else {
            "speed [m/s]".into()
        },
        ..PictureOptions::default()
    };
    let scene = PictureScene {
        values: match &frame.fragments {
            Some(fragments) => fragments.iter().map(|&[_, size]| f64::from(size)).collect(),
            None => frame.velocities.iter().map(|v| v.length()).collect(),
        },
        centres: frame.positions,
        radii: frame.radii,
        walls,
    };
    (scene, options)
}

/// Columns of the table, in the order of [`table_row`].
pub fn table_columns(setup: &Setup) -> Vec<Column> {
    const BEFORE_LOSSES: [(&str, &str); 13] = [
        ("time", "s"),
        ("bodies", ""),
        ("mass", "kg"),
        ("kinetic_translation", "J"),
        ("kinetic_rotation", "J"),
        ("elastic_normal", "J"),
        ("elastic_tangential", "J"),
        ("elastic_rolling", "J"),
        ("elastic_bonds", "J"),
        ("gravity_energy", "J"),
        ("wall_work", "J"),
        ("load_work", "J"),
        ("exchanged_energy", "J"),
    ];
    const LOSSES_OF_CONTACTS: [(&str, &str); 4] = [
        ("lost_normal_damping", "J"),
        ("lost_tangential_damping", "J"),
        ("lost_sliding", "J"),
        ("lost_rolling", "J"),
    ];
    const OTHER_LOSSES: [(&str, &str); 3] =
        [("lost_bond_damping", "J"), ("lost_fracture", "J"), ("lost_global_damping", "J")];
    const CLOSURE: [(&str, &str); 2] = [("closure_error", "J"), ("relative_closure_error", "")];
    const AFTER_LOSSES: [(&str, &str); 13] = [
        ("momentum_x", "kg m/s"),
        ("momentum_y", "kg m/s"),
        ("momentum_z", "kg m/s"),
        ("angular_momentum_x", "kg m2/s"),
        ("angular_momentum_y", "kg m2/s"),
        ("angular_momentum_z", "kg m2/s"),
        ("pair_contacts", ""),
        ("wall_contacts", ""),
        ("coordination", ""),
        ("mean_overlap", "m"),
        ("largest_overlap", "m"),
        ("removed", ""),
        ("removed_mass", "kg"),
    ];
    let (in_contacts, closure): (&[_], &[_]) = if setup.model.follow_losses {
        (&LOSSES_OF_CONTACTS, &CLOSURE)
    } else {
        (&[("lost_in_contacts", "J")], &[])
    };
    let fixed = [&BEFORE_LOSSES, in_contacts, &OTHER_LOSSES, closure, &AFTER_LOSSES];
    let mut columns: Vec<Column> =
        fixed.into_iter().flatten().map(|(name, unit)| Column::new(*name, *unit)).collect();
    for wall in &setup.model.walls {
        for axis in ["x", "y", "z"] {
            columns.push(Column::new(format!("{}_force_{axis}", wall.name), "N"));
        }
        for axis in ["x", "y", "z"] {
            columns.push(Column::new(format!("{}_torque_{axis}", wall.name), "N m"));
        }
        columns.push(Column::new(format!("{}_power", wall.name), "W"));
    }
    if !setup.model.bonds.is_empty() {
        columns.extend(BOND_COLUMNS.iter().map(|(name, unit)| Column::new(*name, *unit)));
    }
    for plane in &setup.flow_planes {
        columns.push(Column::new(format!("{}_mass", plane.name), "kg"));
        columns.push(Column::new(format!("{}_count", plane.name), ""));
    }
    columns
}

/// Columns of runs with bonds.
const BOND_COLUMNS: [(&str, &str); 6] = [
    ("bonds", ""),
    ("broken_tension", ""),
    ("broken_shear", ""),
    ("broken_share", ""),
    ("fragments", ""),
    ("largest_fragment_mass", "kg"),
];

/// A row of the table.
///
/// Forces and torques are those of the bodies on a wall at the instant of the row. Torques are about the origin of the
/// wall's frame where it is now: the point of the wall that was at the world's origin before the wall moved. Power is
/// done by the wall on the bodies over the step that ends at the row's instant, as booked in `wall_work`: mean of
/// force and torque at both ends times velocity and spin in between.
pub fn table_row(run: &Simulation, sample: &Sample) -> Vec<f64> {
    let (setup, state) = (&run.setup, &run.state);
    let energy = &sample.energy;
    let contacts = &sample.contacts;
    let mut row = vec![
        sample.time,
        sample.bodies as f64,
        sample.mass,
        energy.translation,
        energy.rotation,
        energy.elastic_normal,
        energy.elastic_tangential,
        energy.elastic_rolling,
        energy.elastic_bonds,
        energy.gravity,
        energy.wall_work,
        energy.load_work,
        energy.exchanged,
    ];
    let follows_losses = setup.model.follow_losses;
    if follows_losses {
        row.extend([energy.normal_damping, energy.tangential_damping, energy.sliding, energy.rolling]);
    } else {
        row.push(energy.unfollowed);
    }
    row.extend([energy.bond_damping, energy.fracture, energy.global_damping]);
    if follows_losses {
        row.extend([energy.closure_error, energy.relative_closure_error]);
    }
    row.extend(sample.momentum.to_array());
    row.extend(sample.angular_momentum.to_array());
    row.extend([
        contacts.pairs as f64,
        contacts.walls as f64,
        contacts.coordination,
        contacts.mean_overlap,
        contacts.largest_overlap,
        state.removed.count as f64,
        state.removed.mass,
    ]);
    let walls = setup.walls_at(state, sample.step);
    for ((load, wall), &power) in state.wall_loads.iter().zip(&walls).zip(&state.wall_powers) {
        row.extend(load.force.to_array());
        row.extend((load.torque - wall.pose.translation.cross(load.force)).to_array());
        row.push(power);
    }
    if !setup.model.bonds.is_empty() {
        let bonds = bond_statistics(state);
        row.extend([bonds.holding, bonds.broken_tension, bonds.broken_shear].map(|count| count as f64));
        row.extend([bonds.broken_share, bonds.fragments as f64, bonds.largest_mass]);
    }
    for flow in state.flows(setup.flow_planes.len()) {
        row.extend([flow.mass, flow.count as f64]);
    }
    row
}
