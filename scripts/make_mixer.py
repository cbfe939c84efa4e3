#!/usr/bin/env python3
"""Writes the meshes of scenes/mixer: python3 scripts/make_mixer.py [FOLDER]

A horizontal rotary mixer, axis x, lengths in metres: a closed prism as vessel, and a rotor of a shaft, ten arms and
two helical blades. 848 triangles and 1600 planar quadrilaterals; all bodies are closed.

Clearances: blades come so near shell and plates that a sphere (r = 3.5 mm) meets their sides, never an edge from below.
Nothing is drawn in between either: their ends lead when the rotor turns about +x, so that the narrow angle between a
blade and a plate opens backwards. With one helix from plate to plate the other end would drag spheres into it.
"""
import math
import pathlib
import sys

# Vessel: a prism.
RADIUS, HALF_LENGTH, SEGMENTS, STRETCHES = 0.150, 0.185, 40, 30
PLATE_RADII = [0.150, 0.122, 0.094, 0.066, 0.038, 0.012]
# Shaft: it passes through the plates.
SHAFT_RADIUS, SHAFT_HALF_LENGTH, SHAFT_SEGMENTS, SHAFT_STRETCHES = 0.020, 0.195, 16, 3
# Blades: rectangles in the plane through the axis, swept along half a turn of helix from the middle to either end.
BLADES, BLADE_SEGMENTS, BLADE_THICKNESS, BLADE_HALF_LENGTH = 2, 32, 0.008, 0.180
BLADE_RADII = (0.125, 0.149)
# Arms: bars from inside the shaft to inside a blade.
ARM_PLACES = [-0.9, -0.45, 0.0, 0.45, 0.9]
ARM_RADII, ARM_THICKNESS, ARM_WIDTH = (0.012, 0.137), 0.006, 0.010


class Mesh:
    """Polygons that share corners; counter-clockwise seen from where the spheres are."""

    def __init__(self):
        self.vertices, self.known, self.polygons = [], {}, []

    def corner(self, point):
        key = tuple("%.12f" % (value + 0.0) for value in point)
        if key not in self.known:
            self.known[key] = len(self.vertices) + 1
            self.vertices.append(key)
        return self.known[key]

    def polygon(self, *points):
        self.polygons.append([self.corner(point) for point in points])

    def triangles(self, a, b, c, d):
        self.polygon(a, b, c)
        self.polygon(a, c, d)

    def count(self, corners):
        return sum(len(polygon) == corners for polygon in self.polygons)

    def write(self, path, comment):
        lines = ["# %s; lengths in metres, made by scripts/make_mixer.py" % comment]
        lines += ["v " + " ".join(trimmed(value) for value in vertex) for vertex in self.vertices]
        lines += ["f " + " ".join(str(id) for id in polygon) for polygon in self.polygons]
        path.write_text("\n".join(lines) + "\n")


def trimmed(text):
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def around(x, radius, angle):
    """A point at an angle about the axis, from y towards z."""
    return (x, radius * math.cos(angle), radius * math.sin(angle))


def make_vessel():
    mesh = Mesh()
    angle = lambda i: 2 * math.pi * (i % SEGMENTS) / SEGMENTS
    along = [HALF_LENGTH * (2 * j / STRETCHES - 1) for j in range(STRETCHES + 1)]
    for i in range(SEGMENTS):
        a, b = angle(i), angle(i + 1)
        for x, y in zip(along, along[1:]):
            mesh.polygon(around(x, RADIUS, a), around(x, RADIUS, b), around(y, RADIUS, b), around(y, RADIUS, a))
        for x, order in ((-HALF_LENGTH, 1), (HALF_LENGTH, -1)):
            for outer, inner in zip(PLATE_RADII, PLATE_RADII[1:]):
                ring = [around(x, outer, a), around(x, inner, a), around(x, inner, b), around(x, outer, b)]
                mesh.polygon(*ring[::order])
            hub = PLATE_RADII[-1]
            mesh.polygon(*[around(x, hub, a), (x, 0.0, 0.0), around(x, hub, b)][::order])
    # A container: its faces look inwards.
    mesh.polygons = [polygon[::-1] for polygon in mesh.polygons]
    return mesh


