//! Laws take energy and never give any.

use crate::encounters::{Case, glam};
use crate::support::Dice;
use breccia::laws::{
    ElasticRolling, Hertz, History, Linear, Losses, NoRolling, NormalLaw, RollingLaw, evaluate,
};
use glam::DVec3;

/// A contact led along a path of overlaps and tangential places, slowly: only springs and friction act.
struct Led {
    case: Case,
    history: History<f64>,
    shift: DVec3,
    /// Work done on the contact's spring by the tangential motion [J].
    work: f64,
    losses: f64,
    force: DVec3,
}

const STEP: f64 = 1e-6;

impl Led {
    fn new(friction: f64, overlap: f64) -> Self {
        let case = Case {
            normal: DVec3::Z,
            overlap,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            turn_rate: 0.0,
            masses: [1.0; 3],
            radius: 1e-3,
            scale: 2e5,
            damping_scale: 0.0,
            ratios: [0.8, 0.7],
            friction,
            rolling_friction: 0.0,
            tangential: DVec3::ZERO,
            depth: 0.0,
            rolling: DVec3::ZERO,
            dashpots: [DVec3::ZERO; 3],
        };
        Self { history: case.history(), case, shift: DVec3::ZERO, work: 0.0, losses: 0.0, force: DVec3::ZERO }
    }

    /// Goes straight to another overlap and place.
    fn go<N: NormalLaw>(&mut self, overlap: f64, shift: DVec3, parts: u32) {
        let (first, from) = (self.case.overlap, self.shift);
        for part in 1..=parts {
            let share = f64::from(part) / f64::from(parts);
            let place = from + (shift - from) * share;
            self.case.overlap = first + (overlap - first) * share;
            self.case.velocity = (place - self.shift) / STEP;
            let losses = self.step::<N>();
            let force = glam(self.history.tangential);
            self.work -= (self.force + force).dot(place - self.shift) * 0.5;
            self.losses += losses.sliding + losses.tangential_damping;
            (self.force, self.shift) = (force, place);
        }
    }

    fn step<N: NormalLaw>(&mut self) -> Losses<f64> {
        let (encounter, coefficients) = (self.case.encounter(), self.case.coefficients());
        evaluate::<f64, N, NoRolling>(&encounter, &coefficients, &mut self.history, STEP).1
    }

    /// Energy in the tangential spring [J].
    fn stored<N: NormalLaw>(&self) -> f64 {
        let stiffness = 0.8 * N::stiffness(self.history.depth, self.case.scale);
        self.force.length_squared() / (2.0 * stiffness)
    }
}

const LOW: f64 = 1e-5;
const HIGH: f64 = 4e-5;

/// The two rectangular cycles: shifted at low load and back at high load, and the other way round.
#[test]
fn rectangular_cycles_lose_half_the_difference_of_stiffness() {
    let shift = DVec3::new(1e-7, 0.0, 0.0);
    // k_t = 0.8 · 2e5 √δ.
    let expected = 0.5 * 0.8 * 2e5 * (HIGH.sqrt() - LOW.sqrt()) * 1e-14;
    for (first, second) in [(LOW, HIGH), (HIGH, LOW)] {
        let mut led = Led::new(100.0, first);
        led.go::<Hertz>(first, shift, 1000);
        led.go::<Hertz>(second, shift, 1000);
        led.go::<Hertz>(second, DVec3::ZERO, 1000);
        led.go::<Hertz>(first, DVec3::ZERO, 1000);
        // Remembering displacements instead of forces would give this energy in one of the two.
        assert!((led.work - expected).abs() < 1e-6 * expected, "{} against {expected}", led.work);
        let lost = led.work - led.stored::<Hertz>();
        assert!((led.losses - lost).abs() < 1e-9 * expected, "the books: {} against {lost}", led.losses);
        assert!(lost > 0.7 * expected, "{lost}");
    }
}

#[test]
fn random_closed_loops_never_give_energy() {
    fn loops<N: NormalLaw>(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut led = Led::new(dice.between(0.05, 1.0), LOW);
        let corners = 3 + (dice.unit() * 6.0) as usize;
        let mut turnover = 0.0_f64;
        for _ in 0..corners {
            let (x, y) = (dice.between(-3e-6, 3e-6), dice.between(-3e-6, 3e-6));
            led.go::<N>(dice.between(1e-6, HIGH), DVec3::new(x, y, 0.0), 500);
            turnover = turnover.max(led.work.abs());
        }
        led.go::<N>(LOW, DVec3::ZERO, 500);
        let given = -(led.work - led.stored::<N>());
        assert!(given <= 1e-12 * turnover, "seed {seed}: {given} J given, {turnover} J turned over");
        let off = led.losses - (led.work - led.stored::<N>());
        assert!(off.abs() <= 1e-11 * turnover, "seed {seed}: the books are off by {off}");
        assert!(led.losses >= -1e-12 * turnover, "seed {seed}: {}", led.losses);
    }
    for seed in 0..200 {
        loops::<Hertz>(seed);
        loops::<Linear>(seed);
    }
}

