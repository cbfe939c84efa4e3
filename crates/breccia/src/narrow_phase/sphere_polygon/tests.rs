use super::*;
use crate::scene::RandomStream;
use glam::DQuat;

/// A planar convex polygon of its own.
#[derive(Clone, Debug)]
pub struct RandomPolygon {
    pub corners: Vec<DVec3>,
    pub ids: Vec<u32>,
    pub normal: DVec3,
}

impl RandomPolygon {
    pub fn view(&self) -> Polygon<'_> {
        Polygon { corners: &self.corners, ids: &self.ids, normal: self.normal }
    }
}

pub fn random_rotation(random: &mut RandomStream) -> DQuat {
    loop {
        let [x, y, z, w] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let squares = x * x + y * y + z * z + w * w;
        if (0.01..1.0).contains(&squares) {
            return DQuat::from_xyzw(x, y, z, w).normalize();
        }
    }
}

pub fn random_vector(random: &mut RandomStream, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.between(-size, size)))
}

/// Three to eight corners on an ellipse of size 1, as thin as 1 : 10⁴, anywhere within 3 of the origin.
pub fn random_polygon(random: &mut RandomStream) -> RandomPolygon {
    let count = 3 + (random.unit() * 6.0) as usize;
    let phase = random.unit();
    let thinness = if random.unit() < 0.3 { libm::pow(10.0, random.between(-4.0, 0.0)) } else { 1.0 };
    let rotation = random_rotation(random);
    let offset = random_vector(random, 3.0);
    let mut corners = Vec::new();
    for k in 0..count {
        let jitter = random.between(-0.45, 0.45);
        let (sine, cosine) =
            libm::sincos(std::f64::consts::TAU * (phase + (k as f64 + jitter) / count as f64));
        corners.push(rotation * DVec3::new(cosine, thinness * sine, 0.0) + offset);
    }
    let mut ids: Vec<u32> = (0..count as u32).collect();
    ids.rotate_left((random.unit() * count as f64) as usize);
    RandomPolygon { corners, ids, normal: rotation * DVec3::Z }
}

/// Closest point by the regions of the triangles of a fan (Ericson), an independent way.
pub fn closest_of_fan(c: &[DVec3], p: DVec3) -> DVec3 {
    let fan = (1..c.len() - 1).map(|k| closest_of_triangle(c[0], c[k], c[k + 1], p));
    fan.min_by(|a, b| a.distance(p).total_cmp(&b.distance(p))).expect("a triangle")
}

fn closest_of_triangle(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> DVec3 {
    let (ab, ac, ap, bp, cp) = (b - a, c - a, p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if d1 <= 0.0 && d2 <= 0.0 {
        a
    } else if d3 >= 0.0 && d4 <= d3 {
        b
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        a + ab * (d1 / (d1 - d3))
    } else if d6 >= 0.0 && d5 <= d6 {
        c
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        a + ac * (d2 / (d2 - d6))
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    } else {
        a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc))
    }
}

#[test]
fn the_fast_test_and_the_closest_point_agree_with_the_exact_distance() {
    let mut random = RandomStream::new(41);
    let mut met = 0;
    let mut kinds = [0; 3];
    let cases = 1_000_000;
    for _ in 0..cases {
        let polygon = random_polygon(&mut random);
        let middle = polygon.corners.iter().sum::<DVec3>() / polygon.corners.len() as f64;
        let centre = middle + random_vector(&mut random, 1.2);
        let radius = random.between(0.02, 1.2);
        let touch = polygon.view().closest(centre);
        let exact = closest_of_fan(&polygon.corners, centre).distance(centre);
        assert!((touch.distance - exact).abs() < 1e-12, "{polygon:?} {centre}: {touch:?}, exact {exact}");
        assert!((touch.point.distance(centre) - exact).abs() < 1e-12);
        let intersects = polygon.view().intersects(centre, radius);
        assert!(intersects == (exact <= radius) || (exact - radius).abs() < 1e-12, "{polygon:?} {centre}");
        met += u32::from(intersects);
        match touch.feature {
            PolygonFeature::Facet => kinds[0] += 1,
            PolygonFeature::Edge(_) => kinds[1] += 1,
            PolygonFeature::Vertex(_) => kinds[2] += 1,
        }
    }
    assert!((cases / 4..cases * 3 / 4).contains(&met), "{met} of {cases} met");
    assert!(kinds.iter().all(|&count| count > cases / 20), "{kinds:?}");
}

#[test]
fn an_exact_touch_intersects() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let square = Polygon { corners: &corners, ids: &[0, 1, 2, 3], normal: DVec3::Z };
    let above = DVec3::new(0.25, 0.5, -0.5);
    assert!(square.intersects(above, 0.5) && !square.intersects(above, 0.5 - 1e-15));
    let beside = DVec3::new(1.5, 0.5, 0.0);
    assert!(square.intersects(beside, 0.5) && !square.intersects(beside, 0.5 - 1e-15));
    let beyond = DVec3::new(1.25, 1.0, 0.25);
    assert!(square.intersects(beyond, 0.36) && !square.intersects(beyond, 0.35));
}

#[test]
fn the_feature_says_where_the_point_lies() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let square = Polygon { corners: &corners, ids: &[7, 3, 9, 8], normal: DVec3::Z };
    let closest = |x, y, z| square.closest(DVec3::new(x, y, z));
    let facet = closest(0.25, 0.5, -0.5);
    assert_eq!((facet.feature, facet.point), (PolygonFeature::Facet, DVec3::new(0.25, 0.5, 0.0)));
    assert_eq!(facet.distance, 0.5);
    // From corner 1 (id 3) to corner 0 (id 7).
    let edge = closest(0.25, -0.5, 0.0);
    assert_eq!((edge.feature, edge.eta), (PolygonFeature::Edge(0), 0.75));
    assert_eq!(closest(2.0, 3.0, 1.0).feature, PolygonFeature::Vertex(2));
    assert_eq!(closest(0.5, 0.0, 1.0).feature, PolygonFeature::Facet, "the outline belongs to the facet");
}

#[test]
fn both_sides_of_an_edge_find_the_same_bits() {
    let mut random = RandomStream::new(42);
    for _ in 0..1000 {
        let [a, b, c, d] = std::array::from_fn(|_| random_vector(&mut random, 1.0));
        let triangle = |corners: [DVec3; 3], ids: [u32; 3]| {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            RandomPolygon { corners: corners.to_vec(), ids: ids.to_vec(), normal }
        };
        let one = triangle([a, b, c], [0, 1, 2]);
        let other = triangle([d, b, a], [3, 1, 0]);
        let centre = random_vector(&mut random, 2.0);
        let (p, q) = (one.view().closest(centre), other.view().closest(centre));
        let shared = |polygon: &RandomPolygon, touch: PolygonTouch| match touch.feature {
            PolygonFeature::Edge(k) => {
                let k = usize::from(k);
                polygon.ids[k] < 2 && polygon.ids[(k + 1) % 3] < 2
            }
            _ => false,
        };
        if shared(&one, p) && shared(&other, q) {
            assert_eq!((p.point, p.distance, p.eta), (q.point, q.distance, q.eta));
        }
    }
}
