//! From a run of grains to frames, table rows and picture.

use super::vtk::{Cells, Field, FieldData, PolyData};
use super::{
    Column, ContactFrame, FlatScene, FlatShape, FrameSet, PictureOptions, WallFrame, WallSurface, flat_wall,
};
use crate::implicit::{GrainSetup, GrainState, ScheduledGrains};
use glam::{DVec2, DVec3};

/// Everything a frame shows: outlines, walls and, if asked for, contacts as lines.
pub fn grain_frame_of(run: &ScheduledGrains, with_contacts: bool) -> FrameSet {
    let (setup, state) = (run.run.setup(), run.run.state());
    let time = state.step as f64 * setup.settings.time_step;
    FrameSet {
        time,
        grains: Some(outlines(run, time)),
        contacts: with_contacts.then(|| contact_lines(setup, state)),
        walls: (!state.walls.is_empty()).then(|| walls(run)),
        ..FrameSet::default()
    }
}

/// Outlines as polygons, with one value per grain.
fn outlines(run: &ScheduledGrains, time: f64) -> PolyData {
    let (setup, state) = (run.run.setup(), run.run.state());
    let mut data = PolyData { time: Some(time), ..PolyData::default() };
    let mut polys = Cells::default();
    for outline in placed_outlines(setup, state) {
        let first = data.points.len() as i64;
        polys.push(first..first + outline.len() as i64);
        data.points.extend(outline.into_iter().map(|point| deep(point).to_array()));
    }
    let vectors = |values: Vec<DVec2>| {
        FieldData::F32(values.into_iter().flat_map(|v| [v.x as f32, v.y as f32, 0.0]).collect())
    };
    let count = setup.grains.len() as u32;
    let (loads, contacts) = loads(setup, state);
    data.polys = polys;
    data.cell_fields = vec![
        Field::new("id", 1, FieldData::U32((0..count).collect())),
        Field::new("group", 1, FieldData::U32(run.plan.grains.iter().map(|g| u32::from(g.group)).collect())),
        Field::new("outline", 1, FieldData::U32(setup.grains.iter().map(|g| g.shape).collect())),
        Field::new("angle", 1, FieldData::F64(state.angle.clone())),
        Field::new("velocity", 3, vectors(state.velocity.clone())),
        Field::new("spin", 1, FieldData::F64(state.spin.clone())),
        Field::new("mass", 1, FieldData::F64(setup.grains.iter().map(|g| g.mass).collect())),
        Field::new("pressure", 1, FieldData::F64(loads)),
        Field::new("contacts", 1, FieldData::U32(contacts)),
    ];
    data
}

/// Outlines where they are [m], each counter-clockwise.
fn placed_outlines(setup: &GrainSetup, state: &GrainState) -> Vec<Vec<DVec2>> {
    let shapes: Vec<Vec<DVec2>> = setup.shapes.iter().map(|shape| shape.polyline()).collect();
    let places = state.position.iter().zip(&state.angle);
    let placed = setup.grains.iter().zip(places).map(|(grain, (&position, &angle))| {
        let (sine, cosine) = libm::sincos(angle);
        let turn = DVec2::new(cosine, sine);
        shapes[grain.shape as usize].iter().map(|point| position + turn.rotate(*point)).collect()
    });
    placed.collect()
}

/// A picture: grains coloured by their pressure, forces as lines, walls.
pub fn grain_picture_of(run: &ScheduledGrains, title: &str) -> (FlatScene, PictureOptions) {
    let (setup, state) = (run.run.setup(), run.run.state());
    let time = state.step as f64 * setup.settings.time_step;
    let values = loads(setup, state).0;
    let contacts = contact_lines(setup, state);
    let largest = contacts.normal_forces.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let plane = |[a, b]: &[DVec3; 2]| [a.truncate(), b.truncate()];
    let chains = contacts.ends.iter().zip(&contacts.normal_forces);
    let strips = walls(run).walls.into_iter().map(|wall| wall.mesh.points);
    let mut scene = FlatScene {
        chains: chains.map(|(ends, force)| (plane(ends), (force / largest).max(0.0).sqrt())).collect(),
        walls: strips.map(|strip| strip.into_iter().map(DVec3::truncate).collect()).collect(),
        ..FlatScene::default()
    };
    for (corners, value) in placed_outlines(setup, state).into_iter().zip(values) {
        scene.add_with_rim(FlatShape { corners, value });
    }
    let options = PictureOptions {
        title: title.to_owned(),
        caption: format!("t = {time:.4} s, {} grains", setup.grains.len()),
        legend: "pressure [Pa]".into(),
        ..PictureOptions::default()
    };
    (scene, options)
}

/// Mean pressure in each grain [Pa], half the trace of Σ f ⊗ arm over its area, and its loaded contact points.
fn loads(setup: &GrainSetup, state: &GrainState) -> (Vec<f64>, Vec<u32>) {
    let mut traces = vec![0.0; setup.grains.len()];
    let mut counts = vec![0_u32; setup.grains.len()];
    for loaded in &state.contacts {
        let contact = &loaded.contact;
        let force = loaded.force_on_slave();
        let mut add = |grain: u32, force: DVec2| {
            let grain = grain as usize;
            traces[grain] -= force.dot(contact.point - state.position[grain]);
            counts[grain] += 1;
        };
        add(contact.slave, force);
        if setup.wall_of(contact.master).is_none() {
            add(contact.master, -force);
        }
    }
    let pressures = traces.iter().zip(&setup.grains).map(|(trace, grain)| 0.5 * trace / grain.area);
    (pressures.collect(), counts)
}

