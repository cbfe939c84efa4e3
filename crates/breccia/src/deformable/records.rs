//! Contacts of deformable bodies spelled out as the engine's contact records.

use super::setup::SolidSetup;
use super::state::SolidState;
use crate::contacts::{Attachment, ContactForce, ContactKey, ContactRecord, Partner};
use crate::model::{PairId, WallId};
use crate::narrow_phase::node_segment::SegmentGeometry;
use glam::DVec2;

/// All touching pairs in their order: side a is the node, side b what it touches. The gap is the real one; the dynamic
/// gap is history and stays in the pair table. Stiffness and friction come from surfaces, so `law` is always 0.
pub fn contact_records(setup: &SolidSetup, state: &SolidState) -> Vec<ContactRecord> {
    let bodies = setup.bodies.len();
    let record = |(pair, memory): &(crate::broad_phase::PointNearBody, super::contact::PairMemory)| {
        let particle = &setup.particles[pair.point as usize];
        let place = state.positions[particle.node as usize];
        let partner = pair.body as usize;
        let first = setup.first_node[particle.body as usize] as u32;
        let (normal, gap, attachment_b, b) = if partner < bodies {
            let (geometry, attachment) = on_body(setup, state, partner, memory.segment, place);
            (geometry.normal, geometry.gap, attachment, Partner::Body(pair.body))
        } else {
            let wall = &setup.walls[partner - bodies];
            let gap = wall.normal.dot(place - wall.point);
            let at_rest = Attachment::Prescribed(DVec2::ZERO.extend(0.0));
            (wall.normal, gap, at_rest, Partner::Wall(WallId((partner - bodies) as u16)))
        };
        ContactRecord {
            key: ContactKey {
                a: Partner::Body(particle.body),
                b,
                feature_a: particle.node - first,
                feature_b: memory.segment,
            },
            point: (place - gap * normal).extend(0.0),
            normal: normal.extend(0.0),
            gap,
            attachment_a: Attachment::Nodes { nodes: [particle.node; 2], shares: [1.0, 0.0] },
            attachment_b,
            law: PairId(0),
            force: ContactForce {
                normal: memory.pressure,
                tangential: (-memory.grip * normal.perp()).extend(0.0),
            },
        }
    };
    state.pairs.rows.iter().map(record).collect()
}

/// How a place faces a segment of a body, and how the body is held there.
fn on_body(
    setup: &SolidSetup,
    state: &SolidState,
    body: usize,
    segment: u32,
    place: DVec2,
) -> (SegmentGeometry, Attachment) {
    let first = setup.first_node[body] as u32;
    let nodes = setup.bodies[body].outline().segments[segment as usize].map(|node| first + node);
    let [from, to] = nodes.map(|node| state.positions[node as usize]);
    let geometry = SegmentGeometry::new([place, from, to]);
    let shares = [1.0 - geometry.share, geometry.share];
    if setup.is_obstacle(body) {
        let [from, to] = nodes.map(|node| state.mid_velocities[node as usize]);
        return (geometry, Attachment::Prescribed((shares[0] * from + shares[1] * to).extend(0.0)));
    }
    (geometry, Attachment::Nodes { nodes, shares })
}
