//! Every format written and read back.

use crate::builders::*;
use crate::writers::*;
use breccia::scene::mesh_files::{read_mesh, read_mesh_bytes};
use breccia::shapes::mesh::*;
use glam::DVec3;
use std::path::Path;

fn read(bytes: &[u8], name: &str) -> RawMesh {
    read_mesh_bytes(Path::new(name), bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// A cylinder of quads with triangles on top, in two groups, at places that need all digits.
fn grouped() -> RawMesh {
    let mut mesh = cylinder(12);
    let top = mesh.polygons.pop().expect("the top");
    mesh.polygons.pop();
    mesh.groups = vec![0; mesh.polygons.len()];
    for i in 1..top.len() - 1 {
        mesh.polygons.push(vec![top[0], top[i], top[i + 1]]);
        mesh.groups.push(1);
    }
    mesh.group_names = vec!["the wall".to_owned(), "lid".to_owned()];
    mesh.vertices.iter_mut().for_each(|v| *v = *v / 3.0 + DVec3::new(0.1, -2.3e-5, 1e3));
    mesh
}

/// Polygons of three to eight corners.
fn mixed() -> RawMesh {
    let mut mesh = cylinder(8);
    mesh.polygons.push(vec![0, 1, 9]);
    mesh.vertices.iter_mut().for_each(|v| *v /= 3.0);
    mesh
}

#[test]
fn stl_in_text_and_binary() {
    let mesh = triangulated(&mixed());
    let expected = soup(&mesh);
    for bytes in [stl_binary(&mesh, "made by a test"), stl_binary(&mesh, "solid facet normal")] {
        assert_eq!(read(&bytes, "part.stl"), expected);
        assert_eq!(read(&bytes, "part"), expected);
    }
    let text = read(&stl_text(&mesh), "part.stl");
    let single: Vec<DVec3> = text.vertices.iter().map(|v| v.as_vec3().as_dvec3()).collect();
    assert_eq!((&single, &text.polygons), (&expected.vertices, &expected.polygons));
    assert_eq!(text.group_names, ["a part"]);
    assert_eq!(text.precision, SINGLE_PRECISION);
    let two = [stl_text(&mesh), b"solid lid\nendsolid\nSOLID other\nENDSOLID".to_vec()].concat();
    assert_eq!(read(&two, "part").group_names, ["a part", "lid", "other"]);
}

#[test]
fn obj_with_polygons_and_groups() {
    assert_eq!(read(&obj(&grouped()), "part.obj"), grouped());
    let plain = read(&obj(&mixed()), "part.unknown");
    assert_eq!((plain.vertices, plain.polygons), (mixed().vertices, mixed().polygons));
    assert_eq!(plain.group_names, [""]);
}

#[test]
fn few_digits_tell_of_rounding() {
    let precision =
        |x: &str| read(format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3").as_bytes(), "a.obj").precision;
    assert_eq!(precision("0.5"), DOUBLE_PRECISION);
    assert_eq!(precision("-0.00333333"), 5e-7);
    assert_eq!(precision("3.3333333e-3"), SINGLE_PRECISION);
    assert_eq!(precision("0.3333333333333333"), DOUBLE_PRECISION);
}

#[test]
fn gmsh_with_physical_groups() {
    assert_eq!(read(&gmsh_2(&grouped()), "part.msh"), grouped());
    assert_eq!(read(&gmsh_4(&grouped()), "part.msh"), grouped());
    assert_eq!(read(&gmsh_4(&grouped()), "part"), grouped());
    for (new, big) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(read(&gmsh_binary(&grouped(), new, big), "part.msh"), grouped(), "{new} {big}");
    }
}

#[test]
fn legacy_vtk_in_all_layouts() {
    for layout in [Layout::Polydata, Layout::PolydataOffsets, Layout::Grid] {
        for binary in [false, true] {
            assert_eq!(
                read(&vtk_legacy(&mixed(), layout, binary), "part.vtk"),
                mixed(),
                "{layout:?} {binary}"
            );
        }
    }
}

#[test]
fn legacy_vtk_strips_pixels_and_volumes() {
    let text = "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n\
                0 0 0 1 0 0 0 1 0 1 1 0 0 2 0\nLINES 1 3\n2 0 1\nTRIANGLE_STRIPS 1 6\n5 0 1 2 3 4\n";
    let mesh = read(text.as_bytes(), "a.vtk");
    assert_eq!(mesh.polygons, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert_eq!(mesh.precision, SINGLE_PRECISION);
    let (built, report) = PolygonMesh::build(mesh, &MeshOptions::default());
    assert!(report.find(FindingKind::Flipped).is_none());
    assert!(built.elements.iter().all(|e| e.normal == DVec3::Z));
    let text = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n\
                0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 2 10\n4 0 1 2 3 4 0 1 2 3\nCELL_TYPES 2\n10 8\n";
    assert_eq!(read(text.as_bytes(), "a.vtk").polygons, [[0, 1, 3, 2]]);
}

#[test]
fn xml_vtk_in_all_encodings() {
    for data in [Data::Ascii, Data::Inline, Data::AppendedRaw, Data::AppendedBase64] {
        for compressed in [false, true] {
            assert_eq!(
                read(&vtp(&mixed(), data, compressed, false), "a.vtp"),
                mixed(),
                "{data:?} {compressed}"
            );
            let narrow = read(&vtp(&mixed(), data, compressed, true), "a.vtp");
            assert_eq!(narrow.precision, SINGLE_PRECISION);
            assert_eq!(narrow.polygons, mixed().polygons);
            let close = |(a, b): (&DVec3, &DVec3)| (*a - *b).length() < 1e-7;
            assert!(narrow.vertices.iter().zip(&mixed().vertices).all(close));
        }
    }
}

#[test]
fn xml_vtk_grids_and_pieces() {
    let piece = "<Piece><Points><DataArray type=\"Float64\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray></Points>\
                 <Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 0 1 2</DataArray>\
                 <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">2 5</DataArray>\
                 <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">3 5</DataArray></Cells></Piece>";
    let text = format!("<VTKFile type=\"UnstructuredGrid\">{piece}{piece}</VTKFile>");
    let mesh = read(text.as_bytes(), "a.vtu");
    assert_eq!(mesh.polygons, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.vertices.len(), 6);
}

#[test]
fn files_on_disk_are_read_and_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drum.STL");
    std::fs::write(&path, stl_binary(&triangulated(&cylinder(32)), "drum")).expect("a file");
    let (mesh, report) = PolygonMesh::build(read_mesh(&path).expect("a mesh"), &MeshOptions::default());
    assert!(mesh.is_closed() && !report.must_fix());
    let area = 16.0 * (std::f64::consts::TAU / 32.0).sin();
    assert!((mesh.volume() - area).abs() < 1e-6);
}
