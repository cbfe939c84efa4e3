//! The rolling slot.
//!
//! `ElasticRolling` (model C): M ← M − k_r ω_t Δt with k_r = 2.25 k_n µ_r² R*², |M| ≤ µ_r R* F_n, and a dashpot
//! 2·0.3 √(k_r I*) while below the cap, which holds for spring and dashpot together: a new contact, such as every bend of a
//! faceted drum makes, must not brake by more than an old one. As in friction the remembered torque shrinks with its stiffness when the
//! contact unloads; kept as it is, a turn at high load undone at low load would create energy. It resists the *relative* rotation and acts on both bodies alike.
//! Source: Ai et al. 2011 (model C), Iwashita & Oda 1998.
//!
//! With torsion the same spring takes the whole relative spin ω in place of its tangential part ω_t: one torque under one cap, so that
//! a sphere that spins on the spot comes to rest. The remembered torque then has a part along the normal, which is kept along it; it has to be
//! turned with the normal ([`tilt`]) before the law sees it, because the normal of the step before is not remembered.
//!
//! `BrakedRolling` (A-limited): every contact adds µ_r R* F_n to what its bodies may lose of their own spin;
//! the integrator takes it off after all torques, never beyond zero. No reaction on the partner.

use super::TINY;
use super::contact::StiffnessChange;
use super::friction::{shrink, transport};
use crate::math::{Real, Vec3};

/// Damping ratio of the rolling dashpot [–].
const ROLLING_DAMPING: f64 = 0.3;
/// k_r = 2.25 k_n µ_r² R*².
const ROLLING_STIFFNESS: f64 = 2.25;

/// Rolling stiffness [N m] from the normal stiffness [N/m] and the lever µ_r R* [m].
#[inline(always)]
pub fn rolling_stiffness<R: Real>(normal_stiffness: R, lever: R) -> R {
    R::splat(ROLLING_STIFFNESS) * normal_stiffness * lever * lever
}

/// What the rolling slot is told.
pub struct RollingInput<R> {
    /// Unit normal from b to a.
    pub normal: Vec3<R>,
    /// Angular velocity of a relative to b [rad/s, world]; its tangential part for laws that do not resist torsion.
    pub rate: Vec3<R>,
    /// Angle the contact turned about its normal in this step [rad].
    pub turn: R,
    /// Normal stiffness [N/m].
    pub stiffness: R,
    /// How it has changed since the torque was remembered.
    pub change: StiffnessChange<R>,
    /// µ_r R* [m].
    pub lever: R,
    /// µ_r R* F_n [N m].
    pub cap: R,
    /// Its inverse [1/m].
    pub inverse_lever: R,
    /// Reduced moment of inertia I* [kg m²].
    pub inertia: R,
    /// 1/|M|² of the remembered torque [1/(N m)²].
    pub inverse_square: R,
    /// Time step [s].
    pub time_step: R,
}

/// What the rolling slot gives.
pub struct Rolling<R> {
    /// Torque on body a (opposite on b) [N m].
    pub torque: Vec3<R>,
    /// Energy lost [J].
    pub loss: R,
}

/// A resistance against rolling.
pub trait RollingLaw: Copy + Send + Sync + 'static {
    /// Whether contacts remember a rolling torque.
    const REMEMBERS: bool;
    /// Whether contacts add to the braking limit of their bodies.
    const BRAKES: bool;
    /// Whether spin about the normal is resisted too, and remembered torques have a part along it.
    const RESISTS_TORSION: bool;
    /// Whether what contacts lose is followed, in all slots. It is told here because laws reach the step as two types.
    const FOLLOWS_LOSSES: bool = true;
    /// Torque for this step; `memory` is the remembered elastic torque on a, `dashpot` the torque beyond it
    /// in the last step [N m].
    fn respond<R: Real>(input: &RollingInput<R>, memory: &mut Vec3<R>, dashpot: &mut Vec3<R>) -> Rolling<R>;
}

/// No rolling resistance.
#[derive(Clone, Copy, Debug)]
pub struct NoRolling;

/// Brakes the spin of each body (A-limited); the work is done by the integrator.
#[derive(Clone, Copy, Debug)]
pub struct BrakedRolling;

/// Elastic–plastic rolling spring (model C), which resists torsion too if asked to.
#[derive(Clone, Copy, Debug)]
pub struct ElasticRolling<const TORSION: bool = false>;

/// A law in a run that does not follow what contacts lose: same forces, same bits, nothing kept for the books.
#[derive(Clone, Copy, Debug)]
pub struct Unfollowed<O>(std::marker::PhantomData<O>);

