//! What a quantity measures: its dimension, its name in messages, and units to show as examples.

use crate::scene::units::Dimension;

/// The measure of a key.
pub(in crate::scene) trait Kind: std::fmt::Debug {
    /// Dimension the unit must have.
    const DIMENSION: Dimension;
    /// Name in messages, with its article.
    const NAME: &'static str;
    /// Examples in messages.
    const EXAMPLES: &'static str;
    /// Word that stands for infinity besides `inf`, where infinity makes sense.
    const INFINITE: Option<&'static str> = None;
}

macro_rules! kinds {
    ( $( $name:ident: $dimension:expr, $text:literal, $examples:literal $(, infinite $word:literal)?; )* ) => {
        $(
            #[doc = concat!("Measures ", $text, ".")]
            #[derive(Debug)]
            pub(in crate::scene) enum $name {}

            impl Kind for $name {
                const DIMENSION: Dimension = $dimension;
                const NAME: &'static str = $text;
                const EXAMPLES: &'static str = $examples;
                $( const INFINITE: Option<&'static str> = Some($word); )?
            }
        )*
    };
}

kinds! {
    Length: Dimension::new(0, 1, 0, 0), "a length", "`\"3 mm\"`, `\"0.2 m\"` or `0.2`";
    Extent: Dimension::new(0, 1, 0, 0), "a length", "`\"3 mm\"`, `0.2` or `inf`", infinite "unbounded";
    Time: Dimension::new(0, 0, 1, 0), "a time", "`\"10 ms\"`, `\"2 min\"` or `0.01`";
    Mass: Dimension::new(1, 0, 0, 0), "a mass", "`\"20 g\"`, `\"1.5 t\"` or `0.02`";
    Density: Dimension::new(1, -3, 0, 0), "a density", "`\"2500 kg/m3\"`, `\"2.5 g/cm3\"` or `2500`";
    Modulus: Dimension::new(1, -1, -2, 0), "a modulus", "`\"10 MPa\"`, `\"0.2 GPa\"`, `1e7` or `\"rigid\"`",
        infinite "rigid";
    Stiffness: Dimension::new(1, 0, -2, 0), "a stiffness", "`\"5 kN/m\"` or `5000`";
    Velocity: Dimension::new(0, 1, -1, 0), "a velocity", "`\"0.5 m/s\"`, `\"3 mm/s\"` or `0.5`";
    AngularVelocity: Dimension::new(0, 0, -1, 1), "an angular velocity", "`\"40 rpm\"`, `\"2 rad/s\"` or `2`";
    Acceleration: Dimension::new(0, 1, -2, 0), "an acceleration", "`\"9.81 m/s2\"` or `9.81`";
    Force: Dimension::new(1, 1, -2, 0), "a force", "`\"3 N\"`, `\"2 mN\"` or `3`";
    Torque: Dimension::new(1, 2, -2, 0), "a torque", "`\"3 N m\"` or `3`";
    Energy: Dimension::new(1, 2, -2, 0), "an energy", "`\"1e-6 J\"` or `1e-6`";
    Frequency: Dimension::new(0, 0, -1, 0), "a frequency or rate", "`\"50 Hz\"`, `\"50 1/s\"` or `50`";
    Angle: Dimension::new(0, 0, 0, 1), "an angle", "`\"30 deg\"`, `\"0.5 rad\"` or `0.5`";
    Number: Dimension::NONE, "a plain number", "`0.3` or `\"30 %\"`";
}
