//! Materials, pairs and laws.

use crate::model::{FrictionKind, NormalKind, RollingKind};
use crate::scene::read::{Density, Located, Modulus, Number, Quantity, Stiffness, Text, table, words};

words! { "normal law", NormalKind { "hertz" => NormalKind::Hertz, "linear" => NormalKind::Linear, } }
words! { "friction law", FrictionKind { "coulomb" => FrictionKind::Coulomb, "none" => FrictionKind::None, } }
words! { "rolling law", RollingKind {
    "c" => RollingKind::C,
    "a-limited" => RollingKind::ALimited,
    "none" => RollingKind::None,
} }

table! {
    /// A homogeneous isotropic elastic material.
    MaterialTable {
        /// Name that bodies, walls and pairs refer to.
        name: Text,
        /// Mass density [kg/m³], positive.
        density: Quantity<Density>,
        /// Young's modulus [Pa], positive; "rigid" for a wall that does not give. Spheres and their walls need it.
        young_modulus: Option<Quantity<Modulus>>,
        /// Poisson's ratio [–], above -1, up to 0.5. Spheres and their walls need it.
        poisson_ratio: Option<Quantity<Number>>,
    }
}

table! {
    /// Contact properties of two materials. Keys left out come from [pair_default].
    PairTable {
        /// The two materials, in any order; the same name twice for a material against itself.
        materials: Vec<Text>,
        /// Coefficient of restitution [–], 0.01 to 1.
        restitution: Option<Quantity<Number>>,
        /// Coulomb friction [–]. Default 0.
        friction: Option<Quantity<Number>>,
        /// Rolling friction [–]: largest rolling torque over (reduced radius × normal force). Default 0.
        rolling_friction: Option<Quantity<Number>>,
        /// Normal stiffness of the linear law [N/m].
        normal_stiffness: Option<Quantity<Stiffness>>,
        /// Tangential over normal stiffness of the linear law [–]. Default 2/7.
        tangential_ratio: Option<Quantity<Number>>,
    }
}

table! {
    /// Contact properties of every pair of materials, unless a [[pair]] says otherwise.
    PairDefaultTable {
        /// Coefficient of restitution [–], 0.01 to 1.
        restitution: Option<Quantity<Number>>,
        /// Coulomb friction [–]. Default 0.
        friction: Option<Quantity<Number>>,
        /// Rolling friction [–]. Default 0.
        rolling_friction: Option<Quantity<Number>>,
        /// Normal stiffness of the linear law [N/m].
        normal_stiffness: Option<Quantity<Stiffness>>,
        /// Tangential over normal stiffness of the linear law [–]. Default 2/7.
        tangential_ratio: Option<Quantity<Number>>,
    }
}

table! {
    /// The law in each slot of a contact.
    LawTable {
        /// Normal force: "hertz" (default) or "linear".
        normal: Option<NormalKind>,
        /// Tangential force: "coulomb" (default) or "none".
        friction: Option<FrictionKind>,
        /// Rolling resistance: "c" (elastic-plastic, default), "a-limited" (brakes each spin) or "none".
        rolling: Option<RollingKind>,
        /// Whether rolling resistance "c" resists relative spin about the normal too, under the same cap. Default false.
        torsion: Option<Located<bool>>,
    }
}