impl<O: RollingLaw> RollingLaw for Unfollowed<O> {
    const REMEMBERS: bool = O::REMEMBERS;
    const BRAKES: bool = O::BRAKES;
    const RESISTS_TORSION: bool = O::RESISTS_TORSION;
    const FOLLOWS_LOSSES: bool = false;
    #[inline(always)]
    fn respond<R: Real>(input: &RollingInput<R>, memory: &mut Vec3<R>, dashpot: &mut Vec3<R>) -> Rolling<R> {
        O::respond(input, memory, dashpot)
    }
}

#[inline(always)]
fn nothing<R: Real>() -> Rolling<R> {
    let zero = R::splat(0.0);
    Rolling { torque: Vec3::new(zero, zero, zero), loss: zero }
}

impl RollingLaw for NoRolling {
    const REMEMBERS: bool = false;
    const BRAKES: bool = false;
    const RESISTS_TORSION: bool = false;
    #[inline(always)]
    fn respond<R: Real>(_: &RollingInput<R>, _: &mut Vec3<R>, _: &mut Vec3<R>) -> Rolling<R> {
        nothing()
    }
}

impl RollingLaw for BrakedRolling {
    const REMEMBERS: bool = false;
    const BRAKES: bool = true;
    const RESISTS_TORSION: bool = false;
    #[inline(always)]
    fn respond<R: Real>(_: &RollingInput<R>, _: &mut Vec3<R>, _: &mut Vec3<R>) -> Rolling<R> {
        nothing()
    }
}

/// Largest coefficient c with |elastic − c rate|² ≤ cap².
#[inline(always)]
fn largest_damping<R: Real>(elastic: Vec3<R>, rate: Vec3<R>, cap_squared: R) -> R {
    let (along, square) = (elastic.dot(rate), rate.length_squared());
    let room = (cap_squared - elastic.length_squared()).at_least(R::splat(0.0));
    (along + (along * along + square * room).sqrt()) / square.at_least(R::splat(TINY))
}

/// Turns a vector as the normal turned on the shortest way `from` one unit vector `to` another.
#[inline(always)]
pub fn tilt<R: Real>(vector: Vec3<R>, from: Vec3<R>, to: Vec3<R>) -> Vec3<R> {
    let axis = from.cross(to);
    let across = axis.cross(vector);
    // |axis| is the sine of the angle: (1 − cos)/sin² = 1/(1 + cos).
    let share = R::splat(1.0) / (R::splat(1.0) + from.dot(to)).at_least(R::splat(TINY));
    vector + across + axis.cross(across) * share
}

/// A remembered torque turned about the normal with the contact; its part along the normal stays as it is.
#[inline(always)]
fn recalled<R: Real, const TORSION: bool>(torque: Vec3<R>, input: &RollingInput<R>) -> Vec3<R> {
    if !TORSION {
        return transport(torque, input.inverse_square, input.normal, input.turn);
    }
    let along = input.normal * torque.dot(input.normal);
    transport(torque - along, input.inverse_square, input.normal, input.turn) + along
}

impl<const TORSION: bool> RollingLaw for ElasticRolling<TORSION> {
    const REMEMBERS: bool = true;
    const BRAKES: bool = false;
    const RESISTS_TORSION: bool = TORSION;

    #[inline(always)]
    fn respond<R: Real>(input: &RollingInput<R>, memory: &mut Vec3<R>, dashpot: &mut Vec3<R>) -> Rolling<R> {
        let zero = R::splat(0.0);
        let stiffness = rolling_stiffness(input.stiffness, input.lever);
        let before = recalled::<R, TORSION>(*memory, input);
        let before_squared = memory.length_squared();
        let trial = before * input.change.kept - input.rate * (stiffness * input.time_step);

        let squared = trial.length_squared();
        let cap_squared = input.cap * input.cap;
        let mut elastic = trial;
        if cap_squared.any_less(squared) {
            elastic = trial * shrink(squared, input.cap, cap_squared);
        }
        let coefficient = (stiffness * input.inertia).sqrt() * R::splat(2.0 * ROLLING_DAMPING);
        let unclamped = cap_squared.select_less(squared, zero, coefficient);
        let mut torque = elastic - input.rate * unclamped;
        if cap_squared.any_less(torque.length_squared()) {
            torque =
                elastic - input.rate * unclamped.at_most(largest_damping(elastic, input.rate, cap_squared));
        }
        *memory = elastic;

        // Work of the mean of old and new torque, spring and dashpot together, and what the spring gives back.
        let work = (before + *dashpot + torque).dot(input.rate) * (input.time_step * R::splat(0.5));
        let inverse_ratio = input.inverse_lever * input.inverse_lever * R::splat(0.5 / ROLLING_STIFFNESS);
        let released = input.change.released(before_squared, squared.at_most(cap_squared));
        *dashpot = torque - elastic;
        Rolling { torque, loss: released * inverse_ratio - work }
    }
}
