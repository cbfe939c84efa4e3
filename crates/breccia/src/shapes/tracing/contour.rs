//! Contours of grains in a picture, by marching squares.
//!
//! Squares have centres of pixels as corners; the contour crosses their sides where the grey, taken as linear between
//! them, passes the threshold. Grains that meet only over the corner of a pixel are apart.

use super::{GreyPicture, Threshold};
use glam::DVec2;

/// A closed contour.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// Corners [pixels]: x to the right from the left side of the picture, y up from its lower side. Grain is to the
    /// left: the contour of a grain runs counter-clockwise, that of a hole clockwise.
    pub points: Vec<DVec2>,
    /// Whether it touches the margin of the picture, so that a part of the grain may be missing.
    pub cut: bool,
}

impl Contour {
    /// Area [pixels²], negative for a hole.
    pub fn area(&self) -> f64 {
        let next = self.points.iter().cycle().skip(1);
        // About a point of the contour, so that large coordinates do not cancel.
        let from = self.points.first().copied().unwrap_or_default();
        0.5 * self.points.iter().zip(next).map(|(a, b)| (*a - from).perp_dot(*b - from)).sum::<f64>()
    }

    /// Whether a point is inside.
    pub fn holds(&self, x: DVec2) -> bool {
        let next = self.points.iter().cycle().skip(1);
        let crossings = self.points.iter().zip(next).filter(|(a, b)| {
            let spans = (a.y > x.y) != (b.y > x.y);
            spans && x.x < a.x + (b.x - a.x) * (x.y - a.y) / (b.y - a.y)
        });
        crossings.count() % 2 == 1
    }
}

/// Sides of a square, clockwise from the top.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

const CLOCKWISE: [Side; 4] = [Side::Top, Side::Right, Side::Bottom, Side::Left];

/// The picture with a frame of background, as heights above the threshold.
struct Heights<'a> {
    picture: &'a GreyPicture,
    threshold: &'a Threshold,
    /// Pixels with the frame.
    width: usize,
    height: usize,
}

/// All contours of a picture, in the order of their topmost left corners.
pub fn contours(picture: &GreyPicture, threshold: &Threshold) -> Vec<Contour> {
    let (width, height) = (picture.width + 2, picture.height + 2);
    let heights = Heights { picture, threshold, width, height };
    // Every contour is left through the top of some square: the marks are for tops alone.
    let mut left_by_top = vec![false; width * height];
    let mut found = Vec::new();
    for y in 0..height - 1 {
        for x in 0..width - 1 {
            if heights.leaves_by_top(x, y) && !left_by_top[y * width + x] {
                found.push(heights.follow(x, y, &mut left_by_top));
            }
        }
    }
    found
}

impl Heights<'_> {
    /// Height of a pixel of the framed picture; the frame is as deep in the background as pixels can be.
    fn at(&self, x: usize, y: usize) -> f64 {
        let framed = x == 0 || y == 0 || x == self.width - 1 || y == self.height - 1;
        if framed { -127.5 } else { self.threshold.height(f64::from(self.picture.at(x - 1, y - 1))) }
    }

    fn is_grain(&self, (x, y): (usize, usize)) -> bool {
        self.at(x, y) > 0.0
    }

    /// Corners of a square at the start and end of a side, clockwise.
    fn ends(&self, x: usize, y: usize, side: Side) -> [(usize, usize); 2] {
        let (top_left, top_right) = ((x, y), (x + 1, y));
        let (bottom_right, bottom_left) = ((x + 1, y + 1), (x, y + 1));
        match side {
            Side::Top => [top_left, top_right],
            Side::Right => [top_right, bottom_right],
            Side::Bottom => [bottom_right, bottom_left],
            Side::Left => [bottom_left, top_left],
        }
    }

    /// A contour with grain to its left leaves a square where, clockwise, grain turns into background.
    fn leaves_by_top(&self, x: usize, y: usize) -> bool {
        let [from, to] = self.ends(x, y, Side::Top);
        self.is_grain(from) && !self.is_grain(to)
    }

    fn follow(&self, x0: usize, y0: usize, left_by_top: &mut [bool]) -> Contour {
        let (mut x, mut y, mut exit) = (x0, y0, Side::Top);
        let mut contour = Contour { points: Vec::new(), cut: false };
        loop {
            let ends = self.ends(x, y, exit);
            contour.points.push(self.crossing(ends));
            let [inside, _] = ends;
            let at_margin =
                inside.0 == 1 || inside.1 == 1 || inside.0 == self.width - 2 || inside.1 == self.height - 2;
            contour.cut |= at_margin;
            if exit == Side::Top {
                left_by_top[y * self.width + x] = true;
            }
            let entry = match exit {
                Side::Top => {
                    y -= 1;
                    Side::Bottom
                }
                Side::Right => {
                    x += 1;
                    Side::Left
                }
                Side::Bottom => {
                    y += 1;
                    Side::Top
                }
                Side::Left => {
                    x -= 1;
                    Side::Right
                }
            };
            exit = self.exit_after(x, y, entry);
            if (x, y) == (x0, y0) && exit == Side::Top {
                return contour;
            }
        }
    }

    /// Side by which the contour that came in by `entry` leaves: the first, clockwise, where grain ends.
    fn exit_after(&self, x: usize, y: usize, entry: Side) -> Side {
        let first = CLOCKWISE.iter().position(|&side| side == entry).unwrap_or(0);
        let sides = (1..4).map(|step| CLOCKWISE[(first + step) % 4]);
        let ends_grain = |side: &Side| {
            let [from, to] = self.ends(x, y, *side);
            self.is_grain(from) && !self.is_grain(to)
        };
        sides.into_iter().find(ends_grain).unwrap_or(entry)
    }

    /// Where the threshold is passed between a pixel of grain and one of background [pixels, y up].
    fn crossing(&self, [inside, outside]: [(usize, usize); 2]) -> DVec2 {
        let (high, low) = (self.at(inside.0, inside.1), self.at(outside.0, outside.1));
        let share = high / (high - low);
        // The frame takes one pixel: centres of the picture's own pixels are at one half.
        let place = |(x, y): (usize, usize)| {
            DVec2::new(x as f64 - 0.5, self.picture.height as f64 - (y as f64 - 0.5))
        };
        place(inside).lerp(place(outside), share)
    }
}
