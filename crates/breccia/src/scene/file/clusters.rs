//! Clusters of spheres, bonded or rigid: their templates, their bonds and how they are turned.

use super::{FileUnit, TurnTable};
use crate::scene::read::{
    AreaStiffness, FromScene, Length, Located, Modulus, Node, Notes, Number, Quantity, Strength, Text, table,
    tagged, words, wrong_type,
};
use crate::shapes::template::FillLattice;
use serde_json::{Value, json};
use toml::de::DeValue;

table! {
    /// A kind of bond. Give one of `young_modulus` and `stiffness`.
    BondTable {
        /// Name that templates refer to.
        name: Text,
        /// Young's modulus of the bonds [Pa]: a bond of length L and area A has the axial stiffness E A/L.
        young_modulus: Option<Quantity<Modulus>>,
        /// Axial stiffness per area [N/m³], whatever the length.
        stiffness: Option<Quantity<AreaStiffness>>,
        /// Normal over shear stiffness [–]. Default 2.5.
        stiffness_ratio: Option<Quantity<Number>>,
        /// Tensile strength [Pa]; "unbreakable" (default) or inf for bonds that no tension breaks.
        tensile_strength: Option<Quantity<Strength>>,
        /// Shear strength [Pa]; "unbreakable" (default) or inf for bonds that no shear breaks.
        shear_strength: Option<Quantity<Strength>>,
        /// Radius of a bond over that of its smaller sphere [–]. Default 1.
        radius_factor: Option<Quantity<Number>>,
        /// Damping as a part of the critical one [–], 0 to 1. Default 0.05.
        damping_ratio: Option<Quantity<Number>>,
        /// Weibull modulus of the scatter of both strengths, drawn with the seed [–]; their means stay. Default: no scatter.
        weibull_modulus: Option<Quantity<Number>>,
    }
}

table! {
    /// A cluster of spheres held together by bonds, or rigid. Give one of `bond` and `rigid`.
    TemplateTable {
        /// Name that groups of bodies refer to.
        name: Text,
        /// Name of the [[bond]] that holds it together.
        bond: Option<Text>,
        /// Whether it is a rigid clump, which never breaks; its mass is that of the union of its spheres. Default false.
        rigid: Option<Located<bool>>,
        /// Spheres are bonded where their centres are no farther apart than (1 + gap) times their radii [–]. Default 0.05, for a packing or a relaxed filling 0.1.
        gap: Option<Quantity<Number>>,
    }
    flatten kind: TemplateKind
}

tagged! {
    /// Where the spheres of a template come from.
    TemplateKind by "kind" {
        "cube" => Cube(CubeTable),
        "octahedron" => Octahedron(OctahedronTable),
        "rod" => Rod(RodTable),
        "packing" => Packing(PackingTable),
        "tablet" => Tablet(TabletTable),
        "file" => File(TemplateFileTable),
        "mesh" => Mesh(TemplateMeshTable),
    }
}

table! {
    /// Touching spheres on a cubic lattice.
    CubeTable {
        /// Spheres along an edge.
        n: Located<u64>,
        /// Radius of the spheres [m].
        radius: Quantity<Length>,
    }
}

table! {
    /// Six touching spheres at the corners of an octahedron.
    OctahedronTable {
        /// Radius of the spheres [m].
        radius: Quantity<Length>,
    }
}

table! {
    /// Touching spheres in a row along x.
    RodTable {
        /// Number of spheres.
        n: Located<u64>,
        /// Radius of the spheres [m].
        radius: Quantity<Length>,
    }
}

table! {
    /// Equal spheres packed densely into a ball; they overlap by 2 % of their diameter at most.
    PackingTable {
        /// Number of spheres.
        n: Located<u64>,
        /// Radius of the spheres [m].
        radius: Quantity<Length>,
        /// Seed of the packing. Default: that of the scene.
        seed: Option<u64>,
    }
}

table! {
    /// A disc across z of unequal spheres: rings of equal ones around a middle one, and a rim of smaller ones.
    TabletTable {
        /// Radius of the inner spheres, half the thickness [m].
        radius: Quantity<Length>,
        /// Rings around the middle sphere. Default 1.
        rings: Option<Located<u64>>,
        /// Radius of the spheres at the rim [m]. Default: half of `radius`.
        rim_radius: Option<Quantity<Length>>,
    }
}

table! {
    /// Spheres from a table with a header: columns x, y, z, r (SI units).
    TemplateFileTable {
        /// Path of the table, relative to the scene.
        file: Text,
        /// Factor on positions and radii [–], 0.001 for a table in millimetres. Default 1.
        scale: Option<Quantity<Number>>,
    }
}

/// How spheres fill a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Filling {
    /// On a lattice.
    Lattice(FillLattice),
    /// Pushed into the gaps that a lattice leaves.
    Relaxed,
}

words! { "arrangement", Filling {
    "cubic" => Filling::Lattice(FillLattice::Cubic),
    "fcc" => Filling::Lattice(FillLattice::Fcc),
    "relaxed" => Filling::Relaxed,
} }

table! {
    /// Spheres wholly inside a closed mesh.
    TemplateMeshTable {
        /// Path of the mesh, relative to the scene.
        file: Text,
        /// Unit of the coordinates in the file: "m" (default), "dm", "cm", "mm", "um", "in" or "ft".
        unit: Option<Located<FileUnit>>,
        /// Factor on the coordinates besides `unit` [–]. Default 1.
        scale: Option<Quantity<Number>>,
        /// Radius of the spheres [m].
        radius: Quantity<Length>,
        /// "fcc" (close-packed, default), "cubic", or "relaxed": a close packing with more spheres pushed into its gaps, fuller and less regular.
        arrangement: Option<Filling>,
    }
}

/// How clusters are turned.
#[derive(Debug)]
pub(in crate::scene) enum OrientationChoice {
    /// Each at random, all directions equally likely.
    Random,
    /// As in the template.
    Unturned,
    /// All alike.
    Turn(TurnTable),
}

impl FromScene for OrientationChoice {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::Table(_) => TurnTable::read(node, notes).map(Self::Turn),
            DeValue::String(word) if word == "random" => Some(Self::Random),
            DeValue::String(word) if word == "none" => Some(Self::Unturned),
            _ => wrong_type(
                node,
                "\"random\", \"none\" or a turn such as `{ axis = [0, 0, 1], angle = \"30 deg\" }`",
                notes,
            ),
        }
    }

    fn schema() -> Value {
        json!({ "oneOf": [{ "enum": ["random", "none"] }, TurnTable::schema()] })
    }
}
