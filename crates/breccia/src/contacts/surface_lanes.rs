//! Wall contacts put side by side, so that the law works on as many at a time as registers hold.

use crate::laws::{
    Coefficients, Dashpots, Encounter, History, Losses, NormalLaw, Response, RollingLaw, evaluate,
};
use crate::math::{Lanes, Real, Simd, Vec3};
use glam::DVec3;

/// Eight wall contacts; lanes not set are those of contacts before, or at rest apart.
pub(super) struct SurfaceLanes {
    encounter: Encounter<Lanes>,
    coefficients: Coefficients<Lanes>,
    history: History<Lanes>,
    response: Response<Lanes>,
}

impl SurfaceLanes {
    pub fn new() -> Self {
        let (zero, none) = (Lanes::splat(0.0), Vec3::splat(DVec3::ZERO));
        Self {
            encounter: Encounter {
                normal: none,
                overlap: zero,
                velocity: none,
                inverse_mass: zero,
                inverse_tangential_mass: zero,
                inverse_inertia: zero,
                relative_spin: none,
                turn_rate: zero,
                reduced_radius: zero,
            },
            coefficients: Coefficients {
                scale: zero,
                scale_before: zero,
                damping_scale: zero,
                tangential_ratio: zero,
                inverse_tangential_ratio: zero,
                tangential_damping_ratio: zero,
                friction: zero,
                rolling_friction: zero,
            },
            history: History {
                tangential: none,
                depth: zero,
                rolling: none,
                dashpots: Dashpots { normal: zero, tangential: none, rolling: none },
            },
            response: Response {
                normal_force: zero,
                tangential: none,
                rolling_torque: none,
                rolling_limit: zero,
            },
        }
    }

    /// Puts a contact into a lane.
    #[inline(always)]
    pub fn set(
        &mut self,
        k: usize,
        encounter: &Encounter<f64>,
        coefficients: &Coefficients<f64>,
        history: &History<f64>,
    ) {
        let put = |lanes: &mut Lanes, value: f64| lanes.0[k] = value;
        let put3 = |lanes: &mut Vec3<Lanes>, v: Vec3<f64>| {
            (lanes.x.0[k], lanes.y.0[k], lanes.z.0[k]) = (v.x, v.y, v.z);
        };
        let e = &mut self.encounter;
        put3(&mut e.normal, encounter.normal);
        put(&mut e.overlap, encounter.overlap);
        put3(&mut e.velocity, encounter.velocity);
        put(&mut e.inverse_mass, encounter.inverse_mass);
        put(&mut e.inverse_tangential_mass, encounter.inverse_tangential_mass);
        put(&mut e.inverse_inertia, encounter.inverse_inertia);
        put3(&mut e.relative_spin, encounter.relative_spin);
        put(&mut e.turn_rate, encounter.turn_rate);
        put(&mut e.reduced_radius, encounter.reduced_radius);
        let c = &mut self.coefficients;
        put(&mut c.scale, coefficients.scale);
        put(&mut c.scale_before, coefficients.scale_before);
        put(&mut c.damping_scale, coefficients.damping_scale);
        put(&mut c.tangential_ratio, coefficients.tangential_ratio);
        put(&mut c.inverse_tangential_ratio, coefficients.inverse_tangential_ratio);
        put(&mut c.tangential_damping_ratio, coefficients.tangential_damping_ratio);
        put(&mut c.friction, coefficients.friction);
        put(&mut c.rolling_friction, coefficients.rolling_friction);
        let h = &mut self.history;
        put3(&mut h.tangential, history.tangential);
        put(&mut h.depth, history.depth);
        put3(&mut h.rolling, history.rolling);
        put(&mut h.dashpots.normal, history.dashpots.normal);
        put3(&mut h.dashpots.tangential, history.dashpots.tangential);
        put3(&mut h.dashpots.rolling, history.dashpots.rolling);
    }

