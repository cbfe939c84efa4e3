//! Scenes become the numbers they say.

use breccia::model::{
    ExitPolicy, FrictionKind, MaterialId, Model, NormalKind, RollingKind, SearchTrigger, StepChoice, Surface,
    WallId,
};
use breccia::motion::MotionKind;
use breccia::scene::{self, Action, BodySeed, InletAmount, Loaded, ProfileAxis, Scene, SizeDistribution};
use breccia::shapes::{Side, WallShape};
use glam::{DVec3, dvec3};
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

fn everything_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good_scenes/everything.toml")
}

fn everything() -> Scene {
    let loaded = scene::load(&everything_path()).unwrap_or_else(|error| panic!("{}", error.plain()));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    loaded.scene
}

fn load(text: &str) -> Loaded {
    scene::load_str("scene.toml", text, Path::new("")).unwrap_or_else(|error| panic!("{}", error.plain()))
}

fn bodies_of<'a>(scene: &'a Scene, group: &str) -> Vec<&'a BodySeed> {
    let group = scene.groups.iter().position(|name| name == group).expect("a group of that name");
    scene.bodies.iter().filter(|body| usize::from(body.group) == group).collect()
}

fn wall<'a>(scene: &'a Scene, name: &str) -> &'a breccia::model::Wall {
    scene.model.walls.iter().find(|wall| wall.name == name).expect("a wall of that name")
}

fn shape<'a>(scene: &'a Scene, name: &str) -> &'a WallShape {
    match &wall(scene, name).surface {
        Surface::Analytic(shape) => shape,
        Surface::Mesh(_) => panic!("{name} is a mesh"),
    }
}

fn volume(body: &BodySeed) -> f64 {
    4.0 / 3.0 * PI * body.radius.powi(3)
}

const MINIMAL: &str = r#"
[time]
duration = 1
[[material]]
name = "glass"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[pair_default]
restitution = 0.9
"#;

#[test]
fn settings_are_read() {
    let scene = everything();
    let model = &scene.model;
    assert_eq!((scene.title.as_str(), scene.seed, scene.threads), ("Everything", 42, 3));
    assert_eq!(model.gravity, dvec3(0.0, 1.0, -9.8));
    assert_eq!(model.domain.min, DVec3::NEG_ONE);
    assert_eq!(model.domain.max, dvec3(1.0, 1.0, f64::INFINITY));
    assert_eq!(model.domain.periodic, [true, true, false]);
    assert_eq!(model.domain.on_exit, ExitPolicy::Remove);
    assert_eq!(model.time.duration, 1.5);
    assert_eq!(model.time.step, StepChoice::Fixed(2e-6));
    assert_eq!((model.time.rayleigh_fraction, model.time.steps_per_contact), (0.1, 50.0));
    assert_eq!(model.time.expected_speed, Some(2.0));
    assert_eq!(model.search.skin, Some(0.0005));
    assert_eq!(model.search.trigger, SearchTrigger::EverySteps(25));
    assert_eq!(model.limits.overlap, 0.1);
    assert_eq!((model.motion.damping_rate, model.motion.track_orientation), (3.0, true));
    let load = &model.motion.loads[0];
    assert_eq!((load.group, load.start, load.stop), (0, 0.5, 1.0));
    assert_eq!((load.force, load.torque), (dvec3(0.0, 0.0, 0.001), dvec3(2.0, 0.0, 0.0)));
}

#[test]
fn materials_pairs_and_laws_are_read() {
    let model = everything().model;
    assert_eq!(model.materials[0].density, 2500.0);
    assert_eq!(model.materials[0].young_modulus, 1e7);
    assert!(model.materials[1].is_rigid());
    assert_eq!(model.laws.normal, NormalKind::Linear);
    assert_eq!(model.laws.friction, FrictionKind::None);
    assert_eq!(model.laws.rolling, RollingKind::ALimited);
    let mixed = &model.pairs.rows()[usize::from(model.pairs.id(MaterialId(0), MaterialId(1)).0)];
    assert_eq!((mixed.restitution, mixed.friction, mixed.rolling_friction), (0.7, 0.2, 0.05));
    assert_eq!((mixed.normal_stiffness, mixed.tangential_ratio), (Some(5000.0), 0.5));
    let same = &model.pairs.rows()[usize::from(model.pairs.id(MaterialId(0), MaterialId(0)).0)];
    assert_eq!((same.restitution, same.friction, same.rolling_friction), (0.9, 0.2, 0.01));
    assert_eq!((same.normal_stiffness, same.tangential_ratio), (Some(4000.0), 0.3));
}

