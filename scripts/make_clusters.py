#!/usr/bin/env python3
"""Writes the walls of scenes/ball_mill and scenes/lifted_hopper: python3 scripts/make_clusters.py [SCENES]

drum.obj     a drum around y with twelve lifters, as a prism open at both ends, normals inwards; lengths in metres.
             It is longer than the period of the scene: walls have no periodic images.
analytic.toml  the scene of the mill with the same drum as a cylinder and 36 rectangles.
hopper.obj   a square frustum with a vertical skirt above, a thin shell.
"""
import math
import pathlib
import sys

# Drum.
RADIUS, LIFTERS, FROM, TO = 0.300, 12, -0.020, 0.120
# Section of a lifter in drum axes: half of its inner face, and the angle of its foot.
TOP_RADIUS, TOP_HALF_WIDTH = 0.286, 0.009
FOOT_ANGLE = math.radians(2 + 56 / 60)
# Facets of the shell between two lifters.
FACETS = 16
# Hopper: half widths of opening and top, heights of opening, top and rim.
OPENING, TOP, HEIGHTS = 0.030, 0.100, (0.001, 0.141, 0.301)


def text(value):
    return "%.12g" % (round(value, 12) + 0.0)


def obj(head, points, polygons):
    lines = ["# " + head + "; lengths in metres, made by scripts/make_clusters.py"]
    lines += ["v " + " ".join(map(text, point)) for point in points]
    lines += ["f " + " ".join(str(corner + 1) for corner in polygon) for polygon in polygons]
    return "\n".join(lines) + "\n"


def lifter_points(number):
    """The section of one lifter, foot to foot, as points (x, z)."""
    angle = 2 * math.pi * number / LIFTERS
    foot = (RADIUS * math.cos(FOOT_ANGLE), RADIUS * math.sin(FOOT_ANGLE))
    corners = [(foot[0], -foot[1]), (TOP_RADIUS, -TOP_HALF_WIDTH), (TOP_RADIUS, TOP_HALF_WIDTH), foot]
    cos, sin = math.cos(angle), math.sin(angle)
    return [(x * cos - z * sin, x * sin + z * cos) for x, z in corners]


def drum():
    section = []
    for number in range(LIFTERS):
        section += lifter_points(number)
        begin = 2 * math.pi * number / LIFTERS + FOOT_ANGLE
        step = (2 * math.pi / LIFTERS - 2 * FOOT_ANGLE) / FACETS
        section += [(RADIUS * math.cos(begin + k * step), RADIUS * math.sin(begin + k * step)) for k in range(1, FACETS)]
    count = len(section)
    points = [(x, y, z) for y in (FROM, TO) for x, z in section]
    # Seen from the axis the corners run counter-clockwise.
    quads = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
    return obj("Drum with twelve lifters", points, quads)


def rectangle(name, a, b):
    """A rectangle along y between two points of the section, facing the axis."""
    middle = [(a[0] + b[0]) / 2, (FROM + TO) / 2, (a[1] + b[1]) / 2]
    along = [b[0] - a[0], b[1] - a[1]]
    length = math.hypot(*along)
    normal = [-along[1] / length, along[0] / length]
    if name.startswith("top") and normal[0] * middle[0] + normal[1] * middle[2] > 0:
        raise ValueError(name)
    return f"""
[[wall]]
name = "{name}"
material = "steel"
shape = "rectangle"
centre = [{text(middle[0])}, {text(middle[1])}, {text(middle[2])}]
normal = [{text(normal[0])}, 0, {text(normal[1])}]
along = [0, 1, 0]
length = {text(TO - FROM)}
width = {text(length)}
motion = [{{ kind = "rotation", axis = [0, 1, 0], speed = "40 rpm" }}]
"""


def analytic(scene):
    head, rest = scene.split("[[mesh]]", 1)
    _, tail = rest.split("\n\n", 1)
    walls = f"""[[wall]]
name = "shell"
material = "steel"
shape = "cylinder"
from = [0, {text(FROM)}, 0]
to = [0, {text(TO)}, 0]
radius = {text(RADIUS)}
motion = [{{ kind = "rotation", axis = [0, 1, 0], speed = "40 rpm" }}]
"""
    for number in range(LIFTERS):
        points = lifter_points(number)
        for part, a, b in zip(("lead", "top", "trail"), points, points[1:]):
            walls += rectangle(f"{part}-{number + 1}", a, b)
    head = head.replace("title = \"Ball mill\"", "title = \"Ball mill, analytic walls\"")
    return "# The scene of scene.toml with a cylinder and 36 rectangles; written by scripts/make_clusters.py.\n" + head + walls + "\n" + tail


def hopper():
    rings = [(OPENING, HEIGHTS[0]), (TOP, HEIGHTS[1]), (TOP, HEIGHTS[2])]
    corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    points = [(half * x, half * y, z) for half, z in rings for x, y in corners]
    # Seen from inside the corners run counter-clockwise.
    quads = [(4 * ring + i, 4 * ring + 4 + i, 4 * ring + 4 + (i + 1) % 4, 4 * ring + (i + 1) % 4) for ring in (0, 1) for i in range(4)]
    return obj("Square hopper with a skirt", points, quads)


def main():
    scenes = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "scenes")
    (scenes / "ball_mill" / "drum.obj").write_text(drum())
    mill = (scenes / "ball_mill" / "scene.toml").read_text()
    (scenes / "ball_mill" / "analytic.toml").write_text(analytic(mill))
    (scenes / "lifted_hopper" / "hopper.obj").write_text(hopper())


main()
