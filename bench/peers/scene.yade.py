# The bed and the drum for YADE: yade -jN -n -x scene.yade.py, with the job as JSON in YADE_JOB (see codes.py).
import json
import math
import os
import time

from yade import *
from yade import config, utils

job = json.loads(os.environ["YADE_JOB"])
folder, is_drum = job["folder"], job["scene"] == "drum"
FRICTION, WALL_FRICTION, RESTITUTION, SPEED = 0.5, 0.75 if is_drum else 0.5, 0.4, 6.0


def material(friction, label):
    return O.materials.append(
        FrictMat(young=1e7, poisson=0.2, frictionAngle=math.atan(friction), density=1000, label=label))


def add_spheres(grain):
    with open(f"{folder}/spheres.csv") as file:
        for line in file.readlines()[1:]:
            row = [float(word) for word in line.split(",")]
            number = O.bodies.append(utils.sphere(row[0:3], row[3], material=grain))
            O.bodies[number].state.vel = row[4:7]
            O.bodies[number].state.angVel = row[7:10]


def add_box(wall):
    length, width = job["sides"]
    for axis, place in ((0, 0), (0, length), (1, 0), (1, width), (2, 0)):
        O.bodies.append(utils.wall(place, axis=axis, sense=0, material=wall))


def add_drum(wall):
    """Facets of the STL file; gives their numbers."""
    with open(f"{folder}/drum.stl") as file:
        points = [[float(word) for word in line.split()[1:]] for line in file if line.startswith("vertex")]
    triangles = [points[first:first + 3] for first in range(0, len(points), 3)]
    return [O.bodies.append(utils.facet(triangle, material=wall, fixed=True)) for triangle in triangles]


def note_load():
    """Adds up force and torque about the origin on the facets; its time is taken off the clock."""
    global noted, noting
    begin = time.time()
    for number in facets:
        force, arm = O.forces.f(number), O.bodies[number].state.pos
        torque = O.forces.t(number) + arm.cross(force)
        for axis in range(3):
            load[axis] += force[axis]
            load[3 + axis] += torque[axis]
    noted += 1
    noting += time.time() - begin


grain, wall = material(FRICTION, "grain"), material(WALL_FRICTION, "wall")
add_spheres(grain)
count = len(O.bodies)
facets, load, noted, noting = [], [0.0] * 6, 0, 0.0
turning = []
if is_drum:
    facets = add_drum(wall)
    turning = [RotationEngine(ids=facets, rotationAxis=(0, 1, 0), angularVelocity=SPEED, rotateAroundZero=True,
                              zeroPoint=(0, 0, 0)),
               PyRunner(iterPeriod=5, command="note_load()", dead=True, label="notes")]
else:
    add_box(wall)
angles = MatchMaker(matches=((grain, grain, math.atan(FRICTION)), (grain, wall, math.atan(WALL_FRICTION))))
restitution = MatchMaker(algo="val", val=RESTITUTION)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb(), Bo1_Facet_Aabb()], verletDist=-0.1, label="collider"),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=restitution, es=restitution, frictAngle=angles)],
        [Law2_ScGeom_MindlinPhys_Mindlin()]),
    *turning,
    NewtonIntegrator(gravity=job["gravity"], damping=0.0),
]
O.dt = job["step"]
O.run(job["relax"], True)
rebuilds = collider.numAction
if is_drum:
    notes.dead = False
begin = time.time()
O.run(job["steps"], True)
seconds = time.time() - begin - noting
means = [value / noted for value in load] if noted else None
with open(f"{folder}/yade.csv", "w") as file:
    file.write("x,y,z,radius,vx,vy,vz,wx,wy,wz\n")
    for number in range(count):
        body = O.bodies[number]
        row = [*body.state.pos, body.shape.radius, *body.state.vel, *body.state.angVel]
        file.write(",".join(f"{value:.12e}" for value in row) + "\n")
with open(job["out"], "w") as file:
    json.dump({"seconds": seconds, "rebuilds": collider.numAction - rebuilds, "version": f"YADE {config.version}",
               "load": means and {"force": means[:3], "torque": means[4]}}, file)