#[test]
fn listed_and_tabled_bodies_are_read() {
    let scene = everything();
    let listed = bodies_of(&scene, "listed");
    assert_eq!(listed.len(), 4);
    assert_eq!((listed[0].position, listed[0].radius), (dvec3(0.0, 0.0, 0.3), 0.001));
    assert_eq!(listed[0].velocity, dvec3(0.1, 0.0, 0.0));
    assert!((listed[0].spin - dvec3(0.0, 0.0, 2.0 * PI)).length() < 1e-15);
    assert_eq!((listed[2].radius, listed[2].velocity), (0.002, dvec3(0.0, 0.0, -1.0)));
    assert_eq!((listed[2].spin, listed[3].radius), (DVec3::X, 0.001));
    let tabled = bodies_of(&scene, "tabled");
    assert_eq!(tabled.len(), 2);
    assert!((tabled[1].position - dvec3(0.01, 0.0, 0.9)).length() < 1e-15);
    assert_eq!((tabled[1].radius, tabled[1].velocity), (0.003, dvec3(7.0, 8.0, 0.5)));
}

#[test]
fn lattices_are_made() {
    let scene = everything();
    let cubic = bodies_of(&scene, "cubic");
    assert_eq!(cubic.len(), 24);
    assert_eq!(cubic[0].position, DVec3::splat(0.5));
    assert!((cubic[23].position - dvec3(0.51, 0.54, 0.59)).length() < 1e-15);
    assert_eq!(bodies_of(&scene, "fcc").len(), 32);
    let hex = bodies_of(&scene, "hex");
    assert_eq!(hex.len(), 27);
    assert!(hex.iter().all(|body| (0.0005..=0.0015).contains(&body.radius)));
    let shift = hex[0].position - dvec3(-0.5, -0.5, 0.5);
    assert!(shift != DVec3::ZERO && shift.abs().max_element() <= 0.001, "{shift}");
}

#[test]
fn random_bodies_meet_their_amount_without_overlap() {
    let scene = everything();
    assert_eq!(bodies_of(&scene, "by count").len(), 600);
    let mass: f64 = bodies_of(&scene, "by mass").iter().map(|body| 2500.0 * volume(body)).sum();
    assert!((mass - 4.0).abs() < 0.5 * 2500.0 * 4.0 / 3.0 * PI * 0.008_f64.powi(3), "{mass}");
    let filled: f64 = bodies_of(&scene, "by volume").iter().map(|body| volume(body)).sum();
    let region = 4.0 / 3.0 * PI * 0.2_f64.powi(3);
    assert!((filled / region - 0.1).abs() < 0.5 * 1e-6 / 0.008, "{filled}");
    for (i, a) in scene.bodies.iter().enumerate() {
        for b in &scene.bodies[..i] {
            let distance = scene.model.domain.minimum_image(a.position - b.position).length();
            assert!(distance >= a.radius + b.radius, "{a:?} {b:?}");
        }
    }
    let gaps = bodies_of(&scene, "by count");
    let smallest_gap = gaps.iter().enumerate().flat_map(|(i, a)| {
        gaps[..i].iter().map(move |b| {
            let period = dvec3(2.0, 2.0, 0.0);
            let mut d = a.position - b.position;
            d.x -= period.x * (d.x / period.x).round();
            d.y -= period.y * (d.y / period.y).round();
            d.length() - a.radius - b.radius
        })
    });
    assert!(smallest_gap.fold(f64::INFINITY, f64::min) >= 0.001);
    // The region spans the period, so spheres reach across it.
    assert!(gaps.iter().any(|body| body.position.x.abs() > 1.0 - body.radius));
}

#[test]
fn inlets_are_read() {
    let scene = everything();
    let [mass, count] = scene.inlets.as_slice() else { panic!("{:?}", scene.inlets) };
    let InletAmount::Mass(rate) = mass.rate else { panic!("{:?}", mass.rate) };
    assert!((rate - 0.1).abs() < 1e-15);
    assert_eq!((mass.start, mass.stop), (0.1, 1.0));
    assert_eq!((mass.max_count, mass.max_mass), (Some(1000), Some(0.05)));
    assert_eq!((mass.velocity, mass.sizes.clone()), (dvec3(0.0, 0.0, -2.0), SizeDistribution::Single(0.005)));
    assert_eq!((count.rate, count.start, count.stop), (InletAmount::Count(100.0), 0.0, f64::INFINITY));
    assert_ne!(mass.seed, count.seed);
}

