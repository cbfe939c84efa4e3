//! Groups of spheres or of clusters.

use super::OrientationChoice;
use crate::scene::read::{
    AngularVelocity, Length, Located, Mass, Number, OneOrThree, Quantity, Rate, SievePoint, Text, Time,
    Vector, Velocity, table, tagged, words,
};

table! {
    /// A group of spheres or clusters of one material.
    BodiesTable {
        /// Name that loads and events refer to. Default "bodies-1", "bodies-2", … in the order of the file.
        name: Option<Text>,
        /// Name of their material.
        material: Text,
        /// Velocity of each sphere or cluster [m/s]. Default [0, 0, 0].
        velocity: Option<Vector<Velocity>>,
        /// Angular velocity of each sphere or cluster [rad/s]. Default [0, 0, 0].
        spin: Option<Vector<AngularVelocity>>,
    }
    flatten kind: BodiesKind
}

tagged! {
    /// Where the spheres of a group come from.
    BodiesKind by "kind" {
        "list" => List(ListTable),
        "csv" => Csv(CsvTable),
        "lattice" => Lattice(LatticeTable),
        "random" => Random(RandomTable),
        "pour" => Pour(PourTable),
    }
}

table! {
    /// Spheres listed one by one.
    ListTable {
        /// Centres of spheres that all have `radius` [m].
        positions: Vec<Vector<Length>>,
        /// Spheres with their own radius, velocity or spin.
        spheres: Vec<SphereTable>,
        /// Radius of spheres that do not give their own [m].
        radius: Option<Quantity<Length>>,
        /// Name of a [[template]]: clusters instead of spheres, placed by the balls around them.
        template: Option<Text>,
        /// How clusters are turned: "random", "none" or a turn. Default "none".
        orientation: Option<Located<OrientationChoice>>,
    }
}

table! {
    /// One sphere of a list.
    SphereTable {
        /// Centre [m].
        position: Vector<Length>,
        /// Radius [m]. Default: that of the group.
        radius: Option<Quantity<Length>>,
        /// Velocity [m/s]. Default: that of the group.
        velocity: Option<Vector<Velocity>>,
        /// Angular velocity [rad/s]. Default: that of the group.
        spin: Option<Vector<AngularVelocity>>,
    }
}

table! {
    /// Spheres from a table with a header: columns x, y, z, r and, if wanted, vx, vy, vz, wx, wy, wz (SI units). With a template no r, and, if wanted, rx, ry, rz: how each cluster is turned, as an axis-angle vector [rad].
    CsvTable {
        /// Path of the table, relative to the scene.
        file: Text,
        /// Factor on positions and radii [–], 0.001 for a table in millimetres. Default 1.
        scale: Option<Quantity<Number>>,
        /// Name of a [[template]]: clusters instead of spheres, with their centres of mass at these places.
        template: Option<Text>,
        /// How clusters are turned whose row does not say: "random", "none" or a turn. Default "none".
        orientation: Option<Located<OrientationChoice>>,
    }
}

/// How lattice points are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Arrangement {
    /// One sphere per cell.
    Cubic,
    /// Four spheres per cubic cell.
    Fcc,
    /// Close-packed hexagonal layers.
    Hex,
}

words! { "arrangement", Arrangement {
    "cubic" => Arrangement::Cubic,
    "fcc" => Arrangement::Fcc,
    "hex" => Arrangement::Hex,
} }

table! {
    /// Spheres on a lattice.
    LatticeTable {
        /// Centre of the first sphere [m].
        origin: Vector<Length>,
        /// Distance between cells [m], one number or one for each axis; for "hex" the distance of neighbours.
        spacing: OneOrThree,
        /// Number of cells along x, y and z.
        count: Located<Vec<Located<u64>>>,
        /// "cubic" (default), "fcc" (four spheres per cell) or "hex" (close-packed layers along z).
        arrangement: Option<Located<Arrangement>>,
        /// Largest random displacement along each axis [m]. Default 0.
        jitter: Option<Quantity<Length>>,
        /// Keep only spheres that lie whole in this region. Default: all.
        region: Option<RegionTable>,
        /// Radius of all spheres [m]; or give `size`.
        radius: Option<Quantity<Length>>,
        /// Distribution of sizes; or give `radius`.
        size: Option<SizeTable>,
        /// Name of a [[template]]: clusters instead of spheres, placed by the balls around them.
        template: Option<Text>,
        /// How clusters are turned: "random", "none" or a turn. Default "none".
        orientation: Option<Located<OrientationChoice>>,
    }
}

