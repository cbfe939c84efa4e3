//! Integrals along a piece: twelve Gauss points, exact to rounding for polynomials of degree 23.

use super::RationalCubic;
use glam::DVec2;

/// Positive half of the nodes on [−1, 1], with their weights.
const GAUSS_12: [(f64, f64); 6] = [
    (0.125_233_408_511_468_9, 0.249_147_045_813_402_8),
    (0.367_831_498_998_180_2, 0.233_492_536_538_354_8),
    (0.587_317_954_286_617_4, 0.203_167_426_723_065_93),
    (0.769_902_674_194_304_7, 0.160_078_328_543_346_23),
    (0.904_117_256_370_474_9, 0.106_939_325_995_318_43),
    (0.981_560_634_246_719_3, 0.047_175_336_386_511_83),
];

/// ∫ f du from `a` to `b`.
pub(super) fn integrate(a: f64, b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    half * GAUSS_12
        .iter()
        .map(|&(x, weight)| weight * (f(middle - half * x) + f(middle + half * x)))
        .sum::<f64>()
}

/// Length of a piece from its start to u [m].
pub(super) fn length_to(piece: &RationalCubic, u: f64) -> f64 {
    integrate(piece.start, u, |u| piece.at(u).first.length())
}

/// Parameter at which a piece has the length `target` from its start [m].
pub(super) fn parameter_at_length(piece: &RationalCubic, target: f64) -> f64 {
    let (mut low, mut high) = (piece.start, piece.end);
    let mut u = low + (high - low) * (target / length_to(piece, piece.end)).clamp(0.0, 1.0);
    for _ in 0..60 {
        let error = length_to(piece, u) - target;
        if error > 0.0 {
            high = u;
        } else {
            low = u;
        }
        let mut next = u - error / piece.at(u).first.length();
        if !(next >= low && next <= high) {
            next = 0.5 * (low + high);
        }
        let change = (next - u).abs();
        u = next;
        if change < 1e-15 {
            break;
        }
    }
    u
}

/// Area and its moments, by Green's theorem over closed curves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    /// Signed area [m²], positive if run through counter-clockwise.
    pub area: f64,
    /// Area times centroid [m³].
    pub first: DVec2,
    /// Polar moment about the origin [m⁴].
    pub polar: f64,
}

/// Moments of what closed pieces enclose.
pub(super) fn moments<'a>(pieces: impl Iterator<Item = &'a RationalCubic>) -> Moments {
    let mut sum = Moments::default();
    for piece in pieces {
        let cross = |u: f64| {
            let place = piece.at(u);
            (place.position, place.position.perp_dot(place.first))
        };
        let over = |f: &dyn Fn(f64) -> f64| integrate(piece.start, piece.end, f);
        sum.area += over(&|u| cross(u).1) / 2.0;
        sum.first.x += over(&|u| cross(u).0.x * cross(u).1) / 3.0;
        sum.first.y += over(&|u| cross(u).0.y * cross(u).1) / 3.0;
        sum.polar += over(&|u| cross(u).0.length_squared() * cross(u).1) / 4.0;
    }
    sum
}
