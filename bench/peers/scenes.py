"""The scenes that codes are compared in."""

import json
from dataclasses import dataclass, replace
from pathlib import Path


# Rolling law c, with losses followed.
FOLLOWED = "c, losses followed"


@dataclass(frozen=True)
class Bounds:
    """How far other codes may be from breccia after the last step; parts of its value unless told otherwise."""

    contacts: float
    overlap: float
    kinetic: float
    # Kinetic energy [J] below which all counts as rest: what is left of motion then is no more than noise.
    rest: float
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
    # Laws of rolling that breccia runs with: without following what contacts lose, as the others, and with the costliest law also with it.
    laws: tuple = ("c", "a-limited", "none", FOLLOWED)
    # Thickness of the skin of LAMMPS and LIGGGHTS [m].
    skin: float = 0.0007
    rounds_less: int = 0
    folder: Path = None

    def at(self, folder, quick):
        scene = replace(self, folder=folder)
        if quick:
            scene = replace(scene, bench=self.quick_bench, steps=40)
        return scene

    @property
    def numbers(self):
        """What breccia tells of the scene: step, gravity, sides, bonds."""
        return json.loads((self.folder / "scene.json").read_text())

    @property
    def count(self):
        return self.numbers["spheres"]


AT_REST = Bounds(contacts=0.05, overlap=0.05, kinetic=0, rest=1e-3)
# Motion is chaotic: LIGGGHTS on two cores is up to 4 % from itself on one. In the flow spheres touch briefly, and how long
# depends on how a code ends contacts: the two styles of LAMMPS are 8 % apart.
MOVING = Bounds(contacts=0.05, overlap=0.1, kinetic=0.1, rest=0)
FLOWING = replace(MOVING, contacts=0.1)
# Bonds of LAMMPS begin without the stress they had; cubes rock on after that.
ROCKING = Bounds(contacts=0.1, overlap=0.1, kinetic=0.2, rest=1e-3)

# Where spheres move, relax is as many steps as breccia makes before its clock starts, so that all codes are measured over
# the same stretch of time. Skins are the best found for LAMMPS (flow) and LIGGGHTS (drum), a tenth of a diameter at
# rest.
SCENES = {
    scene.name: scene
    for scene in [
        Scene("bed", ("bed",), ("bed", "--n", "2000"), 500, 2000, AT_REST),
        Scene("drum", ("drum",), ("drum", "--n", "2000"), 100, 2000, MOVING, skin=0.0014),
        Scene("large", ("bed", "--n", "1080000"), ("bed", "--n", "2500"), 40, 80,
              replace(AT_REST, rest=3.6e-2), rounds_less=1),
        Scene("flow", ("flow",), ("flow", "--n", "2000"), 100, 2000, FLOWING, skin=0.0035),
        Scene("clusters", ("cubes",), ("cubes", "--n", "540"), 800, 1000, ROCKING, laws=("none",)),
    ]
}