#[test]
fn walls_are_read() {
    let scene = everything();
    assert_eq!(*shape(&scene, "floor"), WallShape::Plane { point: dvec3(0.0, 0.0, -0.5), normal: DVec3::Z });
    let WallShape::Box { side, open, .. } = *shape(&scene, "tray") else { panic!("a box") };
    assert_eq!((side, open), (Side::Both, [true, false, false, false, false, true]));
    let WallShape::Cylinder { axis, length, radius, side, .. } = *shape(&scene, "tube") else {
        panic!("a cylinder")
    };
    assert!((axis - dvec3(0.0, 0.6, 0.8)).length() < 1e-15 && (length - 0.05).abs() < 1e-15);
    assert_eq!((radius, side), (0.05, Side::Inside));
    let WallShape::Cylinder { axis, length, side, .. } = *shape(&scene, "shaft") else {
        panic!("a cylinder")
    };
    assert_eq!((axis, length, side), (DVec3::NEG_Z, f64::INFINITY, Side::Outside));
    assert_eq!(
        *shape(&scene, "hopper"),
        WallShape::Cone {
            start: DVec3::ZERO,
            axis: DVec3::Z,
            length: 0.1,
            start_radius: 0.0,
            end_radius: 0.08,
            side: Side::Inside
        }
    );
    assert!(matches!(*shape(&scene, "wall-6"), WallShape::Sphere { radius: 0.01, .. }));
    assert!(matches!(*shape(&scene, "gate"), WallShape::Disc { radius: 0.02, hole: 0.01, .. }));
}

#[test]
fn rectangles_are_read() {
    let scene = everything();
    let expected = WallShape::Rectangle {
        centre: DVec3::NEG_Z,
        normal: DVec3::Z,
        along: DVec3::X,
        half: [0.07, 0.009],
        two_sided: true,
    };
    assert_eq!(*shape(&scene, "lifter"), expected);
}

#[test]
fn measures_are_read() {
    let output = everything().output;
    let [heap, side] = &output.profiles[..] else { panic!("two profiles") };
    assert_eq!((heap.name.as_str(), heap.along, heap.bins), ("heap", ProfileAxis::Radius, 30));
    assert_eq!((heap.centre, heap.reach, heap.group), (Some(dvec3(0.0, 0.0, 0.01)), Some(0.2), Some(0)));
    assert_eq!((&heap.occasions.times[..], heap.occasions.every), (&[1.0, 2.0][..], Some(0.5)));
    assert_eq!((side.along, side.bins), (ProfileAxis::Axis(1), 60));
    assert_eq!((side.centre, side.reach, side.group), (None, None, None));
    assert_eq!((&side.occasions.times[..], side.occasions.every), (&[][..], None));
    let [speeds] = &output.histograms[..] else { panic!("a histogram") };
    assert_eq!((speeds.name.as_str(), speeds.bins, speeds.max), ("speeds", 10, Some(3.0)));
    assert_eq!((&speeds.occasions.times[..], speeds.group), (&[0.01][..], Some(0)));
}

#[test]
fn motions_are_read() {
    let scene = everything();
    let parts = &wall(&scene, "tube").motion.parts;
    let MotionKind::Rotation { point, axis, speed } = parts[0].kind else { panic!("a rotation") };
    assert!((axis - dvec3(0.0, 0.6, 0.8)).length() < 1e-15 && (speed - PI).abs() < 1e-15);
    assert_eq!((point, parts[0].start, parts[0].stop), (DVec3::X, 0.25, 0.75));
    assert_eq!(parts[1].kind, MotionKind::Translation { velocity: dvec3(0.0, 0.0, 0.001) });
    assert_eq!((parts[1].start, parts[1].stop), (0.0, f64::INFINITY));
    let parts = &wall(&scene, "wall-6").motion.parts;
    let amplitude = dvec3(0.0, 0.0, 0.001);
    assert_eq!(parts[0].kind, MotionKind::Oscillation { amplitude, frequency: 50.0, phase: PI / 2.0 });
    let MotionKind::Rocking { amplitude, frequency, .. } = parts[1].kind else { panic!("rocking") };
    assert_eq!((amplitude, frequency), (PI, 2.0));
    let parts = &wall(&scene, "gate").motion.parts;
    let MotionKind::Table { times, poses } = &parts[0].kind else { panic!("a table") };
    assert_eq!(times, &[0.0, 1.0]);
    assert_eq!(poses[1].translation, dvec3(0.1, 0.0, 0.0));
    assert!((poses[1].rotation * DVec3::X + DVec3::X).length() < 1e-15, "half a turn about z");
    let MotionKind::Table { times, poses } = &parts[1].kind else { panic!("a table") };
    assert_eq!(times, &[0.0, 2.0]);
    assert!((poses[1].rotation * DVec3::Y - DVec3::Z).length() < 1e-15, "a quarter turn about x");
}

