//! The slots put together: what two touching bodies do to each other in one step.

use super::friction::{Spring, friction, transport};
use super::rolling::{RollingInput, RollingLaw};
use super::{Coefficients, NormalLaw};
use crate::math::{Real, Vec3, inverses};

/// Smallest stiffness, lever and 1/inertia that is divided by; with [`SMALL_SQUARE`] it keeps products of five such numbers above
/// the smallest number there is. What is smaller is as good as nothing in any unit of SI.
const SMALL: f64 = 1e-30;
/// Smallest squared force or torque that is divided by.
const SMALL_SQUARE: f64 = 1e-100;

/// The motion of a contact: the part of the contact record that laws see.
#[derive(Clone, Copy, Debug)]
pub struct Encounter<R> {
    /// Unit normal from b to a [world].
    pub normal: Vec3<R>,
    /// Overlap δ [m]; 0 when apart.
    pub overlap: R,
    /// Velocity of a relative to b at the contact [m/s, world]; negative along the normal when approaching.
    pub velocity: Vec3<R>,
    /// 1/m* = 1/m_a + 1/m_b [1/kg].
    pub inverse_mass: R,
    /// Acceleration of the contact point per tangential force, 1/m* + arm_a²/I_a + arm_b²/I_b [1/kg].
    pub inverse_tangential_mass: R,
    /// 1/I* = 1/I_a + 1/I_b [1/(kg m²)].
    pub inverse_inertia: R,
    /// Angular velocity of a relative to b [rad/s, world].
    pub relative_spin: Vec3<R>,
    /// Rate at which the contact turns about its normal [rad/s].
    pub turn_rate: R,
    /// Reduced radius R* [m].
    pub reduced_radius: R,
}

/// What a contact remembers from step to step.
#[derive(Clone, Copy, Debug)]
pub struct History<R> {
    /// Elastic tangential force on a [N, world]. Kept as a vector: components in a contact basis would turn
    /// the force whenever the basis changes.
    pub tangential: Vec3<R>,
    /// Remembered depth of the normal law.
    pub depth: R,
    /// Elastic rolling torque on a [N m, world]; turned with the normal before a law sees it that resists torsion.
    pub rolling: Vec3<R>,
    /// What the dashpots added in the last step, for the energy budget alone.
    pub dashpots: Dashpots<R>,
}

/// Forces of a contact beyond its springs. Their work over an interval needs the values at both ends: in a dense
/// bed explicit dashpots make velocities alternate, and the last value alone would overrate the loss fourfold.
#[derive(Clone, Copy, Debug)]
pub struct Dashpots<R> {
    /// Normal force less its elastic part [N].
    pub normal: R,
    /// Tangential force on a less its elastic part [N, world].
    pub tangential: Vec3<R>,
    /// Rolling torque on a less its elastic part [N m, world].
    pub rolling: Vec3<R>,
}

/// Forces of a contact; body b gets the opposite.
#[derive(Clone, Copy, Debug)]
pub struct Response<R> {
    /// Normal force [N], ≥ 0, along the normal on a.
    pub normal_force: R,
    /// Tangential force on a [N, world].
    pub tangential: Vec3<R>,
    /// Rolling torque on a [N m, world].
    pub rolling_torque: Vec3<R>,
    /// Share of the braking limit µ_r R* F_n [N m] given to each body.
    pub rolling_limit: R,
}

/// Energy that left the mechanical system in this step [J].
#[derive(Clone, Copy, Debug)]
pub struct Losses<R> {
    /// Normal dashpot.
    pub normal_damping: R,
    /// Tangential dashpot and stiffness changes.
    pub tangential_damping: R,
    /// Sliding friction.
    pub sliding: R,
    /// Rolling resistance.
    pub rolling: R,
}

/// How the normal stiffness of a contact has changed since the last step; springs that scale with it follow.
#[derive(Clone, Copy, Debug)]
pub struct StiffnessChange<R> {
    /// 1/k_n when last remembered [m/N].
    pub old_compliance: R,
    /// 1/k_n now [m/N].
    pub compliance: R,
    /// k_n/k_n,old when the contact unloads, 1 otherwise: what a remembered force keeps.
    pub kept: R,
}

impl<R: Real> StiffnessChange<R> {
    #[inline(always)]
    fn new((old, old_compliance): (R, R), (new, compliance): (R, R)) -> Self {
        Self { old_compliance, compliance, kept: new.select_less(old, new * old_compliance, R::splat(1.0)) }
    }

    /// What springs with these squared forces (before, now) give back, times twice their stiffness over k_n.
    #[inline(always)]
    pub fn released(&self, before_squared: R, now_squared: R) -> R {
        before_squared * self.old_compliance - now_squared * self.compliance
    }
}

