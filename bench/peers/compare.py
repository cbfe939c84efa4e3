#!/usr/bin/env python3
"""Runs breccia and the other codes that are installed in turns on the same state and prints ratios of speed.

    bench/peers/install.sh                      once, on Debian or Ubuntu, as root
    cargo build --release
    python3 bench/peers/compare.py              bed and drum, one core and two, two rounds

A ratio is that of the medians of one call. Next to the speeds stands what shows that all computed the same thing:
contacts per sphere, kinetic energy and mean overlap after the last step, from the positions that each code wrote.
"""

import argparse
import csv
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DENSITY = 1000.0
# Steps before the clock, steps timed.
RELAX = {"bed": 500, "drum": 200}
STEPS = {"bed": 3000, "drum": 2000}
# How far the other codes may be from breccia: contacts per sphere and mean overlap (relative), kinetic energy
# (relative in the drum; in the bed all are at rest: most [J]). The drum is chaotic: LIGGGHTS on two cores is up to 4 %
# from itself on one.
CONTACTS, MOVING, AT_REST = 0.05, 0.1, 1e-3
OVERLAP = {"bed": 0.05, "drum": 0.1}


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    print(f"machine: {processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    for scene in options.scenes:
        folder = options.work / scene
        run([options.breccia, "bench", scene, "--export", folder, "--rolling", "none"])
        spheres = read_spheres(folder / "spheres.csv")
        write_data(folder / "spheres.data", spheres, scene)
        for cores in options.cores:
            compare(scene, cores, folder, len(spheres), options)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--breccia", type=Path, default=HERE.parents[1] / "target/release/breccia")
    parser.add_argument("--scenes", nargs="+", choices=["bed", "drum"], default=["bed", "drum"])
    parser.add_argument("--cores", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("out/peers"))
    options = parser.parse_args()
    if not options.breccia.exists():
        sys.exit(f"error: {options.breccia} is not there\nhelp: cargo build --release, or --breccia PATH")
    return options


def compare(scene, cores, folder, count, options):
    """All codes in turns, a table of medians."""
    codes = available(scene)
    results = {name: [] for name in codes}
    for _ in range(options.rounds):
        for name, measure in codes.items():
            results[name].append(measure(scene, cores, folder, count, options))
    first = results["breccia, no rolling"][0][1]
    print(f"\n{scene}, {count} spheres, {STEPS[scene]} steps, {cores} core{'s' if cores > 1 else ''}, {options.rounds} rounds")
    print(f"{'code':28} {'steps/s x spheres':>20} {'breccia is faster':>18} {'contacts':>9} {'kinetic [J]':>12} {'overlap [r]':>12}")
    own = {name: statistics.median(rate for rate, _ in rows) for name, rows in results.items()}
    for name, rows in results.items():
        physics = rows[-1][1]
        ratio = "" if name.startswith("breccia") else ", ".join(
            f"{own[mine] / own[name]:.2f}" for mine in own if mine.startswith("breccia"))
        rates = " ".join(f"{rate:.2e}" for rate, _ in rows)
        print(f"{name:28} {rates:>20} {ratio:>18} {physics['contacts']:9.3f} {physics['kinetic']:12.3e} "
              f"{physics['overlap']:12.3e}  {verdict(scene, physics, first)}")
    print("faster: with a rolling law, without" if scene == "bed" else "faster: without a rolling law")


def available(scene):
    """Codes to run, breccia first."""
    codes = {}
    if scene == "bed":
        codes["breccia, rolling c"] = lambda *given: breccia("c", *given)
    codes["breccia, no rolling"] = lambda *given: breccia("none", *given)
    lammps = shutil.which("lmp") or shutil.which("lammps")
    if lammps and scene == "bed":
        codes["LAMMPS gran/hertz/history"] = lambda *given: md(lammps, "bed.lammps", ["-var", "style", "history"], *given)
        codes["LAMMPS granular"] = lambda *given: md(lammps, "bed.lammps", ["-var", "style", "granular"], *given)
    liggghts = shutil.which("liggghts")
    if liggghts:
        codes["LIGGGHTS"] = lambda *given: md(liggghts, f"{scene}.liggghts", [], *given)
    if all(name.startswith("breccia") for name in codes):
        print("note: no other code is installed; see bench/peers/install.sh")
    return codes


def breccia(law, scene, cores, _folder, _count, options):
    command = [options.breccia, "bench", scene, "--json", "-t", cores, "--steps", STEPS[scene],
               "--rolling", law]
    row = json.loads(run(command))["rows"][0]
    physics = row["physics"]
    return row["particle_steps_per_s"], {
        "contacts": physics["pair_coordination"],
        "kinetic": physics["kinetic_energy"],
        "overlap": physics["mean_overlap_over_radius"],
    }


def md(program, deck, extra, scene, cores, folder, count, _options):
    """LAMMPS or LIGGGHTS on so many cores."""
    dump = folder / "end.dump"
    side = 0.2 * math.sqrt(count / 30000)
    command = ["mpirun", "--allow-run-as-root", "-np", cores, program, "-in", HERE / deck, "-log", folder / "log"]
    values = {"data": folder / "spheres.data", "stl": folder / "drum.stl", "px": cores, "side": f"{side:.9f}",
              "relax": RELAX[scene], "steps": STEPS[scene], "dump": dump}
    for name, value in values.items():
        command += ["-var", name, value]
    output = run(command + extra)
    loops = [(float(seconds), int(steps)) for seconds, steps in
             re.findall(r"Loop time of ([0-9.e+-]+) on .*? for (\d+) steps", output)]
    seconds = [seconds for seconds, steps in loops if steps == STEPS[scene]]
    if not seconds:
        sys.exit(f"error: no time in the output of {program}:\n{output[-2000:]}")
    return count * STEPS[scene] / seconds[-1], physics_of(read_dump(dump))


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def read_spheres(path):
    with open(path) as file:
        return [[float(value) for value in row] for row in list(csv.reader(file))[1:]]


def write_data(path, spheres, scene):
    """A data file for LAMMPS and LIGGGHTS: x y z radius vx vy vz wx wy wz per sphere."""
    low = [min(row[axis] for row in spheres) - 0.05 for axis in range(3)]
    high = [max(row[axis] for row in spheres) + 0.05 for axis in range(3)]
    if scene == "drum":
        low, high = [-0.16, low[1], -0.16], [0.16, high[1], 0.16]
    with open(path, "w") as file:
        file.write(f"spheres\n\n{len(spheres)} atoms\n2 atom types\n\n")
        for axis, name in enumerate("xyz"):
            file.write(f"{low[axis]} {high[axis]} {name}lo {name}hi\n")
        file.write("\nAtoms\n\n")
        for number, row in enumerate(spheres, 1):
            file.write(f"{number} 1 {2 * row[3]} {DENSITY} {row[0]} {row[1]} {row[2]}\n")
        file.write("\nVelocities\n\n")
        for number, row in enumerate(spheres, 1):
            file.write(f"{number} " + " ".join(map(str, row[4:10])) + "\n")


def read_dump(path):
    with open(path) as file:
        lines = file.read().splitlines()
    start = max(number for number, line in enumerate(lines) if line.startswith("ITEM: ATOMS")) + 1
    return [[float(word) for word in line.split()[1:]] for line in lines[start:]]


def physics_of(spheres):
    """Contacts per sphere, kinetic energy and mean overlap over the radius, by a grid of cells."""
    size = 2 * max(row[3] for row in spheres)
    cells = {}
    for number, row in enumerate(spheres):
        cells.setdefault(tuple(int(row[axis] // size) for axis in range(3)), []).append(number)
    overlaps = []
    for (x, y, z), members in cells.items():
        around = [other for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)
                  for other in cells.get((x + i, y + j, z + k), ())]
        for a in members:
            here = spheres[a]
            for b in around:
                if b > a:
                    there = spheres[b]
                    reach = here[3] + there[3]
                    gap = reach * reach - sum((here[axis] - there[axis]) ** 2 for axis in range(3))
                    if gap > 0:
                        overlaps.append(reach - math.dist(here[:3], there[:3]))
    radius = statistics.fmean(row[3] for row in spheres)
    kinetic = 0.0
    for row in spheres:
        mass = DENSITY * 4 / 3 * math.pi * row[3] ** 3
        kinetic += 0.5 * mass * (sum(v * v for v in row[4:7]) + 0.4 * row[3] ** 2 * sum(w * w for w in row[7:10]))
    return {"contacts": 2 * len(overlaps) / len(spheres), "kinetic": kinetic,
            "overlap": statistics.fmean(overlaps) / radius if overlaps else 0.0}


def verdict(scene, physics, own):
    near = abs(physics["contacts"] / own["contacts"] - 1) <= CONTACTS
    near &= abs(physics["overlap"] / own["overlap"] - 1) <= OVERLAP[scene]
    if scene == "bed":
        near &= physics["kinetic"] <= AT_REST
    else:
        near &= abs(physics["kinetic"] / own["kinetic"] - 1) <= MOVING
    return "agrees" if near else "DIFFERS"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


if __name__ == "__main__":
    main()
