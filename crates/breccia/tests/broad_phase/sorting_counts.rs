//! Work of sorting as it grows with the number of bodies: disks of 32 points in rows and squares.

use breccia::broad_phase::{PointFinder, Region, SortCounts, Zone};
use glam::{DVec2, dvec2};

const POINTS: usize = 32;

/// Random numbers in [−1, 1) of a small congruential generator: any will do for jitter.
struct Jitter(u64);

impl Jitter {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

struct Layout {
    columns: usize,
    rows: usize,
    pitch: f64,
    jitter: f64,
    margin: f64,
    walls: bool,
}

impl Layout {
    /// Disks, and walls where there are some.
    fn bodies(&self) -> usize {
        self.columns * self.rows + if self.walls { 4 } else { 0 }
    }

    fn sort(&self, finder: PointFinder) -> SortCounts {
        let mut random = Jitter(7);
        let (mut points, mut owners, mut zones) = (Vec::new(), Vec::new(), Vec::new());
        for disk in 0..self.columns * self.rows {
            let place = dvec2((disk % self.columns) as f64 + 0.5, (disk / self.columns) as f64 + 0.5);
            let centre = self.pitch * place + self.jitter * dvec2(random.next(), random.next());
            let turn = 2.399963 * disk as f64;
            let rim = (0..POINTS).map(|k| {
                let angle = turn + std::f64::consts::TAU * k as f64 / POINTS as f64;
                centre + dvec2(libm::cos(angle), libm::sin(angle))
            });
            points.extend(rim);
            owners.extend([disk as u32; POINTS]);
            let own = points[disk * POINTS..].iter().copied();
            zones.push(Zone { owner: disk as u32, region: Region::around(own, self.margin) });
        }
        if self.walls {
            zones.extend(self.wall_zones());
        }
        finder.find(&points, &owners, &zones).1
    }

    fn wall_zones(&self) -> impl Iterator<Item = Zone> {
        let far = self.pitch * dvec2(self.columns as f64, self.rows as f64);
        let faces = [(-DVec2::X, far.x), (DVec2::X, 0.0), (-DVec2::Y, far.y), (DVec2::Y, 0.0)];
        let first = (self.columns * self.rows) as u32;
        let margin = self.margin;
        faces.into_iter().zip(first..).map(move |((normal, face), owner)| {
            let sign = normal.x + normal.y;
            Zone { owner, region: Region::HalfPlane { normal, offset: sign * face + margin } }
        })
    }
}

fn dense() -> [Layout; 6] {
    let layout =
        |columns, rows| Layout { columns, rows, pitch: 2.02, jitter: 0.02, margin: 0.06, walls: false };
    [layout(13, 1), layout(53, 1), layout(13, 8), layout(14, 14), layout(20, 20), layout(30, 30)]
}

fn loose() -> [Layout; 6] {
    let layout =
        |side, walls| Layout { columns: side, rows: side, pitch: 2.5, jitter: 0.2, margin: 0.05, walls };
    [
        layout(3, true),
        layout(7, true),
        layout(10, true),
        layout(14, false),
        layout(20, false),
        layout(30, false),
    ]
}

/// Slope of a least-squares line and R².
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| -> f64 { points.iter().map(|p| f(p.0 - mean.0, p.1 - mean.1)).sum() };
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (xy / xx, xy * xy / (xx * yy))
}

fn growth(layouts: &[Layout], counts: &[u64]) -> (f64, f64) {
    let sizes = layouts.iter().map(|layout| layout.bodies() as f64);
    let pairs = || sizes.clone().zip(counts.iter().map(|&count| count as f64));
    let slope = line(&pairs().map(|(n, ops)| (libm::log(n), libm::log(ops))).collect::<Vec<_>>()).0;
    let r2 = line(&pairs().map(|(n, ops)| (n * libm::log(n), ops)).collect::<Vec<_>>()).1;
    (slope, r2)
}

/// Counts measured with the reference prototype; jitter is random, hence 5 %.
#[test]
fn a_dense_packing_takes_the_descents_and_visits_known_for_it() {
    let known =
        [(4225, 2109), (20594, 12911), (44896, 21653), (91973, 37450), (199942, 80631), (485702, 179238)];
    let layouts = dense();
    let counts: Vec<_> = layouts.iter().map(|layout| layout.sort(PointFinder::Tree)).collect();
    for (count, (descents, visits)) in counts.iter().zip(known) {
        let off = |measured: u64, known: f64| (measured as f64 / known - 1.0).abs();
        assert!(off(count.descents, f64::from(descents)) <= 0.05, "{count:?} {descents}");
        assert!(off(count.visits, f64::from(visits)) <= 0.05, "{count:?} {visits}");
    }
    let operations: Vec<_> = counts.iter().map(SortCounts::operations).collect();
    let (slope, r2) = growth(&layouts, &operations);
    assert!((1.0..=1.25).contains(&slope) && r2 >= 0.995, "slope {slope}, R² {r2}");
}

#[test]
fn a_loose_packing_with_walls_grows_no_faster() {
    let layouts = loose();
    let counts: Vec<_> = layouts.iter().map(|layout| layout.sort(PointFinder::Tree)).collect();
    let operations: Vec<_> = counts.iter().map(SortCounts::operations).collect();
    let (slope, r2) = growth(&layouts, &operations);
    assert!((1.0..=1.25).contains(&slope) && r2 >= 0.995, "slope {slope}, R² {r2}");
}

#[test]
fn all_to_all_tests_every_point_against_every_body() {
    for (layout, known) in dense().iter().zip([4992, 88192, 342784, 1223040, 5107200, 25891200]) {
        let tests = layout.sort(PointFinder::AllToAll).point_tests;
        // The points of a body itself are passed over without a test.
        assert_eq!(tests - (layout.bodies() * POINTS) as u64, known);
    }
}
