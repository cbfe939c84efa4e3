use breccia::motion::Pose;
use breccia::output::picture::{Projection, viridis};
use breccia::output::{ClipBox, OutputError, PictureOptions, PictureScene, render, tessellate};
use breccia::shapes::{Side, WallShape};
use glam::{DQuat, DVec3};
use std::path::Path;
use std::time::Instant;

/// Reproducible numbers between 0 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const AT_REST: Pose = Pose { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

/// A loose heap in a cylinder on a floor: each sphere falls straight down where it lands lowest of a few tries.
fn heap(count: usize) -> PictureScene {
    let mut random = Random(3);
    let mut scene = PictureScene::default();
    for _ in 0..count {
        let radius = 0.02 + 0.015 * random.next();
        let place = |random: &mut Random| {
            let (angle, r) =
                (std::f64::consts::TAU * random.next(), (0.9 - radius) * random.next().sqrt() * 0.98);
            let (x, y) = (r * angle.cos(), r * angle.sin());
            let mut z = radius;
            for (c, &other) in scene.centres.iter().zip(&scene.radii) {
                let aside = (c.x - x) * (c.x - x) + (c.y - y) * (c.y - y);
                let reach = (radius + other) * (radius + other);
                if aside < reach {
                    z = f64::max(z, c.z + (reach - aside).sqrt());
                }
            }
            DVec3::new(x, y, z)
        };
        let tries: Vec<DVec3> = (0..6).map(|_| place(&mut random)).collect();
        let lowest =
            tries.into_iter().min_by(|a, b| (a.z + 0.5 * a.length()).total_cmp(&(b.z + 0.5 * b.length())));
        scene.centres.extend(lowest);
        scene.radii.push(radius);
    }
    scene.values = scene.centres.iter().map(|c| 2.0 * c.z).collect();
    let clip = ClipBox { min: DVec3::new(-1.3, -1.3, -0.1), max: DVec3::new(1.3, 1.3, 2.0) };
    let floor = WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
    let drum = WallShape::Cylinder {
        start: DVec3::ZERO,
        axis: DVec3::Z,
        length: 1.2,
        radius: 0.9,
        side: Side::Inside,
    };
    scene.walls = vec![tessellate(&floor, &AT_REST, &clip), tessellate(&drum, &AT_REST, &clip)];
    scene
}

fn options() -> PictureOptions {
    PictureOptions {
        width: 320,
        height: 200,
        title: "Heap in a drum".into(),
        caption: "t = 1.25 s, 3000 spheres".into(),
        legend: "speed [m/s]".into(),
        ..PictureOptions::default()
    }
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let scene = heap(500);
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&scene, &options()).unwrap())
    };
    let one = draw(1);
    assert!([2, 3, 8].into_iter().all(|threads| draw(threads) == one));
}

/// Red, green, blue at a place given as parts of width and height.
fn pixel(image: &breccia::output::Image, x: f64, y: f64) -> [u8; 3] {
    let (column, row) = ((x * image.width as f64) as usize, (y * image.height as f64) as usize);
    image.pixels[row * image.width + column]
}

#[test]
fn one_sphere_is_round_centred_and_shaded_from_above() {
    let scene =
        PictureScene { centres: vec![DVec3::splat(7.0)], radii: vec![2.0], ..PictureScene::default() };
    for projection in [Projection::Perspective(24.0), Projection::Orthographic] {
        let bare = PictureOptions { width: 200, height: 200, projection, ..PictureOptions::default() };
        let image = render(&scene, &bare).unwrap();
        // The scene's share of the picture: 4 to 96 % across, 8 to 94 % down.
        let (cx, cy, radius) = (0.5, 0.51, 0.43);
        for step in 0..16 {
            let (sin, cos) = (f64::from(step) * std::f64::consts::FRAC_PI_8).sin_cos();
            let at = |r: f64| pixel(&image, cx + r * radius * cos, cy + r * radius * sin);
            assert_ne!(at(0.96), [255; 3], "{projection:?} {step}");
            assert_eq!(at(1.04), [255; 3], "{projection:?} {step}");
        }
        let brightness = |y: f64| pixel(&image, cx, y).iter().map(|&c| u32::from(c)).sum::<u32>();
        assert!(brightness(cy - 0.6 * radius) > brightness(cy + 0.6 * radius) + 100);
    }
}

