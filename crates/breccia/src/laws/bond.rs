//! An elastic beam between two spheres that does not die with their gap: axial, shear, bending and twist.
//!
//! With d from a to b, n = d/|d|, and everything that is rated taken between the last step and this one:
//!
//! ```text
//! F_n = k_n A (|d| − L)            F_s += k_s A v_s Δt
//! M_t += k_s J ω_n Δt              M_b += k_n I ω_b Δt
//! force on a = (F_n + c_n v_n) n + F_s + c_s v_s
//! σ = F_n/A + |M_b| R/I            τ = |F_s|/A + |M_t| R/J
//! ```
//! The axial force is total, so that it cannot drift; rates of shear use the separation half a step ago, which keeps a
//! spinning body's energy (with the present one a cube turning ten times gains 0.6 %). Remembered vectors are turned
//! exactly from the old axis to the new one and about it by the mean spin.
//!
//! Source: the parallel bond of Potyondy and Cundall 2004, with signs fixed.

use super::TINY;
use super::friction::{SERIES_LIMIT, inverse_root_series};
use crate::math::{Real, Vec3, inverses};

/// Smallest product of area and radius that is divided by [m³]; unused places have none.
const SMALL: f64 = 1e-100;

/// How two bonded spheres lie and move, but for their spins; rates are those of the half step before. What takes long to come, roots
/// and a quotient, is all here, so that it can be begun early.
#[derive(Clone, Copy, Debug)]
pub struct BondSpan<R> {
    /// From the centre of a to that of b [m, world].
    separation: Vec3<R>,
    /// Velocity of b relative to a [m/s, world].
    velocity: Vec3<R>,
    /// Distance of the centres [m].
    length: R,
    /// Reciprocal lengths now, one step ago and in between [1/m].
    inverse_lengths: [R; 3],
    /// Shares of a and b in the sum of their radii [–].
    shares: [R; 2],
    /// 1/(A R) [1/m³].
    fibre: R,
}

impl<R: Real> BondSpan<R> {
    /// The span of spheres `separation` [m] apart from a to b, b moving with `velocity` [m/s] relative to a.
    #[inline(always)]
    pub fn new(
        [separation, velocity]: [Vec3<R>; 2],
        [radius_a, radius_b]: [R; 2],
        bond: &BondCoefficients<R>,
        time_step: R,
    ) -> Self {
        let section = (bond.area * bond.radius).at_least(R::splat(SMALL));
        let [before, middle] = earlier(separation, velocity, time_step);
        let length = separation.length_squared().sqrt();
        let (length_before, middle_length) = (before.length_squared().sqrt(), middle.length_squared().sqrt());
        let [to_now, to_before, to_middle, fibre, radii] =
            inverses([length, length_before, middle_length, section, radius_a + radius_b]);
        Self {
            separation,
            velocity,
            length,
            inverse_lengths: [to_now, to_before, to_middle],
            shares: [radius_a * radii, radius_b * radii],
            fibre,
        }
    }

    /// Work that the loads of a bond take from the bodies within a `time` [s; work in J]; spins of a and b in [rad/s, world].
    #[inline(always)]
    pub fn work(&self, [spin_a, spin_b]: [Vec3<R>; 2], response: &BondResponse<R>, time: R) -> R {
        let power =
            self.velocity.dot(response.force) - spin_a.dot(response.torque_a) - spin_b.dot(response.torque_b);
        power * time
    }
}

/// Separations one step ago and half a step ago [m, world].
#[inline(always)]
fn earlier<R: Real>(separation: Vec3<R>, velocity: Vec3<R>, time_step: R) -> [Vec3<R>; 2] {
    let way = velocity * time_step;
    [separation - way, separation - way * R::splat(0.5)]
}

/// Size and stiffness of a bond.
#[derive(Clone, Copy, Debug)]
pub struct BondCoefficients<R> {
    /// Rest length L [m].
    pub rest_length: R,
    /// Radius R of its round section [m].
    pub radius: R,
    /// Area A of its section [m²].
    pub area: R,
    /// Normal stiffness per area k_n [N/m³].
    pub normal: R,
    /// Shear stiffness per area k_s [N/m³].
    pub shear: R,
    /// Normal dashpot c_n [N s/m].
    pub normal_damping: R,
    /// Shear dashpot c_s [N s/m].
    pub shear_damping: R,
    /// Tensile strength [Pa].
    pub tensile_strength: R,
    /// Shear strength [Pa].
    pub shear_strength: R,
}

