import { drawTriad } from "./triad.js";
import { make } from "./dom.js";
import { legends, showLegends } from "./legend.js";
import { lastUntil } from "./player.js";
import { Stage } from "./stage.js";

/** One run: its part of the page and what of it is shown. */
export class Pane {
  constructor(number, camera, look, store) {
    Object.assign(this, { number, camera, look, store, info: null, shown: new Map() });
    this.canvas = make("canvas", { className: "scene", tabIndex: 0, ariaLabel: "Scene; drag to turn" });
    this.axes = make("canvas", { className: "axes", width: 148, height: 148 });
    this.legends = make("div", { className: "legends" });
    this.name = make("div", { className: "name" });
    this.message = make("div", { className: "message", hidden: true, role: "alert" });
    this.root = make("div", { className: "pane", data: { run: String(number) } }, this.canvas, this.axes, this.name, this.legends, this.message);
  }

  /** Begins to draw; needs to be on the page. */
  begin() {
    this.stage = new Stage(this.canvas, this.camera, this.look);
    this.stage.ondraw = () => drawTriad(this.axes, this.camera);
    this.canvas.addEventListener("webglcontextlost", () => this.say("The browser took the drawing surface away. Reload this page to go on.", "Nothing can be drawn"));
    new ResizeObserver(() => this.stage.invalidate()).observe(this.root);
  }

  /** Tells something instead of, or over, a picture. */
  say(words, what = "Nothing to show", bad = true) {
    this.message.hidden = !words;
    this.message.className = bad ? "message bad" : "message";
    this.message.replaceChildren(make("strong", { textContent: what }), make("p", { textContent: words ?? "" }));
  }

  /** Times of all frames. */
  times() {
    return Object.values(this.info?.kinds ?? {}).flat();
  }

  /** Frames of all kinds at a time: [kind, promise of the frame]. */
  ask(time) {
    const asked = [];
    const kinds = this.info?.kinds ?? {};
    const perDepth = "grains" in kinds;
    for (const [kind, times] of Object.entries(kinds)) {
      const index = lastUntil(times, time);
      if (index >= 0) asked.push([kind, this.store.get(this.number, kind, index, times[index]).then((frame) => Object.assign(frame, { perDepth }))]);
    }
    return asked;
  }

  /** Fetches and shows an instant. A frame that cannot be read is told and left out, the others are shown. */
  async show(time) {
    this.wanted = time;
    const asked = this.ask(time);
    const results = await Promise.allSettled(asked.map(([, promise]) => promise));
    if (this.wanted !== time) return;
    const troubles = [];
    this.shown = new Map();
    results.forEach((result, i) => {
      const [kind] = asked[i];
      if (result.status === "rejected") troubles.push(result.reason.message);
      else this.shown.set(kind, result.value);
    });
    this.look.meet([...this.shown.values()]);
    for (const frame of this.shown.values()) this.look.widen(frame);
    for (const kind of [...this.stage.layers.keys()]) if (!this.shown.has(kind)) this.stage.setFrame(kind, null);
    for (const [kind, frame] of this.shown) this.stage.setFrame(kind, frame);
    this.root.dataset.time = String(time);
    if (troubles.length) this.say(troubles.join("\n"), "A frame cannot be shown");
    else if (asked.length) this.say(null);
    this.refresh();
  }

  /** Fetches ahead without showing. */
  fetchAhead(time) {
    for (const [, promise] of this.ask(time)) promise.catch(() => {});
  }

  refresh() {
    showLegends(this.legends, legends(this.stage, this.look, (layer, key) => this.names(layer.frame, key)));
    this.stage.invalidate();
  }

  /** Names of the numbers of a field, where the run or the frame knows them. */
  names(frame, key) {
    if (key === "material") return this.info.materials ?? [];
    if (key === "group" && frame.kind === "spheres") return this.info.groups ?? [];
    if (key === "wall") return frame.texts.wall_names ?? [];
    if (key === "broken") return ["holding", "torn", "sheared"];
    return [];
  }

  /** Frames at a time that can be read, without showing them. */
  async framesAt(time) {
    const results = await Promise.allSettled(this.ask(time).map(([, promise]) => promise));
    return results.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
  }

  /** Box of what is shown, or of other frames; walls far larger than the bodies do not count. */
  bounds(shown = [...this.shown.values()]) {
    const join = (frames) => frames.reduce(([low, high], frame) => {
      const [a, b] = frame.bounds();
      return [low.map((x, i) => Math.min(x, a[i])), high.map((x, i) => Math.max(x, b[i]))];
    }, [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]]);
    const span = ([low, high]) => Math.max(...high.map((x, i) => x - low[i]));
    const frames = shown.filter((frame) => frame.points > 0);
    const all = join(frames);
    const bodies = join(frames.filter((frame) => frame.kind !== "walls"));
    return span(bodies) > 0 && span(all) > 4 * span(bodies) ? bodies : all;
  }
}
