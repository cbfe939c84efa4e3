//! Meshes made by formula.

use breccia::shapes::mesh::{DOUBLE_PRECISION, RawMesh, SINGLE_PRECISION};
use glam::DVec3;
use std::collections::HashMap;

pub fn raw(vertices: Vec<DVec3>, polygons: Vec<Vec<u32>>) -> RawMesh {
    RawMesh { vertices, polygons, groups: vec![], group_names: vec![], precision: DOUBLE_PRECISION }
}

/// The box from `low` to `high`, six quads, normals outwards.
pub fn block(low: DVec3, high: DVec3) -> RawMesh {
    let corner = |i: u32| {
        let pick = |bit: u32, axis: usize| if i >> bit & 1 == 1 { high[axis] } else { low[axis] };
        DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2))
    };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    raw((0..8).map(corner).collect(), faces.iter().map(|f| f.to_vec()).collect())
}

pub fn cube() -> RawMesh {
    block(DVec3::ZERO, DVec3::ONE)
}

/// Every polygon as a fan of triangles.
pub fn triangulated(mesh: &RawMesh) -> RawMesh {
    let fan = |p: &Vec<u32>| (1..p.len() - 1).map(|i| vec![p[0], p[i], p[i + 1]]).collect::<Vec<_>>();
    RawMesh { polygons: mesh.polygons.iter().flat_map(fan).collect(), groups: vec![], ..mesh.clone() }
}

/// Every polygon with vertices of its own, rounded to single precision: as STL stores it.
pub fn soup(mesh: &RawMesh) -> RawMesh {
    let mut vertices = Vec::new();
    let mut polygons = Vec::new();
    for polygon in &mesh.polygons {
        let start = vertices.len() as u32;
        vertices.extend(polygon.iter().map(|&id| mesh.vertices[id as usize].as_vec3().as_dvec3()));
        polygons.push((start..vertices.len() as u32).collect());
    }
    RawMesh { vertices, polygons, precision: SINGLE_PRECISION, ..mesh.clone() }
}

/// Unit icosahedron, every triangle split in four `levels` times, vertices on the unit sphere.
pub fn icosphere(levels: usize) -> RawMesh {
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let corners = [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)];
    let mut vertices: Vec<DVec3> = Vec::new();
    vertices.extend(corners.iter().map(|&(a, b)| DVec3::new(a, b, 0.0)));
    vertices.extend(corners.iter().map(|&(a, b)| DVec3::new(0.0, a, b)));
    vertices.extend(corners.iter().map(|&(a, b)| DVec3::new(b, 0.0, a)));
    for v in &mut vertices {
        *v = v.normalize();
    }
    let mut faces: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..levels {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32, vertices: &mut Vec<DVec3>| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let mut finer = Vec::new();
        for [a, b, c] in faces {
            let ab = middle(a, b, &mut vertices);
            let bc = middle(b, c, &mut vertices);
            let ca = middle(c, a, &mut vertices);
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        faces = finer;
    }
    raw(vertices, faces.iter().map(|f| f.to_vec()).collect())
}

/// A flat floor of nx × ny quads of size dx × dy, normals up.
pub fn floor(nx: u32, ny: u32, dx: f64, dy: f64) -> RawMesh {
    let id = |i: u32, j: u32| j * (nx + 1) + i;
    let vertices =
        (0..=ny).flat_map(|j| (0..=nx).map(move |i| DVec3::new(i as f64 * dx, j as f64 * dy, 0.0)));
    let quads = (0..ny)
        .flat_map(|j| (0..nx).map(move |i| vec![id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]));
    raw(vertices.collect(), quads.collect())
}

/// A 3 × 3 floor without its middle.
pub fn plate_with_hole() -> RawMesh {
    let mut plate = floor(3, 3, 1.0, 1.0);
    plate.polygons.remove(4);
    plate
}

/// A closed cylinder of radius 1 and height 1 with n sides and n-gon ends.
pub fn cylinder(n: u32) -> RawMesh {
    let rim = |z: f64| {
        (0..n).map(move |i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
            DVec3::new(angle.cos(), angle.sin(), z)
        })
    };
    let mut polygons: Vec<Vec<u32>> = (0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]).collect();
    polygons.push((0..n).rev().collect());
    polygons.push((n..2 * n).collect());
    raw(rim(0.0).chain(rim(1.0)).collect(), polygons)
}

/// A Möbius strip of n pairs of triangles.
pub fn moebius(n: u32) -> RawMesh {
    let rib = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let (centre, half) = (DVec3::new(angle.cos(), angle.sin(), 0.0), 0.5 * angle);
        let across = 0.3 * (half.cos() * centre + half.sin() * DVec3::Z);
        [centre - across, centre + across]
    };
    let end = |i: u32| if i < n { [2 * i, 2 * i + 1] } else { [1, 0] };
    let triangles = (0..n).flat_map(|i| {
        let ([a, b], [c, d]) = (end(i), end(i + 1));
        [vec![a, b, c], vec![b, d, c]]
    });
    raw((0..n).flat_map(rib).collect(), triangles.collect())
}

/// Both meshes in one.
pub fn together(a: &RawMesh, b: &RawMesh) -> RawMesh {
    let shift = a.vertices.len() as u32;
    let mut sum = a.clone();
    sum.vertices.extend(&b.vertices);
    sum.polygons.extend(b.polygons.iter().map(|p| p.iter().map(|id| id + shift).collect::<Vec<_>>()));
    sum
}

/// The same mesh inside out.
pub fn inside_out(mesh: &RawMesh) -> RawMesh {
    let turned = mesh.polygons.iter().map(|p| p.iter().rev().copied().collect());
    RawMesh { polygons: turned.collect(), ..mesh.clone() }
}
