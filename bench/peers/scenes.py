"""The scenes that codes are compared in."""

import json
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Bounds:
    """How far other codes may be from breccia after the last step; parts of its value unless told otherwise."""

    contacts: float
    overlap: float
    # In motion: part of breccia's. At rest: most [J], since what is left of motion is no more than noise.
    kinetic: float
    at_rest: bool
    # Force on the mesh: part of the weight. Torque about its axis: part of breccia's.
    force: float = 0.05
    torque: float = 0.1


@dataclass(frozen=True)
class Scene:
    """A scene; steps before the clock are those of the other codes, which begin without memories of friction."""

    name: str
    # Arguments of `breccia bench`, and those of its quick form.
    bench: tuple
    quick_bench: tuple
    relax: int
    steps: int
    bounds: Bounds
    # Laws of rolling that breccia runs with.
    laws: tuple = ("c", "none")
    # Thickness of the skin of LAMMPS and LIGGGHTS [m].
    skin: float = 0.0007
    rounds_less: int = 0
    folder: Path = None

    def at(self, folder, quick):
        scene = replace(self, folder=folder)
        if quick:
            scene = replace(scene, bench=self.quick_bench, relax=20, steps=40)
        return scene

    @property
    def numbers(self):
        """What breccia tells of the scene: step, gravity, sides, bonds."""
        return json.loads((self.folder / "scene.json").read_text())

    @property
    def count(self):
        return self.numbers["spheres"]


AT_REST = Bounds(contacts=0.05, overlap=0.05, kinetic=1e-3, at_rest=True)
# Motion is chaotic: LIGGGHTS on two cores is up to 4 % from itself on one.
MOVING = Bounds(contacts=0.05, overlap=0.1, kinetic=0.1, at_rest=False)

# Where spheres move, relax is as many steps as breccia makes before its clock starts, so that all codes are measured over
# the same stretch of time.
SCENES = {
    scene.name: scene
    for scene in [
        Scene("bed", ("bed",), ("bed", "--n", "2000"), 500, 2000, AT_REST),
        Scene("drum", ("drum",), ("drum", "--n", "2000"), 100, 2000, MOVING),
        Scene("large", ("bed", "--n", "1080000"), ("bed", "--n", "2500"), 40, 80,
              replace(AT_REST, kinetic=3.6e-2), rounds_less=1),
        Scene("flow", ("flow",), ("flow", "--n", "2000"), 100, 2000, MOVING),
        Scene("clusters", ("cubes",), ("cubes", "--n", "540"), 200, 1000, AT_REST, laws=("none",)),
    ]
}
