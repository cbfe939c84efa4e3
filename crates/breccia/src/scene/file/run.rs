//! Time, domain, search, limits, phases, events and output.

use crate::model::ExitPolicy;
use crate::scene::read::{
    Acceleration, AutoOr, Energy, Extent, Force, Frequency, Length, Located, Number, OffOr, Quantity, Text,
    Time, Torque, Vector, Velocity, table, tagged, words,
};

words! { "choice", ExitPolicy { "stop" => ExitPolicy::Stop, "remove" => ExitPolicy::Remove, } }

/// An axis of the world, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Axis(pub(in crate::scene) usize);

words! { "axis", Axis { "x" => Axis(0), "y" => Axis(1), "z" => Axis(2), } }

table! {
    /// Length and step of the run.
    TimeTable {
        /// Simulated time [s]; with phases it is their sum and may be left out.
        duration: Option<Quantity<Time>>,
        /// Time step [s], or "auto" (default): from the Rayleigh time, the shortest expected contact and the stiffest bond.
        step: Option<AutoOr<Time>>,
        /// Largest automatic step as a fraction of the Rayleigh time [–]. Default 0.2.
        rayleigh_fraction: Option<Quantity<Number>>,
        /// Fewest steps in the shortest expected contact for the automatic step [–]. Default 40.
        steps_per_contact: Option<Quantity<Number>>,
        /// Expected largest impact speed [m/s]. Default: found from the scene.
        expected_speed: Option<Quantity<Velocity>>,
    }
}

table! {
    /// Region the bodies may occupy.
    DomainTable {
        /// Lower corner [m]; -inf on an unbounded side. Default unbounded.
        min: Option<Vector<Extent>>,
        /// Upper corner [m]; inf on an unbounded side. Default unbounded.
        max: Option<Vector<Extent>>,
        /// Axes on which what leaves one side enters the other, such as ["x", "y"]. Default none.
        periodic: Vec<Located<Axis>>,
        /// What happens to a body that leaves through another side: "stop" (default) or "remove".
        on_exit: Option<ExitPolicy>,
    }
}

table! {
    /// A constant force and torque on every body of a group.
    LoadTable {
        /// Name of the group.
        group: Text,
        /// Force on each body [N]. Default [0, 0, 0].
        force: Option<Vector<Force>>,
        /// Torque on each body [N m]. Default [0, 0, 0].
        torque: Option<Vector<Torque>>,
        /// First instant [s]. Default 0.
        start: Option<Quantity<Time>>,
        /// Last instant [s]. Default: the end of the run.
        stop: Option<Quantity<Time>>,
    }
}

table! {
    /// How bodies move besides contact and gravity.
    MotionTable {
        /// Global damping rate [1/s]: force -rate·m·v and torque -rate·I·ω on every body. Default 0.
        damping_rate: Option<Quantity<Frequency>>,
        /// Integrate and write orientations. Default false.
        track_orientation: Option<bool>,
    }
}

table! {
    /// Neighbour search.
    SearchTable {
        /// Extra reach of the neighbour list [m], or "auto" (default).
        skin: Option<AutoOr<Length>>,
        /// Rebuild the list every so many steps. Default: when bodies have moved far enough.
        every_steps: Option<Located<u64>>,
        /// Sort out elements of meshes before their closest points are found. Off finds the same contacts more slowly, for measuring. Default true.
        fast_test: Option<bool>,
    }
}

table! {
    /// When to stop loudly.
    LimitsTable {
        /// Largest overlap as a fraction of the smaller radius [–]. Default 0.5.
        overlap: Option<Quantity<Number>>,
    }
}

table! {
    /// A stretch of the run.
    PhaseTable {
        /// Name shown in progress and used by events.
        name: Text,
        /// Longest duration [s].
        duration: Quantity<Time>,
        /// End earlier once the kinetic energy falls below this [J].
        until_kinetic_energy: Option<Quantity<Energy>>,
        /// Pack grains between pressed walls: the phase ends once their porosity is no more than this [–]. Each time the box has come to rest above it, friction falls by a fifth; it is back when the phase ends.
        until_porosity: Option<Quantity<Number>>,
    }
}

table! {
    /// Something that happens at an instant.
    EventTable {
        /// Instant [s], after the start of `phase` or of the run. Default 0.
        at: Option<Quantity<Time>>,
        /// Name of the phase whose start `at` counts from. Default: the start of the run.
        phase: Option<Text>,
    }
    flatten action: ActionTable
}

tagged! {
    /// What happens.
    ActionTable by "action" {
        "remove-wall" => RemoveWall(RemoveWallTable),
        "remove-bodies" => RemoveBodies(RemoveBodiesTable),
        "set-velocity" => SetVelocity(SetVelocityTable),
        "set-gravity" => SetGravity(SetGravityTable),
        "set-damping" => SetDamping(SetDampingTable),
        "stop" => Stop(StopTable),
    }
}

table! {
    /// Take a wall or a mesh away.
    RemoveWallTable {
        /// Name of the wall or mesh.
        wall: Text,
    }
}

table! {
    /// Remove all bodies of a group.
    RemoveBodiesTable {
        /// Name of the group.
        group: Text,
    }
}

table! {
    /// Give all bodies of a group a velocity.
    SetVelocityTable {
        /// Name of the group.
        group: Text,
        /// New velocity [m/s].
        velocity: Vector<Velocity>,
    }
}

table! {
    /// Change gravity.
    SetGravityTable {
        /// New acceleration of gravity [m/s²].
        gravity: Vector<Acceleration>,
    }
}

table! {
    /// Change the global damping rate.
    SetDampingTable {
        /// New damping rate [1/s].
        damping_rate: Quantity<Frequency>,
    }
}

table! {
    /// End the run.
    StopTable {
    }
}

table! {
    /// What is written and how often.
    OutputTable {
        /// Simulated time between frames [s], or "off" for the first and last only. Default: 1/50 of the run.
        frames: Option<OffOr>,
        /// Simulated time between rows of table.csv [s], or "off". Default: 1/1000 of the run.
        table: Option<OffOr>,
        /// Wall-clock time between checkpoints [s]. Default 60 s.
        checkpoint: Option<Quantity<Time>>,
        /// Write contacts as lines with each frame. Default false.
        contacts: Option<bool>,
        /// Write bonds as lines with each frame, in scenes that have any. Default true.
        bonds: Option<bool>,
        /// Write a picture at the end. Default true.
        picture: Option<bool>,
        /// Follow the energy that contacts between spheres and with walls lose, cause by cause. Off, runs go the same way, faster by up to a fifth and with a tenth less memory: the table then tells losses of contacts as one number, what the balance of energy lacks, and contacts cannot be written. Default true.
        losses: Option<Located<bool>>,
        /// Planes whose mass flow is tabled.
        flow_planes: Vec<FlowPlaneTable>,
    }
}

table! {
    /// A plane through which mass flow is recorded.
    FlowPlaneTable {
        /// Name of its column.
        name: Text,
        /// A point of the plane [m].
        point: Vector<Length>,
        /// Normal, of any length; flow along it counts positive.
        normal: Vector<Number>,
    }
}
