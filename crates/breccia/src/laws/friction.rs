//! The friction slot: an elastic tangential spring with memory under Coulomb's cap.
//!
//! T_el ← transported; × k_t/k_t,old when the contact unloads; − k_t v_t Δt;  T = T_el − c_t v_t;
//! |T| ≤ µ F_n and |T_el| ≤ µ F_n.
//!
//! The *force* is remembered, not the displacement: with T = k_t s a shift made at low load and undone at high
//! load would create energy.

use super::TINY;
use super::contact::StiffnessChange;
use crate::math::{Real, Vec3};

/// Excess up to which four terms of the series of (1 + excess)^{−1/2} are exact to rounding: the fifth is below 3e-17.
pub(super) const SERIES_LIMIT: f64 = 1e-4;

/// Turns a remembered tangent vector into the present tangent plane, keeping its length.
///
/// `turn` is the angle [rad] about the normal that the contact has turned since, `inverse_square` is 1/|old|² (anything finite
/// where that is zero).
#[inline(always)]
pub fn transport<R: Real>(old: Vec3<R>, inverse_square: R, normal: Vec3<R>, turn: R) -> Vec3<R> {
    let along = old.dot(normal);
    let turned = old - normal * along + (normal * turn).cross(old);
    // |turned|²/|old|² = 1 + excess.
    let (lost, gained) = (along * along * inverse_square, turn * turn);
    let excess = gained - lost - gained * lost;
    let mut stretch = inverse_root_series(excess);
    let (square, limit) = (excess * excess, R::splat(SERIES_LIMIT * SERIES_LIMIT));
    if limit.any_less(square) {
        let exact = (old.length_squared() / turned.length_squared().at_least(R::splat(TINY))).sqrt();
        stretch = limit.select_less(square, exact, stretch);
    }
    turned * stretch
}

/// (1 + excess)^{−1/2} by its series, for excesses within ± [`SERIES_LIMIT`].
#[inline(always)]
pub(super) fn inverse_root_series<R: Real>(excess: R) -> R {
    let [c1, c2, c3] = [-0.5, 0.375, -0.3125].map(R::splat);
    R::splat(1.0) + excess * (c1 + excess * (c2 + excess * c3))
}

/// What the friction slot gives.
pub(super) struct Friction<R> {
    /// Tangential force on body a [N].
    pub force: Vec3<R>,
    /// Its elastic part, to be remembered [N].
    pub elastic: Vec3<R>,
    /// The force beyond the spring, to be remembered [N].
    pub dashpot: Vec3<R>,
    /// Energy lost to sliding [J].
    pub sliding_loss: R,
    /// Energy lost to the tangential dashpot and to stiffness changes [J].
    pub damping_loss: R,
}

/// State of the spring that the slot works on.
pub(super) struct Spring<R> {
    /// Remembered elastic force, already transported [N].
    pub force: Vec3<R>,
    /// Its square [N²].
    pub squared: R,
    /// How the normal stiffness has changed since it was remembered.
    pub change: StiffnessChange<R>,
    /// Tangential stiffness now [N/m].
    pub stiffness: R,
    /// Normal over tangential stiffness [–].
    pub inverse_ratio: R,
    /// Tangential dashpot coefficient [N s/m].
    pub damping: R,
    /// Force beyond the spring in the last step [N].
    pub old_dashpot: Vec3<R>,
}

#[inline(always)]
pub(super) fn friction<R: Real>(spring: Spring<R>, slip_speed: Vec3<R>, cap: R, time_step: R) -> Friction<R> {
    let (zero, half) = (R::splat(0.0), R::splat(0.5));
    let mut elastic = spring.force * spring.change.kept - slip_speed * (spring.stiffness * time_step);
    let mut force = elastic - slip_speed * spring.damping;

    let cap_squared = cap * cap;
    let elastic_squared = elastic.length_squared();
    let force_squared = force.length_squared();
    // Exact bookkeeping of the spring: work done on it less what it stores; the rest has been lost. Work over the interval is
    // that of the mean of old and new force.
    let half_step = time_step * half;
    let stored = spring.change.released(spring.squared, elastic_squared.at_most(cap_squared));
    let released = stored * (spring.inverse_ratio * half);
    let mut sliding_loss = zero;
    if cap_squared.any_less(elastic_squared) || cap_squared.any_less(force_squared) {
        force = force * shrink(force_squared, cap, cap_squared);
        elastic = elastic * shrink(elastic_squared, cap, cap_squared);
        let spring_loss = released - (spring.force + elastic).dot(slip_speed) * half_step;
        sliding_loss = cap_squared.select_less(elastic_squared, spring_loss, zero);
    }
    let work = (spring.force + spring.old_dashpot + force).dot(slip_speed) * half_step;
    let damping_loss = released - work - sliding_loss;
    Friction { force, elastic, dashpot: force - elastic, sliding_loss, damping_loss }
}

/// What brings a vector with this square down to a cap; 1 where it is below.
#[inline(always)]
pub(super) fn shrink<R: Real>(squared: R, cap: R, cap_squared: R) -> R {
    let shorter = cap / squared.at_least(R::splat(TINY)).sqrt();
    cap_squared.select_less(squared, shorter, R::splat(1.0))
}
