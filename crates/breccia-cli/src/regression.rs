//! Straight lines through measurements.

/// A least-squares line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Value at zero.
    pub start: f64,
    /// Slope.
    pub slope: f64,
    /// Share of the variance explained, R².
    pub r2: f64,
}

/// The line through points (x, y).
pub fn line(points: &[(f64, f64)]) -> Line {
    let count = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let (x, y) = (point.0 - mean.0, point.1 - mean.1);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let slope = xy / xx;
    Line { start: mean.1 - slope * mean.0, slope, r2: xy * xy / (xx * yy) }
}

/// The line through (N ln N, y).
pub fn against_n_log_n(points: &[(f64, f64)]) -> Line {
    line(&points.iter().map(|&(n, y)| (n * libm::log(n), y)).collect::<Vec<_>>())
}

/// The line through (ln N, ln y): its slope is the exponent of growth.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    line(&points.iter().map(|&(n, y)| (libm::log(n), libm::log(y))).collect::<Vec<_>>()).slope
}

/// R² of the parabola through (N, y).
pub fn parabola_r2(points: &[(f64, f64)]) -> f64 {
    // Normal equations in x = N / largest N, so that powers stay near 1.
    let largest = points.iter().fold(0.0_f64, |top, p| top.max(p.0));
    let mut rows = [[0.0; 4]; 3];
    for &(n, y) in points {
        let x = n / largest;
        let powers = [1.0, x, x * x];
        for (row, a) in rows.iter_mut().zip(powers) {
            for (entry, b) in row.iter_mut().zip([powers[0], powers[1], powers[2], y]) {
                *entry += a * b;
            }
        }
    }
    for k in 0..3 {
        let pivot = rows[k];
        for (other, row) in rows.iter_mut().enumerate() {
            if other != k {
                let factor = row[k] / pivot[k];
                row.iter_mut().zip(pivot).for_each(|(entry, p)| *entry -= factor * p);
            }
        }
    }
    let share = [0, 1, 2].map(|k| rows[k][3] / rows[k][k]);
    let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len() as f64;
    let left = |p: &(f64, f64)| {
        let x = p.0 / largest;
        p.1 - share[0] - share[1] * x - share[2] * x * x
    };
    let missed: f64 = points.iter().map(|p| left(p) * left(p)).sum();
    let spread: f64 = points.iter().map(|p| (p.1 - mean) * (p.1 - mean)).sum();
    1.0 - missed / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of the report's Table 2, and what its authors and others found in them.
    #[test]
    fn the_regressions_of_the_report_are_reproduced() {
        let sorted = [
            (13.0, 0.0085),
            (53.0, 0.0361),
            (104.0, 0.0732),
            (196.0, 0.1386),
            (400.0, 0.3030),
            (900.0, 0.7540),
        ];
        let fit = against_n_log_n(&sorted);
        assert!((fit.r2 - 0.99985).abs() < 5e-6, "{fit:?}");
        assert!((fit.slope - 1.216e-4).abs() < 1e-7 && (fit.start - 0.0105).abs() < 1e-4, "{fit:?}");
        assert!((exponent(&sorted) - 1.05).abs() < 0.005);
        let all = [(13.0, 0.1244), (53.0, 2.7050), (104.0, 10.86), (196.0, 40.38)];
        assert!((parabola_r2(&all) - 0.999991).abs() < 1e-6, "{}", parabola_r2(&all));
        assert!((exponent(&all) - 2.13).abs() < 0.005);
    }
}
