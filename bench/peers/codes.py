"""How each code is found, fed and run."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import physics
from scenes import FOLLOWED

HERE = Path(__file__).resolve().parent
FAMILIES = ["lammps", "liggghts", "yade"]
# Steps of YADE, which is slower by an order of magnitude.
YADE_STEPS = 200


@dataclass
class Run:
    """What one run gave: spheres times steps per second, and how to come by its physics."""

    rate: float
    steps: int
    physics: object
    version: str = ""
    rebuilds: int = None
    cpu_percent: float = None
    load: dict = None


@dataclass
class Runner:
    """A code with its settings; once: in the first round alone."""

    name: str
    run: object
    once: bool = False
    is_own: bool = False


def prepare(scene, options):
    """The state that all start from, in the files that each reads; that of breccia's other laws is only settled."""
    scene.folder.mkdir(parents=True, exist_ok=True)
    call([options.breccia, "bench", *scene.bench, "--export", scene.folder, "--rolling", "none"])
    for law in scene.laws:
        if law not in ("none", FOLLOWED):
            breccia(scene, options.cores[-1], law, options, 1)
    write_data(scene, physics.read_bonds(scene.folder / "bonds.csv"))


def available(scene, options):
    """Codes to run, breccia first."""
    own = {"c": "breccia, rolling c", "a-limited": "breccia, rolling a-limited", "none": "breccia, no rolling",
           FOLLOWED: f"breccia, rolling {FOLLOWED}"}
    runners = [Runner(own[law], lambda scene, cores, law=law: breccia(scene, cores, law, options), is_own=True)
               for law in scene.laws]
    if "lammps" in options.peers:
        runners += lammps_runners(scene)
    if "liggghts" in options.peers and shutil.which("liggghts") and scene.name in ("bed", "drum", "flow"):
        deck = "drum.liggghts" if scene.name == "drum" else "bed.liggghts"
        runners.append(Runner("LIGGGHTS", lambda scene, cores: md("liggghts", deck, {}, scene, cores)))
    if "yade" in options.peers and shutil.which("yade") and scene.name in ("bed", "drum"):
        runners.append(Runner("YADE", yade, once=True))
    return runners


def lammps_runners(scene):
    program, styles = lammps(), ["gran/hertz/history", "granular"]
    if scene.name == "clusters":
        program = bonding_lammps()
        run = lambda scene, cores: md(program, "clusters.lammps", bond_values(scene), scene, cores)
        return [Runner("LAMMPS bpm/rotational", run)] if program else []
    if not program or scene.name == "drum":
        return []
    if scene.name == "large":
        styles = styles[:1]
    return [Runner(f"LAMMPS {style}",
                   lambda scene, cores, style=style: md(program, "bed.lammps", {"style": style}, scene, cores))
            for style in styles]


def missing(scene, options):
    """Codes that could be compared in a scene and are not installed, in words."""
    lines = []
    if "lammps" in options.peers and scene.name == "clusters" and not bonding_lammps():
        lines.append("no LAMMPS with the package BPM is installed")
    if "lammps" in options.peers and scene.name in ("bed", "large", "flow") and not lammps():
        lines.append("LAMMPS is not installed")
    if "liggghts" in options.peers and scene.name in ("bed", "drum", "flow") and not shutil.which("liggghts"):
        lines.append("LIGGGHTS is not installed")
    if "yade" in options.peers and scene.name in ("bed", "drum") and not shutil.which("yade"):
        lines.append("YADE is not installed")
    return lines


def lammps():
    return shutil.which("lmp") or shutil.which("lammps")


@cache
def bonding_lammps():
    """A LAMMPS with bonded particles: the packaged one is too old on Debian 12, that of install.sh is not."""
    own = HERE.parents[1] / "out/peers/lammps/bin/lmp"
    for program in filter(None, [lammps(), str(own) if own.exists() else None]):
        if re.search(r"\bBPM\b", call([program, "-h"])):
            return program
    return None