table! {
    /// Spheres at random places of a region, without overlap. Give one of `count`, `mass`, `volume_fraction`.
    RandomTable {
        /// Where; whole spheres stay inside.
        region: RegionTable,
        /// How many spheres or clusters.
        count: Option<Located<u64>>,
        /// Mass of all of them [kg].
        mass: Option<Quantity<Mass>>,
        /// Volume of all their spheres over volume of the region [–].
        volume_fraction: Option<Quantity<Number>>,
        /// Smallest gap between spheres [m]. Default 0.
        gap: Option<Quantity<Length>>,
        /// Radius of all spheres [m]; or give `size`.
        radius: Option<Quantity<Length>>,
        /// Distribution of sizes; or give `radius`.
        size: Option<SizeTable>,
        /// Name of a [[template]]: clusters instead of spheres, placed by the balls around them.
        template: Option<Text>,
        /// How clusters are turned: "random", "none" or a turn. Default "random".
        orientation: Option<Located<OrientationChoice>>,
    }
}

table! {
    /// Spheres that appear in a region over time, without overlap.
    PourTable {
        /// Where; whole spheres stay inside.
        region: RegionTable,
        /// How much, with unit: "2 kg/s" or "100 1/s".
        rate: Rate,
        /// First instant [s]. Default 0.
        start: Option<Quantity<Time>>,
        /// Last instant [s]. Default: the end of the run.
        stop: Option<Quantity<Time>>,
        /// Stop after so many spheres or clusters.
        max_count: Option<Located<u64>>,
        /// Stop after so much mass [kg].
        max_mass: Option<Quantity<Mass>>,
        /// Radius of all spheres [m]; or give `size`.
        radius: Option<Quantity<Length>>,
        /// Distribution of sizes; or give `radius`.
        size: Option<SizeTable>,
        /// Name of a [[template]]: clusters instead of spheres, placed by the balls around them.
        template: Option<Text>,
        /// How clusters are turned: "random", "none" or a turn. Default "random".
        orientation: Option<Located<OrientationChoice>>,
    }
}

tagged! {
    /// Distribution of sizes.
    SizeTable by "kind" {
        "uniform" => Uniform(UniformTable),
        "normal" => Normal(NormalTable),
        "sieve" => Sieve(SieveTable),
    }
}

table! {
    /// Radii equally likely between two bounds.
    UniformTable {
        /// Smallest radius [m].
        min: Quantity<Length>,
        /// Largest radius [m].
        max: Quantity<Length>,
    }
}

table! {
    /// Normal distribution of radii, cut off at two bounds.
    NormalTable {
        /// Mean radius before cutting [m].
        mean: Quantity<Length>,
        /// Standard deviation before cutting [m].
        deviation: Quantity<Length>,
        /// Smallest radius [m].
        min: Quantity<Length>,
        /// Largest radius [m].
        max: Quantity<Length>,
    }
}

table! {
    /// Sieve curve by mass, log-linear between sieves.
    SieveTable {
        /// Pairs [sieve opening (a diameter) [m], mass fraction passing [–]], increasing from 0 to 1.
        points: Vec<SievePoint>,
    }
}

tagged! {
    /// A region.
    RegionTable by "shape" {
        "box" => Box(BoxRegionTable),
        "cylinder" => Cylinder(CylinderRegionTable),
        "sphere" => Sphere(SphereRegionTable),
        "mesh" => Mesh(MeshRegionTable),
    }
}

table! {
    /// An axis-aligned box.
    BoxRegionTable {
        /// Lower corner [m].
        min: Vector<Length>,
        /// Upper corner [m].
        max: Vector<Length>,
    }
}

table! {
    /// A circular cylinder.
    CylinderRegionTable {
        /// Centre of one end [m].
        from: Vector<Length>,
        /// Centre of the other end [m].
        to: Vector<Length>,
        /// Radius [m].
        radius: Quantity<Length>,
    }
}

table! {
    /// A sphere.
    SphereRegionTable {
        /// Centre [m].
        centre: Vector<Length>,
        /// Radius [m].
        radius: Quantity<Length>,
    }
}

table! {
    /// The inside of a closed mesh, where it is at the start of the run.
    MeshRegionTable {
        /// Name of the mesh.
        mesh: Text,
    }
}
