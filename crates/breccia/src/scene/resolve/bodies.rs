//! All bodies of a scene: those present at the start and those poured in later.

use super::clusters::Templates;
use super::entries;
use super::start::WallsAtStart;
use super::{MOST_SPHERES, Names, Notes, domain, regions, sizes};
use crate::model::{Domain, Material, MaterialId, Wall};
use crate::scene::cluster::{Assembly, ClusterUse, Orientation};
use crate::scene::error::Span;
use crate::scene::file::{
    BodiesKind, BodiesTable, OrientationChoice, PourTable, RandomTable, SceneFile, SizeTable,
};
use crate::scene::generate::{Amount, RandomFill, Refusal, SphereGrid, fill_region};
use crate::scene::plan::{BodySeed, Inlet, InletAmount, SizeDistribution};
use crate::scene::random::{RandomStream, entry_seed};
use crate::scene::read::{Length, Located, Quantity, RateKind, Text};
use crate::scene::resolve::check;
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::path::Path;

/// What the bodies depend on.
pub(super) struct Context<'a> {
    pub(super) materials: &'a [Material],
    pub(super) material_names: &'a Names,
    pub(super) templates: &'a Templates,
    pub(super) domain: &'a Domain,
    pub(super) walls: &'a [Wall],
    pub(super) wall_names: &'a Names,
    pub(super) folder: &'a Path,
    pub(super) seed: u64,
    pub(super) duration: f64,
    pub(super) overlap_limit: f64,
}

/// The bodies of a scene.
pub(super) struct Population {
    pub(super) placed: Assembly,
    pub(super) inlets: Vec<Inlet>,
    pub(super) names: Names,
    /// Spheres of each material that has any; a material that is poured counts as many.
    pub(super) spheres_of_material: BTreeMap<usize, u64>,
}

impl Population {
    /// Smallest and largest radius of the spheres at the start and of those poured [m]; (0, ∞) without any.
    pub(super) fn radii(&self) -> (f64, f64) {
        let present = self.placed.bodies.iter().map(|body| (body.radius, body.radius));
        let poured = self.inlets.iter().map(Inlet::radii);
        let all = present.chain(poured).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        all.unwrap_or((0.0, f64::INFINITY))
    }
}

/// A `[[bodies]]` entry with what all kinds have in common resolved.
pub(super) struct Entry<'a> {
    pub(super) table: &'a BodiesTable,
    pub(super) group: u16,
    pub(super) material: MaterialId,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
    pub(super) seed: u64,
    /// Clusters in the place of spheres.
    pub(super) cluster: Option<ClusterUse>,
}

impl Entry<'_> {
    /// Sizes of the spheres, or of the balls around the clusters, of a group.
    pub(super) fn sizes(
        &self,
        radius: Option<&Quantity<Length>>,
        size: Option<&SizeTable>,
        notes: &mut Notes,
    ) -> SizeDistribution {
        let Some(used) = &self.cluster else {
            return sizes::resolve(radius, size, &self.table.span, notes);
        };
        if radius.is_some() || size.is_some() {
            let span = radius.map_or(&self.table.span, |radius| &radius.span);
            let message = "give `template` or a size of spheres, not both";
            let help = "leave `radius` and `size` out: the template has its own";
            notes.error_with_help(span.clone(), message, "and `template`", help);
        }
        SizeDistribution::Single(used.cluster.radius)
    }

    /// Random stream for what clusters draw besides their places.
    pub(super) fn cluster_stream(&self) -> RandomStream {
        RandomStream::new(entry_seed(self.seed, 1))
    }

    /// A sphere of the group with the group's velocity and spin.
    pub(super) fn sphere(&self, position: DVec3, radius: f64) -> BodySeed {
        BodySeed {
            position,
            radius,
            velocity: self.velocity,
            spin: self.spin,
            material: self.material,
            group: self.group,
        }
    }
}

/// Enough spheres to touch each other.
const MANY: u64 = 2;

