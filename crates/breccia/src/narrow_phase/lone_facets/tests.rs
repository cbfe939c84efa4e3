use crate::contacts::SurfaceContacts;
use crate::dispatch::compiled;
use crate::model::{MaterialId, PairProperties, PairTable, WallId};
use crate::narrow_phase::element_test::{ElementLook, ElementTest, test_elements, tests::turning_strip};
use crate::narrow_phase::{SurfaceInput, WallNow, find_surface_contacts};
use crate::scene::RandomStream;
use crate::state::PlaceRow;
use glam::DVec3;

const SPHERES: u32 = 301;
const ELEMENTS: u32 = 6;

/// Lists of spheres that are all near all elements of the strip.
fn near_all() -> SurfaceContacts {
    let mut contacts = SurfaceContacts::default();
    let pairs = (0..SPHERES).flat_map(|row| (0..ELEMENTS).map(move |element| (row, element)));
    contacts.watched.add_mesh(WallId(0), pairs);
    contacts
}

/// Contacts found among the elements watched are those found among all, as long as spheres and wall have gone less than the reach.
#[test]
fn watched_elements_are_all_that_can_be_touched() {
    let wall = turning_strip();
    let mut random = RandomStream::new(17);
    let mut place = || {
        let (x, y) = (random.between(-0.5, 4.5), random.between(-0.5, 1.5));
        let position = [x, y, 0.1 * x * x + random.between(-0.6, 0.6)];
        PlaceRow { position, radius: 0.2, velocity: [0.0; 3], inverse_mass: 1.0 }
    };
    let before: Vec<PlaceRow> = (0..SPHERES).map(|_| place()).collect();
    let materials = vec![MaterialId(0); SPHERES as usize];
    let pairs = alike();
    let walls = [WallNow::at(&wall, true, 0.7, 1e-3)];
    let input = |places| SurfaceInput {
        places,
        materials: &materials,
        walls: &walls,
        pairs: &pairs,
        time_step: 1e-3,
        fast_test: true,
        torsion: false,
    };
    let mut all = near_all();
    let mut few = SurfaceContacts { known: near_all().watched, ..SurfaceContacts::default() };
    let reach = 0.1;
    few.watch(&input(&before), compiled::<ElementLook>(), reach);
    let way =
        |k: u32| DVec3::new((f64::from(k)).sin(), (1.3 * f64::from(k)).cos(), 0.5).normalize() * 0.99 * reach;
    let moved =
        |(place, k): (&PlaceRow, u32)| PlaceRow { position: (place.centre() + way(k)).to_array(), ..*place };
    let places: Vec<PlaceRow> = before.iter().zip(0..).map(moved).collect();
    let [all, few] = [&mut all, &mut few].map(|contacts| {
        compiled::<ElementTest>()((contacts, &input(&places)));
        find_surface_contacts(contacts, &input(&places));
        (format!("{:?}", contacts.now), contacts.now.len(), contacts.watched.elements.len())
    });
    assert_eq!(few.0, all.0);
    assert!(few.1 > 20 && few.2 < all.2 / 2, "{} contacts, {} of {} elements", few.1, few.2, all.2);
}

/// Pairs of one material.
fn alike() -> PairTable {
    PairTable::new(1, |_, _| PairProperties {
        restitution: 0.5,
        friction: 0.5,
        rolling_friction: 0.0,
        normal_stiffness: None,
        tangential_ratio: 1.0,
    })
}

/// Contacts moved several at a time are those found one by one, whether they go on, change their element or end.
#[test]
fn moved_contacts_are_those_that_are_searched_for() {
    let wall = turning_strip();
    let mut random = RandomStream::new(11);
    let mut place = || {
        let (x, y) = (random.between(0.0, 4.0), random.between(0.0, 1.0));
        let position = [x, y, 0.1 * x * x + random.between(0.15, 0.19)];
        PlaceRow { position, radius: 0.2, velocity: [0.0; 3], inverse_mass: 1.0 }
    };
    let local: Vec<PlaceRow> = (0..SPHERES).map(|_| place()).collect();
    let at = |now: &WallNow, shift: DVec3| -> Vec<PlaceRow> {
        let moved = |place: &PlaceRow| now.pose.point_to_world(place.centre() + shift).to_array();
        local.iter().map(|place| PlaceRow { position: moved(place), ..*place }).collect()
    };
    let pairs = alike();
    let materials = vec![MaterialId(0); SPHERES as usize];
    for (torsion, shift) in [(false, DVec3::new(0.02, 0.01, 0.01)), (true, DVec3::new(-0.3, 0.1, -0.002))] {
        let mut steps = [(0.7, DVec3::ZERO), (0.701, shift)].map(|(time, shift)| {
            let now = WallNow::at(&wall, true, time, 1e-3);
            ([now], at(&now, shift))
        });
        let inputs = steps.each_mut().map(|(walls, places)| SurfaceInput {
            places,
            materials: &materials,
            walls,
            pairs: &pairs,
            time_step: 1e-3,
            fast_test: true,
            torsion,
        });
        let mut first = near_all();
        test_elements::<f64>(&mut first, &inputs[0]);
        find_surface_contacts(&mut first, &inputs[0]);
        for (contact, k) in first.now.iter_mut().zip(0_u32..) {
            contact.memory.depth = contact.overlap;
            contact.memory.rolling = DVec3::new(0.3, f64::from(k), -1.0);
        }
        let mut plain = near_all();
        plain.take_over(&first.now);
        let mut wide = plain.clone();
        test_elements::<f64>(&mut plain, &inputs[1]);
        let told = find_surface_contacts(&mut plain, &inputs[1]);
        compiled::<ElementTest>()((&mut wide, &inputs[1]));
        let moved = wide.index.as_ref().map_or(0, |index| index.moved as usize);
        assert_eq!(find_surface_contacts(&mut wide, &inputs[1]), told);
        assert_eq!(format!("{:?}", wide.lone), format!("{:?}", plain.lone));
        assert_eq!(format!("{:?}", wide.now), format!("{:?}", plain.now));
        assert!(moved > 20 && moved + 20 < plain.lone.len(), "{moved} of {}", plain.lone.len());
    }
}
