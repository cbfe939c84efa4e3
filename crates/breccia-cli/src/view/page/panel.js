import { SCALE_NAMES } from "./colours.js";
import { byId, choice, make } from "./dom.js";
import { GROUPS, isCategory, KINDS } from "./fields.js";

/** The settings beside the scene. Built anew when kinds or choices change, not with every frame. */
export class Panel {
  constructor(app) {
    this.app = app;
    this.root = byId("panel");
    this.selection = make("div");
    this.body = make("div");
    this.root.append(this.selection, this.body);
  }

  /** Shows the body that was clicked. */
  showSelection() {
    const { inspector } = this.app;
    const card = inspector.picked ? inspector.card(() => this.app.toggleFollow(), () => this.app.forget()) : null;
    this.selection.replaceChildren(...(card ? [card] : []));
  }

  /** Builds everything. */
  build() {
    const kinds = Object.keys(KINDS).filter((kind) => this.app.panes.some((pane) => pane.shown.has(kind)));
    this.built = kinds.join();
    this.numbers = new Map();
    this.ranges = new Map();
    this.body.replaceChildren(...kinds.map((kind) => this.kindGroup(kind)), this.cutGroup(), this.aboutGroup());
    this.update();
  }

  /** Writes numbers that change with the frame. */
  update() {
    const kinds = Object.keys(KINDS).filter((kind) => this.app.panes.some((pane) => pane.shown.has(kind)));
    if (this.built !== kinds.join()) return this.build();
    for (const [kind, output] of this.numbers) {
      const counts = this.app.panes.map((pane) => pane.shown.get(kind)?.count ?? 0);
      const parts = this.app.panes.map((pane) => pane.shown.get(kind)?.parts() ?? 0);
      const text = (count, i) => (parts[i] === count ? count : `${parts[i].toLocaleString("en")} · ${count.toLocaleString("en")} elements`);
      output.textContent = counts.map((count, i) => text(count, i).toLocaleString("en")).join(" | ");
      output.dataset.count = counts.join();
    }
    const { kinds: styles } = this.app.look;
    for (const [kind, [low, high]] of this.ranges) {
      if (document.activeElement !== low) low.value = String(Number(styles[kind].low.toPrecision(3)));
      if (document.activeElement !== high) high.value = String(Number(styles[kind].high.toPrecision(3)));
    }
    this.showSelection();
  }

  frame(kind) {
    return this.app.panes.map((pane) => pane.shown.get(kind)).find(Boolean);
  }

  kindGroup(kind) {
    const style = this.app.look.kinds[kind];
    const number = make("span", { className: "number", id: `number-${kind}` });
    this.numbers.set(kind, number);
    const eye = make("input", { type: "checkbox", checked: style.visible, id: `show-${kind}`, onchange: () => {
      style.visible = eye.checked;
      this.app.redraw();
    } });
    const head = make("div", { className: "head" }, make("label", {}, eye, KINDS[kind].title), number);
    return make("div", { className: "group", data: { kind } }, head, this.colourRow(kind, style), this.rangeRow(kind, style), this.opacityRow(kind, style), this.thicknessRow(kind), ...this.chips(kind, style));
  }

  colourRow(kind, style) {
    const entries = [["plain", "one colour"], ...(this.frame(kind)?.choices() ?? [])];
    const select = choice(entries, style.colour, (key) => this.app.colourBy(kind, key), { id: `colour-${kind}` });
    return row("Colour", select);
  }

  rangeRow(kind, style) {
    if (style.colour === "plain" || isCategory(style.colour)) return null;
    const end = (name) => make("input", { type: "number", step: "any", id: `${name}-${kind}`, ariaLabel: `${name} end of the scale`, onchange: (event) => {
      const value = Number(event.target.value);
      if (event.target.value === "" || !Number.isFinite(value)) return;
      Object.assign(style, { [name]: value, auto: false });
      this.app.redraw();
    } });
    const ends = [end("low"), end("high")];
    this.ranges.set(kind, ends);
    const fit = make("button", { textContent: "Fit", title: "Range of what is shown now", onclick: () => this.app.fitRange(kind) });
    const map = choice(SCALE_NAMES.map((name) => [name, name]), style.map, (name) => {
      style.map = name;
      this.app.redraw();
    }, { ariaLabel: "Colours" });
    return make("div", {}, row("Range", ...ends, fit), row("Scale", map));
  }