/// Reciprocals of what is known before the forces are: one division serves all.
struct Reciprocals<R> {
    /// Of the stiffness when last remembered [m/N].
    stiffness: R,
    /// Of the squared tangential force [1/N²].
    tangential: R,
    /// Of the squared rolling torque [1/(N m)²]; this and the following only for laws that remember one.
    rolling: R,
    /// Of the lever µ_r R* [1/m].
    lever: R,
    /// Of 1/I*: the reduced moment of inertia [kg m²].
    inertia: R,
}

impl<R: Real> Reciprocals<R> {
    #[inline(always)]
    fn new<O: RollingLaw>(history: &History<R>, stiffness: R, lever: R, inverse_inertia: R) -> Self {
        let (small, small_square) = (R::splat(SMALL), R::splat(SMALL_SQUARE));
        let stiffness = stiffness.at_least(small);
        let tangential = history.tangential.length_squared().at_least(small_square);
        if !O::REMEMBERS {
            let [stiffness, tangential] = inverses([stiffness, tangential]);
            let zero = R::splat(0.0);
            return Self { stiffness, tangential, rolling: zero, lever: zero, inertia: zero };
        }
        let rolling = history.rolling.length_squared().at_least(small_square);
        let [stiffness, tangential, rolling, lever, inertia] = inverses([
            stiffness,
            tangential,
            rolling,
            lever.at_least(small),
            inverse_inertia.at_least(small),
        ]);
        Self { stiffness, tangential, rolling, lever, inertia }
    }
}

/// One contact, one step: forces on a, memory updated, losses told (and not meant to be used where they are not followed).
#[inline(always)]
pub fn evaluate<R: Real, N: NormalLaw, O: RollingLaw>(
    encounter: &Encounter<R>,
    coefficients: &Coefficients<R>,
    history: &mut History<R>,
    time_step: R,
) -> (Response<R>, Losses<R>) {
    let (zero, one) = (R::splat(0.0), R::splat(1.0));
    let normal = encounter.normal;
    let lever = coefficients.rolling_friction * encounter.reduced_radius;
    let old_stiffness = N::stiffness(history.depth, coefficients.scale_before);
    let known = Reciprocals::new::<O>(history, old_stiffness, lever, encounter.inverse_inertia);
    let response = N::respond(encounter.overlap, coefficients.scale, coefficients.damping_scale);

    let approach = encounter.velocity.dot(normal);
    // The divisors centre the dashpots between the half steps before and after; without them restitution is
    // biased by percents at practical steps, and dense beds never cease to turn. One division serves both.
    let half_step = time_step * R::splat(0.5);
    let tangential_damping = response.damping * coefficients.tangential_damping_ratio;
    let normal_divisor = one + response.damping * encounter.inverse_mass * half_step;
    let tangential_divisor = one + tangential_damping * encounter.inverse_tangential_mass * half_step;
    let [inverse_normal, inverse_tangential, compliance] =
        inverses([normal_divisor, tangential_divisor, response.stiffness.at_least(R::splat(SMALL))]);
    let pull = response.elastic_force - response.damping * approach;
    let normal_force = (pull * inverse_normal).at_least(zero);
    let normal_dashpot = normal_force - response.elastic_force;
    let normal_work = (history.dashpots.normal + normal_dashpot) * approach * half_step;

    let turn = encounter.turn_rate * time_step;
    let change = StiffnessChange::new((old_stiffness, known.stiffness), (response.stiffness, compliance));
    let spring = Spring {
        force: transport(history.tangential, known.tangential, normal, turn),
        squared: history.tangential.length_squared(),
        change,
        stiffness: response.stiffness * coefficients.tangential_ratio,
        inverse_ratio: coefficients.inverse_tangential_ratio,
        damping: tangential_damping * inverse_tangential,
        old_dashpot: history.dashpots.tangential,
    };
    let slip_speed = encounter.velocity - normal * approach;
    let tangential = friction(spring, slip_speed, coefficients.friction * normal_force, time_step);

    let rolling_limit = lever * normal_force;
    let spin = encounter.relative_spin;
    let input = RollingInput {
        normal,
        rate: if O::RESISTS_TORSION { spin } else { spin - normal * spin.dot(normal) },
        turn,
        stiffness: response.stiffness,
        change,
        lever,
        cap: rolling_limit,
        inverse_lever: known.lever,
        inertia: known.inertia,
        inverse_square: known.rolling,
        time_step,
    };
    let rolling = O::respond(&input, &mut history.rolling, &mut history.dashpots.rolling);

    history.tangential = tangential.elastic;
    history.depth = response.depth;
    if O::FOLLOWS_LOSSES {
        history.dashpots.normal = normal_dashpot;
        history.dashpots.tangential = tangential.dashpot;
    }
    (
        Response {
            normal_force,
            tangential: tangential.force,
            rolling_torque: rolling.torque,
            rolling_limit: if O::BRAKES { rolling_limit } else { zero },
        },
        Losses {
            normal_damping: -normal_work,
            tangential_damping: tangential.damping_loss,
            sliding: tangential.sliding_loss,
            rolling: rolling.loss,
        },
    )
}
