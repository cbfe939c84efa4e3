//! Contact properties of the pairs of materials that can touch.

use super::bodies::Population;
use super::{Names, Notes, check};
use crate::model::{LawChoice, Material, MaterialId, NormalKind, PairProperties, PairTable, Wall};
use crate::scene::error::Span;
use crate::scene::file::{self, PairDefaultTable, SceneFile};
use crate::scene::read::{Number, Quantity, Stiffness};
use std::collections::BTreeMap;

/// Least restitution: the dashpot of a lower one has no finite strength worth computing with.
const LEAST_RESTITUTION: f64 = 0.01;

/// Tangential over normal stiffness of the linear law unless given: equal periods of both springs for a sphere.
const TANGENTIAL_RATIO: f64 = 2.0 / 7.0;

/// Properties as one table gives them.
#[derive(Clone, Default)]
struct Given {
    restitution: Option<f64>,
    friction: Option<f64>,
    rolling_friction: Option<f64>,
    normal_stiffness: Option<f64>,
    tangential_ratio: Option<f64>,
}

impl Given {
    /// These properties, with those of `other` where one is missing.
    fn or(&self, other: &Self) -> Self {
        Self {
            restitution: self.restitution.or(other.restitution),
            friction: self.friction.or(other.friction),
            rolling_friction: self.rolling_friction.or(other.rolling_friction),
            normal_stiffness: self.normal_stiffness.or(other.normal_stiffness),
            tangential_ratio: self.tangential_ratio.or(other.tangential_ratio),
        }
    }

    /// Complete properties; those that no contact needs get neutral values.
    fn complete(&self) -> PairProperties {
        PairProperties {
            restitution: self.restitution.unwrap_or(1.0),
            friction: self.friction.unwrap_or(0.0),
            rolling_friction: self.rolling_friction.unwrap_or(0.0),
            normal_stiffness: self.normal_stiffness,
            tangential_ratio: self.tangential_ratio.unwrap_or(TANGENTIAL_RATIO),
        }
    }
}

/// The table of pairs; notes pairs that can touch but are not described.
pub(super) fn resolve(
    file: &SceneFile,
    materials: &[Material],
    names: &Names,
    population: &Population,
    walls: &[Wall],
    laws: LawChoice,
    notes: &mut Notes,
) -> PairTable {
    let default = file.pair_default.as_ref().map(|table| given_default(table, notes));
    let given = read_pairs(&file.pair, names, notes);
    if laws.normal == NormalKind::Hertz {
        warn_unused_stiffness(file, notes);
    }
    // A place without a material comes from an unknown name, which has been noted.
    for (a, b) in touching(population, walls).into_iter().filter(|&(_, b)| b < materials.len()) {
        check_rigid(file, materials, a, b, notes);
        let entry = given.get(&(a, b));
        if entry.is_none() && default.is_none() {
            report_undescribed(names, a, b, notes);
            continue;
        }
        let whole = merge(entry.map(|(given, _)| given), default.as_ref());
        let span = entry.map(|(_, span)| span).or(file.pair_default.as_ref().map(|table| &table.span));
        if let Some(span) = span {
            check_complete(&whole, laws, (names.name(a), names.name(b)), span, notes);
        }
    }
    table_of(materials, &given, default.as_ref())
}

/// The table of pairs of a scene in which only friction counts.
pub(super) fn resolve_friction(
    file: &SceneFile,
    materials: &[Material],
    names: &Names,
    notes: &mut Notes,
) -> PairTable {
    let default = file.pair_default.as_ref().map(|table| given_default(table, notes));
    let given = read_pairs(&file.pair, names, notes);
    table_of(materials, &given, default.as_ref())
}

fn table_of(
    materials: &[Material],
    given: &BTreeMap<(usize, usize), (Given, Span)>,
    default: Option<&Given>,
) -> PairTable {
    PairTable::new(materials.len().min(usize::from(u16::MAX)) as u16, |a, b| {
        let entry = given.get(&(usize::from(a.0), usize::from(b.0)));
        merge(entry.map(|(given, _)| given), default).complete()
    })
}

fn merge(entry: Option<&Given>, default: Option<&Given>) -> Given {
    let nothing = Given::default();
    entry.unwrap_or(&nothing).or(default.unwrap_or(&nothing))
}

/// Pairs that the [[pair]] tables give, by the places of their materials, lower first.
fn read_pairs(
    tables: &[file::PairTable],
    names: &Names,
    notes: &mut Notes,
) -> BTreeMap<(usize, usize), (Given, Span)> {
    let mut pairs: BTreeMap<(usize, usize), (Given, Span)> = BTreeMap::new();
    for table in tables {
        let given = given_pair(table, notes);
        let [first, second] = table.materials.as_slice() else {
            let span = table.materials.get(2).map_or(&table.span, |third| &third.span);
            let message = format!("`materials` of a pair must name two, not {}", table.materials.len());
            let help =
                "write for instance `materials = [\"glass\", \"steel\"]`; a material against itself twice";
            notes.error_with_help(span.clone(), message, "two materials", help);
            continue;
        };
        let places = (names.find(first, notes), names.find(second, notes));
        let (Some(first_place), Some(second_place)) = places else { continue };
        let key = (first_place.min(second_place), first_place.max(second_place));
        if let Some((_, earlier)) = pairs.get(&key) {
            let message = format!("the pair of `{}` and `{}` is given twice", first.value, second.value);
            let label = format!("first given on line {}", notes.line(earlier));
            notes.error(table.span.clone(), message, label);
        }
        pairs.insert(key, (given, table.span.clone()));
    }
    pairs
}