/// A random group waiting until all others are in place.
struct Waiting<'a> {
    entry: Entry<'a>,
    table: &'a RandomTable,
    sizes: SizeDistribution,
    region: crate::scene::Region,
    amount: Amount,
}

pub(super) fn resolve(file: &SceneFile, context: &Context<'_>, notes: &mut Notes) -> Population {
    let mut builder = Builder::new(context);
    check_number_of_groups(file, notes);
    for (index, table) in file.bodies.iter().enumerate().take(usize::from(u16::MAX)) {
        builder.names.add_or_number("bodies", table.name.as_ref(), &table.span, notes);
        builder.add(resolve_entry(table, index, context, notes), notes);
    }
    domain::check_periods(file.domain.as_ref(), context.domain, builder.largest_radius, notes);
    if !notes.has_errors() {
        builder.place_waiting(notes);
    }
    if file.bodies.is_empty() && file.solid.is_empty() {
        let help = "add a [[bodies]] table; `breccia new` writes an example";
        notes.error_with_help(0..0, "the scene has no bodies", "nothing to move", help);
    }
    builder.finish()
}

/// Bodies while their entries are read: given places first, then random ones around them.
struct Builder<'a> {
    context: &'a Context<'a>,
    names: Names,
    spheres_of_material: BTreeMap<usize, u64>,
    groups: Vec<Assembly>,
    inlets: Vec<Inlet>,
    waiting: Vec<Waiting<'a>>,
    largest_radius: f64,
    grid: SphereGrid,
}

impl<'a> Builder<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        Self {
            context,
            names: Names::new("group of bodies"),
            spheres_of_material: BTreeMap::new(),
            groups: Vec::new(),
            inlets: Vec::new(),
            waiting: Vec::new(),
            largest_radius: 0.0,
            grid: SphereGrid::new(context.domain),
        }
    }

    fn add(&mut self, entry: Entry<'a>, notes: &mut Notes) {
        let mut placed = Vec::new();
        let kind = &entry.table.kind;
        if let BodiesKind::Random(random) = kind {
            let wait = prepare_random(random, entry, self.context, notes);
            self.count(wait.entry.material, wait.expected_spheres(), wait.sizes.largest_radius());
            self.waiting.push(wait);
            self.groups.push(Assembly::default());
            return;
        }
        match kind {
            BodiesKind::List(list) => placed = entries::list(list, &entry, notes),
            BodiesKind::Csv(csv) => placed = entries::csv(csv, &entry, self.context.folder, notes),
            BodiesKind::Lattice(lattice) => placed = entries::lattice(lattice, &entry, self.context, notes),
            // Waits until all others are in place.
            BodiesKind::Random(_) => {}
            BodiesKind::Pour(pour) => {
                let inlet = resolve_inlet(pour, &entry, self.context, notes);
                self.count(inlet.material, MANY, inlet.sizes.largest_radius());
                self.inlets.push(inlet);
            }
        }
        for sphere in &placed {
            let spheres = if entry.cluster.is_some() { MANY } else { 1 };
            self.count(sphere.body.material, spheres, sphere.body.radius);
        }
        let clusters = entry.cluster.as_ref().map(|used| (used, entry.cluster_stream()));
        self.groups.push(entries::settle_in(placed, clusters, self.context, &mut self.grid, notes));
    }

    fn count(&mut self, material: MaterialId, spheres: u64, radius: f64) {
        *self.spheres_of_material.entry(usize::from(material.0)).or_insert(0) += spheres;
        self.largest_radius = self.largest_radius.max(radius);
    }

    fn place_waiting(&mut self, notes: &mut Notes) {
        for wait in &self.waiting {
            let placed = place_random(wait, self.context, &mut self.grid, notes);
            self.groups[usize::from(wait.entry.group)] = placed;
        }
    }

    fn finish(self) -> Population {
        let mut placed = Assembly::default();
        self.groups.into_iter().for_each(|group| placed.append(group));
        Population {
            placed,
            inlets: self.inlets,
            names: self.names,
            spheres_of_material: self.spheres_of_material,
        }
    }
}

