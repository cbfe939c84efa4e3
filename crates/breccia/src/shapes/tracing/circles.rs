//! Largest circle inside and smallest around an outline.

use crate::shapes::nurbs::{NurbsOutline, convex_hull};
use glam::DVec2;

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre [m, body].
    pub centre: DVec2,
    /// Radius [m].
    pub radius: f64,
}

/// Points per side of the grid from which the search for the largest circle starts.
const STARTS: i32 = 24;

/// Largest circle inside an outline: the best of a grid of places, climbed from.
pub fn largest_inscribed(outline: &NurbsOutline) -> Circle {
    let half = outline.bounding_radius();
    let depth = |x: DVec2| -outline.foot_point(x).gap;
    let step = 2.0 * half / f64::from(STARTS);
    let place = |i: i32| f64::from(i) * step - half;
    let grid = (1..STARTS).flat_map(|i| (1..STARTS).map(move |j| DVec2::new(place(i), place(j))));
    let mut starts: Vec<Circle> = grid.map(|centre| Circle { centre, radius: depth(centre) }).collect();
    starts.sort_by(|a, b| b.radius.total_cmp(&a.radius));
    let climbed = starts.iter().take(8).map(|&start| climb(start, step, 1e-9 * half, &depth));
    climbed.fold(starts[0], |best, circle| if circle.radius > best.radius { circle } else { best })
}

/// Moves a circle to deeper places until steps of `least` gain nothing.
fn climb(mut circle: Circle, mut step: f64, least: f64, depth: &impl Fn(DVec2) -> f64) -> Circle {
    const DIRECTIONS: [(f64, f64); 8] = [
        (1.0, 0.0),
        (0.0, 1.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.7, 0.7),
        (-0.7, 0.7),
        (-0.7, -0.7),
        (0.7, -0.7),
    ];
    while step > least {
        let tried = DIRECTIONS.map(|(x, y)| {
            let centre = circle.centre + step * DVec2::new(x, y);
            Circle { centre, radius: depth(centre) }
        });
        let best = tried.into_iter().fold(circle, |best, c| if c.radius > best.radius { c } else { best });
        if best.radius > circle.radius {
            circle = best;
        } else {
            step *= 0.5;
        }
    }
    circle
}

/// Smallest circle around points: grown from one, two and three of them.
pub fn smallest_enclosing(points: &[DVec2]) -> Circle {
    let points = convex_hull(points.to_vec());
    let mut circle = Circle { centre: points.first().copied().unwrap_or_default(), radius: 0.0 };
    let outside = |circle: &Circle, p: DVec2| p.distance(circle.centre) > circle.radius * (1.0 + 1e-12);
    for (i, &p) in points.iter().enumerate() {
        if !outside(&circle, p) {
            continue;
        }
        circle = Circle { centre: p, radius: 0.0 };
        for (j, &q) in points[..i].iter().enumerate() {
            if !outside(&circle, q) {
                continue;
            }
            circle = Circle { centre: 0.5 * (p + q), radius: 0.5 * p.distance(q) };
            for &r in points[..j].iter().filter(|&&r| r != p) {
                if outside(&circle, r) {
                    circle = through(p, q, r).unwrap_or(circle);
                }
            }
        }
    }
    circle
}

/// Circle through three points; none if they are in line.
fn through(a: DVec2, b: DVec2, c: DVec2) -> Option<Circle> {
    let (b, c) = (b - a, c - a);
    let double_area = 2.0 * b.perp_dot(c);
    let centre = DVec2::new(
        c.y * b.length_squared() - b.y * c.length_squared(),
        b.x * c.length_squared() - c.x * b.length_squared(),
    ) / double_area;
    centre.is_finite().then(|| Circle { centre: a + centre, radius: centre.length() })
}
