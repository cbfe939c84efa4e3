//! Walls and their motion.

use super::PressTable;
use crate::scene::read::{
    Angle, AngularVelocity, Extent, Frequency, Length, Number, Quantity, Text, Time, Vector, Velocity, table,
    tagged, words,
};
use crate::shapes::Side;

words! { "side", Side { "inside" => Side::Inside, "outside" => Side::Outside, "both" => Side::Both, } }

/// A face of a box, as an index in the order −x, +x, −y, +y, −z, +z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Face(pub(in crate::scene) usize);

words! { "face", Face {
    "-x" => Face(0),
    "+x" => Face(1),
    "-y" => Face(2),
    "+y" => Face(3),
    "-z" => Face(4),
    "+z" => Face(5),
} }

table! {
    /// A rigid wall of unlimited mass.
    WallTable {
        /// Name that events and output refer to. Default "wall-1", "wall-2", … in the order of the file.
        name: Option<Text>,
        /// Name of its material.
        material: Text,
        /// Prescribed motions; the first acts in the frame that the following carry along. Default: at rest.
        motion: Vec<WallMotionTable>,
        /// Presses a plane onto grains along its normal, in the place of a motion; implicit scenes only.
        press: Option<PressTable>,
    }
    flatten shape: WallShapeTable
}

tagged! {
    /// The surface of a wall.
    WallShapeTable by "shape" {
        "plane" => Plane(PlaneTable),
        "box" => Box(BoxTable),
        "cylinder" => Cylinder(CylinderTable),
        "cone" => Cone(ConeTable),
        "sphere" => Sphere(SphereWallTable),
        "disc" => Disc(DiscTable),
        "rectangle" => Rectangle(RectangleTable),
    }
}

table! {
    /// An endless plane; bodies are on the side its normal points to.
    PlaneTable {
        /// A point of the plane [m]. Default [0, 0, 0].
        point: Option<Vector<Length>>,
        /// Normal towards the bodies, of any length.
        normal: Vector<Number>,
    }
}

table! {
    /// Six rectangles along the axes; some may be left out.
    BoxTable {
        /// Lower corner [m].
        min: Vector<Length>,
        /// Upper corner [m].
        max: Vector<Length>,
        /// Side of the bodies: "inside" (default), "outside" or "both".
        side: Option<Side>,
        /// Missing faces, such as ["+z"] for a box open at the top. Default none.
        open: Vec<Face>,
    }
}

table! {
    /// Lateral surface of a circular cylinder, without end caps. Give `from` and `to`, or `start`, `axis`, `length`.
    CylinderTable {
        /// Centre of one end [m].
        from: Option<Vector<Length>>,
        /// Centre of the other end [m].
        to: Option<Vector<Length>>,
        /// Centre of the first end [m].
        start: Option<Vector<Length>>,
        /// Direction from the first end to the second, of any length.
        axis: Option<Vector<Number>>,
        /// Length [m]; inf for a cylinder without ends.
        length: Option<Quantity<Extent>>,
        /// Radius [m].
        radius: Quantity<Length>,
        /// Side of the bodies: "inside" (default), "outside" or "both".
        side: Option<Side>,
    }
}

table! {
    /// Lateral surface of a truncated cone, without end caps. Give `from` and `to`, or `start`, `axis`, `length`.
    ConeTable {
        /// Centre of one end [m].
        from: Option<Vector<Length>>,
        /// Centre of the other end [m].
        to: Option<Vector<Length>>,
        /// Centre of the first end [m].
        start: Option<Vector<Length>>,
        /// Direction from the first end to the second, of any length.
        axis: Option<Vector<Number>>,
        /// Length [m].
        length: Option<Quantity<Extent>>,
        /// Radius at the first end [m]; may be zero.
        start_radius: Quantity<Length>,
        /// Radius at the second end [m]; may be zero.
        end_radius: Quantity<Length>,
        /// Side of the bodies: "inside" (default), "outside" or "both".
        side: Option<Side>,
    }
}