fn given_pair(table: &file::PairTable, notes: &mut Notes) -> Given {
    given(
        [&table.restitution, &table.friction, &table.rolling_friction, &table.tangential_ratio],
        &table.normal_stiffness,
        notes,
    )
}

fn given_default(table: &PairDefaultTable, notes: &mut Notes) -> Given {
    given(
        [&table.restitution, &table.friction, &table.rolling_friction, &table.tangential_ratio],
        &table.normal_stiffness,
        notes,
    )
}

fn given(
    [restitution, friction, rolling_friction, tangential_ratio]: [&Option<Quantity<Number>>; 4],
    normal_stiffness: &Option<Quantity<Stiffness>>,
    notes: &mut Notes,
) -> Given {
    Given {
        restitution: restitution.as_ref().map(|value| check_restitution(value, notes)),
        friction: friction.as_ref().map(|value| check::not_negative("friction", value, notes)),
        rolling_friction: rolling_friction
            .as_ref()
            .map(|value| check::not_negative("rolling_friction", value, notes)),
        normal_stiffness: normal_stiffness
            .as_ref()
            .map(|value| check::positive("normal_stiffness", value, notes)),
        tangential_ratio: tangential_ratio
            .as_ref()
            .map(|value| check::positive("tangential_ratio", value, notes)),
    }
}

fn check_restitution(value: &Quantity<Number>, notes: &mut Notes) -> f64 {
    if !(LEAST_RESTITUTION..=1.0).contains(&value.value) {
        let message = format!("`restitution` must be between {LEAST_RESTITUTION} and 1, not {}", value.value);
        let help = "a perfectly plastic impact would need an infinite dashpot; \
                    0.01 already takes 99.99 % of the energy, 1 takes none";
        notes.error_with_help(value.span.clone(), message, "out of range", help);
    }
    value.value
}

/// Pairs of materials that bodies and walls can bring together, lower first.
fn touching(population: &Population, walls: &[Wall]) -> Vec<(usize, usize)> {
    let mut pairs = std::collections::BTreeSet::new();
    for (&a, &count) in &population.spheres_of_material {
        for &b in population.spheres_of_material.keys() {
            if a != b || count > 1 {
                pairs.insert((a.min(b), a.max(b)));
            }
        }
        for MaterialId(b) in walls.iter().flat_map(Wall::materials) {
            let b = usize::from(b);
            pairs.insert((a.min(b), a.max(b)));
        }
    }
    pairs.into_iter().collect()
}

fn check_rigid(file: &SceneFile, materials: &[Material], a: usize, b: usize, notes: &mut Notes) {
    if materials[a].is_rigid() && materials[b].is_rigid() {
        let (first, second) = (&materials[a].name, &materials[b].name);
        let message = format!("`{first}` and `{second}` can touch, but neither of them gives");
        let help = "spheres need a finite `young_modulus`; only a wall's material may be rigid";
        let table = &file.material[a];
        let span = table.young_modulus.as_ref().map_or(&table.span, |modulus| &modulus.span);
        notes.error_with_help(span.clone(), message, "rigid", help);
    }
}

fn report_undescribed(names: &Names, a: usize, b: usize, notes: &mut Notes) {
    let (first, second) = (names.name(a), names.name(b));
    let message = format!("no contact properties for `{first}` and `{second}`, which can touch");
    let help = format!(
        "add a [[pair]] with `materials = [\"{first}\", \"{second}\"]`, `restitution` and `friction`, \
         or a [pair_default]"
    );
    let other = if a == b { "itself".to_owned() } else { format!("`{first}`") };
    notes.error_with_help(names.span(b).clone(), message, format!("can touch {other}"), help);
}

fn check_complete(whole: &Given, laws: LawChoice, pair: (&str, &str), span: &Span, notes: &mut Notes) {
    let mut missing = |key: &str, why: &str| {
        let message = format!("the pair of `{}` and `{}` has no `{key}`", pair.0, pair.1);
        notes.error_with_help(span.clone(), message, format!("needs `{key}`"), why);
    };
    if whole.restitution.is_none() {
        missing("restitution", "give it here or in [pair_default]");
    }
    if laws.normal == NormalKind::Linear && whole.normal_stiffness.is_none() {
        missing("normal_stiffness", "the linear law needs it: give it here or in [pair_default]");
    }
}

fn warn_unused_stiffness(file: &SceneFile, notes: &mut Notes) {
    let pairs = file.pair.iter().filter_map(|pair| pair.normal_stiffness.as_ref());
    let default = file.pair_default.as_ref().and_then(|pair| pair.normal_stiffness.as_ref());
    for stiffness in pairs.chain(default) {
        let message = "`normal_stiffness` is not used by the Hertz law";
        let help = "leave it out, or choose `normal = \"linear\"` in [law]";
        notes.warn(stiffness.span.clone(), message, "unused", help);
    }
}
