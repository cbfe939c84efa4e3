//! What writers show of a run with deformable bodies.

use super::vtk::{Cells, Field, FieldData, PolyData};
use super::{
    Column, ContactFrame, FlatScene, FlatShape, FrameSet, PictureOptions, WallFrame, WallSurface, flat_wall,
};
use crate::contacts::Partner;
use crate::deformable::{SolidRun, StraightWall, clusters, contact_records};
use glam::{DVec2, DVec3};

/// Elements with displacement, velocity, stress; walls; contacts where asked for.
pub fn solid_frame(run: &SolidRun, contacts: bool) -> FrameSet {
    FrameSet {
        time: run.state.time,
        solids: Some(elements(run)),
        contacts: contacts.then(|| contact_lines(run)),
        walls: (!run.setup.walls.is_empty()).then(|| walls(run)),
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
    let mut frame = ContactFrame::default();
    for record in contact_records(&run.setup, &run.state) {
        let number = |partner: Partner| match partner {
            Partner::Body(body) => body,
            Partner::Wall(wall) => u32::from(wall.0),
        };
        frame.ends.push([record.point + record.gap * record.normal, record.point]);
        frame.keys.push([number(record.key.a), number(record.key.b)]);
        frame.walls.push(u8::from(matches!(record.key.b, Partner::Wall(_))));
        frame.normal_forces.push(record.force.normal);
        frame.tangential_forces.push(record.force.tangential);
        frame.overlaps.push(-record.gap);
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

/// Walls as thin strips along the bodies.
fn walls(run: &SolidRun) -> WallFrame {
    let (mut low, mut high) = crate::broad_phase::extent(run.state.positions.iter().copied());
    // A box is shown whole, wherever in it the bodies are.
    for wall in run.setup.walls.iter().filter(|wall| wall.normal.abs().max_element() == 1.0) {
        let axis = usize::from(wall.normal.y != 0.0);
        low[axis] = low[axis].min(wall.point[axis]);
        high[axis] = high[axis].max(wall.point[axis]);
    }
    let strip = |(wall, id): (&StraightWall, u16)| WallSurface {
        id,
        name: wall.name.clone(),
        mesh: flat_wall(wall.point, wall.normal, [low, high]),
    };
    WallFrame { walls: run.setup.walls.iter().zip(0_u16..).map(strip).collect() }
}

/// A picture: elements coloured by stress, outlines, walls.
pub fn solid_picture(run: &SolidRun, title: &str) -> (FlatScene, PictureOptions) {
    let mut scene = FlatScene::default();
    for (number, body) in run.setup.bodies.iter().enumerate() {
        let x = &run.state.positions[run.setup.nodes(number)];
        if let Some(shape) = body.shape() {
            for (cell, values) in shape.mesh.cells.iter().zip(stresses(run, number)) {
                let corners = cell.corners().iter().map(|&corner| x[corner as usize]).collect();
                scene.shapes.push(FlatShape { corners, value: von_mises(values) });
            }
        }
        let ends = body.outline().segments.iter();
        scene.outlines.extend(ends.map(|ends| ends.map(|node| x[node as usize])));
    }
    let strips = walls(run).walls.into_iter().map(|wall| wall.mesh.points);
    scene.walls.extend(strips.map(|strip| strip.into_iter().map(DVec3::truncate).collect()));
    let options = PictureOptions {
        title: title.to_owned(),
        caption: format!("t = {:.4} s, {} solids", run.state.time, run.setup.bodies.len()),
        legend: "von Mises stress [Pa]".to_owned(),
        ..PictureOptions::default()
    };
    (scene, options)
}
