//! What writers show of a run with deformable bodies.

use super::picture::{FlatPanel, FlatPicture, FlatPolygon, PictureOptions};
use super::vtk::{Cells, Field, FieldData, PolyData};
use super::{Column, ContactFrame, FrameSet};
use crate::deformable::{SolidRun, clusters};
use crate::narrow_phase::node_segment::SegmentGeometry;
use glam::DVec2;

/// Elements with displacement, velocity, stress; contacts where asked for.
pub fn solid_frame(run: &SolidRun, contacts: bool) -> FrameSet {
    FrameSet {
        time: run.state.time,
        solids: Some(elements(run)),
        contacts: contacts.then(|| contact_lines(run)),
        ..FrameSet::default()
    }
}

fn flat(vectors: impl Iterator<Item = DVec2>) -> FieldData {
    FieldData::F32(vectors.flat_map(|v| [v.x as f32, v.y as f32, 0.0]).collect())
}

/// Stress of an element in the plane and across it [Pa], as one number after von Mises.
pub fn von_mises([xx, yy, xy, zz]: [f64; 4]) -> f64 {
    let squares = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
    (0.5 * squares + 3.0 * xy * xy).sqrt()
}

/// Stress of every element of a body [Pa]: xx, yy, xy, zz; nothing for obstacles.
fn stresses(run: &SolidRun, body: usize) -> Vec<[f64; 4]> {
    let x = &run.state.positions[run.setup.nodes(body)];
    run.setup.bodies[body].shape().map_or_else(Vec::new, |shape| {
        shape.elements.iter().map(|element| element.cauchy_stress(x, &shape.material)).collect()
    })
}

fn elements(run: &SolidRun) -> PolyData {
    let (mut polys, mut owner, mut stress, mut mises) =
        (Cells::default(), Vec::new(), Vec::new(), Vec::new());
    for (number, body) in run.setup.bodies.iter().enumerate() {
        let first = run.setup.first_node[number] as i64;
        match body.shape() {
            Some(shape) => {
                for (cell, values) in shape.mesh.cells.iter().zip(stresses(run, number)) {
                    polys.push(cell.corners().iter().map(|&corner| first + i64::from(corner)));
                    owner.push(number as u32);
                    stress.extend(values.map(|value| value as f32));
                    mises.push(von_mises(values));
                }
            }
            None => {
                polys.push(body.outline().nodes().map(|node| first + i64::from(node)));
                owner.push(number as u32);
                stress.extend([0.0; 4]);
                mises.push(0.0);
            }
        }
    }
    let start = run.setup.bodies.iter().flat_map(|body| &body.positions);
    let moved = run.state.positions.iter().zip(start).map(|(now, start)| *now - *start);
    let names = run.setup.bodies.iter().map(|body| body.name.clone()).collect();
    PolyData {
        time: Some(run.state.time),
        texts: vec![("body_names".to_owned(), names)],
        points: run.state.positions.iter().map(|x| [x.x, x.y, 0.0]).collect(),
        polys,
        point_fields: vec![
            Field::new("displacement", 3, flat(moved)),
            Field::new("velocity", 3, flat(run.state.velocities.iter().copied())),
        ],
        cell_fields: vec![
            Field::new("body", 1, FieldData::U32(owner)),
            Field::new("stress_xx_yy_xy_zz", 4, FieldData::F32(stress)),
            Field::new("von_mises", 1, FieldData::F64(mises)),
        ],
        ..PolyData::default()
    }
}

/// A line from each touching node to its foot on what it touches, with forces on the node.
fn contact_lines(run: &SolidRun) -> ContactFrame {
    let (setup, state) = (&run.setup, &run.state);
    let mut frame = ContactFrame::default();
    for (pair, memory) in &state.pairs.rows {
        let particle = &setup.particles[pair.point as usize];
        let place = state.positions[particle.node as usize];
        let (partner, bodies) = (pair.body as usize, setup.bodies.len());
        let (normal, gap) = if partner < bodies {
            let first = setup.first_node[partner];
            let [from, to] = setup.bodies[partner].outline().segments[memory.segment as usize];
            let at = |node: u32| state.positions[first + node as usize];
            let geometry = SegmentGeometry::new([place, at(from), at(to)]);
            (geometry.normal, geometry.gap)
        } else {
            let wall = &setup.walls[partner - bodies];
            (wall.normal, wall.normal.dot(place - wall.point))
        };
        frame.ends.push([place.extend(0.0), (place - gap * normal).extend(0.0)]);
        frame
            .keys
            .push([particle.body, if partner < bodies { pair.body } else { (partner - bodies) as u32 }]);
        frame.walls.push(u8::from(partner >= bodies));
        frame.normal_forces.push(memory.pressure);
        frame.tangential_forces.push((-memory.grip * normal.perp()).extend(0.0));
        frame.overlaps.push(-gap);
    }
    frame
}

