//! Deformable bodies, obstacles, and how they are solved for.

use super::{Axis, FileUnit};
use crate::scene::read::{
    Angle, AngularVelocity, AreaStiffness, Length, Located, Modulus, Number, Quantity, Stiffness, Strength,
    Text, Vector, Velocity, table, tagged,
};

table! {
    /// An elastic body in the x–y plane (plane strain), or a row of equal ones. Places, velocities and directions have z = 0.
    SolidTable {
        /// Name that messages and output refer to; copies are numbered. Default "solid-1", "solid-2", … in the order of the file.
        name: Option<Text>,
        /// Name of its material.
        material: Text,
        /// Lamé's first constant λ [Pa] instead of the material's.
        lame_lambda: Option<Quantity<Modulus>>,
        /// Shear modulus G [Pa] instead of the material's.
        shear_modulus: Option<Quantity<Modulus>>,
        /// Depth across the plane [m]. Default 1.
        thickness: Option<Quantity<Length>>,
        /// Put all mass of a row of the mass matrix on its diagonal. Default false.
        lumped_mass: Option<bool>,
        /// Where the origin of the shape goes [m]. Default [0, 0, 0].
        position: Option<Vector<Length>>,
        /// Turn of the shape about its origin [rad], counter-clockwise; "30 deg". Default 0.
        angle: Option<Quantity<Angle>>,
        /// Velocity [m/s]. Default [0, 0, 0].
        velocity: Option<Vector<Velocity>>,
        /// Spin about the middle of its box [rad/s], counter-clockwise. Default 0.
        spin: Option<Quantity<AngularVelocity>>,
        /// Copies along x. Default 1.
        columns: Option<Located<u64>>,
        /// Copies along y, numbered first. Default 1.
        rows: Option<Located<u64>>,
        /// Distance between copies along x and y [m].
        spacing: Option<Vector<Length>>,
        /// Angle by which each copy is turned more than the one before [rad]. Default 0.
        turn: Option<Quantity<Angle>>,
        /// Normal stiffness of contact of one surface node [N/m]. Default: 4 times Young's modulus times the thickness.
        penalty: Option<Quantity<Stiffness>>,
        /// Normal stiffness of contact per area [Pa/m] instead of `penalty`: for meshes of uneven size.
        penalty_per_area: Option<Quantity<AreaStiffness>>,
        /// Coefficient of friction of its surface [–]; a pair has the mean of both. Default 0.
        friction: Option<Quantity<Number>>,
        /// Parts of its outline with other properties or with loads.
        surface: Vec<SolidSurfaceTable>,
        /// Nodes that are held or guided.
        support: Vec<SupportTable>,
    }
    flatten shape: SolidShapeTable
}

tagged! {
    /// The shape of a deformable body.
    SolidShapeTable by "shape" {
        "disk" => Disk(SolidDiskTable),
        "ring" => Ring(SolidRingTable),
        "rectangle" => Rectangle(SolidRectangleTable),
        "block" => Block(SolidBlockTable),
        "mesh" => Mesh(SolidMeshTable),
    }
}

table! {
    /// A disk of quads about its origin.
    SolidDiskTable {
        /// Radius [m].
        radius: Quantity<Length>,
        /// Elements along a side of the square core; the rim has four times as many. Default 8.
        core: Option<Located<u64>>,
        /// Layers of elements around the core. Default 3.
        layers: Option<Located<u64>>,
    }
}

table! {
    /// A ring of quads about its origin.
    SolidRingTable {
        /// Inner radius [m].
        inner_radius: Quantity<Length>,
        /// Outer radius [m].
        outer_radius: Quantity<Length>,
        /// Elements around. Default 48.
        around: Option<Located<u64>>,
        /// Elements across. Default 3.
        across: Option<Located<u64>>,
    }
}

table! {
    /// A rectangle of quads centred on its origin.
    SolidRectangleTable {
        /// Width along x [m].
        width: Quantity<Length>,
        /// Height along y [m].
        height: Quantity<Length>,
        /// Elements along x.
        along: Located<u64>,
        /// Elements along y.
        up: Located<u64>,
    }
}

