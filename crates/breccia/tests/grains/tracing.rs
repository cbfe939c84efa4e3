//! Outlines found in drawn pictures whose shapes are known.

use crate::builders::lobed;
use breccia::output::Image;
use breccia::shapes::tracing::{
    Brightness, FitError, GreyPicture, Threshold, Tracing, TracingOptions, contours, fit_closed, otsu,
    trace_grains,
};
use glam::DVec2;
use std::f64::consts::PI;

const OPTIONS: TracingOptions =
    TracingOptions { level: None, brightness: None, tolerance: 1.0, least_area: 50.0, pixel: 1.0 };

/// A picture of what is `inside`, as bright as the share of each pixel that is; `fine` samples per side of a pixel.
fn drawn(width: usize, height: usize, fine: u32, inside: impl Fn(DVec2) -> bool) -> GreyPicture {
    let share = |x: usize, y: usize| {
        let sample = |i: u32| (f64::from(i) + 0.5) / f64::from(fine);
        let at = |i: u32, j: u32| DVec2::new(x as f64 + sample(i), (height - 1 - y) as f64 + sample(j));
        let hits =
            (0..fine).flat_map(|i| (0..fine).map(move |j| (i, j))).filter(|&(i, j)| inside(at(i, j))).count();
        (255 * hits as u32 / (fine * fine)) as u8
    };
    let pixels =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| share(x, y)).collect();
    GreyPicture { width, height, pixels }
}

fn disc(centre: DVec2, radius: f64) -> impl Fn(DVec2) -> bool {
    move |p| p.distance(centre) < radius
}

fn only(tracing: &Tracing) -> &breccia::shapes::tracing::TracedGrain {
    assert_eq!(tracing.grains.len(), 1, "{:?}", tracing.untraced);
    &tracing.grains[0]
}

#[test]
fn a_blurred_disc_is_found_to_a_part_of_a_pixel() {
    let centre = DVec2::new(61.3, 55.7);
    let tracing = trace_grains(&drawn(120, 110, 8, disc(centre, 40.0)), &OPTIONS);
    let grain = only(&tracing);
    assert!((tracing.threshold.level - 127.5).abs() < 8.0, "{}", tracing.threshold.level);
    assert_eq!(tracing.threshold.brightness, Brightness::Bright);
    assert!((grain.measures.area / (PI * 1600.0) - 1.0).abs() < 2e-3, "{}", grain.measures.area);
    assert!((grain.fit.outline.given_centroid() - centre).length() < 0.05);
    assert!(grain.measures.sphericity > 0.99 && grain.measures.roundness > 0.9, "{:?}", grain.measures);
    assert!(grain.fit.largest_error <= 1.0 && grain.fit.rms_error < 0.5);
    assert!(grain.fit.control.len() <= 12, "{}", grain.fit.control.len());
}

#[test]
fn a_black_and_white_disc_keeps_its_area() {
    let tracing = trace_grains(&drawn(120, 110, 1, disc(DVec2::new(60.0, 55.0), 40.0)), &OPTIONS);
    let grain = only(&tracing);
    assert!((grain.measures.area / (PI * 1600.0) - 1.0).abs() < 5e-3, "{}", grain.measures.area);
}

#[test]
fn dark_and_bright_grains_give_the_same() {
    let bright = drawn(90, 90, 4, disc(DVec2::new(45.0, 45.0), 30.0));
    let dark =
        GreyPicture { pixels: bright.pixels.iter().map(|grey| 255 - grey).collect(), ..bright.clone() };
    let (a, b) = (trace_grains(&bright, &OPTIONS), trace_grains(&dark, &OPTIONS));
    assert_eq!(b.threshold.brightness, Brightness::Dark);
    assert!((only(&a).measures.area - only(&b).measures.area).abs() < 1e-6);
    // Asked for the wrong side, the ground is the grain: it is cut by the margin.
    let wrong = trace_grains(&bright, &TracingOptions { brightness: Some(Brightness::Dark), ..OPTIONS });
    assert_eq!((wrong.grains.len(), wrong.cut.len()), (0, 1));
}

#[test]
fn a_rounded_square_is_as_round_as_drawn() {
    let (half, r) = (60.0, 25.0);
    let inside = |p: DVec2| {
        let q = (p - DVec2::splat(80.0)).abs() - DVec2::splat(half - r);
        q.max(DVec2::ZERO).length() + q.max_element().min(0.0) < r
    };
    let tracing = trace_grains(&drawn(160, 160, 6, inside), &TracingOptions { tolerance: 0.2, ..OPTIONS });
    let measures = only(&tracing).measures;
    let area = 4.0 * half * half - (4.0 - PI) * r * r;
    assert!((measures.area / area - 1.0).abs() < 2e-3);
    assert!((measures.inscribed_diameter - 2.0 * half).abs() < 1.0);
    assert_eq!(measures.corners, 4);
    assert!((measures.roundness / (r / half) - 1.0).abs() < 0.1, "{}", measures.roundness);
}

#[test]
fn a_lobed_grain_comes_back() {
    let outline = lobed(15);
    let inside = |p: DVec2| outline.foot_point((p - DVec2::splat(100.0)) / 120.0).gap < 0.0;
    let tracing = trace_grains(
        &drawn(200, 200, 3, inside),
        &TracingOptions { tolerance: 0.6, pixel: 1.0 / 120.0, ..OPTIONS },
    );
    let grain = only(&tracing);
    assert!((grain.measures.area / outline.area() - 1.0).abs() < 4e-3);
    assert!((grain.measures.perimeter / outline.perimeter() - 1.0).abs() < 5e-3);
    let farthest = grain.fit.outline.polyline(2).into_iter().map(|p| {
        let back = (p + grain.fit.outline.given_centroid() - DVec2::splat(100.0)) / 120.0;
        outline.foot_point(back).gap.abs()
    });
    assert!(farthest.fold(0.0, f64::max) < 0.8 / 120.0);
}

