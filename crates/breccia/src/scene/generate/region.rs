//! Geometry of the regions spheres are generated in.

use crate::model::Domain;
use crate::scene::Region;
use crate::scene::random::RandomStream;
use glam::DVec3;
use std::f64::consts::PI;

impl Region {
    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { min, max } => (max - min).element_product(),
            Self::Cylinder { length, radius, .. } => PI * radius * radius * length,
            Self::Sphere { radius, .. } => super::sphere_volume(*radius),
            Self::Mesh(region) => region.volume(),
        }
    }

    /// Largest radius of a sphere that fits [m]; in a mesh, an upper bound of it.
    ///
    /// A box that spans a periodic axis from end to end does not bound spheres there.
    pub fn largest_fitting_radius(&self, domain: &Domain) -> f64 {
        match self {
            Self::Box { min, max } => (0..3)
                .filter(|&axis| !spans_period(*min, *max, domain, axis))
                .map(|axis| 0.5 * (max[axis] - min[axis]))
                .fold(f64::INFINITY, f64::min),
            Self::Cylinder { length, radius, .. } => radius.min(0.5 * length),
            Self::Sphere { radius, .. } => *radius,
            Self::Mesh(region) => region.radius_bound(),
        }
    }

    /// Corners of the axis-aligned box around it [m, world].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        match self {
            Self::Box { min, max } => (*min, *max),
            Self::Cylinder { start, axis, length, radius } => {
                let end = *start + *axis * *length;
                let across = (DVec3::ONE - *axis * *axis).max(DVec3::ZERO);
                let reach = *radius * DVec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt());
                (start.min(end) - reach, start.max(end) + reach)
            }
            Self::Sphere { centre, radius } => {
                (*centre - DVec3::splat(*radius), *centre + DVec3::splat(*radius))
            }
            Self::Mesh(region) => region.bounds(),
        }
    }

    /// A centre, all equally likely, at which a sphere of `radius` lies inside; it must fit. In a mesh one place is
    /// tried, and none given if it is not inside.
    pub fn sample_centre(&self, radius: f64, domain: &Domain, stream: &mut RandomStream) -> Option<DVec3> {
        match self {
            Self::Box { min, max } => {
                let mut centre = DVec3::ZERO;
                for axis in 0..3 {
                    let margin = if spans_period(*min, *max, domain, axis) { 0.0 } else { radius };
                    centre[axis] = stream.between(min[axis] + margin, max[axis] - margin);
                }
                Some(centre)
            }
            Self::Cylinder { start, axis, length, radius: outer } => {
                let along = stream.between(radius, length - radius);
                let (x, y) = in_disc(outer - radius, stream);
                let (u, v) = across(*axis);
                Some(*start + *axis * along + u * x + v * y)
            }
            Self::Sphere { centre, radius: outer } => Some(*centre + in_ball(outer - radius, stream)),
            Self::Mesh(region) => region.sample_centre(radius, stream),
        }
    }

    /// Whether a whole sphere at `centre` [m, world] lies inside.
    pub fn holds(&self, centre: DVec3, radius: f64, domain: &Domain) -> bool {
        match self {
            Self::Box { min, max } => (0..3).all(|axis| {
                let margin = if spans_period(*min, *max, domain, axis) { 0.0 } else { radius };
                centre[axis] >= min[axis] + margin && centre[axis] <= max[axis] - margin
            }),
            Self::Cylinder { start, axis, length, radius: outer } => {
                let along = (centre - *start).dot(*axis);
                let away = (centre - *start - *axis * along).length();
                along >= radius && along <= length - radius && away <= outer - radius
            }
            Self::Sphere { centre: middle, radius: outer } => {
                radius <= *outer && centre.distance(*middle) <= outer - radius
            }
            Self::Mesh(region) => region.holds(centre, radius),
        }
    }
}

/// Whether a box covers the whole period of an axis.
fn spans_period(min: DVec3, max: DVec3, domain: &Domain, axis: usize) -> bool {
    domain.periodic[axis] && min[axis] <= domain.min[axis] && max[axis] >= domain.max[axis]
}

/// Two unit vectors that complete a unit `axis` to a right-handed frame, by algebra alone.
fn across(axis: DVec3) -> (DVec3, DVec3) {
    let helper = if axis.x.abs() < 0.7 { DVec3::X } else { DVec3::Y };
    let u = (helper - axis * axis.dot(helper)).normalize();
    (u, axis.cross(u))
}

/// A point of a disc, by rejection: no trigonometry, same bits everywhere.
fn in_disc(radius: f64, stream: &mut RandomStream) -> (f64, f64) {
    loop {
        let (x, y) = (stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
        if x * x + y * y <= 1.0 {
            return (radius * x, radius * y);
        }
    }
}

fn in_ball(radius: f64, stream: &mut RandomStream) -> DVec3 {
    loop {
        let point =
            DVec3::new(stream.between(-1.0, 1.0), stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
        if point.length_squared() <= 1.0 {
            return radius * point;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_lie_inside_and_fill_the_region() {
        let domain = Domain::unbounded();
        let axis = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let (start, length, outer, radius) = (DVec3::new(1.0, -2.0, 3.0), 2.0, 0.5, 0.1);
        let cylinder = Region::Cylinder { start, axis, length, radius: outer };
        let (low, high) = cylinder.bounds();
        let mut stream = RandomStream::new(1);
        let mut mean = DVec3::ZERO;
        for _ in 0..10_000 {
            let centre = cylinder.sample_centre(radius, &domain, &mut stream).unwrap();
            assert!(cylinder.holds(centre, radius * (1.0 - 1e-12), &domain));
            assert!(!cylinder.holds(centre, outer, &domain));
            let along = (centre - start).dot(axis);
            let away = (centre - start - axis * along).length();
            assert!(along >= radius && along <= length - radius && away <= outer - radius + 1e-12);
            assert!((centre - low).min_element() >= radius - 1e-12);
            assert!((high - centre).min_element() >= radius - 1e-12);
            mean += centre / 10_000.0;
        }
        assert!((mean - start - axis * length / 2.0).length() < 0.03, "{mean}");
    }

    #[test]
    fn a_box_over_a_whole_period_does_not_bound_spheres() {
        let domain = Domain {
            min: DVec3::ZERO,
            max: DVec3::ONE,
            periodic: [true, false, false],
            on_exit: crate::model::ExitPolicy::Stop,
        };
        let region = Region::Box { min: DVec3::ZERO, max: DVec3::ONE };
        let mut stream = RandomStream::new(1);
        let centres: Vec<DVec3> =
            (0..1000).filter_map(|_| region.sample_centre(0.2, &domain, &mut stream)).collect();
        assert_eq!(centres.len(), 1000);
        assert!(centres.iter().all(|&centre| region.holds(centre, 0.2, &domain)));
        assert!(centres.iter().any(|c| c.x < 0.2));
        assert!(centres.iter().all(|c| c.y >= 0.2 && c.z <= 0.8));
    }
}
