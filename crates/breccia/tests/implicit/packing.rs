//! Packings of discs: quasi-static compression, collapse, same bits.

use crate::build::*;
use breccia::implicit::assembly::*;
use breccia::implicit::solver::Reference;
use breccia::implicit::*;
use breccia::shapes::nurbs::GrainShape;
use glam::DVec2;

/// σ3 of the paper's biaxial tests [N/m].
const PRESSURE: f64 = 125.0;

/// Discs of the sixteen diameters.
fn discs(count: usize, seed: u64) -> GrainMix {
    let diameter = |s: u32| 0.8 + 0.4 * f64::from((7 * s) % 16) / 15.0;
    let shapes = (0..16).map(|s| GrainShape::Disc(0.5 * diameter(s))).collect();
    GrainMix { shapes, count, density: 1.0, seed }
}

fn quasi_static() -> GrainSettings {
    GrainSettings::new(StepKind::QuasiStatic(StaticStep::default()), 1.0)
}

fn compacted(count: usize, settings: &GrainSettings) -> Compaction {
    compact(&discs(count, 3), &CompactionPlan::new(PRESSURE), settings).unwrap()
}

/// Acceptance test 19.
#[test]
fn hundred_discs_are_compressed_at_constant_side_pressure() {
    for settings in [quasi_static(), quasi_static().with_stiffness(1e8), quasi_static().with_stiffness(1e5)] {
        let compaction = compacted(100, &settings);
        assert!((0.15..0.24).contains(&compaction.porosity), "{}", compaction.porosity);
        let mut test = Biaxial::new(compaction, BiaxialPlan::new(PRESSURE, 0.3)).unwrap();
        let mut worst = 0.0_f64;
        let mut mean = 0.0;
        for _ in 0..75 {
            let row = test.step().unwrap();
            worst = worst.max((row.side_stress / PRESSURE - 1.0).abs());
            mean += row.deviator() / 75.0;
            assert!(row.lid_stress.is_finite() && row.lid_stress > 0.0);
        }
        assert!(worst < 0.03, "{:?}: σ3 off by {worst}", settings.stiffness);
        assert!((0.3..3.0).contains(&(mean / PRESSURE)), "{mean}");
        let state = test.run.state();
        let budget = state.energy_budget(test.run.setup());
        assert!(budget.is_finite());
    }
}

/// Acceptance test 20.
#[test]
fn resistance_does_not_show_in_the_stress() {
    let compaction = compacted(100, &quasi_static().with_stiffness(1e6));
    let stress = |resistance: f64| {
        let mut compaction = compaction.clone();
        let step = StaticStep { resistance, wall_resistance: 10.0 * resistance, ..StaticStep::default() };
        compaction.setup.settings.kind = StepKind::QuasiStatic(step);
        let plan = BiaxialPlan { ramp: 1, ..BiaxialPlan::new(PRESSURE, 0.3) };
        Biaxial::new(compaction, plan).unwrap().step().unwrap().lid_stress
    };
    let (chosen, tiny) = (stress(1e-3), stress(1e-6));
    assert!((chosen / tiny - 1.0).abs() < 5e-4, "{chosen} {tiny}");
}

/// Acceptance test 21.
#[test]
fn both_solvers_give_the_same_lid_force() {
    for settings in [quasi_static(), quasi_static().with_stiffness(1e8)] {
        let compaction = compacted(100, &settings);
        let mut own = Biaxial::new(compaction.clone(), BiaxialPlan::new(PRESSURE, 0.3)).unwrap();
        for _ in 0..10 {
            let mut reference = GrainRun::with_solver(
                own.run.setup().clone(),
                own.run.state().clone(),
                Box::new(Reference::default()),
            )
            .unwrap();
            let row = own.step().unwrap();
            reference.state_mut().walls[3].control = own.run.state().walls[3].control;
            reference.step().unwrap();
            let (a, b) = (own.run.state().walls[3].load.y, reference.state().walls[3].load.y);
            assert!((a / b - 1.0).abs() < 5e-5, "{a} {b} at {row:?}");
        }
    }
}

fn go(test: &mut Biaxial, steps: u32) {
    for _ in 0..steps {
        test.step().unwrap();
    }
}

