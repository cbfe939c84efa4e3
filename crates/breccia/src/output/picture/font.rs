//! A small font of strokes, drawn for this program: no font files, sharp at any size.
//!
//! A glyph is a list of strokes parted by `;`, a stroke a list of points, a point two characters: x (0–8) and
//! y (0–9; z, y, x are −1, −2, −3). The baseline is at 0, small letters reach 6, capitals 9.

use super::image::Image;
use super::surface::nearest_on_segment;

const CAPITAL_HEIGHT: f64 = 9.0;
/// Space between glyphs, in units of the grid.
const SPACING: f64 = 2.4;

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::output) enum Anchor {
    Left,
    Middle,
    Right,
}

/// How letters look.
#[derive(Clone, Copy, Debug)]
pub(in crate::output) struct Letters {
    /// Height of capitals [pixels].
    pub(in crate::output) height: f64,
    /// Width of strokes as a multiple of the usual.
    pub(in crate::output) weight: f64,
    /// Whether the text goes up the picture instead of to the right.
    pub(in crate::output) upwards: bool,
}

/// Width of a text whose capitals are `height` pixels tall [pixels].
pub(super) fn text_width(text: &str, height: f64) -> f64 {
    let units: f64 = text.chars().map(|c| glyph(c).0 + SPACING).sum();
    (units - SPACING).max(0.0) * height / CAPITAL_HEIGHT
}

/// Draws a text on the baseline through (x, y) [pixels].
pub(super) fn draw_text(image: &mut Image, text: &str, at: [f64; 2], height: f64, anchor: Anchor) {
    draw_letters(image, text, at, anchor, Letters { height, weight: 1.0, upwards: false });
}

/// Draws a text on the baseline through (x, y) [pixels].
pub(in crate::output) fn draw_letters(
    image: &mut Image,
    text: &str,
    [x, y]: [f64; 2],
    anchor: Anchor,
    letters: Letters,
) {
    let unit = letters.height / CAPITAL_HEIGHT;
    let part = match anchor {
        Anchor::Left => 0.0,
        Anchor::Middle => 0.5,
        Anchor::Right => 1.0,
    };
    let mut along = -part * text_width(text, letters.height);
    for character in text.chars() {
        let (width, strokes) = glyph(character);
        let place = |[px, py]: [f64; 2]| match letters.upwards {
            false => [x + along + px * unit, y - py * unit],
            true => [x - py * unit, y - along - px * unit],
        };
        draw_glyph(image, strokes, place, (0.55 * unit * letters.weight).max(0.6));
        along += (width + SPACING) * unit;
    }
}

fn draw_glyph(image: &mut Image, strokes: &str, place: impl Fn([f64; 2]) -> [f64; 2], half_width: f64) {
    let point = |text: &str| {
        let mut coordinates = text.chars().map(coordinate);
        place([coordinates.next().unwrap_or(0.0), coordinates.next().unwrap_or(0.0)])
    };
    let lines: Vec<Vec<[f64; 2]>> =
        strokes.split(';').map(|stroke| stroke.split_whitespace().map(point).collect()).collect();
    // A stroke of one point is a dot.
    let segments: Vec<[[f64; 2]; 2]> = lines
        .iter()
        .flat_map(|line| {
            let dot = (line.len() == 1).then(|| [line[0], line[0]]);
            line.windows(2).map(|pair| [pair[0], pair[1]]).chain(dot)
        })
        .collect();
    let span = |axis: usize| {
        let along = || segments.iter().flatten().map(|point| point[axis]);
        let low = along().fold(f64::INFINITY, f64::min) - half_width - 1.0;
        let high = along().fold(f64::NEG_INFINITY, f64::max) + half_width + 1.0;
        low.floor() as i64..=high.ceil() as i64
    };
    for py in span(1) {
        for px in span(0) {
            let sample = [px as f64 + 0.5, py as f64 + 0.5];
            let distances = segments.iter().map(|&segment| nearest_on_segment(segment, sample).1);
            let distance = distances.fold(f64::INFINITY, f64::min);
            let cover = (half_width + 0.5 - distance).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(px, py, [0.13, 0.15, 0.18], cover);
            }
        }
    }
}