  opacityRow(kind, style) {
    const slider = make("input", { type: "range", min: 0.04, max: 1, step: 0.02, value: style.opacity, ariaLabel: "Opacity", id: `opacity-${kind}`, oninput: () => {
      style.opacity = Number(slider.value);
      this.app.redraw();
    } });
    return row("Opacity", slider);
  }

  thicknessRow(kind) {
    if (KINDS[kind].draw !== "lines") return null;
    const { look } = this.app;
    const slider = make("input", { type: "range", min: 0.1, max: 3, step: 0.1, value: look.thickness, ariaLabel: "Thickness", oninput: () => {
      look.thickness = Number(slider.value);
      this.app.refill();
    } });
    return row("Thick", slider);
  }

  /** Buttons that hide and show groups, materials, walls. */
  chips(kind, style) {
    const rows = [];
    for (const [field] of GROUPS[kind] ?? []) {
      const frame = this.frame(kind), data = frame?.arrays.get(field)?.data;
      const numbers = data ? [...new Set(data)].sort((a, b) => a - b) : [];
      if (numbers.length < 2 || numbers.length > 24) continue;
      const names = this.app.panes.find((pane) => pane.shown.get(kind) === frame).names(frame, field);
      rows.push(make("div", { className: "chips" }, ...numbers.map((number) => this.chip(style, `${field}:${number}`, names[number] || `${field} ${number}`))));
    }
    return rows;
  }

  chip(style, entry, text) {
    const button = make("button", { textContent: text, ariaPressed: String(!style.hidden.has(entry)), onclick: () => {
      if (!style.hidden.delete(entry)) style.hidden.add(entry);
      button.ariaPressed = String(!style.hidden.has(entry));
      this.app.refill();
    } });
    return button;
  }

  cutGroup() {
    const { cut } = this.app.look;
    const redraw = () => this.app.redraw();
    const on = make("input", { type: "checkbox", checked: cut.on, id: "cut", onchange: () => {
      cut.on = on.checked;
      this.build();
      redraw();
    } });
    const head = make("div", { className: "head" }, make("label", {}, on, "Cut"));
    if (!cut.on) return make("div", { className: "group" }, head);
    const axis = choice([..."xyz"].map((name) => [name, `across ${name}`]), cut.axis, (name) => {
      cut.axis = name;
      redraw();
    });
    const flip = make("button", { textContent: "Flip", ariaPressed: String(cut.flip), onclick: () => {
      cut.flip = !cut.flip;
      flip.ariaPressed = String(cut.flip);
      redraw();
    } });
    const at = make("input", { type: "range", min: 0, max: 1, step: 0.005, value: cut.at, id: "cut-at", ariaLabel: "Place of the cut", oninput: () => {
      cut.at = Number(at.value);
      redraw();
    } });
    return make("div", { className: "group" }, head, row("Plane", axis, flip), row("Place", at));
  }

  aboutGroup() {
    const lines = this.app.panes.flatMap((pane) => {
      const { info } = pane;
      const wall = info.wall_time ? `\n${info.wall_time.toFixed(info.wall_time < 10 ? 1 : 0)} s of computing` : "";
      const words = make("p", { className: "quiet", textContent: `${info.folder ?? info.name}\n${info.words}${wall}` });
      const troubles = (info.troubles ?? []).map((text) => make("p", { className: "quiet bad", textContent: text }));
      return [words, ...troubles];
    });
    const hint = make("p", { className: "quiet", textContent: "Click a body to see its data. Press ? for help." });
    return make("div", { className: "group" }, make("div", { className: "head", textContent: "Run" }), ...lines, hint);
  }
}

const row = (title, ...controls) => make("div", { className: "row" }, make("span", { textContent: title }), ...controls);