#[test]
fn threads_and_restart_do_not_change_the_bits() {
    let settings = quasi_static().with_stiffness(1e6);
    let run = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let mut test = Biaxial::new(compacted(64, &settings), BiaxialPlan::new(PRESSURE, 0.5)).unwrap();
            go(&mut test, 5);
            let middle = test.run.state().clone();
            go(&mut test, 5);
            (test.run.setup().clone(), middle, test.start(), test.run.state().clone())
        })
    };
    let (setup, middle, start, one) = run(1);
    assert_eq!(one, run(2).3);
    let saved: GrainState = serde_json::from_str(&serde_json::to_string(&middle).unwrap()).unwrap();
    let mut again = Biaxial::resume(setup, saved, BiaxialPlan::new(PRESSURE, 0.5), start).unwrap();
    go(&mut again, 5);
    assert_eq!(&one, again.run.state());
}

/// Acceptance test 23, and the budget of a collapse.
#[test]
fn frictionless_discs_spread_to_one_layer() {
    let mix = discs(64, 5);
    let width = ColumnPlan::width_for(&mix, 1.68, 0.2);
    let plan = ColumnPlan { width, gravity: 1.0, friction: 0.0, floor_friction: 0.0 };
    let mut column = Column::loose(&mix, &plan, dynamic(0.7, 0.05).with_stiffness(1e8)).unwrap();
    column.settle(4000).unwrap();
    column.open();
    let energy = |column: &Column| column.run.state().energy(column.run.setup()).total();
    let budget = |column: &Column| column.run.state().energy_budget(column.run.setup());
    let (start, start_budget) = (energy(&column), budget(&column));
    let mut before = start;
    let mut thickness = 0.0;
    for _ in 0..800 {
        column.run.step().unwrap();
        let now = energy(&column);
        assert!(now < before + 1e-6 * start, "energy up by {}", now - before);
        before = now;
    }
    for (place, grain) in column.run.state().position.iter().zip(&column.run.setup().grains) {
        thickness = f64::max(thickness, place.y + grain.radius);
    }
    assert!(thickness <= 1.25, "{thickness}");
    assert!((budget(&column) - start_budget).abs() < 1e-9 * start);
}

/// A grain that nothing holds makes the step resist more, and the lid above the others does not feel it: ten discs in
/// a row carry eleven springs' force, with a loose eleventh pushed away beside them.
#[test]
fn a_loose_grain_is_held_back_alone() {
    let (count, way, stiffness) = (10, 0.02, 1e5);
    let mut settings = quasi_static().with_stiffness(stiffness);
    settings.kind =
        StepKind::QuasiStatic(StaticStep { reference_stress: Some(PRESSURE), ..StaticStep::default() });
    let setup = GrainSetup {
        shapes: vec![GrainShape::Disc(RADIUS)],
        grains: vec![disc(); count + 1],
        friction: FrictionTable::uniform(1, 0.0),
        wall_materials: vec![0, 0],
        settings,
    };
    let height = 2.0 * RADIUS * count as f64;
    let mut places: Vec<(DVec2, f64)> =
        (0..count).map(|number| (DVec2::new(0.0, RADIUS + 2.0 * RADIUS * number as f64), 0.0)).collect();
    places.push((DVec2::new(2.0 * RADIUS, RADIUS), 0.0));
    let mut lid = WallState::at_rest(-DVec2::Y, DVec2::new(0.0, height));
    lid.control = WallControl::Moves(DVec2::new(0.0, -way));
    let floor = WallState::at_rest(DVec2::Y, DVec2::ZERO);
    let mut state = GrainState::at_rest(&places, vec![floor, lid], DVec2::ZERO);
    state.loads.push(GrainLoad { grain: count as u32, force: DVec2::new(PRESSURE, 0.0), moment: 0.0 });
    let mut run = GrainRun::new(setup, state).unwrap();
    run.step().unwrap();
    let report = run.state().report;
    assert!(report.redone >= 5 && report.resistance > 1.0, "{report:?}");
    let expected = way * stiffness / (count + 1) as f64;
    let load = run.state().walls[1].load.y;
    assert!((load / expected - 1.0).abs() < 1e-3, "lid carries {load}, wanted {expected}");
    let moved = run.state().position[count].x - 2.0 * RADIUS;
    assert!((0.01..0.25).contains(&moved), "the loose grain moved {moved}");
}