/// Contacts as lines from centroid to centroid, or from the centroid to the point on a wall.
fn contact_lines(setup: &GrainSetup, state: &GrainState) -> ContactFrame {
    let mut frame = ContactFrame::default();
    for loaded in &state.contacts {
        let contact = &loaded.contact;
        let wall = setup.wall_of(contact.master);
        let end = if wall.is_some() { contact.point } else { state.position[contact.master as usize] };
        let tangent = contact.normal.perp();
        frame.ends.push([deep(state.position[contact.slave as usize]), deep(end)]);
        frame.keys.push([contact.slave, wall.map_or(contact.master, |wall| wall as u32)]);
        frame.walls.push(u8::from(wall.is_some()));
        frame.normal_forces.push(loaded.force.normal);
        frame.tangential_forces.push(deep(tangent * loaded.force.tangential));
        frame.overlaps.push(-contact.gap);
    }
    frame
}

/// Walls as thin strips along the grains.
fn walls(run: &ScheduledGrains) -> WallFrame {
    let (setup, state) = (run.run.setup(), run.run.state());
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (place, grain) in state.position.iter().zip(&setup.grains) {
        low = low.min(*place - grain.radius);
        high = high.max(*place + grain.radius);
    }
    let there =
        state.walls.iter().zip(&run.model.walls).zip(0_u16..).filter(|((wall, _), _)| wall.is_there());
    let strips = there.map(|((wall, given), id)| {
        let mesh = flat_wall(wall.normal * wall.offset, wall.normal, [low, high]);
        WallSurface { id, name: given.name.clone(), mesh }
    });
    WallFrame { walls: strips.collect() }
}

fn deep(point: DVec2) -> DVec3 {
    point.extend(0.0)
}

/// Columns of the table, in the order of [`grain_row`].
pub fn grain_columns(run: &ScheduledGrains) -> Vec<Column> {
    let fixed = [
        ("time", "s"),
        ("grains", ""),
        ("kinetic", "J/m"),
        ("elastic", "J/m"),
        ("gravity_energy", "J/m"),
        ("wall_work", "J/m"),
        ("load_work", "J/m"),
        ("lost_friction", "J/m"),
        ("lost_contact", "J/m"),
        ("lost_step", "J/m"),
        ("closure_error", "J/m"),
        ("relative_closure_error", ""),
        ("contact_points", ""),
        ("coordination", ""),
        ("stress_xx", "Pa"),
        ("stress_xy", "Pa"),
        ("stress_yx", "Pa"),
        ("stress_yy", "Pa"),
        ("fabric_xx", ""),
        ("fabric_xy", ""),
        ("fabric_yy", ""),
        ("volume", "m2"),
        ("porosity", ""),
        ("largest_overlap", "m"),
        ("candidates", ""),
        ("solver_iterations", ""),
        ("solver_residual", ""),
        ("redone", ""),
        ("parts", ""),
    ];
    let mut columns: Vec<Column> = fixed.iter().map(|(name, unit)| Column::new(*name, *unit)).collect();
    for wall in &run.model.walls {
        for (name, unit) in [("offset", "m"), ("force_x", "N/m"), ("force_y", "N/m")] {
            columns.push(Column::new(format!("{}_{name}", wall.name), unit));
        }
    }
    columns
}

/// A row of the table. Stress, fabric and porosity are those of the rectangle between walls across x and y or, where
/// these do not make one, of the box around the grains.
pub fn grain_row(run: &ScheduledGrains) -> Vec<f64> {
    let (setup, state) = (run.run.setup(), run.run.state());
    let (energy, ledger, report) = (state.energy(setup), &state.ledger, &state.report);
    let (closure, relative) = run.closure_error();
    let rectangle = state.rectangle(setup);
    let volume = rectangle.width * rectangle.height;
    let measures = state.measures(setup, volume);
    let (stress, fabric) = (measures.stress, measures.fabric);
    let mut row = vec![
        state.step as f64 * setup.settings.time_step,
        setup.grains.len() as f64,
        energy.kinetic,
        energy.elastic,
        energy.gravity,
        ledger.wall_work,
        ledger.load_work,
        ledger.friction,
        ledger.contact,
        ledger.step,
        closure,
        relative,
        measures.points as f64,
        measures.coordination,
        stress.x_axis.x,
        stress.y_axis.x,
        stress.x_axis.y,
        stress.y_axis.y,
        fabric.x_axis.x,
        fabric.x_axis.y,
        fabric.y_axis.y,
        volume,
        rectangle.porosity,
        report.overlap,
        f64::from(report.candidates),
        f64::from(report.iterations),
        report.solve.balance_residual.max(report.solve.gap_residual),
        f64::from(report.redone),
        f64::from(report.parts),
    ];
    for wall in &state.walls {
        row.extend([wall.offset, wall.load.x, wall.load.y]);
    }
    row
}
