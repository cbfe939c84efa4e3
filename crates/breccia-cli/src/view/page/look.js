import { isCategory, KINDS } from "./fields.js";

/** How things are shown: shared by all panes, so that two runs can be compared. */
export class Look {
  constructor() {
    this.background = [1, 1, 1];
    this.cut = { on: false, axis: "x", at: 0.5, flip: false };
    this.thickness = 1;
    this.box = null;
    this.kinds = {};
    for (const [kind, { opacity, map }] of Object.entries(KINDS)) {
      this.kinds[kind] = {
        visible: true, colour: null, map, opacity, low: 0, high: 1, auto: true, seen: false, hidden: new Set(),
      };
    }
    // Bonds that broke would be drawn between spheres that have long parted.
    this.kinds.bonds.hidden = new Set(["broken:1", "broken:2"]);
  }

  /** Chooses what a kind is coloured by when its first frames come, one of each run: what all of them have. */
  meet(frames) {
    for (const { kind } of frames) {
      const style = this.kinds[kind];
      if (style.colour !== null) continue;
      const alike = frames.filter((frame) => frame.kind === kind).map((frame) => new Set(frame.choices().map(([key]) => key)));
      style.colour = KINDS[kind].colour.find((key) => key === "plain" || alike.every((keys) => keys.has(key))) ?? "plain";
    }
  }

  /** Widens the range of a kind to what a frame holds, unless somebody chose one. */
  widen(frame) {
    const style = this.kinds[frame.kind];
    if (!style.auto || style.colour === "plain" || isCategory(style.colour)) return;
    const values = frame.values(style.colour);
    if (!values) return;
    let [low, high] = style.seen ? [style.low, style.high] : [Infinity, -Infinity];
    for (const value of values.data) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high < low) return;
    // Sizes that reach down to almost nothing begin at nothing; whole numbers count from where they do.
    if (values.data instanceof Float32Array && low > 0 && low < 0.05 * high) low = 0;
    if (low < 0 && -low < 1e-3 * high) low = 0;
    [style.low, style.high, style.seen] = [low, high > low ? high : low + (Math.abs(low) || 1), true];
  }

  /** Forgets the range of a kind. */
  forget(kind) {
    Object.assign(this.kinds[kind], { auto: true, seen: false, low: 0, high: 1 });
  }
}

const read = (style, name) => {
  const hex = style.getPropertyValue(name).trim().slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
};

/** Takes the colours of the stage from the page's theme. */
export function takeTheme(look) {
  const style = getComputedStyle(document.documentElement);
  const isDark = document.documentElement.dataset.theme === "dark";
  look.background = read(style, "--stage");
  look.edge = isDark ? [0.62, 0.64, 0.68] : [0.22, 0.24, 0.28];
  look.glass = isDark ? [0.58, 0.66, 0.76] : [0.45, 0.53, 0.62];
  look.body = isDark ? [0.72, 0.66, 0.58] : [0.66, 0.58, 0.48];
  look.depthCue = isDark ? 0.55 : 0.42;
}