    /// Applies the laws to the lanes from `at` on; tells what was lost.
    #[inline(always)]
    pub fn evaluate<S: Simd, N: NormalLaw, O: RollingLaw>(&mut self, at: usize, time_step: f64) -> Losses<S> {
        let mut history = self.load_history::<S>(at);
        let (encounter, coefficients) = (self.load_encounter::<S>(at), self.load_coefficients::<S>(at));
        let (response, losses) =
            evaluate::<S, N, O>(&encounter, &coefficients, &mut history, S::splat(time_step));
        history.tangential.store(&mut self.history.tangential, at);
        history.depth.store(&mut self.history.depth, at);
        history.rolling.store(&mut self.history.rolling, at);
        history.dashpots.normal.store(&mut self.history.dashpots.normal, at);
        history.dashpots.tangential.store(&mut self.history.dashpots.tangential, at);
        history.dashpots.rolling.store(&mut self.history.dashpots.rolling, at);
        response.normal_force.store(&mut self.response.normal_force, at);
        response.tangential.store(&mut self.response.tangential, at);
        response.rolling_torque.store(&mut self.response.rolling_torque, at);
        response.rolling_limit.store(&mut self.response.rolling_limit, at);
        losses
    }

    /// What the laws gave for a lane.
    #[inline(always)]
    pub fn response(&self, k: usize) -> (Response<f64>, History<f64>) {
        let get3 = |v: &Vec3<Lanes>| Vec3 { x: v.x.0[k], y: v.y.0[k], z: v.z.0[k] };
        let (r, h) = (&self.response, &self.history);
        let response = Response {
            normal_force: r.normal_force.0[k],
            tangential: get3(&r.tangential),
            rolling_torque: get3(&r.rolling_torque),
            rolling_limit: r.rolling_limit.0[k],
        };
        let dashpots = Dashpots {
            normal: h.dashpots.normal.0[k],
            tangential: get3(&h.dashpots.tangential),
            rolling: get3(&h.dashpots.rolling),
        };
        let (tangential, rolling) = (get3(&h.tangential), get3(&h.rolling));
        (response, History { tangential, depth: h.depth.0[k], rolling, dashpots })
    }

    #[inline(always)]
    fn load_encounter<S: Simd>(&self, at: usize) -> Encounter<S> {
        let e = &self.encounter;
        Encounter {
            normal: Vec3::load(&e.normal, at),
            overlap: S::load(&e.overlap, at),
            velocity: Vec3::load(&e.velocity, at),
            inverse_mass: S::load(&e.inverse_mass, at),
            inverse_tangential_mass: S::load(&e.inverse_tangential_mass, at),
            inverse_inertia: S::load(&e.inverse_inertia, at),
            relative_spin: Vec3::load(&e.relative_spin, at),
            turn_rate: S::load(&e.turn_rate, at),
            reduced_radius: S::load(&e.reduced_radius, at),
        }
    }

    #[inline(always)]
    fn load_coefficients<S: Simd>(&self, at: usize) -> Coefficients<S> {
        let c = &self.coefficients;
        Coefficients {
            scale: S::load(&c.scale, at),
            scale_before: S::load(&c.scale_before, at),
            damping_scale: S::load(&c.damping_scale, at),
            tangential_ratio: S::load(&c.tangential_ratio, at),
            inverse_tangential_ratio: S::load(&c.inverse_tangential_ratio, at),
            tangential_damping_ratio: S::load(&c.tangential_damping_ratio, at),
            friction: S::load(&c.friction, at),
            rolling_friction: S::load(&c.rolling_friction, at),
        }
    }

    #[inline(always)]
    fn load_history<S: Simd>(&self, at: usize) -> History<S> {
        let h = &self.history;
        History {
            tangential: Vec3::load(&h.tangential, at),
            depth: S::load(&h.depth, at),
            rolling: Vec3::load(&h.rolling, at),
            dashpots: Dashpots {
                normal: S::load(&h.dashpots.normal, at),
                tangential: Vec3::load(&h.dashpots.tangential, at),
                rolling: Vec3::load(&h.dashpots.rolling, at),
            },
        }
    }
}