fn check_number_of_groups(file: &SceneFile, notes: &mut Notes) {
    let most = usize::from(u16::MAX);
    if let Some(extra) = file.bodies.get(most) {
        notes.error(
            extra.span.clone(),
            format!("at most {most} [[bodies]] tables are possible"),
            "one too many",
        );
    }
}

/// Template and orientation that a group asks for.
pub(super) fn template_of(kind: &BodiesKind) -> (Option<&Text>, Option<&Located<OrientationChoice>>) {
    let (template, orientation) = match kind {
        BodiesKind::List(list) => (&list.template, &list.orientation),
        BodiesKind::Lattice(lattice) => (&lattice.template, &lattice.orientation),
        BodiesKind::Random(random) => (&random.template, &random.orientation),
        BodiesKind::Pour(pour) => (&pour.template, &pour.orientation),
        BodiesKind::Csv(csv) => (&csv.template, &csv.orientation),
    };
    (template.as_ref(), orientation.as_ref())
}

fn resolve_entry<'a>(
    table: &'a BodiesTable,
    index: usize,
    context: &Context<'_>,
    notes: &mut Notes,
) -> Entry<'a> {
    let material = context.material_names.find(&table.material, notes).unwrap_or(0);
    let (template, orientation) = template_of(&table.kind);
    let usual = match table.kind {
        BodiesKind::Random(_) | BodiesKind::Pour(_) => Orientation::Random,
        _ => Orientation::Fixed(DQuat::IDENTITY),
    };
    Entry {
        cluster: context.templates.used_by(template, orientation, usual, notes),
        table,
        group: index as u16,
        material: MaterialId(material as u16),
        velocity: table.velocity.as_ref().map_or(DVec3::ZERO, |velocity| velocity.value),
        spin: table.spin.as_ref().map_or(DVec3::ZERO, |spin| spin.value),
        seed: entry_seed(context.seed, index),
    }
}

impl Waiting<'_> {
    /// Spheres there will be, as far as it matters whether they can touch each other.
    fn expected_spheres(&self) -> u64 {
        match self.amount {
            Amount::Count(count) if self.entry.cluster.is_none() => count,
            Amount::Count(_) | Amount::Volume(_) => MANY,
        }
    }
}

fn prepare_random<'a>(
    table: &'a RandomTable,
    entry: Entry<'a>,
    context: &Context<'_>,
    notes: &mut Notes,
) -> Waiting<'a> {
    let sizes = entry.sizes(table.radius.as_ref(), table.size.as_ref(), notes);
    let region = regions::resolve(&table.region, sizes.largest_radius(), context, notes);
    if let Some(gap) = &table.gap {
        check::not_negative("gap", gap, notes);
    }
    let density =
        context.materials.get(usize::from(entry.material.0)).map_or(1.0, |material| material.density);
    let mut amount = resolve_amount(table, region.volume(), density, &entry.table.span, notes);
    if let (Some(used), Amount::Volume(volume)) = (&entry.cluster, amount)
        && used.cluster.volume > 0.0
    {
        amount = Amount::Count((volume / used.cluster.volume).round() as u64);
    }
    Waiting { entry, table, sizes, region, amount }
}

fn resolve_amount(
    table: &RandomTable,
    region_volume: f64,
    density: f64,
    header: &Span,
    notes: &mut Notes,
) -> Amount {
    match (&table.count, &table.mass, &table.volume_fraction) {
        (Some(count), None, None) => {
            entries::check_count(count.value, &count.span, notes);
            Amount::Count(count.value)
        }
        (None, Some(mass), None) => Amount::Volume(check::positive("mass", mass, notes) / density),
        (None, None, Some(fraction)) => {
            let fraction = check::within("volume_fraction", fraction, 0.0, 1.0, notes);
            Amount::Volume(fraction * region_volume)
        }
        _ => {
            let message = "give exactly one of `count`, `mass` and `volume_fraction`";
            notes.error_with_help(
                header.clone(),
                message,
                "how many spheres?",
                "for instance `count = 1000`",
            );
            Amount::Count(0)
        }
    }
}

