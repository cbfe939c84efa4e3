import { KEYS, KINDS } from "./fields.js";
import { make } from "./dom.js";
import { tell } from "./math.js";

/** The body that was clicked: found again in every frame by what it is known by. */
export class Inspector {
  constructor() {
    this.picked = null;
    this.follow = false;
  }

  pick(pane, hit) {
    if (!hit) {
      this.clear();
      return;
    }
    const frame = pane.shown.get(hit.kind);
    const key = KEYS.find((name) => {
      const array = frame.arrays.get(name);
      return array?.components === 1 && array.on === (frame.onPoints ? "point" : "cell");
    });
    const value = key ? frame.arrays.get(key).data[hit.index] : hit.index;
    // Elements are numbered within their wall.
    const wall = key === "element" ? frame.arrays.get("wall")?.data[hit.index] : undefined;
    this.picked = { pane, kind: hit.kind, key, value, wall, index: hit.index };
  }

  clear() {
    this.picked = null;
    this.follow = false;
  }

  /** Finds the body in the frames now shown and marks it. */
  update(panes) {
    for (const pane of panes) pane.stage.selected = null;
    const { picked } = this;
    if (!picked) return;
    const frame = picked.pane.shown.get(picked.kind);
    picked.index = frame ? find(frame, picked) : -1;
    if (picked.index >= 0) picked.pane.stage.selected = { kind: picked.kind, index: picked.index };
  }

  /** Where the body is: centre of a sphere, mean of the corners of a cell. */
  place() {
    const { picked } = this;
    const frame = picked?.pane.shown.get(picked.kind);
    if (!frame || picked.index < 0) return null;
    if (frame.onPoints) return [...frame.position.subarray(3 * picked.index, 3 * picked.index + 3)];
    const [corners, owners, n] = frame.shape.triangles.length ? [frame.shape.triangles, frame.shape.triangle_cell, 3] : [frame.shape.lines, frame.shape.line_cell, 2];
    const sum = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < owners.length; i++) {
      if (owners[i] !== picked.index) continue;
      for (let k = n * i; k < n * i + n; k++, count++) for (let c = 0; c < 3; c++) sum[c] += frame.position[3 * corners[k] + c];
    }
    return count ? sum.map((x) => x / count) : null;
  }

  /** The card with all that is known. */
  card(onfollow, onclose) {
    const { picked } = this;
    const frame = picked.pane.shown.get(picked.kind);
    const one = KINDS[picked.kind].title.replace(/(e?)s$/, (_, e) => (picked.kind === "meshes" ? "" : e));
    const known = frame && picked.key ? picked.pane.names(frame, picked.key)[picked.value] : null;
    const title = `${one} ${known || (picked.key ? picked.value : picked.index)}`;
    const follow = make("button", { textContent: "Follow", title: "Keep it in the middle  F", ariaPressed: String(this.follow), onclick: onfollow });
    const close = make("button", { textContent: "×", title: "Forget it  Esc", onclick: onclose });
    const head = make("div", { className: "head" }, make("span", { textContent: title }), make("span", { className: "gap" }), follow, close);
    if (!frame || picked.index < 0) {
      return make("div", { className: "group picked" }, head, make("p", { className: "quiet", textContent: "It is not there at this time." }));
    }
    const rows = frame.describe(picked.index).map(([name, values, unit]) => {
      const text = values.length > 1 ? `(${values.map(tell).join(", ")})` : named(picked.pane, frame, name, values[0]);
      return make("tr", {}, make("td", { textContent: name.replaceAll("_", " ") }), make("td", { textContent: `${text} ${unit}`.trim() }));
    });
    return make("div", { className: "group picked" }, head, make("table", { className: "facts" }, make("tbody", {}, ...rows)));
  }
}

function named(pane, frame, name, value) {
  const known = pane.names(frame, name)[value];
  return known ? `${known} (${value})` : tell(value);
}

function find(frame, { key, value, wall, index }) {
  if (!key) return index < frame.count ? index : -1;
  const data = frame.arrays.get(key)?.data ?? [];
  const walls = wall === undefined ? null : frame.arrays.get("wall")?.data;
  for (let i = 0; i < data.length; i++) if (data[i] === value && (!walls || walls[i] === wall)) return i;
  return -1;
}