#[test]
fn phases_events_and_output_are_read() {
    let scene = everything();
    assert_eq!((scene.phases[0].name.as_str(), scene.phases[0].duration), ("settle", 0.5));
    assert_eq!(scene.phases[0].until_kinetic_energy, Some(1e-6));
    let events: Vec<_> = scene.events.iter().map(|e| (e.at, e.phase, e.action.clone())).collect();
    assert_eq!(
        events,
        [
            (0.0, Some(1), Action::RemoveWall(WallId(6))),
            (0.1, None, Action::RemoveBodies(1)),
            (0.2, None, Action::SetVelocity { group: 2, velocity: dvec3(1.0, 2.0, 3.0) }),
            (0.3, None, Action::SetGravity(DVec3::ZERO)),
            (0.4, None, Action::SetDamping(0.0)),
            (0.9, Some(1), Action::Stop),
        ]
    );
    let output = &scene.output;
    assert_eq!((output.frame_interval, output.table_interval), (f64::INFINITY, 0.01));
    assert_eq!((output.checkpoint_interval, output.contacts, output.picture), (300.0, true, false));
    assert_eq!((output.flow_planes[0].name.as_str(), output.flow_planes[0].normal), ("out", DVec3::NEG_Z));
}

#[test]
fn defaults_are_those_documented() {
    let text = format!(
        "{MINIMAL}[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\nradius = 1\npositions = [[0, 0, 0], [3, 0, 0]]\n"
    );
    let Loaded { scene, warnings, .. } = load(&text);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!((scene.title.as_str(), scene.seed, scene.threads), ("scene", 1, 0));
    assert_eq!(scene.model.gravity, dvec3(0.0, 0.0, -9.81));
    assert_eq!(scene.model.time.step, StepChoice::Auto);
    assert_eq!((scene.model.time.rayleigh_fraction, scene.model.time.steps_per_contact), (0.2, 40.0));
    assert_eq!(scene.model.limits.overlap, 0.5);
    assert_eq!(scene.groups, ["bodies-1"]);
    assert_eq!((scene.output.frame_interval, scene.output.table_interval), (0.02, 0.001));
    assert_eq!((scene.output.checkpoint_interval, scene.output.picture), (60.0, true));
    let pair = &scene.model.pairs.rows()[0];
    assert_eq!((pair.friction, pair.rolling_friction, pair.tangential_ratio), (0.0, 0.0, 2.0 / 7.0));
}

#[test]
fn a_single_sphere_needs_no_pair_with_itself() {
    let text = MINIMAL.replace("[pair_default]\nrestitution = 0.9\n", "")
        + "[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\nradius = 1\npositions = [[0, 0, 0]]\n";
    assert_eq!(load(&text).scene.bodies.len(), 1);
}

#[test]
fn the_template_loads_without_warnings() {
    let Loaded { scene, warnings, .. } = load(scene::template());
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!((scene.bodies.len(), scene.inlets.len(), scene.model.walls.len()), (800, 1, 3));
    assert_eq!(scene.model.time.duration, 1.5);
    assert_eq!(scene.events[0].action, Action::RemoveWall(WallId(2)));
}