table! {
    /// A block of quads with four corners.
    SolidBlockTable {
        /// Corners [m], counter-clockwise.
        corners: Vec<Vector<Length>>,
        /// Elements along the first side.
        along: Located<u64>,
        /// Elements along the second side.
        up: Located<u64>,
    }
}

table! {
    /// Triangles and quads of a file, in the x–y plane.
    SolidMeshTable {
        /// Path relative to the scene: gmsh 2.2 or 4.1 (.msh), VTK (.vtk, .vtu), OBJ.
        file: Text,
        /// Unit of the coordinates in the file: "m" (default), "dm", "cm", "mm", "um", "in" or "ft".
        unit: Option<Located<FileUnit>>,
    }
}

table! {
    /// The segments of an outline within a box, in the frame of the shape. Keys left out are those of the body.
    SolidSurfaceTable {
        /// Lower corner of the box [m].
        min: Vector<Length>,
        /// Upper corner of the box [m].
        max: Vector<Length>,
        /// Coefficient of friction [–].
        friction: Option<Quantity<Number>>,
        /// Normal stiffness of contact of one surface node [N/m].
        penalty: Option<Quantity<Stiffness>>,
        /// Constant force per area of the reference state [Pa], in the frame of the world. Default none.
        traction: Option<Vector<Strength>>,
    }
}

table! {
    /// Nodes within a box, in the frame of the shape, that are held or move as prescribed.
    SupportTable {
        /// Lower corner of the box [m].
        min: Vector<Length>,
        /// Upper corner of the box [m].
        max: Vector<Length>,
        /// Axes that are held, such as ["x"]. Default ["x", "y"].
        axes: Vec<Located<Axis>>,
        /// Velocity [m/s]. Default [0, 0, 0].
        velocity: Option<Vector<Velocity>>,
        /// Rate of turning about `centre` [rad/s], counter-clockwise. Default 0.
        spin: Option<Quantity<AngularVelocity>>,
        /// Point turned about, at the start [m, world]. Default [0, 0, 0].
        centre: Option<Vector<Length>>,
    }
}

table! {
    /// An outline in the x–y plane that moves as prescribed, whatever touches it.
    ObstacleTable {
        /// Name that messages and output refer to. Default "obstacle-1", "obstacle-2", … in the order of the file.
        name: Option<Text>,
        /// Velocity [m/s]. Default [0, 0, 0].
        velocity: Option<Vector<Velocity>>,
        /// Rate of turning about `centre` [rad/s], counter-clockwise. Default 0.
        spin: Option<Quantity<AngularVelocity>>,
        /// Point turned about, at the start [m, world]. Default: the centre of a disc, else [0, 0, 0].
        centre: Option<Vector<Length>>,
        /// Normal stiffness of contact of one surface node [N/m]. Default: the largest of the bodies.
        penalty: Option<Quantity<Stiffness>>,
        /// Coefficient of friction of its surface [–]. Default 0.
        friction: Option<Quantity<Number>>,
    }
    flatten shape: ObstacleShapeTable
}

tagged! {
    /// The outline of an obstacle.
    ObstacleShapeTable by "shape" {
        "polygon" => Polygon(ObstaclePolygonTable),
        "disc" => Disc(ObstacleDiscTable),
    }
}

table! {
    /// A polygon.
    ObstaclePolygonTable {
        /// Corners at the start [m], counter-clockwise.
        corners: Vec<Vector<Length>>,
    }
}

table! {
    /// A disc.
    ObstacleDiscTable {
        /// Centre at the start [m].
        position: Vector<Length>,
        /// Radius [m].
        radius: Quantity<Length>,
        /// Corners of the polygon that stands for it. Default 48.
        points: Option<Located<u64>>,
    }
}

table! {
    /// How deformable bodies are solved for.
    SolidsTable {
        /// Residual at which a step is accepted, relative to elastic and inertial forces [–]. Default 1e-9.
        tolerance: Option<Quantity<Number>>,
        /// Steps between sorts of surface nodes. Default 1.
        sort_every: Option<Located<u64>>,
        /// Coefficient of friction of the walls' surfaces [–]. Default 0.
        wall_friction: Option<Quantity<Number>>,
        /// Normal stiffness of contact of walls [N/m]. Default: the largest of the bodies.
        wall_penalty: Option<Quantity<Stiffness>>,
    }
}
