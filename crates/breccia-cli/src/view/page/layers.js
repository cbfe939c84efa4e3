import { isCategory } from "./fields.js";
import { Geometry } from "./gl.js";

const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
const RIBBON = new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]);

/** Values by thing and the way to colour them: 0 one colour, 1 scale, 2 distinct colours. */
export function colouring(frame, key) {
  const values = key === "plain" ? null : frame.values(key);
  if (!values) return { mode: 0, at: () => 0, onPoints: false };
  return { mode: isCategory(key) ? 2 : 1, at: (i) => values.data[i], onPoints: values.on === "point", ...values };
}

/** Which things are shown: none of a hidden group. `hidden` has entries `field:number`. */
export function shownThings(frame, hidden) {
  const tests = [];
  for (const name of new Set([...hidden].map((entry) => entry.split(":")[0]))) {
    const data = frame.arrays.get(name)?.data;
    if (data) tests.push((i) => !hidden.has(`${name}:${data[i]}`));
  }
  return (i) => tests.every((test) => test(i));
}

/** Spheres, one square each. */
export class SphereGeometry {
  constructor(gl) {
    this.body = new Geometry(gl);
    this.body.set(0, 2, SQUARE, false);
  }

  fill(frame, colour, hidden) {
    const isShown = shownThings(frame, hidden);
    const radius = frame.arrays.get("radius")?.data;
    const centres = new Float32Array(3 * frame.points), radii = new Float32Array(frame.points);
    const values = new Float32Array(frame.points), things = new Float32Array(frame.points);
    let n = 0;
    for (let i = 0; i < frame.points; i++) {
      if (!isShown(i)) continue;
      for (let c = 0; c < 3; c++) centres[3 * n + c] = frame.position[3 * i + c];
      radii[n] = radius ? radius[i] : 0;
      values[n] = colour.at(i);
      things[n++] = i;
    }
    this.body.set(1, 3, centres.subarray(0, 3 * n), true);
    this.body.set(2, 1, radii.subarray(0, n), true);
    this.body.set(3, 1, values.subarray(0, n), true);
    this.body.set(4, 1, things.subarray(0, n), true);
    this.body.count = n;
  }
}

/** Lines as ribbons that face the viewer: contacts by force, bonds, edges. */
export class LineGeometry {
  constructor(gl) {
    this.body = new Geometry(gl);
    this.body.set(0, 2, RIBBON, false);
  }

  /** `pairs` of points, the cell of each, its width [m] and its value. Cells for which `isShown` is false are left out. */
  fill(frame, pairs, cells, width, value, isShown) {
    const count = pairs.length / 2;
    const begins = new Float32Array(3 * count), ends = new Float32Array(3 * count);
    const widths = new Float32Array(count), values = new Float32Array(count), things = new Float32Array(count);
    let n = 0;
    for (let i = 0; i < count; i++) {
      if (!isShown(cells[i], i)) continue;
      for (let c = 0; c < 3; c++) {
        begins[3 * n + c] = frame.position[3 * pairs[2 * i] + c];
        ends[3 * n + c] = frame.position[3 * pairs[2 * i + 1] + c];
      }
      widths[n] = width(cells[i]);
      values[n] = value(cells[i]);
      things[n++] = cells[i];
    }
    this.body.set(1, 3, begins.subarray(0, 3 * n), true);
    this.body.set(2, 3, ends.subarray(0, 3 * n), true);
    this.body.set(3, 1, widths.subarray(0, n), true);
    this.body.set(4, 1, values.subarray(0, n), true);
    this.body.set(5, 1, things.subarray(0, n), true);
    this.body.count = n;
  }
}

/** Polygons as triangles; values of points are blended over them, values of cells are not. */
export class SurfaceGeometry {
  constructor(gl) {
    this.body = new Geometry(gl);
  }

  fill(frame, colour, hidden) {
    const isShown = shownThings(frame, hidden);
    const { triangles, triangle_cell: cells } = frame.shape;
    const places = new Float32Array(3 * triangles.length);
    const values = new Float32Array(triangles.length), things = new Float32Array(triangles.length);
    let n = 0;
    for (let t = 0; t < cells.length; t++) {
      if (!isShown(cells[t])) continue;
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const point = triangles[corner];
        for (let c = 0; c < 3; c++) places[3 * n + c] = frame.position[3 * point + c];
        values[n] = colour.at(colour.onPoints ? point : cells[t]);
        things[n++] = cells[t];
      }
    }
    this.body.set(0, 3, places.subarray(0, 3 * n), false);
    this.body.set(1, 1, values.subarray(0, n), false);
    this.body.set(2, 1, things.subarray(0, n), false);
    this.body.count = n;
  }
}