/// What a bond remembers, as it acts on a.
#[derive(Clone, Copy, Debug)]
pub struct BondHistory<R> {
    /// Elastic shear force F_s [N, world].
    pub shear: Vec3<R>,
    /// Elastic bending moment M_b [N m, world].
    pub bending: Vec3<R>,
    /// Elastic twisting moment M_t about the axis [N m].
    pub twist: R,
    /// Dashpots' share in the last step.
    pub dashpots: BondDashpots<R>,
}

/// What the dashpots of a bond did in the last step, on a.
#[derive(Clone, Copy, Debug)]
pub struct BondDashpots<R> {
    /// Along the axis [N].
    pub normal: R,
    /// Across it [N, world].
    pub shear: Vec3<R>,
    /// Moment about the axis [N m].
    pub twist: R,
    /// Moment across it [N m, world].
    pub bending: Vec3<R>,
}

/// What a bond does to its spheres.
#[derive(Clone, Copy, Debug)]
pub struct BondResponse<R> {
    /// Force on a [N, world]; b gets the opposite.
    pub force: Vec3<R>,
    /// Torque on a [N m, world].
    pub torque_a: Vec3<R>,
    /// Torque on b [N m, world].
    pub torque_b: Vec3<R>,
    /// Above zero where the largest tensile stress σ exceeds the strength [Pa²]; a difference of squares, without a root.
    pub tension_excess: R,
    /// The same of the largest shear stress τ [Pa²].
    pub shear_excess: R,
    /// Lost to dashpots since the last step [J].
    pub loss: R,
}

/// One bond, one step; `spins` are the angular velocities of a and b [rad/s, world].
#[inline(always)]
pub fn evaluate_bond<R: Real>(
    span: &BondSpan<R>,
    spins: [Vec3<R>; 2],
    bond: &BondCoefficients<R>,
    history: &mut BondHistory<R>,
    time_step: R,
) -> BondResponse<R> {
    let half = R::splat(0.5);
    let (quarter_square, half_square) = {
        let square = bond.radius * bond.radius;
        (square * R::splat(0.25), square * half)
    };
    let axes = Axes::new(span, time_step);
    let rates = Rates::new(span, spins, &axes);

    let stress = bond.normal * (span.length - bond.rest_length);
    let turn = (spins[0] + spins[1]).dot(axes.now) * half * time_step;
    let shear_stiffness = bond.shear * bond.area;
    let normal_stiffness = bond.normal * bond.area;
    history.shear = axes.carry(history.shear, turn) + rates.shear * (shear_stiffness * time_step);
    history.bending =
        axes.carry(history.bending, turn) + rates.bending * (normal_stiffness * quarter_square * time_step);
    history.twist = history.twist + rates.twist * (shear_stiffness * half_square * time_step);

    let dashpots = BondDashpots {
        normal: bond.normal_damping * rates.normal,
        shear: rates.shear * bond.shear_damping,
        twist: bond.shear_damping * half_square * rates.twist,
        bending: rates.bending * (bond.normal_damping * quarter_square),
    };
    let old = history.dashpots;
    let power = (old.normal + dashpots.normal) * rates.normal
        + (old.shear + dashpots.shear).dot(rates.shear)
        + (old.twist + dashpots.twist) * rates.twist
        + (old.bending + dashpots.bending).dot(rates.bending);
    history.dashpots = dashpots;

    let force = axes.now * (stress * bond.area + dashpots.normal) + history.shear + dashpots.shear;
    let moment = axes.now * (history.twist + dashpots.twist) + history.bending + dashpots.bending;
    let lever = span.separation.cross(force);
    // Outermost fibre: |M_b| R/I and |M_t| R/J with I = A R²/4 and J = A R²/2.
    let fibre = span.fibre;
    let (bending_fibre, shear_fibre) = (fibre * R::splat(4.0), fibre * bond.radius);
    BondResponse {
        force,
        torque_a: lever * span.shares[0] + moment,
        torque_b: lever * span.shares[1] - moment,
        tension_excess: history.bending.length_squared() * (bending_fibre * bending_fibre)
            - signed_square(bond.tensile_strength - stress),
        shear_excess: history.shear.length_squared() * (shear_fibre * shear_fibre)
            - signed_square(bond.shear_strength - absolute(history.twist) * (fibre * R::splat(2.0))),
        loss: power * half * time_step,
    }
}

