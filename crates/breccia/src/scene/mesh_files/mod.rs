//! Surface meshes in files: STL, OBJ, gmsh and VTK.
//!
//! Readers give polygons as they stand; the mesh doctor ([`crate::shapes::mesh::PolygonMesh::build`]) does the
//! rest.

mod cursor;
mod error;
mod gmsh;
mod gmsh_binary;
mod groups;
mod obj;
mod stl;
mod vtk_arrays;
mod vtk_data;
mod vtk_legacy;
mod vtk_xml;
mod xml;

pub use error::{MeshFileError, Place};

use crate::shapes::mesh::RawMesh;
use error::Fault;
use std::path::Path;

const KNOWN_FORMATS: &str =
    "STL, OBJ, gmsh 2.2 and 4.1 (.msh), legacy VTK (.vtk) and XML VTK (.vtp, .vtu) are read";

/// Reads the polygons of a mesh file. The content tells the format; where it does not, the ending does.
///
/// Coordinates are taken as metres.
pub fn read_mesh(path: &Path) -> Result<RawMesh, MeshFileError> {
    let bytes = std::fs::read(path).map_err(|cause| {
        Fault::of_file(format!("cannot be read: {cause}"), "check the path").in_file(path.to_owned())
    })?;
    read_mesh_bytes(path, &bytes)
}

/// Reads the polygons of a mesh file from its content; `path` gives the ending, and the name for messages.
pub fn read_mesh_bytes(path: &Path, bytes: &[u8]) -> Result<RawMesh, MeshFileError> {
    // Some editors put a mark before UTF-8 text.
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mesh = choose_reader(content, &ending).and_then(|read| read(content)).and_then(|mesh| {
        if mesh.polygons.is_empty() {
            return Err(Fault::of_file(
                "it holds no triangles or polygons",
                "export the surface of the body",
            ));
        }
        Ok(mesh)
    });
    mesh.map_err(|fault| fault.in_file(path.to_owned()))
}

type Reader = fn(&[u8]) -> Result<RawMesh, Fault>;

fn choose_reader(bytes: &[u8], ending: &str) -> Result<Reader, Fault> {
    if bytes.is_empty() {
        return Err(Fault::of_file("the file is empty", "export it again"));
    }
    if vtk_legacy::looks_like(bytes) {
        Ok(vtk_legacy::read)
    } else if vtk_xml::looks_like(bytes) {
        Ok(vtk_xml::read)
    } else if stl::has_binary_size(bytes) || stl::looks_like_text(bytes) {
        Ok(stl::read)
    } else if gmsh::looks_like(bytes) {
        Ok(gmsh::read)
    } else if obj::looks_like(bytes) {
        Ok(obj::read)
    } else {
        match ending {
            "stl" => Ok(stl::read),
            "obj" => Ok(obj::read),
            "msh" => Err(Fault::of_file("no `$MeshFormat`: not a gmsh file", KNOWN_FORMATS)),
            "vtk" => Err(Fault::of_file("no `# vtk DataFile` line: not a legacy VTK file", KNOWN_FORMATS)),
            "vtp" | "vtu" => Err(Fault::of_file("no `<VTKFile>`: not an XML VTK file", KNOWN_FORMATS)),
            _ => Err(Fault::of_file("the format is not known", KNOWN_FORMATS)),
        }
    }
}
