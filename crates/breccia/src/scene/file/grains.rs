//! Grains in the plane: choices of the implicit method, outlines, and where grains are.

use crate::implicit::StiffnessMeaning;
use crate::scene::read::{
    Angle, AngularVelocity, Length, Located, Mass, Modulus, Number, Plane, Quantity, Stiffness, Text, Time,
    Velocity, table, tagged, words,
};
use crate::shapes::nurbs::GrainFamily;

/// With inertia or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum GrainMode {
    /// With.
    Dynamic,
    /// Without.
    QuasiStatic,
}

words! { "mode", GrainMode { "dynamic" => GrainMode::Dynamic, "quasi-static" => GrainMode::QuasiStatic, } }
words! { "meaning of stiffness", StiffnessMeaning {
    "knot" => StiffnessMeaning::PerKnot,
    "length" => StiffnessMeaning::PerLength,
} }
words! { "family of grains", GrainFamily {
    "non-convex" => GrainFamily::NonConvex,
    "angular" => GrainFamily::AngularConvex,
    "disc" => GrainFamily::Disc,
} }

table! {
    /// Choices of implicit contact dynamics. Grains are one metre deep: masses, forces and stiffnesses are per metre of depth.
    ImplicitTable {
        /// "dynamic" (default, with inertia) or "quasi-static" (balance at every step; velocities of walls times the step are increments).
        mode: Option<GrainMode>,
        /// θ of dynamic steps [–], 0.5 to 1; impacts from rest rebound with (1 − θ)/θ. Default 0.7.
        theta: Option<Quantity<Number>>,
        /// Most iterations per dynamic step that take the dilation out of sliding. Default 0.
        saxce_iterations: Option<Located<u64>>,
        /// Normal stiffness of contacts [N/m]. Default: rigid.
        normal_stiffness: Option<Quantity<Stiffness>>,
        /// Tangential over normal stiffness [–]. Default 2/3.
        tangential_ratio: Option<Quantity<Number>>,
        /// What has this stiffness: every contact point, "knot" (default), or a tenth of a diameter of boundary, "length".
        stiffness_per: Option<StiffnessMeaning>,
        /// Contact knots of an outline. Default 48.
        knots: Option<Located<u64>>,
        /// Whether contacts stay at the knots as published, in place of the points of least gap. Default false.
        paper_knots: Option<bool>,
        /// Whether each grain of a pair is looked at from the other. Default true.
        double_pass: Option<bool>,
        /// Resistance to motion in quasi-static steps, as a part of the reference stress [–]. Default 0.001.
        resistance: Option<Quantity<Number>>,
        /// The same for pressed walls [–]: without grains in its way, a wall moves by its pressed length over this in a step. Default: ten times `resistance`.
        wall_resistance: Option<Quantity<Number>>,
        /// Tolerance of the solver [–]. Default 1e-8.
        tolerance: Option<Quantity<Number>>,
    }
}

table! {
    /// The outline of grains.
    OutlineTable {
        /// Name that grains refer to.
        name: Text,
    }
    flatten kind: OutlineKind
}

tagged! {
    /// Where an outline comes from.
    OutlineKind by "kind" {
        "disc" => Disc(DiscOutlineTable),
        "built-in" => BuiltIn(BuiltInTable),
        "smooth" => Smooth(SmoothTable),
        "polygon" => Polygon(PolygonTable),
        "nurbs" => Nurbs(NurbsTable),
        "file" => File(OutlineFileTable),
    }
}

table! {
    /// A disc.
    DiscOutlineTable {
        /// Diameter [m].
        diameter: Quantity<Length>,
    }
}

table! {
    /// Ready-made grains: sixteen, of the same areas in each family.
    BuiltInTable {
        /// "non-convex" (lobed), "angular" (convex) or "disc".
        family: GrainFamily,
        /// Numbers of the shapes, 0 to 15. Default: all of them.
        numbers: Vec<u64>,
        /// Mean diameter of the sixteen, by equal area [m].
        diameter: Quantity<Length>,
        /// Whether lobes are higher, for stronger effects of shape. Default false.
        strong: Option<bool>,
    }
}

table! {
    /// A smooth closed curve from a periodic control polygon.
    SmoothTable {
        /// Control points [m], in order.
        points: Vec<Plane<Length>>,
        /// Weights [–]. Default 1.
        weights: Vec<Quantity<Number>>,
    }
}

table! {
    /// A polygon; its corners stay sharp.
    PolygonTable {
        /// Corners [m], in order.
        points: Vec<Plane<Length>>,
    }
}

table! {
    /// A closed clamped cubic NURBS curve.
    NurbsTable {
        /// Control points [m], the last the same as the first.
        points: Vec<Plane<Length>>,
        /// Weights [–]. Default 1.
        weights: Vec<Quantity<Number>>,
        /// Knots, four more than points, the first and last four equal.
        knots: Vec<Quantity<Number>>,
    }
}

table! {
    /// Shapes of a library, as `breccia grains` writes it, or an outline from a table with columns x and y (.csv).
    OutlineFileTable {
        /// Path, relative to the scene.
        file: Text,
        /// Factor on all lengths [–]. Default 1.
        scale: Option<Quantity<Number>>,
        /// Whether the points of a table are the control points of a smooth curve in place of corners. Default false.
        smooth: Option<bool>,
    }
}

table! {
    /// A group of grains.
    GrainsTable {
        /// Name that events and output refer to. Default "grains-1", "grains-2", … in the order of the file.
        name: Option<Text>,
        /// Name of their material.
        material: Text,
        /// Names of their outlines, which take turns. Default: all.
        outlines: Vec<Text>,
        /// Velocity [m/s]. Default [0, 0].
        velocity: Option<Plane<Velocity>>,
        /// Angular velocity, counter-clockwise [rad/s]. Default 0.
        spin: Option<Quantity<AngularVelocity>>,
        /// Whether they are held in place as obstacles. Default false.
        fixed: Option<bool>,
    }
    flatten kind: GrainsKind
}

tagged! {
    /// Where grains are.
    GrainsKind by "kind" {
        "list" => List(GrainListTable),
        "rows" => Rows(GrainRowsTable),
    }
}

table! {
    /// Grains one by one.
    GrainListTable {
        /// Centroids [m].
        positions: Vec<Plane<Length>>,
        /// Angles, counter-clockwise [rad], one for each or one for all. Default 0.
        angles: Vec<Quantity<Angle>>,
    }
}

table! {
    /// Rows of grains from the bottom up, apart from each other, in random order and at random angles.
    GrainRowsTable {
        /// Number of grains.
        count: Located<u64>,
        /// Lower left corner of the first row [m]. Default [0, 0].
        origin: Option<Plane<Length>>,
        /// Width of the rows [m].
        width: Quantity<Length>,
    }
}

table! {
    /// What presses a wall onto grains.
    PressTable {
        /// Pressure on the grains [Pa].
        pressure: Quantity<Modulus>,
        /// Two walls whose distance is the pressed length.
        between: Vec<Text>,
        /// Mass of the wall, for dynamic steps [kg].
        mass: Option<Quantity<Mass>>,
        /// Instant from which the wall follows its motion instead [s]. Default: never.
        until: Option<Quantity<Time>>,
    }
}
