//! `breccia grains` from outside: a drawn picture in, shapes, measures and an overlay out.

mod common;

use breccia::output::Image;
use breccia::scene::read_shape_library;
use breccia::shapes::nurbs::NurbsOutline;
use common::Desk;
use std::f64::consts::PI;

/// Dark grains on white: a disc of radius 30, a rounded bar, a disc cut by the margin, a speck.
fn draw(desk: &Desk, name: &str) {
    let mut image = Image::white(220, 160);
    let (width, height) = (image.width, image.height);
    let inside = |x: f64, y: f64| {
        let disc = (x - 50.0).hypot(y - 60.0) < 30.0;
        let bar = (x.clamp(120.0, 180.0) - x).hypot(y - 45.0) < 20.0;
        let cut = (x - 220.0).hypot(y - 130.0) < 25.0;
        let speck = (x - 100.0).hypot(y - 130.0) < 3.0;
        disc || bar || cut || speck
    };
    for y in 0..height {
        for x in 0..width {
            let fine = (0..16).filter(|i| {
                let (dx, dy) = (f64::from(i % 4), f64::from(i / 4));
                inside(x as f64 + (dx + 0.5) / 4.0, y as f64 + (dy + 0.5) / 4.0)
            });
            let grey = (240 - 200 * fine.count() / 16) as u8;
            image.pixels[y * width + x] = [grey; 3];
        }
    }
    image.write_png(&desk.path(name)).expect("a picture");
}

/// Value of a column in the row of a grain.
fn value(table: &str, grain: &str, column: &str) -> f64 {
    let mut lines = table.lines();
    let place = lines.next().expect("a header").split(',').position(|name| name == column).expect("a column");
    let row = lines.find(|line| line.starts_with(grain)).expect("a row");
    row.split(',').nth(place).expect("a field").parse().expect("a number")
}

#[test]
fn grains_of_a_picture_become_shapes_measures_and_an_overlay() {
    let desk = Desk::new();
    draw(&desk, "photo.png");
    let answer = desk.breccia(&["grains", "photo.png", "--scale", "0.1 mm"]).exits(0);
    assert_eq!(answer.err, "");
    for part in
        ["2 grains in photo.png", "dark grains", "1 grain cut by the margin", "1 speck left", "out/photo"]
    {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
    let shapes = read_shape_library(&desk.path("out/photo/shapes.toml")).expect("a library");
    assert_eq!(
        shapes.iter().map(|shape| shape.name.as_str()).collect::<Vec<_>>(),
        ["grain-001", "grain-002"]
    );
    let table = desk.text("out/photo/measures.csv");
    // From the top of the picture down: the bar, then the disc.
    let pixel = 1e-4;
    let bar = (60.0 * 40.0 + PI * 400.0) * pixel * pixel;
    let disc = PI * 900.0 * pixel * pixel;
    for (shape, area) in shapes.iter().zip([bar, disc]) {
        let outline = NurbsOutline::new(shape.curve.clone()).expect("an outline");
        assert!((outline.area() / area - 1.0).abs() < 5e-3, "{}: {}", shape.name, outline.area());
        assert!((value(&table, &shape.name, "area_m2") / outline.area() - 1.0).abs() < 1e-9);
        assert!(outline.given_centroid().length() < 1e-9, "about the centroid");
        assert!(value(&table, &shape.name, "largest_error_pixels") <= 1.0);
    }
    assert!(value(&table, "grain-002", "sphericity") > 0.98);
    let expected = (4.0 * bar / PI).sqrt() / (100.0 * pixel);
    assert!((value(&table, "grain-001", "sphericity") / expected - 1.0).abs() < 0.02);
    assert!((value(&table, "grain-002", "x_pixels") - 50.0).abs() < 0.1);
    assert!((value(&table, "grain-002", "y_pixels") - 100.0).abs() < 0.1, "y is counted from below");
    let overlay =
        breccia::shapes::tracing::GreyPicture::read_png(&desk.path("out/photo/overlay.png")).expect("a PNG");
    assert_eq!((overlay.width, overlay.height), (220 * 5, 160 * 5), "enlarged to be looked at");
}

#[test]
fn options_choose_threshold_side_tolerance_and_folder() {
    let desk = Desk::new();
    draw(&desk, "photo.png");
    let arguments =
        ["grains", "photo.png", "--threshold", "140", "--dark", "--tolerance", "0.6", "--out", "sand"];
    let answer = desk.breccia(&arguments).exits(0);
    assert!(
        answer.out.contains("threshold 140.0") && answer.out.contains("No --scale was given"),
        "{}",
        answer.out
    );
    let table = desk.text("sand/measures.csv");
    assert!(value(&table, "grain-001", "largest_error_pixels") <= 0.6);
    let specks = desk.breccia(&["grains", "photo.png", "--smallest", "10"]).exits(0);
    assert!(specks.out.contains("3 grains"), "{}", specks.out);
}

#[test]
fn mistakes_come_with_remedies() {
    let desk = Desk::new();
    draw(&desk, "photo.png");
    desk.write("photo.jpg", b"\xff\xd8\xff\xe0 no PNG");
    let complains = |arguments: &[&str], parts: &[&str]| {
        let all: Vec<&str> = ["grains"].iter().chain(arguments).copied().collect();
        desk.breccia(&all).exits(1).complains(parts);
    };
    complains(&["none.png"], &["cannot open none.png", "help: name a PNG file"]);
    complains(&["photo.jpg"], &["photo.jpg", "only PNG is read"]);
    complains(
        &["photo.png", "--light"],
        &["no whole grain", "1 grain cut by the margin", "help: try --dark"],
    );
    complains(&["photo.png", "--threshold", "300"], &["`300` is no threshold", "between 0"]);
    complains(&["photo.png", "--threshold", "otsu"], &["`otsu` is no threshold"]);
    complains(&["photo.png", "--scale", "3 kg"], &["that is no length", "12.5 um"]);
    complains(&["photo.png", "--tolerance", "0"], &["--tolerance is 0", "greater than 0"]);
    desk.write("taken", "a file");
    complains(&["photo.png", "--out", "taken/deeper"], &["cannot make the folder", "--out"]);
    desk.breccia(&["grains", "photo.png", "--dark", "--light"]).exits(2);
    let help = desk.breccia(&["grains", "--help"]).exits(0);
    for part in ["--threshold", "Otsu", "Wadell", "shapes.toml", "overlay.png"] {
        assert!(help.out.contains(part), "no `{part}` in the help");
    }
}
