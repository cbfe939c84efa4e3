//! Rolling law C with torsion: spin about the normal is resisted, and what is remembered of it turns with the contact.

use crate::encounters::{glam, vec3};
use crate::support::{materials, scene};
use breccia::laws::tilt;
use breccia::simulation::Simulation;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

const RADIUS: f64 = 2e-3;
const ROLLING_FRICTION: f64 = 0.05;
/// Moment of inertia over mass of the spheres [m²].
const INERTIA: f64 = 0.4 * RADIUS * RADIUS;
/// Spin at the start [rad/s].
const SPIN: f64 = 20.0;
const GRAVITY: f64 = 10.0;
const FLOOR: &str =
    "[[wall]]\nname = \"floor\"\nmaterial = \"steel\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n";

fn sphere(name: &str, position: DVec3, spin: DVec3) -> String {
    let (position, spin) = (position.to_array(), spin.to_array());
    format!(
        "[[bodies]]\nname = \"{name}\"\nkind = \"list\"\nmaterial = \"grain\"\nradius = {RADIUS}\n\
         positions = [{position:?}]\nspin = {spin:?}\n"
    )
}

fn run_of(law: &str, gravity: f64, rest: &str) -> Simulation {
    let materials = materials(0.3, 0.4, ROLLING_FRICTION);
    Simulation::new(&scene(&format!(
        "gravity = [0, 0, -{gravity}]\n{materials}\n{rest}\n[law]\nrolling = \"c\"\n{law}\n\
         [time]\nstep = 5e-6\nduration = 0.25\n"
    )))
}

/// Runs to the end; gives spins of the first body about `axis` by step, and the largest closure error over the turnover.
fn spins_about(axis: DVec3, run: &mut Simulation) -> (Vec<f64>, f64) {
    let (mut spins, mut worst) = (Vec::new(), 0.0_f64);
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        worst = worst.max(run.sample().energy.closure_error.abs());
        let row = run.state.bodies.id.iter().position(|&id| id == 0).expect("the first body");
        spins.push(DVec3::from_array(run.state.bodies.spins[row].spin).dot(axis));
    }
    (spins, worst / run.state.ledger.turnover)
}

/// Once at its cap the torque µ_r R F_n takes the spin at a constant rate: ω = ω_0 − µ_r R g t/(I/m), and then the sphere rests.
#[test]
fn a_sphere_that_spins_on_the_spot_is_stopped_by_a_constant_torque() {
    let laid = sphere("ball", DVec3::Z * RADIUS, DVec3::Z * SPIN);
    let rest = format!("{FLOOR}{laid}");
    let mut run = run_of("torsion = true", GRAVITY, &rest);
    let (spins, closure) = spins_about(DVec3::Z, &mut run);
    let stops = SPIN * INERTIA / (ROLLING_FRICTION * RADIUS * GRAVITY);
    let at = |time: f64| spins[(time / 5e-6).round() as usize - 1];
    for share in [0.25, 0.5, 0.75] {
        let expected = SPIN * (1.0 - share);
        assert!((at(share * stops) - expected).abs() < 5e-3 * SPIN, "{} at {share}", at(share * stops));
    }
    let stopped = spins.iter().position(|&spin| spin <= 0.0).expect("it stops") as f64 * 5e-6;
    assert!((stopped - stops).abs() < 1e-2 * stops, "{stopped} instead of {stops}");
    let last = spins.last().expect("steps").abs();
    assert!(last < 1e-6 * SPIN, "still {last} rad/s");
    assert!(closure < 1e-4, "the books are off by {closure}");
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
    let (lost, had) = (run.sample().energy.rolling, 0.5 * mass * INERTIA * SPIN * SPIN);
    assert!((lost - had).abs() < 1e-3 * had, "{lost} J lost of {had}");

    let (spins, _) = spins_about(DVec3::Z, &mut run_of("", GRAVITY, &rest));
    assert_eq!(spins.last(), Some(&SPIN), "without torsion nothing brakes it");
}

/// Two spheres pressed together by F, one of which spins about their line: the torque µ_r R/2 F shares the spin between them.
#[test]
fn two_pressed_spheres_come_to_spin_alike() {
    let force = 1e-3;
    let axis = DVec3::new(0.6, 0.0, 0.8);
    let load = |group: &str, force: DVec3| {
        format!("[[load]]\ngroup = \"{group}\"\nforce = {:?}\n", force.to_array())
    };
    let rest = [
        sphere("first", axis * RADIUS, axis * SPIN),
        sphere("second", -axis * RADIUS, DVec3::ZERO),
        load("first", -axis * force),
        load("second", axis * force),
    ];
    let mut run = run_of("torsion = true", 0.0, &rest.concat());
    let (spins, closure) = spins_about(axis, &mut run);
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
    let alike = 0.5 * SPIN * mass * INERTIA / (ROLLING_FRICTION * 0.5 * RADIUS * force);
    let first =
        spins.iter().position(|&spin| spin <= 0.5 * SPIN).expect("they come to spin alike") as f64 * 5e-6;
    assert!((first - alike).abs() < 1e-2 * alike, "{first} instead of {alike}");
    for spin in &run.state.bodies.spins[..2] {
        assert!((DVec3::from_array(spin.spin) - axis * 0.5 * SPIN).length() < 1e-6 * SPIN, "{:?}", spin.spin);
    }
    assert!(closure < 1e-4, "the books are off by {closure}");
}

