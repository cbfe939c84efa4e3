import { byId, choice } from "./dom.js";
import { icon } from "./icons.js";
import { tell } from "./math.js";

const RATES = [1, 2, 5, 10, 25, 50];

/** The clock of the page: which instant is shown, and how it goes on. */
export class Player {
  constructor(onchange) {
    this.times = [];
    this.index = 0;
    this.rate = 10;
    this.playing = false;
    this.atEnd = false;
    this.onchange = onchange;
    byId("back").append(icon("back"));
    byId("forward").append(icon("forward"));
    this.slider = byId("scrub");
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
    byId("play").addEventListener("click", () => this.toggle());
    byId("back").addEventListener("click", () => this.step(-1));
    byId("forward").addEventListener("click", () => this.step(1));
    byId("live").addEventListener("click", () => this.followEnd(!this.atEnd));
    const rates = RATES.map((rate) => [String(rate), `${rate} frames/s`]);
    byId("rate").replaceWith(choice(rates, "10", (rate) => this.setRate(Number(rate)), { id: "rate", title: "Speed  [ ]" }));
  }

  get time() {
    return this.times[this.index] ?? 0;
  }

  /** Takes the instants there are; a run that is followed is shown at its newest. */
  setTimes(times) {
    const time = this.time, hadNone = this.times.length === 0;
    this.times = times;
    if (this.atEnd && times.length) this.index = times.length - 1;
    else this.index = hadNone ? 0 : nearest(times, time);
    this.slider.max = String(Math.max(0, times.length - 1));
    this.show();
  }

  seek(index) {
    this.index = Math.min(Math.max(0, index), Math.max(0, this.times.length - 1));
    if (this.index < this.times.length - 1) this.setAtEnd(false);
    this.show();
    return this.onchange();
  }

  seekTime(time) {
    return this.seek(nearest(this.times, time));
  }

  step(by) {
    this.pause();
    return this.seek(this.index + by);
  }

  setRate(rate) {
    this.rate = rate;
    byId("rate").value = String(rate);
    this.show();
  }

  changeRate(by) {
    const at = RATES.indexOf(this.rate);
    this.setRate(RATES[Math.min(Math.max(0, at + by), RATES.length - 1)]);
  }

  /** Stays at the newest frame while the run goes on. */
  followEnd(follow) {
    this.setAtEnd(follow);
    if (follow) this.seek(this.times.length - 1);
  }

  setAtEnd(atEnd) {
    this.atEnd = atEnd;
    byId("live").setAttribute("aria-pressed", String(atEnd));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  pause() {
    this.playing = false;
    this.show();
  }

  /** Shows one frame after the other, each when it has been fetched and drawn. */
  async play() {
    if (this.times.length < 2) return;
    if (this.index >= this.times.length - 1) this.index = 0;
    this.setAtEnd(false);
    this.playing = true;
    this.show();
    let due = performance.now();
    while (this.playing && this.index < this.times.length - 1) {
      due = Math.max(due + 1000 / this.rate, performance.now() - 1000 / this.rate);
      await this.seek(this.index + 1);
      // What is done once the last frame is seen must not find the clock still running.
      if (this.index >= this.times.length - 1) break;
      await new Promise((resolve) => setTimeout(resolve, Math.max(4, due - performance.now())));
    }
    this.pause();
  }

  show() {
    const { times } = this;
    this.slider.value = String(this.index);
    const digits = times.length > 1 ? Math.max(0, Math.ceil(-Math.log10((times.at(-1) - times[0]) / times.length)) + 1) : 3;
    const text = (t) => t.toFixed(Math.min(digits, 9));
    byId("clock").textContent = times.length ? `${text(this.time)} s` : "–";
    byId("count").textContent = times.length ? `${this.index + 1} of ${times.length}` : "no frames";
    const pace = times.length > 1 ? this.rate * (times.at(-1) - times[0]) / (times.length - 1) : 0;
    byId("pace").textContent = pace ? `${tell(pace)} × real time` : "";
    byId("play").replaceChildren(icon(this.playing ? "pause" : "play"));
    byId("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }
}

/** Place of the time nearest to `time`. */
export function nearest(times, time) {
  let best = 0;
  for (let i = 1; i < times.length; i++) if (Math.abs(times[i] - time) < Math.abs(times[best] - time)) best = i;
  return best;
}

/** Place of the last time not after `time`, with a little give; −1 if there is none. */
export function lastUntil(times, time) {
  const give = 1e-9 * Math.max(1e-9, Math.abs(time));
  let low = -1, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + give) low = middle;
    else high = middle - 1;
  }
  return low;
}
