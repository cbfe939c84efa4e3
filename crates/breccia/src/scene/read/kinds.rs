//! What a quantity measures: its dimension, its name in messages, and units to show as examples.

use crate::scene::units::Dimension;

/// The measure of a key.
pub(in crate::scene) trait Kind: std::fmt::Debug {
    /// Dimension the unit must have.
    const DIMENSION: Dimension;
    /// Name in messages, with its article.
    const NAME: &'static str;
    /// Values as they may stand in a scene.
    const EXAMPLES: &'static [&'static str];
    /// Word that stands for infinity besides `inf`, where infinity makes sense.
    const INFINITE: Option<&'static str> = None;

    /// The examples in a sentence.
    fn examples() -> String {
        let quoted: Vec<String> = Self::EXAMPLES.iter().map(|example| format!("`{example}`")).collect();
        match quoted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The name and the examples, as what a message expects.
    fn expected() -> String {
        format!("{} such as {}", Self::NAME, Self::examples())
    }
}

macro_rules! kinds {
    ( $( $name:ident: $dimension:expr, $text:literal, $examples:expr $(, infinite $word:literal)?; )* ) => {
        $(
            #[doc = concat!("Measures ", $text, ".")]
            #[derive(Debug)]
            pub(in crate::scene) enum $name {}

            impl Kind for $name {
                const DIMENSION: Dimension = $dimension;
                const NAME: &'static str = $text;
                const EXAMPLES: &'static [&'static str] = &$examples;
                $( const INFINITE: Option<&'static str> = Some($word); )?
            }
        )*
    };
}

kinds! {
    Length: Dimension::new(0, 1, 0, 0), "a length", [r#""3 mm""#, r#""0.2 m""#, "0.2"];
    Extent: Dimension::new(0, 1, 0, 0), "a length", [r#""3 mm""#, "0.2", "inf"], infinite "unbounded";
    Time: Dimension::new(0, 0, 1, 0), "a time", [r#""10 ms""#, r#""2 min""#, "0.01"];
    Mass: Dimension::new(1, 0, 0, 0), "a mass", [r#""20 g""#, r#""1.5 t""#, "0.02"];
    Density: Dimension::new(1, -3, 0, 0), "a density", [r#""2500 kg/m3""#, r#""2.5 g/cm3""#, "2500"];
    Modulus: Dimension::new(1, -1, -2, 0), "a modulus", [r#""10 MPa""#, r#""0.2 GPa""#, "1e7", r#""rigid""#],
        infinite "rigid";
    Strength: Dimension::new(1, -1, -2, 0), "a strength", [r#""0.6 MPa""#, "6e5", r#""unbreakable""#],
        infinite "unbreakable";
    AreaStiffness: Dimension::new(1, -2, -2, 0), "a stiffness per area", [r#""2e10 N/m3""#, "2e10"];
    Stiffness: Dimension::new(1, 0, -2, 0), "a stiffness", [r#""5 kN/m""#, "5000"];
    Velocity: Dimension::new(0, 1, -1, 0), "a velocity", [r#""0.5 m/s""#, r#""3 mm/s""#, "0.5"];
    AngularVelocity: Dimension::new(0, 0, -1, 1), "an angular velocity", [r#""40 rpm""#, r#""2 rad/s""#, "2"];
    Acceleration: Dimension::new(0, 1, -2, 0), "an acceleration", [r#""9.81 m/s2""#, "9.81"];
    Force: Dimension::new(1, 1, -2, 0), "a force", [r#""3 N""#, r#""2 mN""#, "3"];
    Torque: Dimension::new(1, 2, -2, 0), "a torque", [r#""3 N m""#, "3"];
    Energy: Dimension::new(1, 2, -2, 0), "an energy", [r#""1e-6 J""#, "1e-6"];
    Frequency: Dimension::new(0, 0, -1, 0), "a frequency or rate", [r#""50 Hz""#, r#""50 1/s""#, "50"];
    Angle: Dimension::new(0, 0, 0, 1), "an angle", [r#""30 deg""#, r#""0.5 rad""#, "0.5"];
    Number: Dimension::NONE, "a plain number", ["0.3", r#""30 %""#];
}
