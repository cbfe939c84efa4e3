//! Meshes: their files, places, sides and materials.

use super::WallMotionTable;
use crate::scene::read::{Angle, Length, Located, Number, OneOrMany, Quantity, Text, Vector, table, words};

/// Unit of the coordinates in a file, as its length [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::scene) struct FileUnit(pub(in crate::scene) f64);

words! { "unit", FileUnit {
    "m" => FileUnit(1.0),
    "dm" => FileUnit(1e-1),
    "cm" => FileUnit(1e-2),
    "mm" => FileUnit(1e-3),
    "um" => FileUnit(1e-6),
    "in" => FileUnit(0.0254),
    "ft" => FileUnit(0.3048),
} }

/// Which way the normals of a one-sided mesh point: to the side that bodies touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum FacingWord {
    /// Out of closed bodies.
    Outwards,
    /// Into closed bodies.
    Inwards,
    /// As in the file.
    AsGiven,
    /// Against those of the file.
    Reversed,
}

words! { "facing", FacingWord {
    "outwards" => FacingWord::Outwards,
    "inwards" => FacingWord::Inwards,
    "as-given" => FacingWord::AsGiven,
    "reversed" => FacingWord::Reversed,
} }

table! {
    /// A rigid surface from a file, of unlimited mass. Its points are scaled, then turned, then moved.
    MeshTable {
        /// Name that events, regions and output refer to; not that of a wall. Default "mesh-1", "mesh-2", … in the order of the file.
        name: Option<Text>,
        /// Path relative to the scene: STL, OBJ, gmsh 2.2 or 4.1 (.msh), VTK (.vtk, .vtp, .vtu).
        file: Text,
        /// Name of its material.
        material: Text,
        /// Materials of named groups of the file, where they differ. Default none.
        groups: Vec<MeshGroupTable>,
        /// Unit of the coordinates in the file: "m" (default), "dm", "cm", "mm", "um", "in" or "ft".
        unit: Option<Located<FileUnit>>,
        /// Factor on the coordinates besides `unit` [–]. Default 1.
        scale: Option<Quantity<Number>>,
        /// Turn about the origin after scaling; several, as an array, act one after the other. Default none.
        rotate: OneOrMany<TurnTable>,
        /// Translation after turning [m]. Default [0, 0, 0].
        translate: Option<Vector<Length>>,
        /// Whether bodies touch both sides; else only the side the normals point to. Default false.
        two_sided: Option<bool>,
        /// Normals of a one-sided mesh: "outwards" (default) or "inwards" of closed bodies, "as-given" or "reversed" as to the file.
        facing: Option<Located<FacingWord>>,
        /// Vertices nearer than this are one [m]. Default: 1e-9 of the mesh's size, 1e-6 in single precision.
        weld_tolerance: Option<Quantity<Length>>,
        /// Prescribed motions; the first acts in the frame that the following carry along. Default: at rest.
        motion: Vec<WallMotionTable>,
    }
}

table! {
    /// A group of elements with a material of its own.
    MeshGroupTable {
        /// Name of the group in the file.
        name: Text,
        /// Name of its material.
        material: Text,
    }
}

table! {
    /// A turn.
    TurnTable {
        /// Axis through the origin, of any length.
        axis: Vector<Number>,
        /// Angle [rad], right-handed about the axis; "90 deg".
        angle: Quantity<Angle>,
    }
}