/// Spheres too heavy to be moved by what they touch. They are elastic: their dashpots would be as strong as they are heavy.
fn heavy() -> String {
    materials(1.0, 0.4, ROLLING_FRICTION).replace("density = 2500", "density = 1e15")
}

/// A pair that turns as a whole takes along what it remembers, the part along the normal as the part across.
#[test]
fn a_pair_turned_as_a_whole_keeps_its_torque() {
    const STEPS: u32 = 2000;
    let (time_step, overlap) = (1e-5, 1e-5);
    let spin = DVec3::new(1.0, 2.0, -3.0) * 25.0;
    let spheres = [("first", DVec3::X), ("second", -DVec3::X)];
    let spheres = spheres.map(|(name, end)| sphere(name, end * RADIUS, spin));
    let mut run = Simulation::new(&scene(&format!(
        "gravity = [0, 0, 0]\n{}{}[law]\ntorsion = true\n[time]\nstep = {time_step}\nduration = 1\n",
        heavy(),
        spheres.concat()
    )));
    let turned = |step: u32| DQuat::from_scaled_axis(spin * (f64::from(step) * time_step));
    let torque = DVec3::new(5e-8, -3e-8, 4e-8);
    for step in 1..=STEPS {
        for row in 0..2 {
            let side = if run.state.bodies.id[row] == 0 { 1.0 } else { -1.0 };
            let end = DVec3::X * (side * (RADIUS - 0.5 * overlap));
            let (now, before) = (turned(step) * end, turned(step - 1) * end);
            let place = &mut run.state.bodies.places[row];
            (place.position, place.velocity) = (now.to_array(), ((now - before) / time_step).to_array());
        }
        run.step().unwrap_or_else(|error| panic!("{error}"));
        if step == 1 {
            exchange_pair_torque(&mut run, turned(1) * torque);
        }
    }
    let kept = exchange_pair_torque(&mut run, DVec3::ZERO);
    let along = kept.dot(turned(STEPS) * DVec3::X);
    assert!((along - torque.x).abs() < 1e-9 * torque.x, "{along} along the normal");
    let off = (kept - turned(STEPS) * torque).length();
    assert!(off < 1e-5 * torque.length(), "off by {}", off / torque.length());
}

/// Gives the elastic torque on the first of two touching spheres [N m, world], and puts another in its place.
fn exchange_pair_torque(run: &mut Simulation, torque: DVec3) -> DVec3 {
    let groups = &mut run.state.lists.chunks[0].groups;
    let group =
        groups.iter_mut().find(|group| group.contacts.touching().next().is_some()).expect("a contact");
    assert_eq!(group.contacts.touching().collect::<Vec<_>>(), [0]);
    let lane = group.contacts.lane(0);
    let side = if run.state.bodies.id[lane.a as usize] == 0 { 1.0 } else { -1.0 };
    group.contacts.rolling[0].set_lane(0, torque * side);
    lane.memory.rolling * side
}

/// The same for a wall that turns about the centre of a sphere as fast as the sphere, which is too heavy to be moved.
#[test]
fn a_wall_turned_with_its_sphere_keeps_their_torque() {
    let (speed, overlap) = (40.0, 1e-5);
    let axis = DVec3::new(2.0, 3.0, 6.0) / 7.0;
    let wall = format!(
        "[[wall]]\nname = \"floor\"\nmaterial = \"steel\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n\
         point = [0, 0, {}]\nmotion = [{{ kind = \"rotation\", axis = {:?}, speed = {speed} }}]\n",
        overlap - RADIUS,
        axis.to_array()
    );
    let text = format!(
        "gravity = [0, 0, 0]\n{}{wall}{}[law]\ntorsion = true\n[time]\nstep = 2e-5\nduration = 0.04\n",
        heavy(),
        sphere("ball", DVec3::ZERO, axis * speed)
    );
    let mut run = Simulation::new(&scene(&text));
    run.step().expect("a step");
    let torque = DVec3::new(4e-7, -2e-7, 5e-7);
    let remembered = |run: &mut Simulation| {
        let group = &mut run.state.lists.chunks[0].surface.faces[0];
        let lane = group.held().next().expect("a contact");
        group.contacts.rolling[0].set_lane(0, torque);
        lane.memory.rolling
    };
    remembered(&mut run);
    let first = run.state.step;
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    let turn = speed * (run.state.step - first) as f64 * 2e-5;
    let expected = DQuat::from_axis_angle(axis, turn) * torque;
    let off = (remembered(&mut run) - expected).length();
    assert!(turn > 1.5 && off < 1e-5 * torque.length(), "off by {} after {turn}", off / torque.length());
}

proptest! {
    #[test]
    fn tilting_is_the_turn_of_the_normal(
        vector in prop::array::uniform3(-1.0..1.0_f64),
        from in prop::array::uniform3(-1.0..1.0_f64),
        to in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let [vector, from, to] = [vector, from, to].map(DVec3::from_array);
        prop_assume!(from.length() > 0.1 && to.length() > 0.1);
        let (from, to) = (from.normalize(), to.normalize());
        // Half a turn has no shortest way.
        prop_assume!(from.dot(to) > -0.9);
        let tilted = glam(tilt(vec3(vector), vec3(from), vec3(to)));
        let expected = DQuat::from_rotation_arc(from, to) * vector;
        prop_assert!((tilted - expected).length() < 1e-13);
        prop_assert!((tilted.dot(to) - vector.dot(from)).abs() < 1e-14);
    }
}
