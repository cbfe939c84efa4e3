//! Files with mistakes: told where and how, and never a panic.

use crate::builders::*;
use crate::writers::*;
use breccia::scene::mesh_files::{MeshFileError, Place, read_mesh, read_mesh_bytes};
use breccia::shapes::mesh::{MeshOptions, PolygonMesh, RawMesh};
use proptest::prelude::*;
use std::path::Path;

fn refused(bytes: &[u8], name: &str) -> MeshFileError {
    match read_mesh_bytes(Path::new(name), bytes) {
        Ok(_) => panic!("{name} was read"),
        Err(error) => {
            assert!(error.to_string().starts_with(name), "{error}");
            assert!(!error.remedy.is_empty());
            error
        }
    }
}

fn check(bytes: impl AsRef<[u8]>, name: &str, place: Place, part: &str) {
    let error = refused(bytes.as_ref(), name);
    assert_eq!(error.place, place, "{error}");
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn text_files_name_the_line() {
    let stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 x\n";
    check(stl, "a.stl", Place::Line(5), "`x` where a coordinate was expected");
    check("solid a\nfacet normal 0 0 1\n", "a.stl", Place::Line(3), "ends where `outer`");
    check("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", "a.stl", Place::Line(4), "finite");
    check("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj", Place::Line(3), "vertex 3 where 2 are defined");
    check("v 0 0 0\nv 1 0 0\nf 1 2 -3\n", "a.obj", Place::Line(3), "vertex -3");
    check("v 0 0 0\nv 1 0 0\nf 1 2\n", "a.obj", Place::Line(3), "a face of 2 corners");
    check("v 0 0 0\nf one 2 3\n", "a.obj", Place::Line(2), "`one`");
    let msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n";
    check(format!("{msh}1 2 2 1 1 1 1 9\n"), "a.msh", Place::Line(10), "node 9");
    check(format!("{msh}1 9 2 1 1 1 1 1 1 1 1\n"), "a.msh", Place::Line(10), "curved");
    check("$MeshFormat\n4.1 1 8\n1\n\n\n", "a.msh", Place::Byte(24), "number one");
    check("$MeshFormat\n3.0 0 8\n", "a.msh", Place::Line(2), "2.2 or 4.1");
    let vtk = "# vtk DataFile Version 3.0\n\nASCII\nDATASET ";
    check(format!("{vtk}STRUCTURED_POINTS\n"), "a.vtk", Place::Line(4), "STRUCTURED_POINTS");
    check(format!("{vtk}POLYDATA\nPOINTS 2 float\n0 0 0 1 0 o\n"), "a.vtk", Place::Line(6), "`o`");
    check(format!("{vtk}POLYDATA\nPOINTS 1 quad\n"), "a.vtk", Place::Line(5), "`quad`");
}

#[test]
fn binary_files_name_the_byte() {
    let mesh = triangulated(&cube());
    let stl = stl_binary(&mesh, "x");
    check(&stl[..stl.len() - 1], "a.stl", Place::Byte(0), "declares 12 triangles, the file holds 11");
    check(&stl[..50], "a.stl", Place::Byte(0), "84 bytes");
    let mut not_finite = stl.clone();
    not_finite[84 + 50 + 12..84 + 50 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    check(not_finite, "a.stl", Place::Byte(134), "finite");
    let vtk = vtk_legacy(&mesh, Layout::Polydata, true);
    let points_at = vtk.windows(7).position(|w| w == b"double\n").expect("points") + 7;
    check(&vtk[..points_at + 100], "a.vtk", Place::Byte(points_at), "192 bytes, 100 are left");
    let vtp = vtp(&mesh, Data::AppendedRaw, false, false);
    let data_at = vtp.windows(2).position(|w| w == b"\n_").expect("data") + 2;
    check(&vtp[..data_at + 100], "a.vtp", Place::Byte(data_at), "ends before 192 bytes");
}

#[test]
fn wrong_files_are_told() {
    check("", "a.stl", Place::File, "empty");
    check("hello world", "a.txt", Place::File, "STL, OBJ, gmsh");
    check("hello world", "a.msh", Place::File, "$MeshFormat");
    check("hello world", "a.vtp", Place::File, "<VTKFile>");
    check("hello world", "a.vtk", Place::File, "vtk DataFile");
    check("v 0 0 0\n", "a.obj", Place::File, "no triangles or polygons");
    check("<VTKFile type=\"ImageData\">", "a.vti", Place::Byte(0), "ImageData");
    check("<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\">", "a.vtp", Place::Byte(0), "zlib");
    let error = read_mesh(Path::new("no/such/file.stl")).expect_err("there is none");
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

/// One file of each kind.
fn specimens() -> Vec<Vec<u8>> {
    let mesh = RawMesh { groups: vec![0; 12], group_names: vec!["all".to_owned()], ..triangulated(&cube()) };
    vec![
        stl_text(&mesh),
        stl_binary(&mesh, "solid"),
        obj(&mesh),
        gmsh_2(&mesh),
        gmsh_4(&mesh),
        gmsh_binary(&mesh, false, false),
        gmsh_binary(&mesh, true, true),
        vtk_legacy(&mesh, Layout::Polydata, false),
        vtk_legacy(&mesh, Layout::PolydataOffsets, true),
        vtk_legacy(&mesh, Layout::Grid, true),
        vtp(&mesh, Data::Ascii, false, false),
        vtp(&mesh, Data::Inline, true, true),
        vtp(&mesh, Data::AppendedRaw, true, false),
        vtp(&mesh, Data::AppendedBase64, false, false),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// Whatever happens to a file, it is read or refused; what is read, the doctor can look at.
    #[test]
    fn mutated_files_do_not_panic(
        which in 0..14usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 0..6),
    ) {
        let mut bytes = specimens().swap_remove(which);
        for (place, value, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = value,
                1 => bytes[at] = b"0123456789-. \n"[usize::from(value) % 14],
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(bytes.len() / 2)),
            }
        }
        if let Ok(raw) = read_mesh_bytes(Path::new("mutated"), &bytes) {
            let (mesh, _) = PolygonMesh::build(raw, &MeshOptions::default());
            prop_assert!(mesh.elements.iter().all(|e| e.normal.is_normalized()));
        }
    }
}
