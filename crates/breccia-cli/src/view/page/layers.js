import { isCategory } from "./fields.js";
import { Geometry, ThingTexture } from "./gl.js";
import { LINE_TEXELS, SPHERE_TEXELS } from "./shaders.js";

/** Values by thing and the way to colour them: 0 one colour, 1 scale, 2 distinct colours. */
export function colouring(frame, key) {
  const values = key === "plain" ? null : frame.values(key);
  if (!values) return { mode: 0, at: () => 0, values: null, onPoints: false };
  return { mode: isCategory(key) ? 2 : 1, at: (i) => values.data[i], values: values.data, onPoints: values.on === "point", ...values };
}

/** Which things are shown: none of a hidden group. `hidden` has entries `field:number`. */
export function shownThings(frame, hidden) {
  const tests = [];
  for (const name of new Set([...hidden].map((entry) => entry.split(":")[0]))) {
    const data = frame.arrays.get(name)?.data;
    const gone = new Set([...hidden].filter((entry) => entry.startsWith(`${name}:`)).map((entry) => Number(entry.split(":")[1])));
    if (data) tests.push((i) => !gone.has(data[i]));
  }
  if (tests.length === 0) return () => true;
  return tests.length === 1 ? tests[0] : (i) => tests.every((test) => test(i));
}

/** Spheres. */
export class SphereGeometry {
  constructor(gl) {
    this.body = new ThingTexture(gl, SPHERE_TEXELS);
    this.largest = 0;
    this.mean = 0;
  }

  fill(frame, colour, hidden) {
    const isShown = shownThings(frame, hidden);
    const radius = frame.arrays.get("radius")?.data;
    const data = this.body.room(frame.points);
    const { position } = frame, { values } = colour;
    let n = 0, sum = 0;
    this.largest = 0;
    for (let i = 0; i < frame.points; i++) {
      if (!isShown(i)) continue;
      const at = 8 * n, r = radius ? radius[i] : 0;
      data[at] = position[3 * i];
      data[at + 1] = position[3 * i + 1];
      data[at + 2] = position[3 * i + 2];
      data[at + 3] = r;
      data[at + 4] = values ? values[i] : 0;
      data[at + 5] = i;
      if (r > this.largest) this.largest = r;
      sum += r;
      n++;
    }
    this.mean = n ? sum / n : 0;
    this.body.send(n);
  }
}

/** Lines as ribbons that face the viewer: contacts by force, bonds, edges. */
export class LineGeometry {
  constructor(gl) {
    this.body = new ThingTexture(gl, LINE_TEXELS);
  }

  /** `pairs` of points, the cell of each, its width [m] and its value. Cells for which `isShown` is false are left out. */
  fill(frame, pairs, cells, width, value, isShown) {
    const count = pairs.length / 2;
    const data = this.body.room(count);
    const { position } = frame;
    let n = 0;
    for (let i = 0; i < count; i++) {
      if (!isShown(cells[i], i)) continue;
      const at = 12 * n++;
      for (let c = 0; c < 3; c++) {
        data[at + c] = position[3 * pairs[2 * i] + c];
        data[at + 4 + c] = position[3 * pairs[2 * i + 1] + c];
      }
      data[at + 3] = width(cells[i]);
      data[at + 7] = value(cells[i]);
      data[at + 8] = cells[i];
    }
    this.body.send(n);
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
    this.body.set(0, 3, places.subarray(0, 3 * n));
    this.body.set(1, 1, values.subarray(0, n));
    this.body.set(2, 1, things.subarray(0, n));
    this.body.count = n;
  }
}