def breccia(scene, cores, law, options, steps=None):
    steps = steps or scene.steps
    laws = ["--rolling", "c"] if law == FOLLOWED else ["--rolling", law, "--no-losses"]
    report = json.loads(call([options.breccia, "bench", *scene.bench, "--json", "-t", cores, "--steps", steps,
                              *laws]))
    row = report["rows"][0]
    found = row["physics"]
    values = {"contacts": found["pair_coordination"], "kinetic": found["kinetic_energy"],
              "overlap": found["mean_overlap_over_radius"]}
    load = {"force": found["mean_wall_force"], "torque": found["mean_wall_torque"][1], "weight": found["weight"]}
    share = row["processor_share"]
    return Run(row["particle_steps_per_s"], steps, lambda: values, rebuilds=row["rebuilds"], load=load,
               cpu_percent=None if share is None else 100 * share)


def reference(scene, cores, run, runs, options):
    """Physics of breccia without rolling after as many steps as a run had."""
    own = runs["breccia, no rolling"][0]
    if run.steps != own.steps:
        own = breccia(scene, cores, "none", options, run.steps)
    return own.physics()


def mesh_loads(scene, cores, runs, options):
    """Mean load on the mesh of the drum while the clock ran: LIGGGHTS reckons it in a run of its own, off the clock."""
    if scene.name != "drum":
        return []
    own = runs["breccia, no rolling"][0].load
    rows = [{"code": "breccia, no rolling", **own, "verdict": ""}]
    if "LIGGGHTS" in runs:
        loads = md("liggghts", "drum.liggghts", {"loads": 1}, scene, cores).load
        rows.append({"code": "LIGGGHTS", **judged(scene, loads, own)})
    for run in runs.get("YADE", []):
        short = breccia(scene, cores, "none", options, run.steps).load
        rows.append({"code": f"YADE, {run.steps} steps", **judged(scene, run.load, short)})
    return rows


def judged(scene, load, own):
    differs = physics.load_differences(scene, load, own)
    return {**load, "verdict": "DIFFERS: " + ", ".join(differs) if differs else "agrees"}


def bond_values(scene):
    """Coefficients of bonds as LAMMPS takes them: a rolling torque there is half its coefficient times the length."""
    bond = scene.numbers["bond"]
    return {
        "kr": bond["stretching"], "ks": bond["shear"], "kt": bond["twist"], "kb": bond["bending"],
        "gn": bond["stretching_damping"], "gs": bond["shear_damping"],
        "gr": 2 * bond["bending_damping"] / bond["length"], "gt": 2 * bond["twist_damping"],
    }


def md(program, deck, extra, scene, cores):
    """LAMMPS or LIGGGHTS on so many cores."""
    numbers = scene.numbers
    slug = re.sub(r"\W+", "-", " ".join([deck, *map(str, extra.values())]))[:60]
    dump = scene.folder / f"{slug}.dump"
    values = {"data": scene.folder / "spheres.data", "stl": scene.folder / "drum.stl", "ranks": cores,
              "length": numbers["sides"][0], "width": numbers["sides"][1], "dt": numbers["step"],
              "gx": numbers["gravity"][0], "gz": numbers["gravity"][2], "skin": scene.skin, "loads": 0,
              "relax": scene.relax, "steps": scene.steps, "dump": dump, **extra}
    command = [*launcher(program, cores), program, "-in", HERE / deck, "-log", scene.folder / f"{slug}.log"]
    for name, value in values.items():
        command += ["-var", name, value if isinstance(value, (str, Path, int)) else f"{value:.12g}"]
    output = call(command)
    timed = list(re.finditer(rf"Loop time of ([0-9.e+-]+) on .*? for {scene.steps} steps", output))
    if not timed:
        sys.exit(f"error: no time in the output of {program}:\n{output[-2000:]}")
    after = output[timed[-1].end():]
    first = lambda pattern: (re.findall(pattern, after) or [None])[0]
    rebuilds, use = first(r"Neighbor list builds = (\d+)"), first(r"([0-9.]+)% CPU use")
    bonds = physics.read_bonds(scene.folder / "bonds.csv")
    return Run(scene.count * scene.steps / float(timed[-1][1]), scene.steps,
               lambda: physics.measures(physics.read_dump(dump), bonds), version=output.split("\n", 1)[0],
               rebuilds=rebuilds and int(rebuilds), cpu_percent=use and float(use), load=printed_load(output))