#[test]
fn the_nearer_sphere_hides_the_farther_and_values_choose_colours() {
    let scene = PictureScene {
        centres: vec![DVec3::new(0.0, 5.0, 0.0), DVec3::ZERO],
        radii: vec![1.0, 1.0],
        values: vec![0.0, 10.0],
        ..PictureScene::default()
    };
    let colours = |azimuth: f64| {
        let projection = Projection::Orthographic;
        let view = PictureOptions { azimuth, elevation: 0.0, projection, ..options() };
        let image = render(&scene, &view).unwrap();
        // Hue decides, whatever the light: yellow has more green than blue, violet less.
        let [_, green, blue] = pixel(&image, 0.45, 0.45);
        green > blue
    };
    assert!(viridis(1.0)[1] > viridis(1.0)[2] && viridis(0.0)[1] < viridis(0.0)[2]);
    assert!(!colours(90.0), "seen from +y the violet sphere is in front");
    assert!(colours(-90.0), "seen from -y the yellow one is");
}

#[test]
fn a_shadow_falls_on_the_floor() {
    let clip = ClipBox { min: DVec3::new(-3.0, -3.0, -0.1), max: DVec3::new(3.0, 3.0, 0.1) };
    let floor = tessellate(&WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z }, &AT_REST, &clip);
    let centres = vec![DVec3::new(0.0, 0.0, 3.0)];
    let scene = PictureScene { centres, radii: vec![0.5], values: vec![], walls: vec![floor] };
    let projection = Projection::Orthographic;
    let from_above = PictureOptions {
        width: 200,
        height: 200,
        projection,
        azimuth: -90.0,
        elevation: 90.0,
        ..PictureOptions::default()
    };
    let image = render(&scene, &from_above).unwrap();
    // The light leans to the left by 0.45 in 1.45; the floor's 6 m fill 86 % of the height.
    let aside = 3.0 * 0.45 / 1.45 / 6.0 * 0.86;
    let brightness = |x: f64| pixel(&image, x, 0.51).iter().map(|&c| i32::from(c)).sum::<i32>();
    assert!(brightness(0.5 - aside) - brightness(0.5 + aside) > 90);
    // Glass is nearly clear, but not quite.
    assert!((600..765).contains(&brightness(0.5 - aside)), "{}", brightness(0.5 - aside));
}

#[test]
fn odd_scenes_give_a_picture_not_a_panic() {
    let nothing = render(&PictureScene::default(), &options()).unwrap();
    assert_eq!((nothing.width, nothing.height), (320, 200));
    let odd = PictureScene {
        centres: vec![DVec3::NAN, DVec3::ZERO, DVec3::X, DVec3::Y],
        radii: vec![1.0, f64::INFINITY, 0.0, 1e-300],
        values: vec![f64::NAN; 4],
        ..PictureScene::default()
    };
    render(&odd, &options()).unwrap();
    let zero = PictureOptions { width: 0, height: 0, up: DVec3::ZERO, elevation: 90.0, ..options() };
    render(&heap(20), &zero).unwrap();
    let same = PictureScene { values: vec![5.0; 20], ..heap(20) };
    render(&same, &options()).unwrap();
}

#[test]
fn arrays_of_different_length_are_refused() {
    let scene = PictureScene { centres: vec![DVec3::ZERO; 2], radii: vec![1.0], ..PictureScene::default() };
    let error = render(&scene, &options()).unwrap_err();
    assert!(matches!(error, OutputError::Length { found: 1, expected: 2, .. }));
}

#[test]
fn png_reads_back_to_the_same_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let image = render(&heap(50), &options()).unwrap();
    image.write_png(&path).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (320, 200, png::ColorType::Rgb));
    assert_eq!(bytes, image.pixels.as_flattened());
}

/// Pictures to look at, and the time for 100,000 spheres.
#[test]
#[ignore = "a measurement; run with --release --ignored --nocapture"]
fn measure_speed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let large = PictureOptions { width: 1600, height: 1000, ..options() };
    render(&heap(3000), &large).unwrap().write_png(&folder.join("heap.png")).unwrap();
    let mut random = Random(5);
    let mut bed = PictureScene::default();
    for index in 0..100_000 {
        let place = [index % 50, index / 50 % 50, index / 2500].map(f64::from);
        bed.centres
            .push(DVec3::from_array(place) + 0.15 * DVec3::new(random.next(), random.next(), random.next()));
        bed.radii.push(0.35 + 0.15 * random.next());
        bed.values.push(random.next());
    }
    let start = Instant::now();
    let image = render(&bed, &PictureOptions { title: "Bed".into(), ..large }).unwrap();
    println!("100,000 spheres at 1600 × 1000: {:?}", start.elapsed());
    image.write_png(&folder.join("bed.png")).unwrap();
}
