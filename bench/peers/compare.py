#!/usr/bin/env python3
"""Runs breccia and the other codes that are installed in turns on the same state and prints ratios of speed.

    bench/peers/install.sh                        once, on Debian or Ubuntu, as root
    cargo build --release
    python3 bench/peers/compare.py --prepare      makes the states that all start from (minutes, once)
    python3 bench/peers/compare.py                all scenes, one core and two: about a quarter of an hour
    python3 bench/peers/compare.py bed flow       some of them

A ratio is that of the medians of one call. Next to the speeds stands what shows that all computed the same thing:
contacts per sphere, kinetic energy and mean overlap after the last step, from the positions that each code wrote, and in
the drum the mean force and torque on the mesh. Results go to out/peers/results.json as well.
"""

import argparse
import json
import os
import statistics
import sys
from pathlib import Path

# Nothing is left behind beside the decks.
sys.dont_write_bytecode = True

import codes
import physics
from scenes import SCENES

HERE = Path(__file__).resolve().parent


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    report = {"machine": processor(), "cores": os.cpu_count(), "load_at_start": os.getloadavg()[0], "tables": []}
    print(f"machine: {report['machine']}, {report['cores']} cores, load {report['load_at_start']:.1f} at the start")
    for name in options.scenes:
        scene = SCENES[name].at(options.work / name, options.quick)
        codes.prepare(scene, options)
        if options.prepare:
            continue
        for missing in codes.missing(scene, options):
            print(f"note: {name}: {missing}; bench/peers/install.sh", flush=True)
        for cores in options.cores:
            report["tables"].append(compare(scene, cores, options))
            save(report, options.work / "results.json")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"{', '.join(SCENES)} [default: all]")
    parser.add_argument("--breccia", type=Path, default=HERE.parents[1] / "target/release/breccia")
    parser.add_argument("--cores", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=2, help="turns of each code; the large bed has one less")
    parser.add_argument("--peers", nargs="+", metavar="CODE", default=codes.FAMILIES,
                        help=f"{', '.join(codes.FAMILIES)}, or none [default: all that are installed]")
    parser.add_argument("--prepare", action="store_true", help="only make the states")
    parser.add_argument("--quick", action="store_true", help="few spheres and steps, to see that it works")
    parser.add_argument("--work", type=Path, default=Path("out/peers"))
    options = parser.parse_args()
    options.breccia = options.breccia.resolve()
    unknown = [name for name in options.scenes if name not in SCENES]
    unknown += [name for name in options.peers if name not in [*codes.FAMILIES, "none"]]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    options.scenes = options.scenes or list(SCENES)
    if not options.breccia.exists():
        sys.exit(f"error: {options.breccia} is not there\nhelp: cargo build --release, or --breccia PATH")
    return options


def compare(scene, cores, options):
    """All codes in turns on so many cores; a table of medians, printed and given back."""
    rounds = max(1, options.rounds - scene.rounds_less)
    runners = codes.available(scene, options)
    runs = {runner.name: [] for runner in runners}
    for turn in range(rounds):
        for runner in runners:
            if turn == 0 or not runner.once:
                runs[runner.name].append(runner.run(scene, cores))
    medians = {name: statistics.median(run.rate for run in rows) for name, rows in runs.items()}
    table = {"scene": scene.name, "spheres": scene.count, "steps": scene.steps, "cores": cores, "rows": []}
    for runner in runners:
        last = runs[runner.name][-1]
        row = {"code": runner.name, "version": last.version, "rates": [run.rate for run in runs[runner.name]],
               "median": medians[runner.name], "steps": last.steps, "rebuilds": last.rebuilds,
               "cpu_percent": last.cpu_percent, **last.physics()}
        if not runner.is_own:
            own = codes.reference(scene, cores, last, runs, options)
            row["breccia_is_faster"] = {name: medians[name] / medians[runner.name]
                                        for name in medians if name.startswith("breccia")}
            row["differs"] = physics.differences(scene, row, own)
        table["rows"].append(row)
    table["loads"] = codes.mesh_loads(scene, cores, runs, options) if cores == max(options.cores) else []
    show(table)
    return table


def show(table):
    plural = "s" if table["cores"] > 1 else ""
    print(f"\n{table['scene']}, {table['spheres']} spheres, {table['steps']} steps, {table['cores']} core{plural}")
    print(f"{'code':34} {'steps/s x spheres':>20} {'breccia is faster':>20} {'contacts':>9} {'kinetic [J]':>12} "
          f"{'overlap [r]':>12}")
    for row in table["rows"]:
        rates = " ".join(f"{rate:.2e}" for rate in row["rates"])
        ratios = ", ".join(f"{ratio:.2f}" for ratio in row.get("breccia_is_faster", {}).values())
        verdict = "" if "differs" not in row else "DIFFERS: " + ", ".join(row["differs"]) if row["differs"] else "agrees"
        print(f"{row['code']:34} {rates:>20} {ratios:>20} {row['contacts']:9.3f} {row['kinetic']:12.3e} "
              f"{row['overlap']:12.3e}  {verdict}")
    own = [row["code"].removeprefix("breccia, ") for row in table["rows"] if row["code"].startswith("breccia")]
    print(f"faster: breccia with {', '.join(own)}")
    for load in table["loads"]:
        force = ", ".join(f"{value:.3f}" for value in load["force"])
        print(f"mean load on the mesh, {load['code']}: force ({force}) N, torque about the axis {load['torque']:.4f} N m"
              f"  {load['verdict']}")
    sys.stdout.flush()


def save(report, path):
    path.write_text(json.dumps(report, indent=1) + "\n")


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


if __name__ == "__main__":
    main()
