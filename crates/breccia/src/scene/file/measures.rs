//! Measures of the bodies: heap profiles and distributions of speed.

use crate::scene::plan::ProfileAxis;
use crate::scene::read::{Length, Located, Quantity, Text, Time, Vector, Velocity, table, words};

words! { "axis", ProfileAxis {
    "radius" => ProfileAxis::Radius,
    "x" => ProfileAxis::Axis(0),
    "y" => ProfileAxis::Axis(1),
    "z" => ProfileAxis::Axis(2),
} }

table! {
    /// The upper edge of a heap and its angle of repose.
    ProfileTable {
        /// Name of its files.
        name: Text,
        /// "radius": mean over all directions around the upright axis through `centre`; "x", "y" or "z": silhouette along that axis.
        along: Located<ProfileAxis>,
        /// Point from which places and heights are measured [m]. Default: below the centre of mass, level with the lowest sphere.
        centre: Option<Vector<Length>>,
        /// Distance from the centre up to which it is measured [m]. Default: that of the farthest body.
        reach: Option<Quantity<Length>>,
        /// Number of places. Default 60.
        bins: Option<Located<u64>>,
        /// Name of a group of bodies. Default: all bodies.
        group: Option<Text>,
        /// Instants at which it is measured [s], besides the end. Default none.
        times: Vec<Quantity<Time>>,
        /// Simulated time between measurements [s]. Default: only at `times` and at the end.
        every: Option<Quantity<Time>>,
    }
}

table! {
    /// How many bodies have which speed.
    HistogramTable {
        /// Name of its files.
        name: Text,
        /// Number of bins. Default 50.
        bins: Option<Located<u64>>,
        /// Upper end of the last bin [m/s]; faster bodies count in it. Default: the fastest body at each instant.
        max: Option<Quantity<Velocity>>,
        /// Name of a group of bodies. Default: all bodies.
        group: Option<Text>,
        /// Instants at which it is measured [s], besides the end. Default none.
        times: Vec<Quantity<Time>>,
        /// Simulated time between measurements [s]. Default: only at `times` and at the end.
        every: Option<Quantity<Time>>,
    }
}