/// Elastic energy stored in a bond [J]; `length` is the distance of the centres [m].
#[inline(always)]
pub fn bond_energy<R: Real>(length: R, bond: &BondCoefficients<R>, history: &BondHistory<R>) -> R {
    let square = bond.radius * bond.radius;
    let stretch = length - bond.rest_length;
    let (normal, shear) = (bond.normal * bond.area, bond.shear * bond.area);
    let twice = normal * stretch * stretch
        + history.shear.length_squared() / shear
        + history.twist * history.twist / (shear * square * R::splat(0.5))
        + history.bending.length_squared() / (normal * square * R::splat(0.25));
    twice * R::splat(0.5)
}

/// Largest tensile and shear stress σ and τ of a bond [Pa]; `length` is the distance of the centres [m].
pub fn bond_stresses(length: f64, bond: &BondCoefficients<f64>, history: &BondHistory<f64>) -> (f64, f64) {
    let fibre = 1.0 / (bond.area * bond.radius).max(TINY);
    let bending = history.bending.length_squared().sqrt();
    let shear = history.shear.length_squared().sqrt();
    (
        bond.normal * (length - bond.rest_length) + 4.0 * bending * fibre,
        (shear * bond.radius + 2.0 * history.twist.abs()) * fibre,
    )
}

#[inline(always)]
fn absolute<R: Real>(value: R) -> R {
    value.at_least(-value)
}

/// The square, negative for a negative number.
#[inline(always)]
fn signed_square<R: Real>(value: R) -> R {
    value * absolute(value)
}

/// The axis now, one step ago and in between.
struct Axes<R> {
    now: Vec3<R>,
    before: Vec3<R>,
    middle: Vec3<R>,
    middle_separation: Vec3<R>,
    /// 1/(1 + now·before).
    fold: R,
}

impl<R: Real> Axes<R> {
    #[inline(always)]
    fn new(span: &BondSpan<R>, time_step: R) -> Self {
        let (one, half) = (R::splat(1.0), R::splat(0.5));
        let [to_now, to_before, to_middle] = span.inverse_lengths;
        let [before, middle_separation] = earlier(span.separation, span.velocity, time_step);
        let (now, before) = (span.separation * to_now, before * to_before);
        // 1/(1 + cos) = ½/(1 − h) with h = ½ (1 − cos), tiny for what an axis turns in a step.
        let cosine = now.dot(before);
        let h = (one - cosine) * half;
        let mut fold = (one + h * (one + h * (one + h))) * half;
        if R::splat(SERIES_LIMIT).any_less(h) {
            fold = R::splat(SERIES_LIMIT).select_less(h, one / (one + cosine), fold);
        }
        let middle = middle_separation * to_middle;
        Self { now, before, middle, middle_separation, fold }
    }

    /// A remembered vector across the old axis, turned with the axis and by `turn` [rad] about it.
    #[inline(always)]
    fn carry(&self, old: Vec3<R>, turn: R) -> Vec3<R> {
        let moved = old - (self.before + self.now) * (old.dot(self.now) * self.fold);
        let turned = moved + self.now.cross(moved) * turn;
        // |turned|² = |moved|² (1 + turn²): back to its length.
        let (excess, limit) = (turn * turn, R::splat(SERIES_LIMIT));
        let mut stretch = inverse_root_series(excess);
        if limit.any_less(excess) {
            let one = R::splat(1.0);
            stretch = limit.select_less(excess, one / (one + excess).sqrt(), stretch);
        }
        turned * stretch
    }

    /// The part of a rate across both axes.
    #[inline(always)]
    fn across(&self, rate: Vec3<R>, along: R) -> Vec3<R> {
        let across = rate - self.middle * along;
        across - self.now * across.dot(self.now)
    }
}

/// Rates of deformation.
struct Rates<R> {
    normal: R,
    shear: Vec3<R>,
    twist: R,
    bending: Vec3<R>,
}

impl<R: Real> Rates<R> {
    #[inline(always)]
    fn new(span: &BondSpan<R>, [a, b]: [Vec3<R>; 2], axes: &Axes<R>) -> Self {
        let mean_spin = a * span.shares[0] + b * span.shares[1];
        let velocity = span.velocity - mean_spin.cross(axes.middle_separation);
        let (normal, twist) = (velocity.dot(axes.middle), (b - a).dot(axes.middle));
        Self { normal, shear: axes.across(velocity, normal), twist, bending: axes.across(b - a, twist) }
    }
}
