//! Random closed meshes, facing inwards.

use crate::polygons::{Cut, Polygons, lines};
use crate::support::Dice;
use glam::DVec3;

/// Kinds of meshes.
pub const KINDS: [&str; 5] = ["star", "convex", "dented room", "room with pillar", "rough room"];

/// A closed mesh about the size of the unit ball, and a point in its middle.
pub fn cavity(kind: usize, dice: &mut Dice) -> (Polygons, DVec3) {
    match KINDS[kind] {
        "star" => (star(dice), DVec3::ZERO),
        "convex" => (convex(dice), DVec3::ZERO),
        "dented room" => (dented(dice), DVec3::splat(1.0)),
        "room with pillar" => pillared(dice),
        _ => (rough(dice), DVec3::splat(1.0)),
    }
}

/// An icosphere of 20, 80 or 320 triangles, facing inwards.
pub fn icosphere(splits: u32) -> Polygons {
    let gold = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut vertices = Vec::new();
    for (a, b) in [(1.0, gold), (1.0, -gold), (-1.0, gold), (-1.0, -gold)] {
        vertices.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]].map(|v| DVec3::from_array(v).normalize()));
    }
    let side = vertices[0].distance(DVec3::new(0.0, -1.0, gold).normalize());
    let mut ball = Polygons::default();
    let are_near = |a: DVec3, b: DVec3| a.distance(b) < 1.01 * side;
    for (i, &a) in vertices.iter().enumerate() {
        for (j, &b) in vertices.iter().enumerate().skip(i + 1) {
            for &c in vertices.iter().skip(j + 1) {
                if are_near(a, b) && are_near(b, c) && are_near(c, a) {
                    let outwards = (b - a).cross(c - a).dot(a) > 0.0;
                    ball.add(&if outwards { [a, c, b] } else { [a, b, c] });
                }
            }
        }
    }
    for _ in 0..splits {
        ball = ball.split_in_four();
        ball.vertices.iter_mut().for_each(|vertex| *vertex = vertex.normalize());
    }
    ball.welded()
}

/// An icosphere whose vertices lie at random distances from the middle.
fn star(dice: &mut Dice) -> Polygons {
    let splits = if dice.unit() < 0.2 { 0 } else { 1 };
    let mut star = icosphere(splits);
    let rough = dice.between(0.0, 0.3);
    for vertex in &mut star.vertices {
        *vertex *= 1.0 + dice.between(-rough, rough);
    }
    star
}

/// A convex polyhedron: the hull of points on an ellipsoid, by brute force.
fn convex(dice: &mut Dice) -> Polygons {
    let count = 6 + (dice.unit() * 14.0) as usize;
    let stretch = dice.vector(0.8, 1.2);
    let mut points: Vec<DVec3> = Vec::new();
    while points.len() < count {
        let point = dice.vector(-1.0, 1.0);
        if (0.2..1.0).contains(&point.length()) {
            let point = point.normalize();
            // Points too close would make needles, points too few leave out the middle.
            if points.iter().all(|other| other.distance(point) > 0.3) {
                points.push(point);
            }
        }
    }
    // The octahedron makes sure that the middle is well inside.
    points.extend([DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z].map(|axis| 1.05 * axis));
    let points: Vec<DVec3> = points.into_iter().map(|point| point * stretch).collect();
    let mut hull = Polygons::default();
    for (i, &a) in points.iter().enumerate() {
        for (j, &b) in points.iter().enumerate().skip(i + 1) {
            for &c in points.iter().skip(j + 1) {
                let normal = (b - a).cross(c - a);
                let heights = points.iter().map(|&point| normal.dot(point - a));
                let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
                let flat = 1e-12;
                if high < flat && low < -flat {
                    hull.add(&[a, c, b]);
                } else if low > -flat && high > flat {
                    hull.add(&[a, b, c]);
                }
            }
        }
    }
    hull.welded()
}

/// A cube of side 2 with vertices of one or two faces moved in or out.
fn dented(dice: &mut Dice) -> Polygons {
    let cells = 2 + (dice.unit() * 2.0) as u32;
    let mut room = Polygons::room(DVec3::splat(2.0), &lines(cells, 0.0, 1.0), Cut::Triangles);
    let depth = dice.between(0.05, 0.4);
    for vertex in &mut room.vertices {
        for axis in 0..3 {
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            let within = others.iter().all(|&other| (0.01..1.99).contains(&vertex[other]));
            if within && (vertex[axis] < 1e-9 || vertex[axis] > 2.0 - 1e-9) {
                vertex[axis] += dice.between(-depth, depth);
            }
        }
    }
    room
}

/// A room of quads around a pillar or a block that stands free.
fn pillared(dice: &mut Dice) -> (Polygons, DVec3) {
    let mut room = Polygons::room(DVec3::splat(2.6), &lines(2, 0.0, 1.0), Cut::Quad);
    let cut = if dice.unit() < 0.5 { Cut::Triangles } else { Cut::Pentagons };
    let size = dice.vector(0.3, 0.6);
    let turn = glam::DQuat::from_axis_angle(dice.vector(-1.0, 1.0).normalize(), dice.between(0.0, 3.0));
    let block = Polygons::room(size, &lines(1 + (2.0 * dice.unit()) as u32, 0.0, 1.0), cut).flipped();
    room.append(&block.placed(turn, DVec3::new(0.7, 0.7, 0.7) + dice.vector(-0.1, 0.1)));
    (room.welded(), DVec3::splat(1.6))
}

/// A cube all of whose inner vertices are moved a little, also along the faces.
fn rough(dice: &mut Dice) -> Polygons {
    let mut room = Polygons::room(DVec3::splat(2.0), &lines(3, 0.0, 1.0), Cut::Triangles);
    let depth = dice.between(0.02, 0.15);
    room.vertices.iter_mut().for_each(|vertex| *vertex += dice.vector(-depth, depth));
    room
}
