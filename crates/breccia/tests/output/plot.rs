use breccia::output::Plot;
use std::fs;
use std::path::Path;

fn impact() -> Plot {
    let xs: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.01).collect();
    let ys: Vec<f64> = xs.iter().map(|x| 4.0 * x * (1.0 - x)).collect();
    let low: Vec<f64> = ys.iter().map(|y| 0.8 * y).collect();
    Plot::new("Impact of two spheres", "time / duration [-]", "force [kN]")
        .line("breccia", &xs, &ys)
        .dashed("theory <5 & 6>", &xs, &low)
        .points("published", &[0.1, 0.5, 0.9], &[0.35, 1.02, 0.37])
        .points("measured", &[0.2, 0.6], &[0.6, 0.9])
}

#[test]
fn svg_holds_every_series_and_escapes_names() {
    let svg = impact().to_svg();
    for text in ["Impact of two spheres", "force [kN]", "theory &lt;5 &amp; 6&gt;", ">published<", ">0.2<"] {
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
    impact().write_svg(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), impact().to_svg());
    let error = impact().write_svg(Path::new("/nonexistent/impact.svg")).unwrap_err().to_string();
    assert!(error.starts_with("cannot write /nonexistent/impact.svg: "), "{error}");
}