/// FNV-1a over the bits of positions and radii.
fn fingerprint(bodies: &[BodySeed]) -> u64 {
    let numbers =
        bodies.iter().flat_map(|body| [body.position.x, body.position.y, body.position.z, body.radius]);
    numbers
        .flat_map(|number| number.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_same_seed_makes_the_same_spheres_on_every_machine() {
    let found =
        [everything().bodies, load(scene::template()).scene.bodies].map(|bodies| fingerprint(&bodies));
    assert_eq!(found, [0xaaea_8ee1_88a2_826d, 0x3b3a_ec2e_52ea_840c], "{found:#x?}");
}

#[test]
fn another_seed_makes_other_spheres_and_a_further_group_does_not() {
    let template = scene::template();
    let first = load(template).scene.bodies;
    assert_ne!(first, load(&template.replace("seed = 1 ", "seed = 2 ")).scene.bodies);
    let more = format!(
        "{template}\n[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\nradius = \"1 mm\"\npositions = [[0, 0, 0.3]]\n"
    );
    assert_eq!(first, load(&more).scene.bodies[..first.len()]);
}

#[test]
fn oddities_are_warned_about() {
    let cases = [
        ("", "radius = 1\npositions = [[0, 0, 0], [1.9, 0, 0]]", "two spheres overlap", 16),
        (
            "[[material]]\nname = \"sand\"\ndensity = 1\nyoung_modulus = 1\npoisson_ratio = 0",
            "radius = 1\npositions = [[0, 0, 0]]",
            "the material `sand` is not used",
            12,
        ),
        (
            "[domain]\nmin = [-9, -9, -9]\nmax = [9, 9, 9]\nperiodic = [\"x\"]\n[[wall]]\nmaterial = \"glass\"\nshape = \"plane\"\nnormal = [1, 0, 1]",
            "radius = 1\npositions = [[2, 0, 2]]",
            "this plane cuts the periodic axis `x`",
            15,
        ),
        (
            "[[pair]]\nmaterials = [\"glass\", \"glass\"]\nnormal_stiffness = 3",
            "radius = 1\npositions = [[0, 0, 0]]",
            "not used by the Hertz law",
            13,
        ),
        (
            "[[wall]]\nmaterial = \"glass\"\nshape = \"plane\"\nnormal = [1, 0, 1]\nmotion = [{ kind = \"table\", points = [{ time = 0, translation = [1, 0, 0] }] }]",
            "radius = 1\npositions = [[4, 0, 4]]",
            "does not begin at rest",
            15,
        ),
    ];
    for (extra, bodies, message, line) in cases {
        let text = format!("{MINIMAL}{extra}\n[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\n{bodies}\n");
        let warnings = load(&text).warnings;
        assert_eq!(warnings.len(), 1, "{message}: {warnings:?}");
        assert!(warnings[0].is_warning() && warnings[0].message().contains(message), "{warnings:?}");
        assert!(warnings[0].plain().starts_with("warning: "));
        assert_eq!(warnings[0].line(), Some(line), "{}", warnings[0].plain());
    }
}

/// The part of a model at a key, read back.
fn part<T: serde::de::DeserializeOwned>(model: &mut toml::Table, key: &str) -> T {
    model.remove(key).and_then(|value| value.try_into().ok()).unwrap_or_else(|| panic!("a readable `{key}`"))
}

#[test]
fn a_resolved_scene_reads_back_to_the_same_model() {
    let scene = everything();
    let text = scene::resolved_toml(&scene).expect("a scene has a form in TOML");
    let mut table: toml::Table = text.parse().expect("TOML");
    assert_eq!(table["spheres_at_start"].as_integer(), Some(scene.bodies.len() as i64));
    let mut model: toml::Table = part(&mut table, "model");
    let read = Model {
        gravity: part(&mut model, "gravity"),
        domain: part(&mut model, "domain"),
        materials: part(&mut model, "materials"),
        pairs: part(&mut model, "pairs"),
        laws: part(&mut model, "laws"),
        walls: part::<Vec<toml::Table>>(&mut model, "walls").into_iter().map(read_wall).collect(),
        bonds: part(&mut model, "bonds"),
        time: part(&mut model, "time"),
        search: part(&mut model, "search"),
        motion: part(&mut model, "motion"),
        limits: part(&mut model, "limits"),
        follow_losses: part(&mut model, "follow_losses"),
    };
    assert_eq!(read, scene.model);
}

fn read_wall(mut table: toml::Table) -> breccia::model::Wall {
    let shape: WallShape = part(&mut part(&mut table, "surface"), "Analytic");
    breccia::model::Wall {
        name: part(&mut table, "name"),
        surface: shape.into(),
        material: part(&mut table, "material"),
        motion: part(&mut table, "motion"),
    }
}