fn coordinate(character: char) -> f64 {
    match character {
        'z' => -1.0,
        'y' => -2.0,
        'x' => -3.0,
        digit => f64::from(digit.to_digit(10).unwrap_or(0)),
    }
}

/// Width and strokes; an empty box for characters that the font lacks.
fn glyph(character: char) -> (f64, &'static str) {
    GLYPHS.iter().find(|(c, ..)| *c == character).map_or((4.0, "00 09 49 40 00"), |&(_, width, s)| (width, s))
}

#[rustfmt::skip]
const GLYPHS: &[(char, f64, &str)] = &[
    (' ', 2.0, ""),
    ('0', 5.0, "10 40 52 57 49 19 07 02 10"),
    ('1', 5.0, "17 39 30;10 50"),
    ('2', 5.0, "07 19 49 57 55 00 50"),
    ('3', 5.0, "08 19 49 57 56 45 25;45 54 52 40 10 01"),
    ('4', 5.0, "40 49 03 53"),
    ('5', 5.0, "49 09 05 45 54 51 40 10 01"),
    ('6', 5.0, "57 49 19 07 02 10 40 52 54 45 15 04"),
    ('7', 5.0, "09 59 20"),
    ('8', 5.0, "15 06 08 19 49 58 56 45 15 03 01 10 40 51 53 45"),
    ('9', 5.0, "02 10 40 52 57 49 19 07 05 14 44 55"),
    ('A', 6.0, "00 39 60;13 53"),
    ('B', 5.0, "00 09 49 58 56 45 05;45 54 51 40 00"),
    ('C', 6.0, "67 49 29 07 02 20 40 62"),
    ('D', 5.0, "00 09 39 57 52 30 00"),
    ('E', 5.0, "50 00 09 59;05 45"),
    ('F', 5.0, "00 09 59;05 45"),
    ('G', 6.0, "67 49 29 07 02 20 40 62 64 34"),
    ('H', 6.0, "00 09;60 69;05 65"),
    ('I', 0.0, "00 09"),
    ('J', 4.0, "49 42 30 10 02"),
    ('K', 5.0, "00 09;59 04;26 50"),
    ('L', 5.0, "09 00 50"),
    ('M', 6.0, "00 09 33 69 60"),
    ('N', 6.0, "00 09 60 69"),
    ('O', 6.0, "20 40 62 67 49 29 07 02 20"),
    ('P', 5.0, "00 09 49 58 55 44 04"),
    ('Q', 6.0, "20 40 62 67 49 29 07 02 20;42 60"),
    ('R', 5.0, "00 09 49 58 55 44 04;24 50"),
    ('S', 5.0, "58 49 19 08 06 15 44 53 51 40 10 01"),
    ('T', 6.0, "09 69;39 30"),
    ('U', 6.0, "09 02 20 40 62 69"),
    ('V', 6.0, "09 30 69"),
    ('W', 8.0, "09 20 46 60 89"),
    ('X', 5.0, "00 59;09 50"),
    ('Y', 6.0, "09 35 69;35 30"),
    ('Z', 5.0, "09 59 00 50"),
    ('a', 4.0, "05 16 36 45 40;43 13 02 01 10 30 41"),
    ('b', 4.0, "09 00;02 10 30 42 44 36 16 04"),
    ('c', 4.0, "45 36 16 04 02 10 30 41"),
    ('d', 4.0, "49 40;42 30 10 02 04 16 36 44"),
    ('e', 4.0, "03 43 44 36 16 04 02 10 30 41"),
    ('f', 3.0, "39 29 18 10;06 36"),
    ('g', 4.0, "46 4y 3x 1x 0y;42 30 10 02 04 16 36 44"),
    ('h', 4.0, "09 00;04 16 36 45 40"),
    ('i', 0.0, "00 06;09"),
    ('j', 2.0, "26 2y 1x 0x;29"),
    ('k', 4.0, "09 00;46 02;13 40"),
    ('l', 1.0, "09 01 10"),
    ('m', 6.0, "00 06;04 16 26 35 30;35 46 56 65 60"),
    ('n', 4.0, "00 06;04 16 36 45 40"),
    ('o', 4.0, "10 30 42 44 36 16 04 02 10"),
    ('p', 4.0, "06 0x;04 16 36 44 42 30 10 02"),
    ('q', 4.0, "46 4x;44 36 16 04 02 10 30 42"),
    ('r', 3.0, "00 06;04 16 36"),
    ('s', 4.0, "45 36 16 05 04 13 33 42 41 30 10 01"),
    ('t', 3.0, "19 11 20 30;06 36"),
    ('u', 4.0, "06 01 10 30 42;46 40"),
    ('v', 4.0, "06 20 46"),
    ('w', 6.0, "06 20 36 40 66"),
    ('x', 4.0, "06 40;00 46"),
    ('y', 4.0, "06 20;46 1x"),
    ('z', 4.0, "06 46 00 40"),
    ('.', 0.0, "00"),
    (',', 1.0, "10 0y"),
    (':', 0.0, "00;05"),
    (';', 1.0, "10 0y;15"),
    ('-', 3.0, "04 34"),
    ('−', 4.0, "04 44"),
    ('–', 5.0, "04 54"),
    ('+', 4.0, "04 44;22 26"),
    ('=', 4.0, "03 43;05 45"),
    ('(', 2.0, "2z 02 07 29"),
    (')', 2.0, "0z 22 27 09"),
    ('[', 2.0, "2z 0z 09 29"),
    (']', 2.0, "0z 2z 29 09"),
    ('{', 2.0, "2z 1z 13 04 15 19 29"),
    ('}', 2.0, "0z 1z 13 24 15 19 09"),
    ('/', 4.0, "0z 49"),
    ('\\', 4.0, "09 4z"),
    ('|', 0.0, "0y 09"),
    ('%', 6.0, "00 69;08 19 28 17 08;41 52 61 50 41"),
    ('_', 5.0, "0z 5z"),
    ('*', 4.0, "05 47;07 45;24 28"),
    ('<', 4.0, "46 03 40"),
    ('>', 4.0, "06 43 00"),
    ('\'', 0.0, "09 07"),
    ('"', 2.0, "09 07;29 27"),
    ('!', 0.0, "09 03;00"),
    ('?', 4.0, "07 19 39 47 46 24 23;20"),
    ('#', 5.0, "10 29;30 49;03 53;06 56"),
    ('&', 6.0, "60 17 18 29 38 37 04 02 10 30 63"),
    ('^', 4.0, "07 29 47"),
    ('~', 4.0, "04 15 33 44"),
    ('@', 6.0, "43 46 26 24 33 44 63 67 49 29 07 02 20 50"),
    ('²', 2.0, "08 19 28 05 25"),
    ('³', 2.0, "09 29 17 26 15 05"),
    ('⁰', 2.0, "15 25 29 19 15"),
    ('¹', 1.0, "08 19 15"),
    ('⁴', 2.0, "25 29 06 26"),
    ('⁵', 2.0, "29 09 07 27 25 05"),
    ('⁶', 2.0, "29 09 05 25 27 07"),
    ('⁷', 2.0, "09 29 15"),
    ('⁸', 2.0, "05 09 29 25 05;07 27"),
    ('⁹', 2.0, "05 25 29 09 07 27"),
    ('⁻', 2.0, "07 27"),
    ('₀', 2.0, "0y 2y 22 02 0y"),
    ('·', 0.0, "04"),
    ('—', 7.0, "04 74"),
    ('±', 4.0, "05 45;23 27;01 41"),
    ('√', 5.0, "04 15 20 49 59"),
    ('∞', 6.0, "33 25 15 04 03 12 22 34 45 55 64 63 52 42 33"),
    ('≤', 4.0, "48 15 42;00 40"),
    ('≥', 4.0, "08 35 02;00 40"),
    ('→', 5.0, "04 54;36 54 32"),
    ('é', 4.0, "03 43 44 36 16 04 02 10 30 41;28 39"),
    ('ö', 4.0, "10 30 42 44 36 16 04 02 10;18;38"),
    ('ü', 4.0, "06 01 10 30 42;46 40;18;38"),
    ('ő', 4.0, "10 30 42 44 36 16 04 02 10;18 29;38 49"),
    ('°', 2.0, "08 19 28 17 08"),
    ('×', 4.0, "02 46;06 42"),
    ('µ', 4.0, "0x 06;01 10 30 42;46 40"),
    ('μ', 4.0, "0x 06;01 10 30 42;46 40"),
    ('α', 4.0, "46 31 20 10 02 04 16 26 35 40"),
    ('β', 4.0, "0x 07 19 29 38 36 25 15;25 44 42 30 10 01"),
    ('γ', 4.0, "06 16 32 1x;46 32"),
    ('δ', 4.0, "39 19 08 35 43 41 30 10 01 03 15 35"),
    ('ε', 4.0, "45 36 16 05 14 23;14 02 01 10 30 41"),
    ('ζ', 4.0, "09 49 15 03 01 10 30 4z 3y 2y"),
    ('η', 4.0, "06 00;04 16 36 45 4x"),
    ('κ', 4.0, "00 06;46 03 40"),
    ('λ', 4.0, "09 19 40;00 25"),
    ('ν', 4.0, "06 10 20 44 46"),
    ('ξ', 4.0, "49 19 07 16 36;16 04 12 30 4z 3y 2y"),
    ('π', 5.0, "06 56;16 10;46 41 50"),
    ('σ', 5.0, "56 16 04 02 10 30 42 44 36"),
    ('τ', 4.0, "06 46;26 21 30 40"),
    ('φ', 6.0, "3x 36;20 40 62 64 46 26 04 02 20"),
    ('ψ', 6.0, "3x 39;06 02 20 40 62 66"),
    ('Γ', 5.0, "00 09 59"),
    ('Δ', 6.0, "00 39 60 00"),
    ('Λ', 6.0, "00 39 60"),
    ('Σ', 5.0, "59 09 35 00 50"),
    ('Φ', 6.0, "30 39;22 42 64 65 47 27 05 04 22"),
    ('Ω', 6.0, "00 20 03 06 29 49 66 63 40 60"),
    ('ω', 6.0, "16 04 02 10 20 32 34;32 40 50 62 64 56"),
    ('θ', 4.0, "10 30 42 47 39 19 07 02 10;05 45"),
    ('ρ', 4.0, "0x 04 16 36 44 42 30 10 02"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_ascii_is_complete_but_for_rare_signs() {
        let missing: String = (' '..='~').filter(|c| !GLYPHS.iter().any(|g| g.0 == *c)).collect();
        assert_eq!(missing, "$`");
    }

    #[test]
    fn glyphs_stay_within_their_width_and_are_unique() {
        for (index, (character, width, strokes)) in GLYPHS.iter().enumerate() {
            for point in strokes.split([' ', ';']).filter(|p| !p.is_empty()) {
                assert_eq!(point.chars().count(), 2, "{character}");
                assert!(coordinate(point.chars().next().unwrap()) <= *width, "{character}");
            }
            assert!(GLYPHS[..index].iter().all(|other| other.0 != *character), "{character} twice");
        }
    }

    #[test]
    fn text_marks_pixels_where_it_should_and_off_the_edge_does_no_harm() {
        let mut image = Image::white(60, 30);
        draw_text(&mut image, "l", [10.0, 25.0], 18.0, Anchor::Left);
        assert!(image.pixels[15 * 60 + 10][0] < 120 && image.pixels[15 * 60 + 30][0] == 255);
        draw_text(&mut image, "WWWWWW", [-20.0, 5.0], 18.0, Anchor::Left);
        draw_text(&mut image, "WWWWWW", [70.0, 40.0], 18.0, Anchor::Right);
    }

    #[test]
    fn upward_text_is_the_level_one_turned() {
        let ink = |upwards: bool| {
            let mut image = Image::white(80, 80);
            let letters = Letters { height: 12.0, weight: 1.0, upwards };
            draw_letters(&mut image, "Flow", [40.0, 40.0], Anchor::Middle, letters);
            image
        };
        let (level, upward) = (ink(false), ink(true));
        // A quarter turn takes the pixel (x, y) to (y, 79 − x).
        let turned = |x: usize, y: usize| upward.pixels[(79 - x) * 80 + y];
        for (index, pixel) in level.pixels.iter().enumerate() {
            let other = turned(index % 80, index / 80);
            assert!(pixel.iter().zip(other).all(|(a, b)| a.abs_diff(b) <= 1), "{index}: {pixel:?} {other:?}");
        }
        assert!(level.pixels.iter().any(|pixel| pixel[0] < 100));
    }
}