#[test]
fn holes_specks_and_cut_grains_are_told_apart() {
    let ring = |p: DVec2| {
        let d = p.distance(DVec2::new(50.0, 60.0));
        d < 35.0 && d > 12.0
    };
    let cut = disc(DVec2::new(0.0, 130.0), 20.0);
    let whole = disc(DVec2::new(130.0, 60.0), 30.0);
    let speck = |p: DVec2| (p - DVec2::new(100.0, 120.0)).abs().max_element() < 2.0;
    let picture = drawn(180, 150, 4, |p| ring(p) || cut(p) || whole(p) || speck(p));
    let tracing = trace_grains(&picture, &OPTIONS);
    assert_eq!((tracing.grains.len(), tracing.cut.len(), tracing.specks), (2, 1, 1));
    let mut found: Vec<(u32, f64)> = tracing.grains.iter().map(|g| (g.holes, g.measures.area)).collect();
    found.sort_by_key(|&(holes, _)| holes);
    assert_eq!((found[0].0, found[1].0), (0, 1));
    assert!((found[1].1 / (PI * 35.0 * 35.0) - 1.0).abs() < 5e-3, "the hole is ignored");
}

#[test]
fn pixels_that_meet_at_a_corner_are_apart() {
    let mut pixels = vec![0; 36];
    pixels[2 * 6 + 2] = 255;
    pixels[3 * 6 + 3] = 255;
    let picture = GreyPicture { width: 6, height: 6, pixels };
    let threshold = Threshold::choose(&picture, None, None);
    let found = contours(&picture, &threshold);
    assert_eq!(found.len(), 2);
    for contour in &found {
        assert_eq!(contour.points.len(), 4);
        assert!((contour.area() - 0.5).abs() < 1e-12, "a diamond of half a pixel");
        assert!(!contour.cut);
    }
    // The first pixel, two from the left and third from the top of six.
    assert!(found[0].holds(DVec2::new(2.5, 3.5)) && found[1].holds(DVec2::new(3.5, 2.5)));
}

/// Contours part grain from background: a pixel is grain if it is inside an odd number of them.
#[test]
fn contours_surround_the_grain_of_random_pictures() {
    let mut dice = crate::builders::Dice(50);
    for _ in 0..40 {
        let pixels: Vec<u8> = (0..15 * 12).map(|_| (256.0 * dice.roll()) as u8).collect();
        let picture = GreyPicture { width: 15, height: 12, pixels };
        let threshold = Threshold { level: 100.5, brightness: Brightness::Bright };
        let found = contours(&picture, &threshold);
        for (index, &grey) in picture.pixels.iter().enumerate() {
            let centre = DVec2::new((index % 15) as f64 + 0.5, 12.0 - (index / 15) as f64 - 0.5);
            let around = found.iter().filter(|contour| contour.holds(centre)).count();
            assert_eq!(around % 2 == 1, f64::from(grey) > 100.5, "pixel {index}");
        }
    }
}

#[test]
fn otsu_parts_two_greys_half_way() {
    let picture = GreyPicture { width: 4, height: 2, pixels: vec![10, 10, 10, 10, 10, 90, 90, 90] };
    assert!((otsu(&picture) - 50.0).abs() < 1e-12);
    let even = GreyPicture { width: 2, height: 1, pixels: vec![80, 80] };
    assert!(otsu(&even).is_finite());
}

#[test]
fn fits_keep_their_tolerance_with_fewer_points_the_looser_it_is() {
    let outline = lobed(13);
    let points = outline.polyline(3);
    let mut last = usize::MAX;
    for tolerance in [1e-4, 1e-3, 1e-2, 5e-2] {
        let fit = fit_closed(&points, tolerance).expect("a fit");
        assert!(fit.largest_error <= tolerance);
        let exact =
            points.iter().map(|&p| fit.outline.foot_point(p - fit.outline.given_centroid()).gap.abs());
        assert!((exact.fold(0.0, f64::max) - fit.largest_error).abs() < 1e-12);
        assert!(fit.control.len() <= last);
        last = fit.control.len();
    }
    assert!(last <= 10, "{last}");
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    assert!(matches!(fit_closed(&[DVec2::ZERO; 9], 1.0), Err(FitError::TooFewPoints(_))));
    let saw: Vec<DVec2> = (0..60)
        .map(|i| DVec2::from_angle(f64::from(i) * PI / 30.0) * if i % 2 == 0 { 1.0 } else { 0.6 })
        .collect();
    let refused = fit_closed(&saw, 0.01).expect_err("no fit");
    assert!(matches!(refused, FitError::Tolerance { .. }), "{refused}");
    assert!(refused.to_string().contains("0.010"), "{refused}");
}

#[test]
fn pictures_are_read_from_png_in_grey() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("colours.png");
    let mut image = Image::white(3, 1);
    image.pixels[1] = [255, 0, 0];
    image.pixels[2] = [0, 0, 0];
    image.write_png(&path).expect("a file");
    let picture = GreyPicture::read_png(&path).expect("a picture");
    assert_eq!((picture.width, picture.height), (3, 1));
    assert_eq!(picture.pixels, [255, 76, 0]);
    std::fs::write(&path, b"no picture").expect("a file");
    assert!(GreyPicture::read_png(&path).expect_err("a mistake").to_string().contains("colours.png"));
    assert!(GreyPicture::read_png(&folder.path().join("none.png")).is_err());
}
