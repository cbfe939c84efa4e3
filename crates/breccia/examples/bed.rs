//! scratch
use breccia::model::*; use breccia::scene::*; use breccia::shapes::*; use breccia::simulation::*; use glam::DVec3;
fn main() {
    let n: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(30000);
    let l: f64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(0.2);
    let threads: usize = std::env::args().nth(3).and_then(|s| s.parse().ok()).unwrap_or(1);
    let settle: u64 = std::env::args().nth(4).and_then(|s| s.parse().ok()).unwrap_or(12000);
    let rolling = match std::env::args().nth(5).as_deref() { Some("c") => RollingKind::C, Some("a") => RollingKind::ALimited, _ => RollingKind::None };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let h = 8e-3; let m = (l / h) as usize; let off = 0.5 * (l - (m - 1) as f64 * h);
    let mut s = 12345u64; let mut u = || { s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (s >> 11) as f64 / (1u64 << 53) as f64 };
    let bodies = (0..n).map(|k| { let (ix, iy, iz) = (k % m, k / m % m, k / (m * m));
        BodySeed { position: DVec3::new(off + ix as f64 * h, off + iy as f64 * h, 0.5 * h + iz as f64 * h) + DVec3::new(u() - 0.5, u() - 0.5, u() - 0.5) * 4e-4,
            radius: 3.5e-3 * (0.95 + 0.1 * u()), velocity: DVec3::new(u() - 0.5, u() - 0.5, u() - 0.5), spin: DVec3::ZERO, material: MaterialId(0), group: 0 } }).collect();
    let pl = |p: DVec3, nn: DVec3, name: &str| Wall { name: name.into(), shape: WallShape::Plane { point: p, normal: nn }, material: MaterialId(0), motion: Default::default() };
    let model = Model { gravity: DVec3::new(0., 0., -9.81), domain: Domain::unbounded(), materials: vec![Material { name: "a".into(), density: 1000., young_modulus: 1e7, poisson_ratio: 0.2 }],
        pairs: PairTable::new(1, |_, _| PairProperties { restitution: 0.4, friction: 0.5, rolling_friction: 0.01, normal_stiffness: None, tangential_ratio: 1.0 }),
        laws: LawChoice { rolling, ..Default::default() },
        walls: vec![pl(DVec3::ZERO, DVec3::Z, "f"), pl(DVec3::ZERO, DVec3::X, "a"), pl(DVec3::ZERO, DVec3::Y, "b"), pl(DVec3::splat(l), -DVec3::X, "c"), pl(DVec3::splat(l), -DVec3::Y, "d")],
        time: TimeSettings { duration: 1e9, step: StepChoice::Fixed(5e-5), rayleigh_fraction: 0.2, steps_per_contact: 40., expected_speed: None },
        search: SearchSettings { skin: None, trigger: SearchTrigger::Displacement }, motion: Default::default(), limits: Limits { overlap: 0.5 } };
    let scene = Scene { title: "bed".into(), model, bodies, groups: vec!["a".into()], inlets: vec![], phases: vec![], events: vec![], output: OutputSettings { frame_interval: 1., table_interval: 1., checkpoint_interval: 1., contacts: false, picture: false, flow_planes: vec![] }, threads: 1, seed: 1 };
    let mut sim = Simulation::new(&scene);
    for k in 0..settle { if let Err(e) = sim.step() { println!("{e}"); return; } if k % (settle / 10).max(1) == 0 { let s = sim.sample(); println!("{k} {:?} {:?}", s.energy, s.contacts); } }
    sim.timers = Default::default();
    let t = std::time::Instant::now(); let steps = 40_000_000 / n as u64;
    for _ in 0..steps { sim.step().unwrap(); }
    let w = t.elapsed().as_secs_f64();
    println!("{:.3e} particle-steps/s; {:?}", n as f64 * steps as f64 / w, sim.timers);
    let s = sim.sample(); println!("{:?} {:?}", s.energy, s.contacts);
}