fn place_random(
    wait: &Waiting<'_>,
    context: &Context<'_>,
    grid: &mut SphereGrid,
    notes: &mut Notes,
) -> Assembly {
    let walls = WallsAtStart::new(context.walls);
    let fill = RandomFill {
        region: &wait.region,
        sizes: &wait.sizes,
        amount: wait.amount,
        gap: wait.table.gap.as_ref().map_or(0.0, |gap| gap.value),
        most: MOST_SPHERES,
        domain: context.domain,
        is_clear: &|centre, radius| walls.are_clear_of(centre, radius),
    };
    let mut stream = RandomStream::new(wait.entry.seed);
    match fill_region(&fill, &mut stream, grid) {
        Ok(placed) => {
            let seeds = placed.into_iter().map(|(centre, radius)| wait.entry.sphere(centre, radius));
            let Some(used) = &wait.entry.cluster else {
                return Assembly { bodies: seeds.collect(), ..Assembly::default() };
            };
            let (mut all, mut stream) = (Assembly::default(), wait.entry.cluster_stream());
            seeds.for_each(|seed| all.append(used.place(&seed, context.domain, &mut stream)));
            all
        }
        Err(refusal) => {
            let what = if wait.entry.cluster.is_some() { "cluster" } else { "sphere" };
            report_refusal(&refusal, what, &wait.entry.table.span, notes);
            Assembly::default()
        }
    }
}

fn report_refusal(refusal: &Refusal, what: &str, header: &Span, notes: &mut Notes) {
    let (message, help) = match refusal {
        Refusal::Full { placed, wanted, fraction } => (
            format!(
                "the region is too small for {wanted:.0} {what}s ({:.1} % of its volume{}): {placed} fitted",
                100.0 * fraction,
                if what == "cluster" { ", each with the ball around it" } else { "" }
            ),
            "spheres placed at random fill about 35 % of a region at most, less where walls stand in it: ask for fewer, \
             make the region larger, or pour them",
        ),
        Refusal::Nothing => {
            (format!("this amount is less than one {what}"), "ask for more, or for smaller spheres")
        }
        Refusal::TooMany(most) => (format!("this amount is more than {most} {what}s"), "ask for less"),
    };
    notes.error_with_help(header.clone(), message, "cannot be placed", help);
}

fn resolve_inlet(table: &PourTable, entry: &Entry<'_>, context: &Context<'_>, notes: &mut Notes) -> Inlet {
    let sizes = entry.sizes(table.radius.as_ref(), table.size.as_ref(), notes);
    let region = regions::resolve(&table.region, sizes.largest_radius(), context, notes);
    let (start, stop) = check::start_and_stop(table.start.as_ref(), table.stop.as_ref(), notes);
    if let Some(given) = table.start.as_ref().filter(|_| start >= context.duration) {
        let help = format!("the run ends at {} s", context.duration);
        notes.warn(given.span.clone(), "this pouring begins after the end of the run", "too late", help);
    }
    if table.rate.value <= 0.0 {
        notes.error(table.rate.span.clone(), "`rate` must be greater than zero", "not positive");
    }
    if let Some(spin) = &entry.table.spin {
        notes.error(spin.span.clone(), "poured spheres cannot have a `spin`", "not supported");
    }
    if let Some(mass) = &table.max_mass {
        check::positive("max_mass", mass, notes);
    }
    Inlet {
        group: entry.group,
        region,
        sizes,
        cluster: entry.cluster.clone(),
        material: entry.material,
        velocity: entry.velocity,
        rate: match table.rate.kind {
            RateKind::Mass => InletAmount::Mass(table.rate.value),
            RateKind::Count => InletAmount::Count(table.rate.value),
        },
        start,
        stop,
        max_count: table.max_count.as_ref().map(|count| count.value),
        max_mass: table.max_mass.as_ref().map(|mass| mass.value),
        seed: entry.seed,
    }
}