const COLUMNS: [(&str, &str); 27] = [
    ("time", "s"),
    ("kinetic", "J"),
    ("kinetic_translational", "J"),
    ("elastic", "J"),
    ("elastic_contact", "J"),
    ("elastic_slip", "J"),
    ("gravity", "J"),
    ("lost_friction", "J"),
    ("work", "J"),
    ("total_less_work", "J"),
    ("momentum_x", "kg m/s"),
    ("momentum_y", "kg m/s"),
    ("angular_momentum", "kg m2/s"),
    ("impulse_x", "N s"),
    ("impulse_y", "N s"),
    ("near_pairs", ""),
    ("active_contacts", ""),
    ("largest_cluster", ""),
    ("iterations", ""),
    ("halvings", ""),
    ("factorings", ""),
    ("cuts", ""),
    ("clamps", ""),
    ("penetration", "m"),
    ("gap_drift", "m"),
    ("sort_descents", ""),
    ("sort_visits", ""),
];

/// Columns of the table.
pub fn solid_columns() -> Vec<Column> {
    COLUMNS.iter().map(|&(name, unit)| Column::new(name, unit)).collect()
}

/// A row of the table: energies and momenta now, counts of the last step; cuts, clamps, penetration and gap drift since
/// the start.
pub fn solid_row(run: &SolidRun) -> Vec<f64> {
    let (budget, state) = (run.budget(), &run.state);
    let (last, total, impulse) = (&state.last, &state.total, state.ledger.impulse());
    let cluster = clusters(&run.setup, state).first().copied().unwrap_or(0);
    vec![
        state.time,
        budget.kinetic,
        budget.translational,
        budget.elastic,
        budget.contact,
        budget.slip,
        budget.gravity,
        budget.friction,
        budget.work,
        budget.constant(),
        budget.momentum.x,
        budget.momentum.y,
        budget.angular_momentum,
        impulse.x,
        impulse.y,
        f64::from(last.pairs),
        f64::from(last.active),
        f64::from(cluster),
        f64::from(last.iterations),
        f64::from(last.halvings),
        f64::from(last.factorings),
        total.cuts as f64,
        total.clamps as f64,
        total.penetration,
        total.gap_drift,
        last.sorting.descents as f64,
        last.sorting.visits as f64,
    ]
}

/// The picture of a run: elements coloured by stress, outlines, walls.
pub fn solid_picture(run: &SolidRun, title: &str) -> (FlatPicture, PictureOptions) {
    let (mut low, mut high) = crate::broad_phase::extent(run.state.positions.iter().copied());
    for wall in run.setup.walls.iter().filter(|wall| wall.normal.abs().max_element() == 1.0) {
        let axis = usize::from(wall.normal.y != 0.0);
        low[axis] = low[axis].min(wall.point[axis]);
        high[axis] = high[axis].max(wall.point[axis]);
    }
    let margin = DVec2::splat(0.03 * (high - low).max_element());
    let view = [low - margin, high + margin];
    let mut panel = FlatPanel { caption: format!("t = {:.6} s", run.state.time), ..FlatPanel::default() };
    let mut largest = 0.0_f64;
    for (number, body) in run.setup.bodies.iter().enumerate() {
        let x = &run.state.positions[run.setup.nodes(number)];
        if let Some(shape) = body.shape() {
            for (cell, values) in shape.mesh.cells.iter().zip(stresses(run, number)) {
                let corners = cell.corners().iter().map(|&corner| x[corner as usize]).collect();
                let value = von_mises(values);
                largest = largest.max(value);
                panel.polygons.push(FlatPolygon { corners, value: Some(value) });
            }
        }
        let ends = body.outline().segments.iter();
        panel.lines.extend(ends.map(|ends| ends.map(|node| x[node as usize]).to_vec()));
    }
    for wall in &run.setup.walls {
        let along = wall.normal.perp() * (view[1] - view[0]).length();
        panel.lines.push(vec![clip(wall.point - along, view), clip(wall.point + along, view)]);
    }
    let range = (largest > 0.0).then_some([0.0, largest]);
    let options = PictureOptions {
        title: title.to_owned(),
        legend: "von Mises stress [Pa]".to_owned(),
        ..PictureOptions::default()
    };
    (FlatPicture { view, panels: vec![panel], columns: 1, range }, options)
}

/// The nearest point of the view: walls along the axes stay on their lines.
fn clip(point: DVec2, view: [DVec2; 2]) -> DVec2 {
    point.clamp(view[0], view[1])
}