def launcher(program, cores):
    """The mpirun that belongs to a program: one from a Python package has its own beside it."""
    beside = Path(program).parent / "mpirun"
    if Path(program).is_absolute() and beside.exists() and not str(beside).startswith("/usr/bin"):
        return [beside, "-np", cores]
    return ["mpirun", "--allow-run-as-root", "-np", cores]


def printed_load(output):
    """Mean force and torque on the mesh from the last table that LIGGGHTS printed, if it printed any."""
    tables = re.findall(r"(?m)^\s*Step.*drum\[1\].*\n((?:\s*\d+ .*\n)+)", output)
    # The longest is that of the steps timed; its first row belongs to the steps before.
    rows = max((table.splitlines()[1:] for table in tables), key=len, default=[])
    rows = [[float(word) for word in row.split()] for row in rows]
    if not rows:
        return None
    means = [sum(column) / len(rows) for column in zip(*rows)]
    return {"force": means[-6:-3], "torque": means[-2]}


def yade(scene, cores):
    """YADE with so many threads, for fewer steps."""
    steps = min(YADE_STEPS, scene.steps)
    result = scene.folder / "yade.json"
    job = {"folder": str(scene.folder), "scene": scene.name, "relax": min(100, scene.relax), "steps": steps,
           "out": str(result), **scene.numbers}
    result.unlink(missing_ok=True)
    call(["yade", f"-j{cores}", "-n", "-x", HERE / "scene.yade.py"], {"YADE_JOB": json.dumps(job)})
    found = json.loads(result.read_text())
    return Run(scene.count * steps / found["seconds"], steps,
               lambda: physics.measures(physics.read_spheres(scene.folder / "yade.csv"), []),
               version=found["version"], rebuilds=found["rebuilds"], load=found["load"])


def call(command, more={}):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **more})
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def write_data(scene, bonds):
    """A data file for LAMMPS and LIGGGHTS: spheres with their velocities, and bonds."""
    with open(scene.folder / "spheres.csv") as file:
        rows = [line.rstrip().split(",") for line in file][1:]
    low, high = domain(scene, rows)
    with open(scene.folder / "spheres.data", "w") as file:
        file.write(f"spheres\n\n{len(rows)} atoms\n2 atom types\n")
        if bonds:
            file.write(f"{len(bonds)} bonds\n1 bond types\n6 extra bond per atom\n12 extra special per atom\n")
        for axis, name in enumerate("xyz"):
            file.write(f"{low[axis]} {high[axis]} {name}lo {name}hi\n")
        file.write("\nAtoms\n\n")
        molecule = "1 " if bonds else ""
        for number, (x, y, z, radius, *_) in enumerate(rows, 1):
            file.write(f"{number} {molecule}1 {2 * float(radius)} {physics.DENSITY} {x} {y} {z}\n")
        file.write("\nVelocities\n\n")
        for number, row in enumerate(rows, 1):
            file.write(f"{number} {' '.join(row[4:10])}\n")
        if bonds:
            file.write("\nBonds\n\n")
            for number, (a, b) in enumerate(bonds, 1):
                file.write(f"{number} 1 {a + 1} {b + 1}\n")


def domain(scene, rows):
    """Corners of a box around all that spheres may reach."""
    low = [min(float(row[axis]) for row in rows) - 0.05 for axis in range(3)]
    high = [max(float(row[axis]) for row in rows) + 0.05 for axis in range(3)]
    if scene.name == "drum":
        low, high = [-0.16, low[1], -0.16], [0.16, high[1], 0.16]
    if scene.name == "flow":
        high[0], high[2] = scene.numbers["sides"][0] + 0.05, high[2] + 0.2
    return low, high