/// The rolling spring at constant load: the same books.
#[test]
fn rolling_loops_at_constant_load_never_give_energy() {
    rolling_loops::<ElasticRolling>(DVec3::new(1.0, 1.0, 0.0));
}

/// Turned about the normal and across it at once.
#[test]
fn torsion_loops_at_constant_load_never_give_energy() {
    rolling_loops::<ElasticRolling<true>>(DVec3::ONE);
}

/// Loops of turns about axes that `freedom` leaves.
fn rolling_loops<O: RollingLaw>(freedom: DVec3) {
    fn torque<N: NormalLaw, O: RollingLaw>(case: &Case, history: &mut History<f64>) -> (DVec3, f64) {
        let (response, losses) =
            evaluate::<f64, N, O>(&case.encounter(), &case.coefficients(), history, STEP);
        (glam(response.rolling_torque), losses.rolling)
    }
    for seed in 0..100 {
        let mut dice = Dice::new(seed);
        let mut led = Led::new(0.5, HIGH);
        led.case.rolling_friction = dice.between(0.01, 0.3);
        led.case.masses = [1e-5, 1e-5, 1e-12];
        let (mut work, mut losses, mut last, mut turnover) = (0.0, 0.0, DVec3::ZERO, 0.0_f64);
        let mut angle = DVec3::ZERO;
        for corner in 0..6 {
            let target = if corner == 5 { DVec3::ZERO } else { dice.vector(-0.2, 0.2) * freedom };
            let way = (target - angle) / 400.0;
            led.case.spin = way / STEP;
            for _ in 0..400 {
                let (torque, loss) = torque::<Hertz, O>(&led.case, &mut led.history);
                work -= (last + torque).dot(way) * 0.5;
                losses += loss;
                last = torque;
                turnover = turnover.max(work);
            }
            angle = target;
        }
        // What the spring still holds has not been lost.
        let lever = led.case.rolling_friction * led.case.radius;
        let stiffness = breccia::laws::rolling_stiffness(2e5 * HIGH.sqrt(), lever);
        let stored = glam(led.history.rolling).length_squared() / (2.0 * stiffness);
        assert!(work - stored >= -1e-12 * turnover && losses >= 0.0, "seed {seed}: {work} {stored} {losses}");
        assert!(
            (work - stored - losses).abs() <= 1e-3 * turnover,
            "seed {seed}: {work} − {stored} ≠ {losses}"
        );
    }
}

/// Turned at one load and back at another: the torque must not outlive the stiffness that made it.
#[test]
fn rolling_cycles_of_turn_and_load_never_give_energy() {
    cycles::<ElasticRolling>(DVec3::X);
    cycles::<ElasticRolling<true>>(DVec3::Z);
    cycles::<ElasticRolling<true>>(DVec3::new(0.6, 0.0, 0.8));
}

fn cycles<O: RollingLaw>(axis: DVec3) {
    const PARTS: u32 = 2000;
    for (first, second) in [(LOW, HIGH), (HIGH, LOW)] {
        let mut led = Led::new(0.5, first);
        led.case.rolling_friction = 0.2;
        led.case.masses = [1e-5, 1e-5, 1e-12];
        let (mut work, mut losses, mut last) = (0.0, 0.0, DVec3::ZERO);
        let mut lead = |led: &mut Led, turn: f64, overlap: f64| {
            let from = led.case.overlap;
            let way = axis * turn / f64::from(PARTS);
            led.case.spin = way / STEP;
            for part in 1..=PARTS {
                led.case.overlap = from + (overlap - from) * f64::from(part) / f64::from(PARTS);
                let (encounter, coefficients) = (led.case.encounter(), led.case.coefficients());
                let (response, lost) =
                    evaluate::<f64, Hertz, O>(&encounter, &coefficients, &mut led.history, STEP);
                let torque = glam(response.rolling_torque);
                work -= (last + torque).dot(way) * 0.5;
                losses += lost.rolling;
                last = torque;
            }
        };
        // Small enough to stay below the cap at both loads.
        let turn = 1e-4;
        lead(&mut led, 0.0, first);
        lead(&mut led, turn, first);
        lead(&mut led, 0.0, second);
        lead(&mut led, -turn, second);
        lead(&mut led, 0.0, first);
        let lever = led.case.rolling_friction * led.case.radius;
        let stiffness = breccia::laws::rolling_stiffness(2e5 * first.sqrt(), lever);
        let stored = glam(led.history.rolling).length_squared() / (2.0 * stiffness);
        let turnover = 0.5 * stiffness * turn * turn;
        assert!(work - stored > 0.1 * turnover, "{first} to {second}: {work} − {stored} of {turnover}");
        assert!(losses > 0.1 * turnover, "{losses}");
        assert!((work - stored - losses).abs() < 1e-2 * turnover, "{work} − {stored} ≠ {losses}");
    }
}
