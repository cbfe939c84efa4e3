mod boxes;
mod oracle;
mod round;

use super::*;
use proptest::prelude::*;

/// Larger than any scene of these tests.
const FAR: f64 = 1e3;

fn found(shape: &WallShape, centre: DVec3, reach: f64) -> Vec<WallTouch> {
    let mut out = Touches::new();
    touches(shape, centre, reach, &mut out);
    out.as_slice().to_vec()
}

fn the_one(shape: &WallShape, centre: DVec3) -> WallTouch {
    let all = found(shape, centre, FAR);
    assert_eq!(all.len(), 1, "{shape:?} at {centre}: {all:?}");
    all[0]
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn direction() -> impl Strategy<Value = DVec3> {
    vector(1.0).prop_filter("too short", |v| v.length() > 0.1).prop_map(|v| v.normalize())
}

/// The arm, the normal and the signed distance of a touch must tell the same.
fn assert_consistent(touch: &WallTouch, centre: DVec3) {
    let error = (centre - touch.point - touch.normal * touch.distance).length();
    assert!(error < 1e-13, "{touch:?} misses {centre} by {error}");
    assert!((touch.normal.length() - 1.0).abs() < 1e-14, "{touch:?}");
}
