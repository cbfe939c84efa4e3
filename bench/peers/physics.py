"""What shows that two codes computed the same thing."""

import csv
import math
import statistics

DENSITY = 1000.0
# Spheres whose contacts are counted, at most: a million take too long here.
SAMPLED = 30000


def read_spheres(path):
    """x y z radius vx vy vz wx wy wz of every sphere, as breccia and YADE write them."""
    with open(path) as file:
        return [[float(value) for value in row] for row in list(csv.reader(file))[1:]]


def read_bonds(path):
    """Pairs of bonded spheres by their rows, none where there is no such file."""
    if not path.exists():
        return []
    with open(path) as file:
        return [tuple(int(value) for value in row) for row in list(csv.reader(file))[1:]]


def read_dump(path):
    """The same columns from the last state in a dump of LAMMPS or LIGGGHTS, in the order of their numbers."""
    rows = []
    with open(path) as file:
        for line in file:
            if line.startswith("ITEM: ATOMS"):
                rows = []
                for row in file:
                    if row.startswith("ITEM"):
                        break
                    rows.append(row)
    rows = [[float(word) for word in row.split()] for row in rows]
    rows.sort(key=lambda row: row[0])
    return [row[1:] for row in rows]


def measures(spheres, bonds):
    """Contacts per sphere and their mean overlap over the mean radius, bonded pairs left out, and kinetic energy [J]."""
    radius = statistics.fmean(row[3] for row in spheres)
    bonded = {pair for a, b in bonds for pair in ((a, b), (b, a))}
    sample = range(0, len(spheres), math.ceil(len(spheres) / SAMPLED))
    overlaps = contacts_of(spheres, sample, bonded)
    return {
        "contacts": len(overlaps) / len(sample),
        "overlap": statistics.fmean(overlaps) / radius if overlaps else 0.0,
        "kinetic": kinetic(spheres),
    }


def contacts_of(spheres, sample, bonded):
    """Overlaps of the contacts of some spheres with all others, by a grid of cells."""
    size = 2 * max(row[3] for row in spheres)
    cells = {}
    for number, row in enumerate(spheres):
        cells.setdefault((int(row[0] // size), int(row[1] // size), int(row[2] // size)), []).append(number)
    overlaps = []
    for a in sample:
        px, py, pz, radius = spheres[a][:4]
        x, y, z = int(px // size), int(py // size), int(pz // size)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for k in (-1, 0, 1):
                    for b in cells.get((x + i, y + j, z + k), ()):
                        other = spheres[b]
                        reach = radius + other[3]
                        square = (px - other[0]) ** 2 + (py - other[1]) ** 2 + (pz - other[2]) ** 2
                        if square < reach * reach and b != a and (a, b) not in bonded:
                            overlaps.append(reach - math.sqrt(square))
    return overlaps


def kinetic(spheres):
    total = 0.0
    for row in spheres:
        mass = DENSITY * 4 / 3 * math.pi * row[3] ** 3
        total += 0.5 * mass * (sum(v * v for v in row[4:7]) + 0.4 * row[3] ** 2 * sum(w * w for w in row[7:10]))
    return total


def differences(scene, found, own):
    """What is farther from breccia's value than the bounds of the scene allow."""
    bounds = scene.bounds
    checks = {
        "contacts": abs(found["contacts"] / own["contacts"] - 1) <= bounds.contacts,
        "overlap": abs(found["overlap"] / own["overlap"] - 1) <= bounds.overlap,
        "kinetic energy": max(found["kinetic"], own["kinetic"]) <= bounds.rest
        or abs(found["kinetic"] - own["kinetic"]) <= bounds.kinetic * own["kinetic"],
    }
    return [name for name, agrees in checks.items() if not agrees]


def load_differences(scene, found, own):
    """The same for the load on the mesh."""
    bounds = scene.bounds
    checks = {
        "force": math.dist(found["force"], own["force"]) <= bounds.force * own["weight"],
        "torque": abs(found["torque"] - own["torque"]) <= bounds.torque * abs(own["torque"]),
    }
    return [name for name, agrees in checks.items() if not agrees]
