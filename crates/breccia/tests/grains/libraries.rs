//! Outlines from files.

use breccia::scene::{
    PeriodicShape, parse_length, parse_shape_library, read_outline_points, shape_library_text,
};
use breccia::shapes::nurbs::{NurbsCurve, NurbsOutline};
use glam::DVec2;

fn lens() -> Vec<DVec2> {
    [(1.0, 0.0), (0.1, 0.3), (-1.0, 1e-300), (0.2, -0.4)].map(|(x, y)| DVec2::new(x, y)).to_vec()
}

#[test]
fn what_is_written_is_read_to_the_last_bit() {
    let shapes = [
        PeriodicShape { name: "lens".into(), points: lens() },
        PeriodicShape { name: "a \"quoted\" one".into(), points: lens().iter().map(|p| *p / 3.0).collect() },
    ];
    let text = shape_library_text("Two lenses.\nNothing else.", &shapes);
    assert!(text.starts_with("# Two lenses.\n# Nothing else.\n"));
    let read = parse_shape_library("test", &text).expect("a library");
    assert_eq!(read.len(), 2);
    for (shape, read) in shapes.iter().zip(&read) {
        assert_eq!(shape.name, read.name);
        assert_eq!(read.curve, NurbsCurve::from_periodic(&shape.points, &[1.0; 4]).expect("a curve"));
    }
}

#[test]
fn all_kinds_of_shapes_are_read() {
    let text = r#"
        [[shape]]
        name = "square"
        kind = "polygon"
        points = [[0, 0], [1, 0], [1, 1], [0, 1]]

        [[shape]]
        name = "heavy"
        kind = "periodic"
        points = [[1, 0], [0, 1], [-1, 0], [0, -1]]
        weights = [1, 2, 1, 0.5]

        [[shape]]
        name = "loop"
        kind = "clamped"
        points = [[0, 0], [1, -0.3], [1, 1], [-0.3, 1], [0, 0]]
        knots = [0, 0, 0, 0, 1, 2, 2, 2, 2]
    "#;
    let read = parse_shape_library("test", text).expect("a library");
    let area = |i: usize| NurbsOutline::new(read[i].curve.clone()).expect("an outline").area();
    assert!((area(0) - 1.0).abs() < 1e-15);
    assert!(area(1) > 0.5 && area(2) > 0.3);
}

#[test]
fn mistakes_in_libraries_are_told_with_their_place() {
    let complaint = |text: &str| parse_shape_library("grains.toml", text).expect_err("a mistake").plain();
    let square = "[[shape]]\nname = \"a\"\nkind = \"polygon\"\npoints = [[0, 0], [1, 0], [1, 1]]\n";
    assert!(complaint("").contains("holds no [[shape]]"));
    assert!(complaint(&format!("{square}{square}")).contains("`a` is there twice"));
    let unknown = complaint(&square.replace("kind", "sort"));
    assert!(unknown.contains("unknown field `sort`") && unknown.contains("grains.toml:3"), "{unknown}");
    assert!(complaint(&square.replace("polygon", "blob")).contains("blob"));
    let negative =
        complaint(&square.replace("polygon", "periodic").replace("1]]\n", "1]]\nweights = [1, -2, 1]\n"));
    assert!(negative.contains("weight 1 (counted from 0) is -2"), "{negative}");
    let open = complaint(&square.replace("polygon", "clamped"));
    assert!(open.contains("shape `a`"), "{open}");
}

#[test]
fn points_come_from_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("outline.csv");
    std::fs::write(&path, "# by hand\ny, x\n0, 1\n2, 3 # a comment\n4, 5\n").expect("a file");
    let points = read_outline_points(&path).expect("points");
    assert_eq!(points, [DVec2::new(1.0, 0.0), DVec2::new(3.0, 2.0), DVec2::new(5.0, 4.0)]);
    std::fs::write(&path, "x, z\n0, 1\n").expect("a file");
    assert!(read_outline_points(&path).is_err());
    assert!(read_outline_points(&folder.path().join("none.csv")).is_err());
}

#[test]
fn lengths_have_units() {
    assert_eq!(parse_length("12.5 um"), Ok(12.5e-6));
    assert_eq!(parse_length("0.25"), Ok(0.25));
    assert!(parse_length("3 kg").is_err() && parse_length("wide").is_err());
}