def make_shaft():
    mesh = Mesh()
    angle = lambda i: 2 * math.pi * (i % SHAFT_SEGMENTS) / SHAFT_SEGMENTS
    along = [SHAFT_HALF_LENGTH * (2 * j / SHAFT_STRETCHES - 1) for j in range(SHAFT_STRETCHES + 1)]
    for i in range(SHAFT_SEGMENTS):
        a, b = angle(i), angle(i + 1)
        for x, y in zip(along, along[1:]):
            mesh.triangles(*[around(x, SHAFT_RADIUS, a), around(x, SHAFT_RADIUS, b),
                             around(y, SHAFT_RADIUS, b), around(y, SHAFT_RADIUS, a)])
        for x, order in ((along[0], 1), (along[-1], -1)):
            mesh.polygon(*[around(x, SHAFT_RADIUS, a), (x, 0.0, 0.0), around(x, SHAFT_RADIUS, b)][::order])
    return mesh


def blade_at(blade, part):
    """Distance from the middle along the axis and angle of a blade, `part` of its way from the middle to the end."""
    return BLADE_HALF_LENGTH * part, math.pi * part + 2 * math.pi * blade / BLADES


def blade_section(blade, side, part):
    """Corners of a blade in the half at `side`, `part` of the way from the middle to the end."""
    half = BLADE_THICKNESS / 2
    x, angle = blade_at(blade, part)
    corners = []
    for edge, radius in ((-half, 0), (half, 0), (half, 1), (-half, 1)):
        # In the middle both halves meet in a mitre: their edges run on until they reach the plane between them.
        place, turn = (0.0, angle - math.pi * edge / BLADE_HALF_LENGTH) if part == 0 else (x + edge, angle)
        corners.append(around(side * place, BLADE_RADII[radius], turn))
    return corners


def make_blades():
    mesh = Mesh()
    steps = BLADE_SEGMENTS // 2
    for blade, side in ((blade, side) for blade in range(BLADES) for side in (1, -1)):
        sections = [blade_section(blade, side, k / steps) for k in range(steps + 1)]
        for one, two in zip(sections, sections[1:]):
            for k in range(4):
                mesh.triangles(*[one[k], one[(k + 1) % 4], two[(k + 1) % 4], two[k]][::side])
        mesh.triangles(*sections[-1][::side])
    return mesh


def make_arms():
    mesh = Mesh()
    for blade, place in ((blade, place) for blade in range(BLADES) for place in ARM_PLACES):
        distance, angle = blade_at(blade, abs(place))
        x = math.copysign(distance, place)
        cos, sin = math.cos(angle), math.sin(angle)
        corners = {}
        for i, along in enumerate((-ARM_THICKNESS / 2, ARM_THICKNESS / 2)):
            for j, aside in enumerate((-ARM_WIDTH / 2, ARM_WIDTH / 2)):
                for k, radius in enumerate(ARM_RADII):
                    corners[i, j, k] = (x + along, radius * cos - aside * sin, radius * sin + aside * cos)
        # Along x, aside and outwards are a right-handed set in another order: (x, outwards, aside).
        faces = ["000 001 011 010", "100 110 111 101", "000 100 101 001", "010 011 111 110", "000 010 110 100",
                 "001 101 111 011"]
        for face in faces:
            mesh.triangles(*[corners[tuple(map(int, name))] for name in face.split()][::-1])
    return mesh


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "scenes/mixer")
    meshes = {"vessel": make_vessel(), "shaft": make_shaft(), "blades": make_blades(), "arms": make_arms()}
    for name, mesh in meshes.items():
        mesh.write(folder / (name + ".obj"), "Rotary mixer, " + name)
        print("%-6s %4d triangles %5d quadrilaterals" % (name, mesh.count(3), mesh.count(4)))
    totals = [sum(mesh.count(corners) for mesh in meshes.values()) for corners in (3, 4)]
    if totals != [848, 1600]:
        sys.exit("%d triangles and %d quadrilaterals" % tuple(totals))


if __name__ == "__main__":
    main()
