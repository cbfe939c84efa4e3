use breccia::output::{Image, Plot};
use std::fs;
use std::path::Path;

fn impact() -> Plot {
    let xs: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.01).collect();
    let ys: Vec<f64> = xs.iter().map(|x| 4.0 * x * (1.0 - x)).collect();
    let low: Vec<f64> = ys.iter().map(|y| 0.8 * y).collect();
    Plot::new("Impact of two spheres", "time / duration", "force [kN]")
        .line("breccia", &xs, &ys)
        .dashed("theory <5 & 6>", &xs, &low)
        .points("published", &[0.1, 0.5, 0.9], &[0.35, 1.02, 0.37])
        .points("measured", &[0.2, 0.6], &[0.6, 0.9])
}

#[test]
fn svg_holds_every_series_and_escapes_names() {
    let svg = impact().to_svg();
    for text in [
        "Impact of two spheres",
        "force [kN]",
        "time / duration [–]",
        "theory &lt;5 &amp; 6&gt;",
        ">published<",
        ">0.2<",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(svg.matches("stroke-dasharray").count(), 2, "dashed curve and its legend");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
}

#[test]
fn a_line_runs_from_corner_to_corner() {
    let svg = Plot::new("", "", "")
        .x_range(0.0, 1.0)
        .y_range(0.0, 2.0)
        .line("a", &[0.0, 1.0], &[0.0, 2.0])
        .to_svg();
    assert!(svg.contains("M86.00 396.00L570.00 52.00"), "{svg}");
}

#[test]
fn curves_break_at_gaps_and_logarithms_leave_out_what_they_cannot_show() {
    let gap = Plot::new("", "", "").line("a", &[0.0, 1.0, 2.0, 3.0], &[1.0, f64::NAN, 1.5, 2.0]).to_svg();
    let curve = gap.lines().find(|line| line.starts_with("<g ")).unwrap();
    assert_eq!((curve.matches('M').count(), curve.matches('L').count()), (2, 1));
    let log =
        Plot::new("", "", "").log_x().log_y().points("a", &[0.0, 1.0, 10.0], &[1.0, -1.0, 3.0]).to_svg();
    assert_eq!(log.lines().find(|line| line.starts_with("<g ")).unwrap().matches("<path").count(), 1);
    assert!(!log.contains("NaN") && !log.contains("inf"));
}

#[test]
fn an_empty_plot_is_a_plot() {
    let svg = Plot::new("nothing", "x", "y").to_svg();
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn the_file_is_the_text_and_errors_name_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impact.svg");
    impact().write(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), impact().to_svg());
    assert_eq!(fs::read(path.with_extension("png")).unwrap(), impact().to_image().png_bytes());
    let error = impact().write(Path::new("/nonexistent/impact.svg")).unwrap_err().to_string();
    assert!(error.starts_with("cannot write /nonexistent/impact.svg: "), "{error}");
}

/// Share of the pixels of a part of the picture (left, right, top, bottom in pixels of the SVG) that are near a colour.
fn share(image: &Image, [left, right, top, bottom]: [usize; 4], colour: [u8; 3]) -> f64 {
    let near = |pixel: [u8; 3]| pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 60);
    let places = (2 * top..2 * bottom).flat_map(|y| (2 * left..2 * right).map(move |x| (x, y)));
    let found = places.filter(|&(x, y)| near(image.pixels[y * image.width + x])).count();
    found as f64 / (4 * (right - left) * (bottom - top)) as f64
}

const BLUE: [u8; 3] = [0, 0x72, 0xb2];
const VERMILION: [u8; 3] = [0xd5, 0x5e, 0];

#[test]
fn the_picture_shows_curves_symbols_words_and_stays_in_its_area() {
    let plot = || Plot::new("Title", "way [m]", "force [N]").x_range(0.0, 1.0).y_range(0.0, 2.0);
    let empty = plot().to_image();
    assert_eq!([empty.width, empty.height], [1520, 920]);
    assert_eq!(share(&empty, [87, 569, 53, 395], BLUE), 0.0);
    // Words: title, label of the x axis, label of the y axis (which goes up).
    for part in [[86, 140, 18, 34], [300, 360, 428, 444], [10, 26, 190, 260]] {
        assert!(share(&empty, part, [0x22, 0x26, 0x2e]) > 0.03, "{part:?}");
    }
    let line = plot().line("a", &[0.0, 1.0], &[1.0, 1.0]).to_image();
    // 1.8 pixels wide, half-way up, from end to end.
    let band = share(&line, [90, 566, 220, 228], BLUE);
    assert!((band - 1.8 / 8.0).abs() < 0.06, "{band}");
    let dashed = plot().dashed("a", &[0.0, 1.0], &[1.0, 1.0]).to_image();
    let part = share(&dashed, [90, 566, 220, 228], BLUE) / band;
    assert!((part - 7.0 / 11.0).abs() < 0.15, "round ends are a little longer: {part}");
    let far = plot().line("a", &[-9.0, 9.0], &[1.0, 1.0]).to_image();
    assert_eq!(share(&far, [0, 84, 215, 233], BLUE), 0.0);
    let points = plot().line("a", &[], &[]).points("b", &[0.5], &[1.0]).to_image();
    assert!(share(&points, [320, 336, 216, 232], VERMILION) > 0.1);
    assert_eq!(share(&points, [90, 300, 60, 390], VERMILION), 0.0);
}

#[test]
fn odd_plots_are_pictures_too() {
    for values in [vec![], vec![f64::NAN], vec![f64::MAX, f64::MIN], vec![0.0; 3]] {
        let plot = Plot::new("", "", "")
            .line("a", &values, &values)
            .points("b", &values, &values)
            .dashed("c", &values, &values);
        assert_eq!(plot.to_image().height, 920);
        assert_eq!(plot.log_x().log_y().to_image().height, 920);
    }
}