table! {
    /// A sphere.
    SphereWallTable {
        /// Centre [m].
        centre: Vector<Length>,
        /// Radius [m].
        radius: Quantity<Length>,
        /// Side of the bodies: "inside" (default), "outside" or "both".
        side: Option<Side>,
    }
}

table! {
    /// A thin flat disc or ring, touched from both sides.
    DiscTable {
        /// Centre [m].
        centre: Vector<Length>,
        /// Normal, of any length.
        normal: Vector<Number>,
        /// Outer radius [m].
        radius: Quantity<Length>,
        /// Radius of a hole in the middle [m]. Default 0.
        hole: Option<Quantity<Length>>,
    }
}

table! {
    /// A flat rectangle, touched from the side its normal points to or from both.
    RectangleTable {
        /// Centre [m].
        centre: Vector<Length>,
        /// Normal towards the bodies, of any length.
        normal: Vector<Number>,
        /// Direction of its `length`, of any length, perpendicular to the normal.
        along: Vector<Number>,
        /// Extent in the direction of `along` [m].
        length: Quantity<Length>,
        /// Extent across that direction [m].
        width: Quantity<Length>,
        /// Whether bodies touch both sides; else one that comes behind it is pushed back. Default false.
        two_sided: Option<bool>,
    }
}

table! {
    /// A motion and the time it acts.
    WallMotionTable {
        /// Instant it begins [s]. Default 0.
        start: Option<Quantity<Time>>,
        /// Instant it ends [s]; the wall keeps the pose reached there. Default: never.
        stop: Option<Quantity<Time>>,
    }
    flatten kind: WallMotionKind
}

tagged! {
    /// A motion.
    WallMotionKind by "kind" {
        "translation" => Translation(TranslationTable),
        "rotation" => Rotation(RotationTable),
        "oscillation" => Oscillation(OscillationTable),
        "rocking" => Rocking(RockingTable),
        "table" => Table(PoseListTable),
    }
}

table! {
    /// Constant velocity.
    TranslationTable {
        /// Velocity [m/s].
        velocity: Vector<Velocity>,
    }
}

table! {
    /// Constant rotation about an axis.
    RotationTable {
        /// A point of the axis [m]. Default [0, 0, 0].
        point: Option<Vector<Length>>,
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Angular speed [rad/s], right-handed about the axis; "40 rpm".
        speed: Quantity<AngularVelocity>,
    }
}

table! {
    /// Displacement amplitude·sin(2π·frequency·t + phase), less its value at the start.
    OscillationTable {
        /// Amplitude [m].
        amplitude: Vector<Length>,
        /// Frequency [Hz].
        frequency: Quantity<Frequency>,
        /// Phase at the start [rad]. Default 0.
        phase: Option<Quantity<Angle>>,
    }
}

table! {
    /// Rotation about an axis by the angle amplitude·sin(2π·frequency·t + phase), less its value at the start.
    RockingTable {
        /// A point of the axis [m]. Default [0, 0, 0].
        point: Option<Vector<Length>>,
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Largest angle [rad]; "5 deg".
        amplitude: Quantity<Angle>,
        /// Frequency [Hz].
        frequency: Quantity<Frequency>,
        /// Phase at the start [rad]. Default 0.
        phase: Option<Quantity<Angle>>,
    }
}

table! {
    /// Poses at instants, relative to the wall at rest, interpolated between them. Give `points` or `file`.
    PoseListTable {
        /// The poses.
        points: Vec<PoseTable>,
        /// Path of a table relative to the scene, with a header: t and, if wanted, x, y, z, rx, ry, rz (SI, rad).
        file: Option<Text>,
    }
}

table! {
    /// A pose at an instant.
    PoseTable {
        /// Instant after the start of the motion [s]; the first is 0.
        time: Quantity<Time>,
        /// Translation [m]. Default [0, 0, 0].
        translation: Option<Vector<Length>>,
        /// Rotation about the origin as an axis-angle vector [rad]. Default [0, 0, 0].
        rotation: Option<Vector<Angle>>,
    }
}
