import { unitOf } from "./fields.js";

/** One kind of things at one instant, as the server packs it (see pack.rs). */
export class Frame {
  constructor(kind, buffer) {
    const bytes = new DataView(buffer);
    if (buffer.byteLength < 8 || bytes.getUint32(0, false) !== 0x42524631) throw new Error(`${kind}: not a frame`);
    const length = bytes.getUint32(4, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
    this.kind = kind;
    this.perDepth = false;
    this.bytes = buffer.byteLength;
    this.time = head.time;
    this.points = head.points;
    this.cells = head.cells;
    this.polygons = head.polygons;
    this.texts = head.texts;
    this.arrays = new Map();
    this.shape = {};
    for (const array of head.arrays) {
      const Type = array.type === "f32" ? Float32Array : Uint32Array;
      const data = new Type(buffer, 8 + length + array.offset, array.count);
      if (array.on === "shape") this.shape[array.name] = data;
      else if (!this.arrays.has(array.name)) this.arrays.set(array.name, { ...array, data });
    }
    this.position = this.arrays.get("position").data;
  }

  /** Whether the things of this kind are points (spheres), not cells. */
  get onPoints() {
    return this.kind === "spheres";
  }

  /** Number of things: spheres, lines or polygons. */
  get count() {
    return this.onPoints ? this.points : this.cells;
  }

  /** Number of bodies that the things make up: walls of their polygons, grains or solids of their elements. */
  parts() {
    if (this.onPoints) return this.points;
    const owner = ["wall", "grain", "body", "solid"].map((name) => this.arrays.get(name)).find((array) => array?.on === "cell");
    return owner ? new Set(owner.data).size : this.cells;
  }

  /** What it can be coloured by: [key, text] pairs. */
  choices() {
    const found = [];
    for (const [name, array] of this.arrays) {
      if (name === "position") continue;
      const text = name.replaceAll("_", " ");
      if (array.components === 1) found.push([name, text]);
      else if (array.components <= 3) {
        found.push([name, name === "velocity" ? "speed" : `${text}, size`]);
        for (let c = 0; c < array.components; c++) found.push([`${name}.${c}`, `${text} ${"xyz"[c]}`]);
      }
    }
    return found;
  }

  /** Values of a choice, one per point or cell, and where they belong. Those asked for last are kept. */
  values(key) {
    if (this.lastKey !== key) [this.lastKey, this.lastValues] = [key, this.work(key)];
    return this.lastValues;
  }

  work(key) {
    const [name, part] = key.split(".");
    const array = this.arrays.get(name);
    if (!array) return null;
    const { data, components: n } = array;
    if (n === 1) return { on: array.on, data, unit: unitOf(name, this.perDepth) };
    const values = new Float32Array(data.length / n);
    for (let i = 0; i < values.length; i++) {
      if (part !== undefined) values[i] = data[n * i + Number(part)];
      else {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += data[n * i + c] ** 2;
        values[i] = Math.sqrt(sum);
      }
    }
    return { on: array.on, data: values, unit: unitOf(name, this.perDepth) };
  }

  /** All that is known about thing number `index`: [name, value or values, unit]. */
  describe(index) {
    const on = this.onPoints ? "point" : "cell";
    const rows = [];
    if (this.onPoints) rows.push(["position", [...this.position.subarray(3 * index, 3 * index + 3)], "m"]);
    for (const [name, array] of this.arrays) {
      if (array.on !== on || name === "position") continue;
      const n = array.components;
      rows.push([name, [...array.data.subarray(n * index, n * index + n)], unitOf(name, this.perDepth)]);
    }
    return rows;
  }

  /** Lowest and highest corner of all points, spheres with their radii. */
  bounds() {
    if (this.box) return this.box;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const radius = this.arrays.get("radius")?.data;
    for (let i = 0; i < this.points; i++) {
      const r = this.onPoints && radius ? radius[i] : 0;
      for (let c = 0; c < 3; c++) {
        const x = this.position[3 * i + c];
        if (!Number.isFinite(x)) continue;
        if (x - r < low[c]) low[c] = x - r;
        if (x + r > high[c]) high[c] = x + r;
      }
    }
    this.box = [low, high];
    return this.box;
  }
}
